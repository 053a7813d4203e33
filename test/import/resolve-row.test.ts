/** A row that could not be settled waits for a person, and goes the way the person says. */
import { expect, test } from 'vitest';
import { RequestMeter } from '../../src/api/meter.ts';
import { parseResolution, resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { csv } from '../support/csv.ts';
import { openImport, type OpenImport } from '../support/open-import.ts';

/** Three rows, the answer to the second lost after it was stored, and nobody may look it up. */
async function withHeldRow(it: OpenImport): Promise<string> {
  const file = await it.file('toys.csv', csv(['name'], [['Falcon'], ['Rover'], ['Lander']]));
  const setting = { client: { maxConcurrency: 1 } };
  await it.import({ file, noSettle: true, run: { first: 1 } }, setting);
  it.sandbox.control.failNext('dropAfterCommit', 'createItem');
  const { summary, exitCode } = await it.resume('last', {}, setting);
  expect([exitCode, summary.state, summary.rows.created, summary.rows.held]).toEqual([3, 'done', 2, 1]);
  return summary.job;
}

const resolve = (it: OpenImport, row: number, as: string) =>
  resolveRow('last', row, parseResolution(as), {
    ledger: it.ledger,
    meter: new RequestMeter(),
    emit: () => undefined,
  });

test('as created: the item is the row’s, and nothing is sent again', async () => {
  await using it = await openImport();
  await withHeldRow(it);
  const rover = it.items().find((item) => item.name === 'Rover')?.id ?? '';
  const { summary } = await resolve(it, 3, `created:${rover.toUpperCase()}`);
  expect(summary).toMatchObject({ state: 'done', rows: { created: 3, held: 0 } });
  expect((await it.resume('last')).exitCode).toBe(0);
  expect(it.names()).toEqual(['Falcon', 'Lander', 'Rover']);
});

test('as retry: it is sent with the next resume, once', async () => {
  await using it = await openImport();
  await withHeldRow(it);
  it.sandbox.control.removeItem(it.items().find((item) => item.name === 'Rover')?.id ?? '');
  const { summary, remedy } = await resolve(it, 3, 'retry');
  expect(summary).toMatchObject({ state: 'paused', rows: { created: 2, held: 0, pending: 1 } });
  expect(remedy).toContain('jobs resume');
  expect((await it.resume('last')).summary).toMatchObject({
    state: 'done',
    rows: { created: 3, pending: 0 },
  });
  expect(it.names()).toEqual(['Falcon', 'Lander', 'Rover']);
});

test('as skip: it stays out, and counts as skipped', async () => {
  await using it = await openImport();
  await withHeldRow(it);
  const { summary } = await resolve(it, 3, 'skip');
  expect(summary.rows).toMatchObject({ created: 2, held: 0, skipped: 1 });
  expect(await it.read(summary.files.results)).toMatch(/^Rover,3,skipped,/m);
});

test('an item that another row owns is nobody’s by hand', async () => {
  await using it = await openImport();
  await withHeldRow(it);
  const falcon = it.items().find((item) => item.name === 'Falcon')?.id ?? '';
  await expect(resolve(it, 3, `created:${falcon}`)).rejects.toMatchObject({ code: 'bad_resolution' });
  // Both are unknown now, and the next run looks both up.
  expect((await it.ledger.counts((await it.ledger.findJob('last')).id)).unknown).toBe(2);
});

test('a row that does not wait, and words that say nothing, are refused', async () => {
  await using it = await openImport();
  await withHeldRow(it);
  await expect(resolve(it, 2, 'retry')).rejects.toMatchObject({
    code: 'no_such_row',
    remedy: 'Those that wait: 3',
  });
  expect(() => parseResolution('created:')).toThrow(expect.objectContaining({ code: 'bad_resolution' }));
  expect(() => parseResolution('yes')).toThrow(expect.objectContaining({ code: 'bad_resolution' }));
});
