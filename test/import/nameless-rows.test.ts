/** Few rows without a name hold no file up: they are left out, named, and sent once somebody has filled their names in. */
import { expect, it } from 'vitest';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { undoJob } from '../../src/import/run.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';

/** @param nameless rows at the end that have a brand and no name */
const list = (named: number, nameless: number, more: string[][] = []) =>
  csv(
    ['Name', 'Brand', 'Year'],
    [
      ...Array.from({ length: named }, (_, at) => [`Toy ${at}`, 'Corgi', '1980']),
      ...Array.from({ length: nameless }, (_, at) => ['', `Maker ${at}`, '1981']),
      ...more,
    ],
  );

/** Rows of the rejects file; 0 if there is none. */
async function rejected(at: OpenImport, path: string | undefined): Promise<number> {
  return path === undefined ? 0 : (await at.read(path)).trim().split('\n').length - 1;
}

it.each([
  [17, 3],
  [4, 1],
  [95, 5],
])('%i rows are sent and %i rows without a name are left out', async (named, nameless) => {
  await using at = await openImport();
  const said: ImportEvent[] = [];
  const file = await at.file('list.csv', list(named, nameless));
  const { summary, exitCode } = await at.import({ file }, { onEvent: (event) => said.push(event) });
  expect([exitCode, summary.state]).toEqual([3, 'done']);
  expect(summary.rows).toMatchObject({ read: named + nameless, created: named, invalid: nameless });
  expect(await rejected(at, summary.files.rejects)).toBe(nameless);
  const [reason] = said.flatMap((event) => (event.type === 'issues' ? event.reasons : []));
  expect(reason).toMatchObject({ code: 'required', rows: nameless });
  expect(reason?.firstRows[0]).toEqual({ row: named + 2 });
});

it.each([
  ['many rows have no name', list(14, 4), {}],
  ['the file is small, and a few of its rows have no name', list(2, 1), {}],
  ['a row has another problem', list(17, 2, [['Bus', 'Corgi', 'soon']]), {}],
  ['no row is left', list(0, 1), {}],
  ['--strict is given', list(17, 3), { strict: true, map: { brand: 'Brand' } }],
])('nothing is sent if %s', async (_, content, request) => {
  await using at = await openImport();
  const { summary, exitCode } = await at.import({ file: await at.file('list.csv', content), ...request });
  expect([exitCode, summary.state, at.items()]).toEqual([3, 'planned', []]);
});

it('a dry run reports rows without a name, and its plan can be applied', async () => {
  await using at = await openImport();
  const file = await at.file('list.csv', list(17, 3));
  const dry = await at.import({ file, dryRun: true });
  expect([dry.exitCode, dry.summary.plan]).toEqual([3, expect.objectContaining({ create: 17, invalid: 3 })]);
  expect(dry.actions).toContainEqual(expect.objectContaining({ do: 'apply', job: dry.summary.job }));
  expect(dry.actions.map((action) => JSON.stringify(action)).join()).not.toContain('skip-invalid');
  const { summary, exitCode } = await at.apply(dry.summary.job);
  expect([exitCode, summary.rows.created, summary.rows.invalid]).toEqual([3, 17, 3]);
});

it('only rows whose names a person fills in, by jobs mend or in the rejects file, are sent', async () => {
  await using at = await openImport();
  const file = await at.file('list.csv', list(17, 3));
  const { summary } = await at.import({ file });
  const cell = { type: 'cell', row: 19, column: 'Name', text: 'Hut' } as const;
  await at.run((deps) => correctAndReport(summary.job, { changes: [cell] }, deps));
  const applied = await at.apply(summary.job);
  expect([applied.exitCode, applied.summary.rows.created, applied.summary.rows.invalid]).toEqual([3, 18, 2]);
  const rejects = await at.read(applied.summary.files.rejects);
  await at.file('list.rejects.csv', rejects.replace(',Maker 1,', 'Bus,Maker 1,'));
  const next = await at.import({ file: applied.summary.files.rejects ?? '', skipInvalid: true });
  expect(next.summary.rows).toMatchObject({ created: 1, invalid: 1 });
  expect(at.items()).toHaveLength(19);
});

it('a later file sends a row that has a name by then, and leaves the others out again', async () => {
  await using at = await openImport();
  await at.import({ file: await at.file('may.csv', list(17, 2)) });
  const june = list(17, 2, [['Train', 'Hornby', '1982']]).replace(',Maker 0', 'Bus,Maker 0');
  const run = { onlyNew: true };
  const { summary, exitCode } = await at.import({ file: await at.file('june.csv', june), run });
  expect([exitCode, summary.rows]).toEqual([
    3,
    expect.objectContaining({ created: 2, skipped: 17, invalid: 1 }),
  ]);
  const undone = await at.run((deps) =>
    undoJob(summary.job, deps, { run: { quietPeriodMs: QUIET_MS, yes: true } }),
  );
  expect([undone.exitCode, undone.summary.rows.updated]).toEqual([0, 2]);
});

/** Twenty rows that somebody filled in, and the rest of the prepared sheet. */
const prepared = (...rows: string[][]) =>
  csv(
    ['No.', 'Name', 'Status', 'Sold', 'Profit'],
    [
      ...Array.from({ length: 20 }, (_, at) => [`${at + 1}`, `Toy ${at}`, 'owned', 'FALSE', `$${at}.50`]),
      ...rows,
    ],
  );

it('any number of prepared rows without a name are left out, and this can be undone', async () => {
  await using at = await openImport();
  const notes: ImportEvent[] = [];
  const rows = Array.from({ length: 9 }, (_, no) => [`${no + 21}`, '', 'owned', 'FALSE', '$0.00']);
  const file = await at.file(
    'list.csv',
    prepared(...rows, ['30', '', '', '', '$ -'], ['', ' ', 'owned', '', '€']),
  );
  const dry = await at.import({ file, dryRun: true }, { onEvent: (event) => notes.push(event) });
  expect([dry.exitCode, dry.summary.plan]).toEqual([0, expect.objectContaining({ create: 20, skipped: 11 })]);
  const note = notes.find((event) => event.type === 'note' && event.said?.code === 'fillers_left_out');
  expect(note).toMatchObject({
    said: { params: { cells: 11, header: 'Name', text: '21, owned, FALSE, $0.00' } },
  });
  const option = { type: 'option', field: 'name', option: 'fillers', value: 'issue' } as const;
  const strict = await at.run((deps) => correctAndReport(dry.summary.job, { changes: [option] }, deps));
  expect([strict.exitCode, strict.summary.rows.invalid]).toEqual([3, 11]);
  const cell = { type: 'cell', row: 22, column: 'Name', text: 'Hut' } as const;
  const changes = [{ ...option, value: {} }, cell];
  const mended = await at.run((deps) => correctAndReport(dry.summary.job, { changes }, deps));
  expect(mended.summary.rows).toMatchObject({ invalid: 9, pending: 21 });
});

it.each([
  ['a value of its own', ['21', '', 'sold', 'FALSE', '$0.00']],
  ['an amount', ['21', '', 'owned', 'FALSE', '$4.00']],
  ['a tick', ['21', '', 'owned', 'TRUE', '$0.00']],
])('a row without a name that has %s counts as an item with a missing name', async (_, row) => {
  await using at = await openImport();
  const { summary, exitCode } = await at.import({ file: await at.file('list.csv', prepared(row)) });
  expect([exitCode, summary.rows]).toEqual([
    3,
    expect.objectContaining({ created: 20, invalid: 1, skipped: 0 }),
  ]);
});
