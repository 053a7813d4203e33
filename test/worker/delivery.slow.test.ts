import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { reviveRun } from '../../src/worker/revive.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { DAY, EXPORT, TUESDAY } from './example-config.ts';
import { mailServer } from './mail-server.ts';
import { openWorker } from './open-worker.ts';
import { sftpServer } from './sftp-server.ts';
import { CERTIFICATE } from './test-certificate.ts';

const SFTP = (port: number, hostKey: string) => `
retries: { tries: 2, backoff: 1ms }
${EXPORT().replace('[{ folder: ./out }]', `[{ sftp: { host: 127.0.0.1, port: ${port}, user: books, hostKey: "${hostKey}", passwordEnv: SFTP_PASSWORD, folder: in/2026 } }]`)}`;

test.each([true, false])(
  'SFTP uploads a file under another name and renames it (OpenSSH’s rename: %s)',
  async (posixRename) => {
    const root = await temporaryFolder();
    const server = await sftpServer(root, posixRename);
    await using place = await openWorker(SFTP(server.port, server.fingerprint));
    await place.once({ now: TUESDAY });
    const environment = { SFTP_PASSWORD: 'hunter2' };
    const { runs } = await place.once({ now: TUESDAY + DAY, environment });
    expect(runs[0]).toMatchObject({ state: 'done', deliveries: [{ done: true }] });
    expect(readFileSync(join(root, 'in/2026/items-2026-06-17.csv'), 'utf8')).toBe('id,name\r\n');
    expect(
      JSON.parse(readFileSync(join(root, 'in/2026/items-2026-06-17.csv.manifest.json'), 'utf8')),
    ).toMatchObject({ rows: 0 });
    expect(
      server.operations.filter((each) => each.startsWith('open')).every((each) => each.endsWith('.part')),
    ).toBe(true);
  },
);

test('a file that the server does not rename leaves the existing file in place', async () => {
  const root = await temporaryFolder();
  const server = await sftpServer(root, false);
  await using place = await openWorker(SFTP(server.port, server.fingerprint));
  const folder = join(root, 'in/2026');
  const name = 'items-2026-06-17.csv';
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), 'of yesterday');
  await place.once({ now: TUESDAY });
  server.refuse(/\.csv\.[0-9a-f]+\.part$/);
  const environment = { SFTP_PASSWORD: 'hunter2' };
  const { runs } = await place.once({ now: TUESDAY + DAY, environment });
  expect(runs[0]).toMatchObject({ state: 'parked_poison', deliveries: [{ tries: 2, done: false }] });
  expect(server.operations.some((each) => each.endsWith(`.part ${join('in/2026', name)}`))).toBe(true);
  expect(readFileSync(join(folder, name), 'utf8')).toBe('of yesterday');

  server.refuse(undefined);
  await using queue = await openQueue(place.ledger);
  await reviveRun(runs[0]?.id ?? '', { ledger: place.ledger, queue, now: TUESDAY + DAY });
  await place.once({ now: TUESDAY + DAY, environment });
  expect(readFileSync(join(folder, name), 'utf8')).toBe('id,name\r\n');
  expect(readdirSync(folder)).toEqual([name, `${name}.manifest.json`]);
});

test('a host with a key other than the pinned key gets neither password nor file', async () => {
  const root = await temporaryFolder();
  const server = await sftpServer(root, true);
  await using place = await openWorker(SFTP(server.port, `SHA256:${'A'.repeat(43)}`));
  await place.once({ now: TUESDAY });
  const { runs, exitCode } = await place.once({
    now: TUESDAY + DAY,
    environment: { SFTP_PASSWORD: 'hunter2' },
  });
  expect(exitCode).toBe(6);
  expect(runs[0]?.error?.message).toContain(
    `shows the host key ${server.fingerprint}, and the configuration pins`,
  );
  expect(JSON.stringify(runs)).not.toContain('hunter2');
  expect(server.operations).toEqual([]);
});

const MAIL = (port: number) => `
smtp: { host: localhost, port: ${port}, from: "shelflift@example.com", caFile: mail/cert.pem }
notify: { email: owner@example.com }
retries: { tries: 3, backoff: 1ms }
${EXPORT().replace('[{ folder: ./out }]', '[{ email: { to: [books@example.com, owner@example.com] } }]')}`;

test('a file is mailed over TLS; after a refusal the mail is sent again without a new export', async () => {
  const server = await mailServer(true);
  await using place = await openWorker(MAIL(server.port));
  mkdirSync(join(place.folder, 'mail'));
  writeFileSync(join(place.folder, 'mail/cert.pem'), CERTIFICATE);
  await place.once({ now: TUESDAY });
  server.refuse(1);
  const events: string[] = [];
  const { runs } = await place.once({ now: TUESDAY + DAY, emit: ({ type }) => void events.push(type) });
  expect(runs[0]).toMatchObject({ state: 'done', deliveries: [{ done: true, tries: 1 }] });
  expect(events.filter((type) => type === 'begun')).toHaveLength(1);
  expect(server.mails).toHaveLength(1);
  const [mail] = server.mails;
  expect(mail?.secure).toBe(true);
  expect(mail?.to).toEqual(['books@example.com', 'owner@example.com']);
  expect(mail?.text).toContain('Subject: accounting: items-2026-06-17.csv');
  expect(mail?.text).toContain('filename=items-2026-06-17.csv');
  expect(mail?.text).toMatch(/Message-ID: <[0-9a-f]{32}@shelflift>/i);
});

test('a mail server without STARTTLS gets nothing; failure and recovery are each reported once, not after every run', async () => {
  const open = await mailServer(false);
  await using refused = await openWorker(MAIL(open.port));
  mkdirSync(join(refused.folder, 'mail'));
  writeFileSync(join(refused.folder, 'mail/cert.pem'), CERTIFICATE);
  await refused.once({ now: TUESDAY });
  const failed = await refused.once({ now: TUESDAY + DAY });
  expect(failed.runs[0]).toMatchObject({ state: 'parked_poison', tries: 3 });
  expect(open.mails).toEqual([]);

  const server = await mailServer(true);
  const yaml = MAIL(server.port).replace(/\[\{ email.*\}\]/, '[{ folder: ./out }]');
  await using place = await openWorker(yaml);
  mkdirSync(join(place.folder, 'mail'));
  writeFileSync(join(place.folder, 'mail/cert.pem'), CERTIFICATE);
  await place.once({ now: TUESDAY });
  writeFileSync(join(place.folder, 'out'), 'in the way');
  await place.once({ now: TUESDAY + DAY });
  await place.once({ now: TUESDAY + 2 * DAY });
  renameSync(join(place.folder, 'out'), join(place.folder, 'away'));
  await place.once({ now: TUESDAY + 3 * DAY });
  await place.once({ now: TUESDAY + 4 * DAY });
  expect(server.mails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim())).toEqual([
    'shelflift: schedule accounting fails',
    'shelflift: schedule accounting works again',
  ]);
});

test.each([
  { refused: 1, subjects: ['schedule accounting fails', 'schedule accounting works again'] },
  { refused: 2, subjects: ['schedule accounting failed, but works again'] },
])(
  'a notice that the mail server refused $refused times is mailed later, and several recoveries are mailed together',
  async ({ refused, subjects }) => {
    const server = await mailServer(true);
    await using place = await openWorker(
      MAIL(server.port).replace(/\[\{ email.*\}\]/, '[{ folder: ./out }]'),
    );
    mkdirSync(join(place.folder, 'mail'));
    writeFileSync(join(place.folder, 'mail/cert.pem'), CERTIFICATE);
    await place.once({ now: TUESDAY });
    writeFileSync(join(place.folder, 'out'), 'in the way');
    server.refuse(refused);
    await place.once({ now: TUESDAY + DAY });
    expect(server.mails).toEqual([]);
    renameSync(join(place.folder, 'out'), join(place.folder, 'away'));
    await place.once({ now: TUESDAY + 2 * DAY });
    expect(server.mails.map(({ text }) => /^Subject: shelflift: (.*)$/m.exec(text)?.[1]?.trim())).toEqual(
      subjects,
    );
    expect(await place.ledger.values.list('failing', { limit: 9 })).toEqual([]);
  },
);

test.each(['sftp', 'email'])(
  'a worker that is asked to stop during a delivery by %s ends in time, and the next worker completes the delivery',
  async (way) => {
    const root = await temporaryFolder();
    const sftp = await sftpServer(root, true);
    const mail = await mailServer(true);
    await using place = await openWorker(
      way === 'sftp'
        ? SFTP(sftp.port, sftp.fingerprint)
        : MAIL(mail.port).replace('{ to:', '{ subject: "Until {{period.end:dd.MM.}}", to:'),
    );
    mkdirSync(join(place.folder, 'mail'));
    writeFileSync(join(place.folder, 'mail/cert.pem'), CERTIFICATE);
    const environment = { SFTP_PASSWORD: 'hunter2' };
    await place.once({ now: TUESDAY });
    const server = way === 'sftp' ? sftp : mail;
    server.stall(true);
    const stop = new AbortController();
    const worker = place.once({
      now: TUESDAY + DAY,
      environment,
      once: false,
      signal: stop.signal,
      graceMs: 400,
      emit: ({ type }) => type === 'delivering' && stop.abort(),
    });
    // Nothing answers: it ends because it was asked to.
    expect((await worker).exitCode).toBe(130);
    expect(await new Runs(place.ledger).list()).toMatchObject([
      { state: 'delivering', deliveries: [{ done: false, tries: 0 }] },
    ]);
    server.stall(false);
    const events: string[] = [];
    const { exitCode, runs } = await place.once({
      now: TUESDAY + DAY,
      environment,
      emit: ({ type }) => void events.push(type),
    });
    expect([exitCode, runs[0]?.state]).toEqual([0, 'done']);
    expect(events).not.toContain('export');
    if (way === 'email')
      expect(mail.mails).toMatchObject([
        { text: expect.stringContaining('Subject: Until 17.06.') as string },
      ]);
    else {
      const made = readdirSync(join(root, 'in/2026')).sort();
      expect(made).toEqual(['items-2026-06-17.csv', 'items-2026-06-17.csv.manifest.json']);
    }
  },
);

test('a password file that others can read is not used', async () => {
  const root = await temporaryFolder();
  const server = await sftpServer(root, true);
  await using place = await openWorker(
    SFTP(server.port, server.fingerprint).replace('passwordEnv: SFTP_PASSWORD', 'passwordFile: ./password'),
  );
  writeFileSync(join(place.folder, 'password'), 'hunter2\n');
  chmodSync(join(place.folder, 'password'), 0o644);
  await place.once({ now: TUESDAY });
  const { runs } = await place.once({ now: TUESDAY + DAY });
  expect(runs[0]?.error?.message).toContain('Other users can read the key file');
  expect(server.operations).toEqual([]);
});

test('a mail without any recipient is not delivered', async () => {
  const server = await mailServer(true);
  await using own = await openWorker(`
smtp: { host: localhost, port: ${server.port}, from: "shelflift@example.com", caFile: cert.pem }
retries: { tries: 1, backoff: 1ms }
${EXPORT().replace('[{ folder: ./out }]', '[{ email: { to: "Nobody:;" } }]')}`);
  writeFileSync(join(own.folder, 'cert.pem'), CERTIFICATE);
  await own.once({ now: TUESDAY });
  expect((await own.once({ now: TUESDAY + DAY })).runs).toMatchObject([{ state: 'parked_poison' }]);
});

test.each([
  ['with names', '["Owner <owner@example.com>", "Books, Jo <books@example.com>"]'],
  ['in capital letters', '[owner@example.com, books@Example.COM]'],
  ['in one text', '"owner@example.com, books@example.com"'],
])(
  'a recipient who is refused once gets the mail later, whatever the address looks like: %s',
  async (_, to) => {
    const server = await mailServer(true);
    await using own = await openWorker(`
smtp: { host: localhost, port: ${server.port}, from: "shelflift@example.com", caFile: cert.pem }
retries: { tries: 3, backoff: 1ms }
${EXPORT().replace('[{ folder: ./out }]', `[{ email: { to: ${to} } }]`)}`);
    writeFileSync(join(own.folder, 'cert.pem'), CERTIFICATE);
    await own.once({ now: TUESDAY });
    server.unknown.add('books@example.com');
    const { exitCode } = await own.once({
      now: TUESDAY + DAY,
      emit: ({ type }) => type === 'delivery_failed' && server.unknown.clear(),
    });
    expect(exitCode).toBe(0);
    expect(server.mails.map((mail) => mail.to)).toEqual([['owner@example.com'], ['books@example.com']]);
  },
);

test('a mail that the server refuses for one recipient is not delivered, and the others get it once', async () => {
  const server = await mailServer(true);
  server.unknown.add('books@exmaple.com');
  await using own = await openWorker(`
smtp: { host: localhost, port: ${server.port}, from: "shelflift@example.com", caFile: cert.pem }
retries: { tries: 3, backoff: 1ms }
${EXPORT().replace('[{ folder: ./out }]', '[{ email: { to: [owner@example.com, books@exmaple.com] } }]')}`);
  writeFileSync(join(own.folder, 'cert.pem'), CERTIFICATE);
  await own.once({ now: TUESDAY });
  const { runs, exitCode } = await own.once({ now: TUESDAY + DAY });
  expect(exitCode).toBe(6);
  expect(runs[0]).toMatchObject({ state: 'parked_poison', deliveries: [{ done: false, tries: 3 }] });
  expect(server.mails.map(({ to }) => to)).toEqual([['owner@example.com']]);
  server.unknown.clear();
  await using queue = await openQueue(own.ledger);
  await reviveRun(runs[0]?.id ?? '', { ledger: own.ledger, queue, now: TUESDAY + DAY });
  expect((await own.once({ now: TUESDAY + DAY })).runs[0]?.state).toBe('done');
  expect(server.mails.map(({ to }) => to)).toEqual([['owner@example.com'], ['books@exmaple.com']]);
});
