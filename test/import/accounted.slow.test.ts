/** A file counts as imported only while every row that was not sent is accounted for by an item, or by a person. */
import { expect, test } from 'vitest';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import type { RunOptions } from '../../src/import/job/options.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { undoJob } from '../../src/import/run.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';
import { again, alive, HEADERS, refusing, ROBOT } from './rejects.ts';

const undo = (at: OpenImport, job: string) =>
  at.run((deps) => undoJob(job, deps, { run: { quietPeriodMs: QUIET_MS, yes: true } }));
const named = (at: OpenImport, name: string) =>
  at.items().filter((item) => item.name === name && item.status !== 'archived').length;

/** A file of two rows, of which one was left out because an item looks like it. */
async function similar(at: OpenImport, sent: 'here' | 'elsewhere') {
  const file = await at.file('x.csv', csv(['name'], [['Orig']]));
  const first = sent === 'here' ? await at.import({ file }) : undefined;
  const id = at.items()[0]?.id ?? at.sandbox.control.insertItems([{ name: 'Orig' }])[0] ?? '';
  const both = await at.file('b.csv', csv(['name'], [['Orig'], ['Fresh']]));
  const run = (options: RunOptions) => at.import({ file: both, checkSimilar: true, run: options });
  expect((await run({ similar: 'skip' })).summary.rows).toMatchObject({ created: 1, skipped: 1 });
  return { run, id, job: first?.summary.job ?? '' };
}

test('a row that was left out as similar can be created later, and only this row', async () => {
  await using at = await openImport();
  const { run } = await similar(at, 'elsewhere');
  // The decision stands until a person changes it.
  for (const options of [{ similar: 'skip' as const }, { yes: true }])
    expect((await run(options)).summary.state).toBe('already_applied');
  await expect(run({ similar: 'create' })).rejects.toMatchObject({ code: 'rows_sent_before' });
  const { exitCode, summary } = await run({ similar: 'create', onlyNew: true });
  expect([exitCode, summary.rows.created]).toEqual([0, 1]);
  expect([named(at, 'Orig'), named(at, 'Fresh')]).toEqual([2, 1]);
});

test.each(['here', 'elsewhere'] as const)(
  'a row that was left out as similar is created once the item is archived: item made %s',
  async (sent) => {
    await using at = await openImport();
    const { run, id, job } = await similar(at, sent);
    if (sent === 'here') await undo(at, job);
    else await at.run(({ client }) => client.updateItem(id, { status: 'archived' }));
    expect(named(at, 'Orig')).toBe(0);
    // The other row looks like its own item now.
    expect((await run({})).summary).toMatchObject({ error: { code: 'similar_items' }, rows: { pending: 2 } });
    const { exitCode, summary } = await run({ similar: 'skip' });
    expect([exitCode, summary.rows.created]).toEqual([0, 1]);
    expect([named(at, 'Orig'), named(at, 'Fresh')]).toEqual([1, 1]);
    expect((await run({ similar: 'skip' })).summary.state).toBe('already_applied');
  },
);

test.each([
  ['left to its item', 'theirs', 'red'],
  ['found equal to its item', 'mine', 'blue'],
  ['sent as a change', 'mine', 'red'],
] as const)('a held row that a person had %s is new once that item is taken back', async (_, as, series) => {
  await using at = await openImport();
  const map = { 'custom_fields.sku': 'sku' };
  const list = (...rows: string[][]) => csv(['name', 'sku', 'series'], rows);
  const a = await at.file('a.csv', list(['H1', '1', 'red'], ['H2', '2', 'red']));
  const { job } = (await at.import({ file: a, map })).summary;
  const file = await at.file('b.csv', list(['H1', '1', 'blue'], ['H4', '4', 'red']));
  const onlyNew = () => at.import({ file, map, run: { onlyNew: true } });
  const held = await onlyNew();
  expect(held.summary.rows).toMatchObject({ created: 1, held: 1 });
  const h1 = at.items().find(({ name }) => name === 'H1')?.id ?? '';
  if (series === 'blue') await at.run(({ client }) => client.updateItem(h1, { series }));
  await at.run((deps) => resolveRow(held.summary.job, 2, { as }, deps));
  await at.resume(held.summary.job);
  expect((await onlyNew()).summary.state).toBe('already_applied');
  const undone = await undo(at, job);
  if (undone.summary.rows.held > 0) {
    await at.run((deps) => resolveRow(undone.summary.job, 2, { as: 'mine' }, deps));
    await at.resume(undone.summary.job);
  }
  expect(named(at, 'H1')).toBe(0);
  const { exitCode, summary } = await onlyNew();
  expect([exitCode, summary.state, summary.rows.created]).toEqual([0, 'done', 1]);
  expect([named(at, 'H1'), named(at, 'H4')]).toEqual([1, 1]);
});

/** A job that has sent one row, and out of which a person left another. */
async function leftOut(at: OpenImport): Promise<string> {
  const file = await at.file('left.csv', csv(HEADERS, [ROBOT, ['Other', 'Kenner', '1984']]));
  const { summary } = await at.import({ file, dryRun: true });
  await at.run((deps) => correctAndReport(summary.job, { changes: [{ type: 'omit', row: 2 }] }, deps));
  await at.apply(summary.job);
  return summary.job;
}

test.each(['before', 'after'] as const)(
  'a row that a person left out %s a file was sent accounts for one row of its rejects, in whatever parts',
  async (when) => {
    await using at = await openImport();
    if (when === 'before') await leftOut(at);
    const file = await at.file('b.csv', csv(HEADERS, [ROBOT, ROBOT, ROBOT]));
    const run = { onlyNew: true };
    const { summary } = await at.import({ file, run }, refusing(1, 2, 3));
    expect(summary.rows).toMatchObject(when === 'before' ? { skipped: 1, refused: 2 } : { refused: 3 });
    if (when === 'after') await leftOut(at);
    const rejects = await at.file('rejects.csv', await at.read(summary.files.rejects));
    // Twice: nothing is sent again.
    for (const _ of [1, 2])
      for (let line = 0; line < summary.rows.refused; line += 1)
        await again(at, rejects, run, (lines) => lines.slice(line, line + 1));
    expect([named(at, 'Robot'), alive(at)]).toEqual([2, 3]);
  },
);

test('a file counts as imported until a job is undone that left one of its rows out', async () => {
  await using at = await openImport();
  const job = await leftOut(at);
  const file = await at.file('b.csv', csv(HEADERS, [ROBOT, ['Third', 'Kenner', '1984']]));
  const run = { onlyNew: true };
  expect((await at.import({ file, run })).summary.rows).toMatchObject({ created: 1, skipped: 1 });
  expect((await at.import({ file, run })).summary.state).toBe('already_applied');
  await undo(at, job);
  expect((await at.import({ file, run })).summary.rows).toMatchObject({ created: 1, skipped: 1 });
  expect(named(at, 'Robot')).toBe(1);
});

test('a corrected line of rejects is new, although a row that was left out had accounted for it', async () => {
  await using at = await openImport();
  const file = await at.file('b.csv', csv(HEADERS, [ROBOT]));
  const run = { onlyNew: true };
  const { summary } = await at.import({ file }, refusing(1));
  await leftOut(at);
  const rejects = await at.file('rejects.csv', await at.read(summary.files.rejects));
  expect((await again(at, rejects, run)).summary.rows).toMatchObject({ created: 0, skipped: 1 });
  const edited = await again(at, rejects, run, (lines) =>
    lines.map((line) => ({ ...line, release_year: '1985' })),
  );
  expect([edited.exitCode, edited.summary.rows.created]).toEqual([0, 1]);
});
