import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Spool } from '../../src/export/spool.ts';

test.each([0, 10, 11, 1700])('%i rows come back in order, and nothing is left behind', async (count) => {
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-test-'));
  const rows = Array.from({ length: count }, (_, index) => ({ index, text: `a\nb\u2028 ${index}` }));
  {
    await using spool = new Spool<{ index: number; text: string }>(10, folder);
    await spool.add([{ index: -1, text: 'forgotten' }]);
    await spool.add(rows);
    await spool.clear();
    for (let from = 0; from < count; from += 7) await spool.add(rows.slice(from, from + 7));
    expect(spool.rows).toBe(count);
    expect((await Array.fromAsync(spool.batches())).flat()).toEqual(rows);
    expect((await readdir(folder)).length).toBe(count > 9 ? 1 : 0);
  }
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});
