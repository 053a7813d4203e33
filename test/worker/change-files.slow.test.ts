/** A file of changes cannot be made again, so no other run replaces it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { english } from '../../src/messages/message.ts';
import { StoreQueue } from '../../src/worker/queue/store-queue.ts';
import { reviveRun } from '../../src/worker/revive.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { DAY, TUESDAY } from './example-config.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { mailServer } from './mail-server.ts';
import { openWorker, type WorkerPlace, type WorkerSetting } from './open-worker.ts';
import { HAS_RCLONE, RCLONE_KINDS, rcloneServer } from './rclone-server.ts';
import { sftpServer } from './sftp-server.ts';

const HALF = DAY / 2;
/** Two runs a day, and one name for both. */
const TASK = 'export: items, out: "{{period.end:yyyy-MM-dd}}.csv", columns: "name"';
const schedule = (name: string, task: string, deliver = '[{ folder: ./out }]', more = '') => `
  ${name}:
    profile: main
    cron: "0 6,18 * * *"
    timeZone: Europe/Berlin
    task: { ${TASK}, ${task} }
    deliver: ${deliver}
    ${more}`;
const changes = (deliver?: string, more?: string) => `
retries: { tries: 2, backoff: 1ms }
schedules:${schedule('weekly', 'changedSinceLast: weekly', deliver, more)}
`;

/** Delivered file → its rows. */
function filesIn(folder: string): Record<string, string[]> {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.csv'))
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8').trim().split('\r\n').slice(1)]),
  );
}

/** Three runs of one day, with one item more each: the first two and a third, which is made by hand. */
async function threeRuns(place: WorkerPlace, setting: WorkerSetting = {}) {
  const add = (name: string) => place.sandbox.control.insertItems([{ name }]);
  await place.once({ ...setting, now: TUESDAY });
  const ends = [];
  for (const [index, name] of ['A', 'B', 'C'].entries()) {
    add(name);
    ends.push(await place.once({ ...setting, now: TUESDAY + DAY + index * HALF }));
  }
  return ends.flatMap(({ runs }) => runs);
}

const BOTH = {
  '2026-06-17-2.csv': ['B,created'],
  '2026-06-17.csv': ['A,created'],
  '2026-06-18.csv': ['C,created'],
};

test('a second run of the same name leaves the first file in place, and says so', async () => {
  await using place = await openWorker(changes());
  const runs = await threeRuns(place);
  const out = join(place.folder, 'out');
  expect(filesIn(out)).toEqual(BOTH);
  expect(existsSync(join(out, '2026-06-17-2.csv.manifest.json'))).toBe(true);
  expect(runs.map(({ state, warnings, files }) => [state, warnings?.map(english), files])).toEqual([
    ['done', undefined, [join(out, '2026-06-17.csv')]],
    [
      'done',
      [
        'The name 2026-06-17.csv is taken by another file, and a file of changes cannot be made again, so nothing was replaced: this file is named 2026-06-17-2.csv.',
      ],
      [join(out, '2026-06-17-2.csv')],
    ],
    ['done', undefined, [join(out, '2026-06-18.csv')]],
  ]);
});

test.each([true, false])(
  'a file of changes that is delivered by SFTP replaces no other file either (OpenSSH’s rename: %s)',
  async (posixRename) => {
    const root = await temporaryFolder();
    const { port, fingerprint } = await sftpServer(root, posixRename);
    const to = `{ host: 127.0.0.1, port: ${port}, user: books, hostKey: "${fingerprint}", passwordEnv: PASSWORD, folder: in }`;
    await using place = await openWorker(changes(`[{ sftp: ${to} }]`));
    await threeRuns(place, { environment: { PASSWORD: 'hunter2' } });
    expect(filesIn(join(root, 'in'))).toEqual(BOTH);
    expect(readdirSync(join(root, 'in'))).toHaveLength(6);
  },
);

describe.skipIf(!HAS_RCLONE)('rclone', () => {
  test.each(RCLONE_KINDS)('the same with %s', async (kind) => {
    const { root, config } = await rcloneServer(kind);
    await using place = await openWorker(changes('[{ rclone: "cloud:in" }]'));
    await threeRuns(place, { environment: { RCLONE_CONFIG: config, PATH: '/usr/bin:/bin' } });
    expect(filesIn(join(root, 'in'))).toEqual(BOTH);
    expect(readdirSync(join(root, 'in'))).toHaveLength(6);
  });
});

test('the same without a delivery', async () => {
  await using place = await openWorker(changes('[]'));
  await threeRuns(place);
  expect(filesIn(place.folder)).toEqual(BOTH);
});

test('a mail has the configured name', async () => {
  const server = await mailServer(false);
  await using place = await openWorker(
    `smtp: { host: localhost, port: ${server.port}, from: "a@example.com", tls: none }\n${changes('[{ email: { to: [books@example.com] } }]')}`,
  );
  await threeRuns(place);
  expect(server.mails.map(({ text }) => /Subject: weekly: (\S+)|Subject: (.*)/.exec(text)?.[0])).toEqual([
    expect.stringContaining('2026-06-17.csv'),
    expect.stringContaining('2026-06-17.csv'),
    expect.stringContaining('2026-06-18.csv'),
  ]);
});

test('neither another schedule nor an export of all items replaces a file of changes', async () => {
  const all = schedule('zall', 'status: sell');
  await using place = await openWorker(
    `${changes()}${schedule('xother', 'changedSinceLast: other', '[{ folder: out }]')}${all}\n`,
  );
  await threeRuns(place);
  const files = filesIn(join(place.folder, 'out'));
  const rows = Object.values(files).flat();
  for (const name of ['A', 'B', 'C']) expect(rows.filter((row) => row === `${name},created`)).toHaveLength(2);
  // Exports of all items still replace their own.
  expect(Object.keys(files)).toHaveLength(8);
});

test('a file that the receiver has taken away leaves its name free', async () => {
  await using place = await openWorker(changes());
  const out = join(place.folder, 'out');
  await place.once({ now: TUESDAY });
  place.sandbox.control.insertItems([{ name: 'A' }]);
  await place.once({ now: TUESDAY + DAY });
  rmSync(out, { recursive: true });
  place.sandbox.control.insertItems([{ name: 'B' }]);
  await place.once({ now: TUESDAY + DAY + HALF });
  expect(filesIn(out)).toEqual({ '2026-06-17.csv': ['B,created'] });
});

test('a delivery that is repeated replaces its own file', async () => {
  await using place = await openWorker(changes('[{ folder: ./out }, { folder: ./second }]'));
  const [out, second] = ['out', 'second'].map((name) => join(place.folder, name)) as [string, string];
  await place.once({ now: TUESDAY });
  place.sandbox.control.insertItems([{ name: 'A' }]);
  writeFileSync(second, 'in the way');
  const [first] = (await place.once({ now: TUESDAY + DAY })).runs;
  expect(first?.state).toBe('parked_poison');
  rmSync(second);
  await using queue = new StoreQueue(place.ledger);
  const revive = (now: number) => reviveRun(first?.id ?? '', { ledger: place.ledger, queue, now });
  await revive(TUESDAY + DAY);
  await place.once({ now: TUESDAY + DAY });
  for (const folder of [out, second]) expect(filesIn(folder)).toEqual({ '2026-06-17.csv': ['A,created'] });
});

test('a parked run that is revived does not replace the file that has taken its name', async () => {
  await using place = await openWorker(changes());
  const out = join(place.folder, 'out');
  await place.once({ now: TUESDAY });
  writeFileSync(out, 'in the way');
  place.sandbox.control.insertItems([{ name: 'A' }]);
  const [first] = (await place.once({ now: TUESDAY + DAY })).runs;
  expect(first?.state).toBe('parked_poison');
  renameSync(out, `${out}.file`);
  mkdirSync(out);
  place.sandbox.control.insertItems([{ name: 'B' }]);
  await place.once({ now: TUESDAY + DAY + HALF });
  place.sandbox.control.insertItems([{ name: 'C' }]);
  await using queue = new StoreQueue(place.ledger);
  await reviveRun(first?.id ?? '', { ledger: place.ledger, queue, now: TUESDAY + DAY + HALF });
  await place.once({ now: TUESDAY + DAY + HALF });
  expect(Object.values(filesIn(out)).map((rows) => rows.toSorted())).toEqual([
    ['C,created'],
    ['A,created', 'B,created'],
  ]);
});

test('what the first file lacked is not said of the one that is made in its place', async () => {
  const layout = `name: paid
columns: [name, { title: Paid, field: custom_fields.paid, format: money, total: true }]
totals: Sum
`;
  const config = changes().replace('columns: "name"', 'template: paid.yaml');
  await using place = await openWorker(config);
  writeFileSync(join(place.folder, 'paid.yaml'), layout);
  const out = join(place.folder, 'out');
  await place.once({ now: TUESDAY });
  writeFileSync(out, 'in the way');
  const insert = (name: string, paid: string) =>
    place.sandbox.control.insertItems([{ name, custom_fields: { paid } }]);
  insert('A', '12,50');
  const [first] = (await place.once({ now: TUESDAY + DAY })).runs;
  expect(first).toMatchObject({ state: 'parked_poison', notInTotals: 1 });
  rmSync(out);
  const [second] = (await place.once({ now: TUESDAY + DAY + HALF })).runs;
  expect(second).toMatchObject({ state: 'done', exitCode: 3, notInTotals: 1 });
  insert('B', '7');
  await using queue = new StoreQueue(place.ledger);
  await reviveRun(first?.id ?? '', { ledger: place.ledger, queue, now: TUESDAY + DAY + HALF });
  const { runs } = await place.once({ now: TUESDAY + DAY + HALF });
  expect(runs).toMatchObject([{ id: first?.id, state: 'done', exitCode: 0, rows: 1 }]);
});

test('--check names the files of changes that get one name', async () => {
  const check = async (yaml: string) => {
    const place = newPlace({ SHELFLIFT_API_KEY: 'x' });
    place.file(
      'shelflift.yaml',
      `profiles:\n  main: { apiUrl: "https://inventory.example.com", keyEnv: SHELFLIFT_API_KEY }\n${yaml}`,
    );
    const { code, stdout } = await place.call(['worker', '--check', '--json']);
    expect(code).toBe(0);
    return (JSON.parse(stdout) as { warnings: { code: string }[] }).warnings.map((each) => each.code);
  };
  expect(new Set(await check(changes()))).toEqual(new Set(['change_files_alike']));
  expect(await check(changes().replace('yyyy-MM-dd', 'yyyy-MM-dd HH'))).toEqual([]);
  // An export of all items may replace its own.
  expect(await check(`schedules:${schedule('all', 'status: sell')}`)).toEqual([]);
  // Mails replace nothing.
  expect(
    await check(
      `smtp: { host: localhost, from: "a@example.com" }\n${changes('[{ email: { to: [b@example.com] } }]')}`,
    ),
  ).toEqual([]);
});
