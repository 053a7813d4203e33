/** What people are told by mail, and how often. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { readWorkerConfig } from '../../src/worker/config/read-config.ts';
import { english } from '../../src/messages/message.ts';
import { ConfigReader } from '../../src/worker/config/reread-config.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { awayProblem } from '../../src/worker/delivery/target-folder.ts';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { manualRun } from '../../src/worker/schedule/schedules.ts';
import { reviveRun } from '../../src/worker/revive.ts';
import { DAY, DROP, EXPORT, TUESDAY } from './example-config.ts';
import { mailServer } from './mail-server.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';
import { CERTIFICATE } from './test-certificate.ts';

const HOUR = 3_600_000;
const MAIL = (port: number, schedules: string) => `
smtp: { host: localhost, port: ${port}, from: "shelflift@example.com", caFile: cert.pem }
notify: { email: owner@example.com }
retries: { tries: 1, backoff: 1ms }
${schedules}`;

async function place(yaml: string, options: SandboxOptions = {}): Promise<WorkerPlace> {
  const opened = await openWorker(yaml, options);
  writeFileSync(join(opened.folder, 'cert.pem'), CERTIFICATE);
  await opened.once({ now: TUESDAY });
  return opened;
}

/** Runs a worker until a delivery has failed: `once` would wait for the end of the outage. */
async function untilFailed(own: WorkerPlace, now: number) {
  const stop = new AbortController();
  const { runs } = await own.once({
    now,
    once: false,
    signal: stop.signal,
    emit: ({ type }) => type === 'delivery_failed' && stop.abort(),
  });
  return runs[0] ?? (await new Runs(own.ledger).list())[0];
}

/** In one line: a long one is folded. */
const subjectOf = ({ text }: { text: string }) =>
  /^Subject: shelflift: (.*)$/m.exec(text.replaceAll(/\r\n(?= )/g, ''))?.[1]?.trim();
/** Quoted-printable text. */
const decoded = (text: string) =>
  text.replaceAll(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString());
/** The text of a mail, without what the transport made of it. */
const bodyOf = ({ text }: { text: string } = { text: '' }) =>
  text
    .slice(text.indexOf('\r\n\r\n') + 4)
    .replaceAll(/=\r\n/g, '')
    .replaceAll('=E2=80=A6', '…')
    .replaceAll('=3D', '=');

test('a mail names the file, the reason why it was not delivered, and how to retry', async () => {
  const server = await mailServer(true);
  await using own = await place(MAIL(server.port, EXPORT().replace('./out', './out/box')));
  mkdirSync(join(own.folder, 'out'));
  writeFileSync(join(own.folder, 'out/box'), 'in the way');
  await own.once({ now: TUESDAY + DAY });
  const text = bodyOf(server.mails[0]);
  expect(text).toContain('schedule accounting: items-2026-06-17.csv was created but not delivered. ');
  expect(text).toContain('box is a file, not a folder.');
  expect(text).toContain('To try again: shelflift jobs resume accounting@2026-06-17T04:00:00.000Z');
});

test('failure e-mails are in the language that notify sets', async () => {
  const server = await mailServer(true);
  const german = MAIL(server.port, EXPORT().replace('./out', './out/box')).replace(
    'email: owner@example.com',
    'email: owner@example.com, language: de',
  );
  await using own = await place(german);
  mkdirSync(join(own.folder, 'out'));
  writeFileSync(join(own.folder, 'out/box'), 'in the way');
  await own.once({ now: TUESDAY + DAY });
  const body = decoded(bodyOf(server.mails[0]));
  expect(body).toContain('Zeitplan accounting: items-2026-06-17.csv wurde erstellt, aber nicht zugestellt.');
  expect(body).toContain(
    'Für einen neuen Versuch: shelflift jobs resume accounting@2026-06-17T04:00:00.000Z',
  );
});

test('a mail about a watched folder that cannot be read is in the language that notify sets', async () => {
  const server = await mailServer(true);
  const yaml = MAIL(server.port, DROP).replace(
    'email: owner@example.com',
    'email: owner@example.com, language: de',
  );
  await using own = await place(yaml);
  rmSync(join(own.folder, 'drop'), { recursive: true });
  writeFileSync(join(own.folder, 'drop'), 'in the way');
  await own.once({ now: TUESDAY });
  const drop = join(own.folder, 'drop');
  expect(decoded(bodyOf(server.mails[0])).trim()).toBe(`Ordner ${drop}: ${drop} ist eine Datei, kein Ordner`);
});

test('the worker waits for a folder without its parent, and reports it in plain words after an hour', async () => {
  const server = await mailServer(true);
  const mount = mkdtempSync(join(tmpdir(), 'shelflift-mount-'));
  onTestFinished(() => rmSync(mount, { recursive: true, force: true }));
  const share = join(mount, 'share/accounts');
  await using own = await place(MAIL(server.port, EXPORT().replace('./out', share)));
  expect(await untilFailed(own, TUESDAY + DAY)).toMatchObject({
    state: 'delivering',
    deliveries: [{ tries: 0, done: false, error: `The folder ${share} does not exist.` }],
  });
  expect(server.mails).toEqual([]);
  await untilFailed(own, TUESDAY + DAY + HOUR);
  expect(bodyOf(server.mails[0])).toContain(
    `items-2026-06-17.csv was created but not delivered. The folder ${share} does not exist.`,
  );
  expect(bodyOf(server.mails[0])).toContain('It will be retried automatically');
  mkdirSync(join(mount, 'share'));
  const { runs } = await own.once({ now: TUESDAY + DAY + 2 * HOUR });
  expect(runs[0]).toMatchObject({ state: 'done', deliveries: [{ tries: 0, done: true }] });
  expect(readdirSync(share)).toContain('items-2026-06-17.csv');
  expect(server.mails.map(subjectOf)).toEqual([
    'schedule accounting fails',
    'schedule accounting works again',
  ]);
});

test('a file whose target folder was wrong is delivered after the folder is corrected', async () => {
  const server = await mailServer(true);
  const wrong = '/no/such/place/accounts';
  await using own = await place(MAIL(server.port, EXPORT().replace('./out', wrong)));
  const waiting = await untilFailed(own, TUESDAY + DAY);
  expect(waiting).toMatchObject({
    state: 'delivering',
    deliveries: [{ to: `folder ${wrong}`, done: false }],
  });
  const config = join(own.folder, 'shelflift.yaml');
  const text = readFileSync(config, 'utf8');
  // Only taken out: that may be a mistake, too.
  writeFileSync(config, text.replace(`[{ folder: ${wrong} }]`, '[]'));
  const removed = await untilFailed(own, TUESDAY + DAY + HOUR);
  expect(removed?.deliveries).toMatchObject([{ error: expect.stringContaining('no longer in the config') }]);
  writeFileSync(config, text.replace(wrong, './right'));
  await using queue = await openQueue(own.ledger);
  await reviveRun(waiting?.id ?? '', { ledger: own.ledger, queue, now: TUESDAY + DAY + 2 * HOUR });
  const { runs } = await own.once({ now: TUESDAY + DAY + 2 * HOUR });
  expect(runs[0]).toMatchObject({
    id: waiting?.id,
    state: 'done',
    deliveries: [{ to: 'folder ./right', done: true }],
  });
  expect(readdirSync(join(own.folder, 'right'))).toContain('items-2026-06-17.csv');
});

test('a dropped file that waits for room in the API plan is reported once', async () => {
  const server = await mailServer(true);
  await using own = await place(MAIL(server.port, DROP), { planLimit: 2 });
  own.dropper('drop')('a.csv', 'name\nA\nB\nC\n');
  for (const hours of [1, 2, 3]) await own.once({ now: TUESDAY + hours * HOUR });
  expect(server.mails.map(subjectOf)).toEqual([`folder ${own.folder}/drop fails`]);
  expect(bodyOf(server.mails[0])).toContain('The item limit of the API plan is reached.');
});

test('a failing run is reported once it is certain to be five minutes late, before its last try', async () => {
  const server = await mailServer(true);
  await using own = await place(
    MAIL(server.port, EXPORT()).replace('tries: 1, backoff: 1ms', 'tries: 5, backoff: 1m'),
  );
  const mails: number[] = [];
  for (const minutes of [0, 1, 3]) {
    const stop = new AbortController();
    await own.once({
      now: TUESDAY + DAY + minutes * 60_000 + 1000,
      environment: { THE_KEY: 'sk_team_refused0123456789' },
      once: false,
      signal: stop.signal,
      emit: ({ type }) => type === 'ended' && stop.abort(),
    });
    mails.push(server.mails.length);
  }
  expect(mails).toEqual([0, 0, 1]);
  expect(bodyOf(server.mails[0])).toContain('It will be retried automatically');
  const { runs } = await own.once({ now: TUESDAY + DAY + 7 * 60_000 + 1000 });
  expect(runs[0]?.state).toBe('done');
  expect(server.mails.map(subjectOf)).toEqual([
    'schedule accounting fails',
    'schedule accounting works again',
  ]);
});

test('a repaired key file is noticed even if the configuration is unchanged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'shelflift.yaml');
  writeFileSync(file, 'profiles:\n  main: { apiUrl: "https://inventory.example.com", keyFile: the.key }\n');
  const key = (text: string) => writeFileSync(join(folder, 'the.key'), text, { mode: 0o600 });
  key('sk_team_old0123456789');
  let now = 0;
  const told: string[] = [];
  const reader = new ConfigReader(file, {
    config: readWorkerConfig(file),
    environment: {},
    clock: { ...systemClock, monotonic: () => now },
    tell: (said) => void told.push(english(said)),
  });
  const after = (seconds: number) => {
    now += seconds * 1000;
    return reader.next();
  };
  expect(after(60)).toBeUndefined();
  key('sk_team_new0123456789');
  expect(after(60)).toBeDefined();
  expect(after(60)).toBeUndefined();
  rmSync(join(folder, 'the.key'));
  expect(after(60)).toBeUndefined();
  expect(told).toEqual([expect.stringContaining('keeps its current configuration')]);
  key('sk_team_new0123456789');
  expect(after(60)).toBeDefined();

  // The configuration is changed before the key file that it names is written.
  const more = '  more: { apiUrl: "https://inventory.example.com", keyFile: more.key }\n';
  writeFileSync(file, readFileSync(file, 'utf8') + more);
  expect([after(60), after(60), after(60)]).toEqual([undefined, undefined, undefined]);
  expect(told.at(-1)).toContain('more.key cannot be read');
  writeFileSync(join(folder, 'more.key'), 'sk_team_more0123456789', { mode: 0o600 });
  expect(Object.keys(after(60)?.profiles ?? {})).toEqual(['main', 'more']);
});

test('thousands of key files are read in parts, and a changed one is noticed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'shelflift.yaml');
  const keys = Array.from({ length: 2_001 }, (_, index) => `key${index}`);
  const profiles = keys.map(
    (key) => `  ${key}: { apiUrl: "https://inventory.example.com", keyFile: ${key} }`,
  );
  writeFileSync(file, `profiles:\n${profiles.join('\n')}\n`);
  for (const key of keys) writeFileSync(join(folder, key), `sk_team_${key}`, { mode: 0o600 });
  let now = 0;
  const reader = new ConfigReader(file, {
    config: readWorkerConfig(file),
    environment: {},
    clock: { ...systemClock, monotonic: () => now },
    tell: () => undefined,
  });
  const looks = () =>
    Array.from({ length: 4 }, () => {
      now += 60_000;
      return reader.next() !== undefined;
    });
  expect(looks()).toEqual([false, false, false, false]);
  for (const key of ['key0', 'key2000']) {
    writeFileSync(join(folder, key), 'sk_team_new');
    expect(looks()).toEqual([false, true, false, false]);
  }
});

/** A folder on another file system than the temporary ones. */
const ELSEWHERE = ['/dev/shm', '/tmp', '/var/tmp'].find(
  (each) => statSync(each, { throwIfNoEntry: false })?.dev !== statSync(tmpdir()).dev,
);

test.skipIf(ELSEWHERE === undefined)(
  'a folder on a disk that is no longer mounted gets no file',
  async () => {
    const disk = mkdtempSync(join(ELSEWHERE ?? '', 'shelflift-disk-'));
    onTestFinished(() => rmSync(disk, { recursive: true, force: true }));
    await using own = await place(`retries: { tries: 1, backoff: 1ms }${EXPORT()}`);
    const out = join(own.folder, 'out');
    symlinkSync(disk, out);
    expect((await own.once({ now: TUESDAY + DAY })).runs[0]?.state).toBe('done');
    // Unmounted: what is left is a folder of this disk.
    renameSync(out, join(own.folder, 'away'));
    mkdirSync(out);
    const away = await untilFailed(own, TUESDAY + 2 * DAY);
    expect(away).toMatchObject({ state: 'delivering', deliveries: [{ tries: 0 }] });
    expect(away?.deliveries?.[0]?.error).toContain(`The folder ${out} is not mounted`);
    expect(readdirSync(out)).toEqual([]);
    rmSync(out, { recursive: true });
    renameSync(join(own.folder, 'away'), out);
    expect((await own.once({ now: TUESDAY + 2 * DAY + HOUR })).runs[0]?.state).toBe('done');
    expect(readdirSync(disk).filter((name) => name.endsWith('.csv'))).toHaveLength(2);
  },
);

test('a folder that must be on a mounted disk counts as unreachable if the disk is not mounted', () => {
  expect(awayProblem({ folder: '/', mounted: true }, '/')).toMatchObject({ code: 'folder_not_mounted' });
  expect(awayProblem({ folder: '/proc', mounted: true }, '/')).toBeUndefined();
  expect(awayProblem({ folder: '/proc' }, '/', '/')).toBeUndefined();
  expect(awayProblem({ folder: '/mnt' }, '/', '/mnt')).toMatchObject({
    code: 'folder_unmounted',
    params: { mount: '/mnt' },
  });
});

const TWO = `${EXPORT()}
  stock:
    profile: main
    cron: "0 6 * * *"
    timeZone: Europe/Berlin
    task: { export: items, out: "stock-{{period.end:yyyy-MM-dd}}.csv", columns: "id,name" }
    deliver: [{ folder: ./out }]
`;

test('one reason is mailed once a day, for all schedules that fail for that reason', async () => {
  const server = await mailServer(true);
  await using own = await place(MAIL(server.port, TWO));
  const inTheWay = join(own.folder, 'out');
  writeFileSync(inTheWay, 'in the way');
  await own.once({ now: TUESDAY + DAY });
  expect(server.mails.map(subjectOf)).toHaveLength(1);
  // A day later the other one still fails.
  await own.once({ now: TUESDAY + 2 * DAY + HOUR });
  expect(new Set(server.mails.map(subjectOf))).toEqual(
    new Set(['schedule accounting fails', 'schedule stock fails']),
  );
});

test('a target that fails, works and fails again within a day is mailed once, and again if it still fails a day later', async () => {
  const server = await mailServer(true);
  const hourly = EXPORT().replace('0 6 * * *', '0 * * * *').replace('yyyy-MM-dd', 'HH');
  await using own = await place(MAIL(server.port, hourly));
  const out = join(own.folder, 'out');
  const fail = () => writeFileSync(out, 'in the way');
  const mend = () => rmSync(out, { recursive: true, force: true });
  fail();
  await own.once({ now: TUESDAY + HOUR });
  mend();
  await own.once({ now: TUESDAY + 2 * HOUR });
  const both = ['schedule accounting fails', 'schedule accounting works again'];
  expect(server.mails.map(subjectOf)).toEqual(both);
  mend();
  fail();
  await own.once({ now: TUESDAY + 3 * HOUR });
  mend();
  await own.once({ now: TUESDAY + 4 * HOUR });
  mend();
  fail();
  await own.once({ now: TUESDAY + 5 * HOUR });
  expect(server.mails.map(subjectOf)).toEqual(both);
  await own.once({ now: TUESDAY + DAY + 2 * HOUR });
  expect(server.mails.map(subjectOf)).toEqual([...both, 'schedule accounting fails']);
});

test('a notice that follows thousands of others in the store is still sent again', async () => {
  const server = await mailServer(true);
  await using own = await place(MAIL(server.port, EXPORT()));
  const notice = { at: TUESDAY, message: 'no room left', reason: 'room', worksAgain: false };
  const known = Array.from({ length: 3000 }, (_, index) => ({
    key: `schedule a${index}`,
    value: JSON.stringify({ ...notice, told: true }),
  }));
  const open = ['schedule x', 'schedule y'].map((key) => ({
    key,
    value: JSON.stringify({ ...notice, told: false }),
  }));
  await own.ledger.values.put('failing', [...known, ...open]);
  await own.once({ now: TUESDAY });
  expect(server.mails.map(subjectOf)).toEqual(['schedule x fails']);
  expect(bodyOf(server.mails[0])).toContain('For the same reason: schedule y.');
});

test('an import that sends again after a failure, and gives way to an export, is not reported as late', async () => {
  const server = await mailServer(true);
  await using own = await place(MAIL(server.port, `${DROP}${EXPORT()}`), { rateLimit: '20/1s' });
  own.dropper('drop')(
    'many.csv',
    `name\n${Array.from({ length: 480 }, (_, row) => `Toy ${row}\n`).join('')}`,
  );
  const now = TUESDAY + HOUR;
  const timetable = { cron: '0 6 * * *', timeZone: 'Europe/Berlin', profile: 'main' };
  await using queue = await openQueue(own.ledger);
  let asked: Promise<unknown> | undefined;
  const failing: (number | undefined)[] = [];
  const { exitCode } = await own.once({
    now,
    emit: (event) => {
      if (event.type === 'begun' && event.run.work.kind === 'import' && asked === undefined)
        event.run.failingSince = TUESDAY;
      if (event.type === 'request' && own.sandbox.control.items().length >= 5)
        asked ??= queue.enqueue(manualRun('accounting', timetable, now), new Runs(own.ledger));
      if (event.type === 'ended' && event.run.work.kind === 'import') failing.push(event.run.failingSince);
    },
  });
  expect(exitCode).toBe(0);
  expect(server.mails.map(subjectOf)).toEqual([]);
  // A failure from now on is a new one.
  expect(failing).toEqual([undefined, undefined]);
});

test('the mail that a watched folder works again names the files that were not imported', async () => {
  const server = await mailServer(true);
  await using own = await place(MAIL(server.port, DROP));
  const drop = own.dropper('drop');
  const on = (day: number, name: string, text: string) => {
    drop(name, text);
    drop(`${name}.ready`, '');
    return own.once({ now: TUESDAY + day * DAY });
  };
  await on(1, 'a.csv', 'colour\nred\n');
  await on(2, 'b.csv', 'name\nB\n');
  expect(server.mails.map(subjectOf)).toEqual([
    expect.stringMatching(/drop fails$/),
    expect.stringMatching(/drop works again$/),
  ]);
  expect(bodyOf(server.mails[1])).toContain('Not imported so far: a.csv. They are in the folder failed');
  await on(3, 'c.csv', 'colour\nred\n');
  await on(4, 'c.csv', 'name\nC\n');
  expect(server.mails).toHaveLength(4);
  expect(bodyOf(server.mails[3])).not.toContain('Not imported');
});

test('a watched folder that fails for another reason, or for the same reason on another day, is mailed again', async () => {
  const server = await mailServer(true);
  await using own = await place(MAIL(server.port, DROP));
  const drop = own.dropper('drop');
  const on = (day: number, name: string, text: string, environment = {}) => {
    drop(name, text);
    drop(`${name}.ready`, '');
    return own.once({ now: TUESDAY + day * DAY, environment });
  };
  await on(1, 'a.csv', 'colour\nred\n');
  await on(1.1, 'b.csv', 'name\nB\n', { THE_KEY: 'sk_team_refused0123456789' });
  expect(server.mails.map(subjectOf)).toEqual(Array(2).fill(expect.stringMatching(/drop fails$/)));
  expect(bodyOf(server.mails[1])).toContain('b.csv: The API key was not accepted');
  expect(bodyOf(server.mails[1])).toContain('Not imported so far: a.csv, b.csv.');
  await on(1.2, 'c.csv', 'colour\nred\n');
  expect(server.mails).toHaveLength(2);
  await own.once({ now: TUESDAY + 2.2 * DAY });
  expect(server.mails).toHaveLength(3);
  expect(bodyOf(server.mails[2])).toContain('Not imported so far: a.csv, b.csv, c.csv.');
  await on(2.3, 'd.csv', 'name\nD\n');
  expect(subjectOf(server.mails[3] ?? { text: '' })).toMatch(/drop works again$/);
});

test('files with wrong rows in two folders are two reasons, and a file that was not imported is named within a day', async () => {
  const server = await mailServer(true);
  const strict = DROP.replace(', skipInvalid: true', '');
  const both = `${strict}${strict.replace('hotFolders:', '').replace('./drop', './second').trimStart()}`;
  await using own = await place(MAIL(server.port, both.replace('\n- {', '\n  - {')));
  const on = (hours: number, folder: string, name: string, text: string) => {
    own.dropper(folder)(name, text);
    own.dropper(folder)(`${name}.ready`, '');
    return own.once({ now: TUESDAY + DAY + hours * HOUR });
  };
  const wrong = 'name,release_year\nA,1990\nB,soon\n';
  await on(0, 'drop', 'a.csv', wrong);
  await on(1, 'second', 'b.csv', wrong);
  expect(server.mails.map(subjectOf)).toEqual([
    expect.stringMatching(/drop fails$/),
    expect.stringMatching(/second fails$/),
  ]);
  await on(2, 'second', 'c.csv', 'name\nC\n');
  await on(3, 'second', 'd.csv', wrong);
  await on(4, 'second', 'e.csv', 'name\nE\n');
  expect(server.mails).toHaveLength(3);
  await own.once({ now: TUESDAY + 2 * DAY + 3 * HOUR });
  expect(subjectOf(server.mails[3] ?? { text: '' })).toMatch(/second failed, but works again$/);
  expect(bodyOf(server.mails[3])).toContain('Not imported so far: d.csv.');
});

test('a mail that was sent while the clock was months ahead does not silence later failures', async () => {
  const server = await mailServer(true);
  await using own = await place(MAIL(server.port, EXPORT()));
  const out = join(own.folder, 'out');
  writeFileSync(out, 'in the way');
  await own.once({ now: TUESDAY + 300 * DAY });
  rmSync(out);
  await own.once({ now: TUESDAY + 301 * DAY });
  await own.once({ now: TUESDAY + DAY });
  rmSync(out, { recursive: true });
  writeFileSync(out, 'in the way');
  await own.once({ now: TUESDAY + 2 * DAY });
  expect(server.mails.map(subjectOf)).toEqual([
    'schedule accounting fails',
    'schedule accounting works again',
    'schedule accounting fails',
  ]);
});
