/** Changes count as told when the file that tells them is delivered. */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RequestMeter } from '../../src/api/meter.ts';
import { systemClock } from '../../src/base/clock.ts';
import { open } from '../../src/index.ts';
import { cancelAnywhere } from '../../src/worker/cancel.ts';
import { failureInWords } from '../../src/worker/notify/in-words.ts';
import { sayIn } from '../../src/worker/notify/language.ts';
import type { EmitWorker } from '../../src/worker/events.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { english } from '../../src/messages/message.ts';
import { StoreQueue } from '../../src/worker/queue/store-queue.ts';
import { reviveRun } from '../../src/worker/revive.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { DAY, TUESDAY } from './example-config.ts';
import { mailServer } from './mail-server.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';
import { CERTIFICATE } from './test-certificate.ts';

const CHANGES = `
retries: { tries: 3, backoff: 100ms }
schedules:
  weekly:
    profile: main
    cron: "0 6 * * *"
    timeZone: Europe/Berlin
    task: { export: items, out: "{{period.end:yyyy-MM-dd}}.csv", columns: "name", changedSinceLast: weekly }
    deliver: [{ folder: ./out }]
`;

const delivered = ({ folder }: WorkerPlace, day: string) =>
  readFileSync(join(folder, 'out', `2026-06-${day}.csv`), 'utf8')
    .trim()
    .split('\r\n')
    .slice(1)
    .sort();

/** The rows of the CSV file that is attached to this mail. */
function attached(mail: string): string[] {
  const [, base64 = ''] = /filename=\S+\.csv\r?\n(?:\S+: .*\r?\n)*\r?\n([\w+/=\r\n]+)/.exec(mail) ?? [];
  return Buffer.from(base64, 'base64').toString().trim().split('\r\n').slice(1).sort();
}

/** A first file with `A`; then the folder is closed, and `B` waits for its delivery in vain. */
async function withOneUndelivered(
  onFailure: (place: WorkerPlace, id: string) => unknown = () => undefined,
): Promise<{ place: WorkerPlace; id: string; open: () => void }> {
  const place = await openWorker(CHANGES);
  const out = join(place.folder, 'out');
  place.sandbox.control.insertItems([{ name: 'A' }]);
  await place.once({ now: TUESDAY });
  await place.once({ now: TUESDAY + DAY });
  expect(delivered(place, '17')).toEqual(['A,created']);
  place.sandbox.control.insertItems([{ name: 'B' }]);
  renameSync(out, `${out}.away`);
  writeFileSync(out, 'in the way');
  const { runs } = await place.once({
    now: TUESDAY + 2 * DAY,
    emit: (event) => event.type === 'delivery_failed' && onFailure(place, event.run.id),
  });
  return {
    place,
    id: runs[0]?.id ?? '',
    open: () => {
      renameSync(out, `${out}.file`);
      renameSync(`${out}.away`, out);
    },
  };
}

test('the next file contains the changes of a file that could not be delivered', async () => {
  const { place, open } = await withOneUndelivered();
  await using _ = place;
  open();
  place.sandbox.control.insertItems([{ name: 'C' }]);
  await place.once({ now: TUESDAY + 3 * DAY });
  expect(delivered(place, '19')).toEqual(['B,created', 'C,created']);
  await place.once({ now: TUESDAY + 4 * DAY });
  expect(delivered(place, '20')).toEqual([]);
});

test('no change is in two files, however long the first one waits for its target', async () => {
  const share = join(await temporaryFolder(), 'share');
  mkdirSync(share);
  await using place = await openWorker(CHANGES.replace('./out', join(share, 'out')));
  const add = (name: string) => place.sandbox.control.insertItems([{ name }]);
  add('A');
  for (const day of [0, 1]) await place.once({ now: TUESDAY + day * DAY });
  renameSync(share, `${share}.away`);
  add('B');
  await place.once({ now: TUESDAY + 2 * DAY });
  add('C');
  const waiting = await place.once({ now: TUESDAY + 3 * DAY });
  expect(waiting.runs.map(({ state }) => state).sort()).toEqual(['delivering', 'queued']);
  renameSync(`${share}.away`, share);
  add('D');
  for (const day of [4, 5]) await place.once({ now: TUESDAY + day * DAY });
  const files = readdirSync(join(share, 'out'));
  const rows = files.flatMap((file) => readFileSync(join(share, 'out', file), 'utf8').split('\r\n'));
  expect(rows.filter((row) => /^[B-Z]/.test(row)).sort()).toEqual(['B,created', 'C,created', 'D,created']);
});

test('no command and no program makes a file with the changes of a file that waits for its target', async () => {
  const share = join(await temporaryFolder(), 'share');
  mkdirSync(share);
  await using place = await openWorker(CHANGES.replace('./out', join(share, 'out')));
  const { sandbox, folder, ledger } = place;
  sandbox.control.insertItems([{ name: 'A' }]);
  for (const day of [0, 1]) await place.once({ now: TUESDAY + day * DAY });
  renameSync(share, `${share}.away`);
  sandbox.control.insertItems([{ name: 'B' }]);
  const { runs } = await place.once({ now: TUESDAY + 2 * DAY });
  const [waiting] = runs;
  const store = join(folder, 'ledger.db');
  const out = join(folder, 'by-hand.csv');
  const byProgram = async () => {
    await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store });
    return await shelf.export({ out, columns: ['name'], changedSinceLast: 'weekly' });
  };
  const terminal = newPlace({ SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key });
  const words = `export items --store ${store} --out ${out} --columns name --changed-since-last weekly`;
  const byCommand = () => terminal.call(words.split(' '));
  await expect(byProgram()).rejects.toMatchObject({ code: 'changes_undelivered' });
  expect(await byCommand()).toMatchObject({
    code: 6,
    stderr: expect.stringContaining(waiting?.id ?? '-') as string,
  });
  await cancelAnywhere(waiting?.id ?? '', { ledger, meter: new RequestMeter(), clock: systemClock });
  expect(await byProgram()).toMatchObject({ rows: 1 });
  sandbox.control.insertItems([{ name: 'C' }]);
  expect(await byCommand()).toMatchObject({ code: 0 });
  expect(readFileSync(out, 'utf8')).toMatch(/\r\nC,created\r\n$/);
});

test('a parked delivery that is revived after newer deliveries gets a new file, without older values', async () => {
  const { place, id, open } = await withOneUndelivered();
  await using _ = place;
  open();
  await place.once({ now: TUESDAY + 3 * DAY });
  expect(delivered(place, '19')).toEqual(['B,created']);
  place.sandbox.control.insertItems([{ name: 'C' }]);
  await using queue = new StoreQueue(place.ledger);
  const now = TUESDAY + 3 * DAY + 60_000;
  expect(await reviveRun(id, { ledger: place.ledger, queue, now })).toMatchObject({ state: 'delivering' });
  const { runs } = await place.once({ now });
  expect(runs).toMatchObject([{ id, state: 'done' }]);
  expect(delivered(place, '18')).toEqual(['C,created']);
  await place.once({ now: TUESDAY + 4 * DAY });
  expect(delivered(place, '20')).toEqual([]);
});

test.each(['parked', 'cancelled'])(
  'a target gets no change twice because another one has not received its file (%s)',
  async (how) => {
    await using place = await openWorker(
      CHANGES.replace('./out }', './out }, { folder: ./other/books }').replace('tries: 3', 'tries: 2'),
    );
    const { folder, ledger, sandbox } = place;
    const books = join(folder, 'other', 'books');
    mkdirSync(join(folder, 'other'));
    const day = (count: number) => ({ now: TUESDAY + count * DAY });
    sandbox.control.insertItems([{ name: 'A' }]);
    await place.once(day(0));
    await place.once(day(1));
    renameSync(books, `${books}.away`);
    writeFileSync(books, 'in the way');
    sandbox.control.insertItems([{ name: 'B' }]);
    let cancelled: Promise<unknown> | undefined;
    const cancel = (id: string) =>
      (cancelled ??= cancelAnywhere(id, { ledger, meter: new RequestMeter(), clock: systemClock }));
    const emit: EmitWorker = (event) =>
      void (event.type === 'delivery_failed' && how === 'cancelled' && cancel(event.run.id));
    const id = (await place.once({ ...day(2), emit })).runs[0]?.id ?? '';
    await cancelled;
    const run = await new Runs(ledger).get(id);
    expect(run?.state).toBe(how === 'parked' ? 'parked_poison' : 'cancelled');
    const said =
      how === 'cancelled'
        ? run?.warnings?.map(english).join()
        : run && failureInWords(run, sayIn('en'), undefined).message;
    expect(said).toContain('Not delivered yet to: folder ./other/books.');
    renameSync(books, `${books}.file`);
    renameSync(`${books}.away`, books);
    sandbox.control.insertItems([{ name: 'C' }]);
    await place.once(day(3));
    expect([delivered(place, '18'), delivered(place, '19')]).toEqual([['B,created'], ['C,created']]);
    if (how === 'cancelled') return;
    await using queue = new StoreQueue(ledger);
    const now = TUESDAY + 3 * DAY + 60_000;
    await reviveRun(id, { ledger, queue, now });
    expect((await place.once({ now })).runs).toMatchObject([{ id, state: 'done' }]);
    expect(readFileSync(join(books, '2026-06-18.csv'), 'utf8')).toContain('B,created');
    await place.once(day(4));
    expect(delivered(place, '20')).toEqual([]);
  },
);

test('a recipient gets no change twice because the mail server has refused another one', async () => {
  const server = await mailServer(true);
  server.unknown.add('books@exmaple.com');
  const delivery = (other: string) => `[{ email: { to: [owner@example.com, ${other}] } }]`;
  await using place = await openWorker(`
smtp: { host: localhost, port: ${server.port}, from: "shelflift@example.com", caFile: cert.pem }
${CHANGES.replace('[{ folder: ./out }]', delivery('books@exmaple.com')).replace('100ms', '1ms')}`);
  const { folder, ledger, sandbox } = place;
  writeFileSync(join(folder, 'cert.pem'), CERTIFICATE);
  const day = (count: number) => ({ now: TUESDAY + count * DAY });
  await place.once(day(0));
  server.unknown.clear();
  await place.once(day(1));
  server.unknown.add('books@exmaple.com');
  sandbox.control.insertItems([{ name: 'B' }]);
  const [run] = (await place.once(day(2))).runs;
  expect(run?.state).toBe('parked_poison');
  const said = run && failureInWords(run, sayIn('en'), undefined).message;
  expect(said).toContain('Not delivered yet to: email books@exmaple.com.');
  sandbox.control.insertItems([{ name: 'C' }]);
  await place.once(day(3));
  const got = server.mails.filter(({ to }) => to.includes('owner@example.com')).slice(1);
  expect(got.map(({ text }) => attached(text))).toEqual([['B,created'], ['C,created']]);
  // The typing error is corrected: only that recipient gets the file.
  const file = join(folder, 'shelflift.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('exmaple', 'example'));
  await using queue = new StoreQueue(ledger);
  const now = TUESDAY + 3 * DAY + 60_000;
  await reviveRun(run?.id ?? '', { ledger, queue, now });
  expect((await place.once({ now })).runs).toMatchObject([{ state: 'done' }]);
  expect(server.mails.at(-1)?.to).toEqual(['books@example.com']);
  expect(attached(server.mails.at(-1)?.text ?? '')).toEqual(['B,created']);
});

test('a parked delivery that is revived before the next export is delivered unchanged', async () => {
  const { place, id, open } = await withOneUndelivered();
  await using _ = place;
  open();
  await using queue = new StoreQueue(place.ledger);
  const now = TUESDAY + 2 * DAY + 60_000;
  await reviveRun(id, { ledger: place.ledger, queue, now });
  await place.once({ now });
  expect(delivered(place, '18')).toEqual(['B,created']);
  await place.once({ now: TUESDAY + 3 * DAY });
  expect(delivered(place, '19')).toEqual([]);
});

test('the next file contains the changes of a cancelled delivery', async () => {
  let cancelled: Promise<unknown> | undefined;
  const { place, open } = await withOneUndelivered(({ ledger }, id) => {
    cancelled ??= cancelAnywhere(id, { ledger, meter: new RequestMeter(), clock: systemClock });
  });
  await using _ = place;
  expect(await cancelled).toMatchObject({ run: { state: 'cancelled' } });
  open();
  await place.once({ now: TUESDAY + 3 * DAY });
  expect(delivered(place, '19')).toEqual(['B,created']);
  await place.once({ now: TUESDAY + 4 * DAY });
  expect(delivered(place, '20')).toEqual([]);
});
