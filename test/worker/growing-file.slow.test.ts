/** Files that are still being written when a worker finds them in a watched folder. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { Spool } from '../../src/worker/queue/spool.ts';
import { HotFolder } from '../../src/worker/hot-folders/hot-folder.ts';
import { makeBook } from '../sheets/support/make-book.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { DROP } from './example-config.ts';
import { openWorker } from './open-worker.ts';

/** A watched folder, and a clock that stands still until it is told to pass. */
async function watchedFolder() {
  const root = await temporaryFolder();
  const path = join(root, 'drop');
  mkdirSync(path);
  let now = 0;
  const folder = new HotFolder(
    { path, profile: 'main', ready: false, polling: false, alertShare: 0.5, import: {} },
    root,
    {
      clock: { ...systemClock, monotonic: () => now },
      enqueue: () => Promise.resolve(),
      once: false,
      tell: () => undefined,
    },
  );
  return {
    write: (text: string | Uint8Array) => writeFileSync(join(path, 'toys.csv'), text),
    /** Seconds later: whether the file is still there. */
    waits: async (seconds: number) => {
      now += seconds * 1000;
      await folder.scan();
      return readdirSync(path).includes('toys.csv');
    },
  };
}

const WHOLE = 'name\nRobot\n';

test.each([
  ['ends with a line end', WHOLE],
  ['ends with a carriage return', 'name\rRobot\r'],
  ['is UTF-16', Buffer.from(`\ufeff${WHOLE}`, 'utf16le')],
  ['is a workbook', makeBook({ sheets: '<sheetData/>' })],
])('a file that does not grow and %s is claimed after 2 s', async (_, content) => {
  const it = await watchedFolder();
  it.write(content);
  expect([await it.waits(0), await it.waits(1.9), await it.waits(0.2)]).toEqual([true, true, false]);
});

test('a file whose last line has no line end is claimed after 30 s', async () => {
  const it = await watchedFolder();
  it.write('name\nRobot\nBe');
  expect([await it.waits(0), await it.waits(3.5), await it.waits(26), await it.waits(1)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('a growing file is claimed 30 s after it last grew', async () => {
  const it = await watchedFolder();
  it.write('name\n');
  expect(await it.waits(0)).toBe(true);
  it.write(WHOLE);
  expect([await it.waits(1), await it.waits(3.5), await it.waits(26)]).toEqual([true, true, true]);
  it.write(`${WHOLE}Bear\n`);
  expect([await it.waits(1), await it.waits(29), await it.waits(1)]).toEqual([true, true, false]);
});

test('a file that grows while its rows are sent is claimed again, and each row is sent once', async () => {
  await using place = await openWorker(DROP);
  const rows = (from: number) => Array.from({ length: 20 }, (_, at) => `toy ${from + at}\n`).join('');
  place.dropper('drop')('toys.csv', `name\n${rows(1)}`);
  place.dropper('drop')('toys.csv.ready', '');
  let isWritten = false;
  const { exitCode, runs } = await place.once({
    emit: (event) => {
      if (event.type !== 'import' || isWritten) return;
      isWritten = true;
      appendFileSync(join(place.folder, 'drop/processing', event.run.id, 'toys.csv'), rows(21));
      // So that the end need not wait for the clock.
      place.dropper('drop')('toys.csv.ready', '');
    },
  });
  expect([exitCode, isWritten, runs.length]).toEqual([0, true, 2]);
  const names = place.sandbox.control.items().map(({ name }) => name);
  expect([names.length, new Set(names).size]).toEqual([40, 40]);
  const done = join(place.folder, 'drop/done');
  expect(readdirSync(join(place.folder, 'drop')).sort()).toEqual(['done', 'failed', 'processing']);
  const file = readdirSync(done).find((name) => /^toys(?:-2)?\.csv$/.test(name)) ?? '';
  expect(readFileSync(join(done, file), 'utf8')).toBe(`name\n${rows(1)}${rows(21)}`);
  expect(readFileSync(join(done, 'toys.warnings.txt'), 'utf8')).toContain('still being written');
});

test.each(['folder', 'database'])(
  'a file that grows while its import waits is imported again (copy in a %s)',
  async (kind) => {
    await using own = await openWorker(DROP);
    const spool = () =>
      kind === 'folder' ? {} : { spool: new Spool(join(own.folder, 'spool'), own.ledger.values) };
    const rows = Array.from({ length: 60 }, (_, index) => `T${index}\n`);
    own.dropper('drop')('a.csv', `name\n${rows.join('')}`);
    const stop = new AbortController();
    await own.once({
      ...spool(),
      signal: stop.signal,
      graceMs: 1,
      emit: (event) => {
        if (event.type === 'import' && event.event.type === 'sending') stop.abort();
      },
    });
    const processing = join(own.folder, 'drop', 'processing');
    const [id = ''] = readdirSync(processing);
    // The program that writes the file goes on.
    appendFileSync(join(processing, id, 'a.csv'), 'Late 1\nLate 2\n');
    await own.once(spool());
    await own.once(spool());
    expect(own.sandbox.control.items()).toHaveLength(62);
  },
);
