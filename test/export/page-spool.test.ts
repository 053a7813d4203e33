import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { FileChunks } from '../../src/export/keep/chunk-store.ts';
import { KeptExport } from '../../src/export/keep/kept-export.ts';
import { type KeptPage, PageSpool } from '../../src/export/keep/page-spool.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';

const page = fc.record({ data: fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 4 }) });

async function kept(spool: PageSpool<unknown>): Promise<KeptPage<unknown>[]> {
  return Array.fromAsync(spool.pages());
}

test('a spool returns pages in order, from memory, a file or the store', async () => {
  await using ledger = openSqliteLedger(':memory:');
  await fc.assert(
    fc.asyncProperty(
      fc.array(page, { maxLength: 40 }),
      fc.array(page, { maxLength: 5 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (before, pages, memoryPages, inStore) => {
        const taken = inStore ? await KeptExport.take(ledger.values, 'name', Date.now()) : undefined;
        await using spool = new PageSpool(taken ?? new FileChunks(), { memoryPages });
        for (const each of before) await spool.add(JSON.stringify(each, null, 1));
        await spool.clear();
        for (const each of [...pages, ...before]) await spool.add(JSON.stringify(each, null, 1));
        const expected: unknown = JSON.parse(JSON.stringify([...pages, ...before]));
        expect(await kept(spool)).toEqual(expected);
        expect(await kept(spool)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

test.skipIf(process.platform === 'win32')(
  'the temporary file of a spool has no name, so a kill cannot leave it behind',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shelflift-test-'));
    await using spool = new PageSpool(new FileChunks(folder), { memoryPages: 1 });
    await spool.add('{"data":[1]}');
    await spool.add('{"data":[2]}');
    await spool.flush();
    expect(readdirSync(folder)).toEqual([]);
    expect(await kept(spool)).toEqual([{ data: [1] }, { data: [2] }]);
  },
);

test('pages that must survive the process are written at once', async () => {
  const seen: string[] = [];
  let now = 0;
  const chunks = {
    put: async (chunks: readonly Uint8Array[]) =>
      void seen.push(...chunks.map((chunk) => Buffer.from(chunk).toString())),
    async *all() {},
    clear: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const clock = { ...systemClock, monotonic: () => now };
  const spool = new PageSpool(chunks, { flushAfter: { ms: 2000, clock } });
  await spool.add('{"data":[1]}');
  now = 1999;
  await spool.add('{"data":[2]}');
  expect(seen).toEqual([]);
  now = 2000;
  await spool.add('{"data":[3]}');
  expect(seen).toEqual(['[{"data":[1]},{"data":[2]},{"data":[3]}]']);

  // The first page comes when the list has been counted: a count that took long is not to be done again.
  const late = new PageSpool(chunks, { flushAfter: { ms: 2000, clock } });
  now = 4000;
  await late.add('{"data":[4]}');
  expect(seen.slice(1)).toEqual(['[{"data":[4]}]']);
  await late.add('{"data":[5]}');
  expect(seen).toHaveLength(2);
});

test('writing chunks does not block adding pages, and its errors are reported', async () => {
  let fail: (error: Error) => void = () => undefined;
  const chunks = {
    put: () => new Promise<void>((_, reject) => (fail = reject)),
    async *all() {},
    clear: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const spool = new PageSpool(chunks, { memoryPages: 1 });
  await spool.add('{"data":[1]}');
  await spool.add('{"data":[2]}');
  fail(new Error('no room'));
  await expect(spool.settled()).rejects.toThrow('no room');
  await expect(spool.flush()).rejects.toThrow('no room');
  await spool[Symbol.asyncDispose]();
});
