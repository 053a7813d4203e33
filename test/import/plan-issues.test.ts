/** What planning finds wrong with rows is told as what reading finds: by reason, with rows. */
import { nextText } from '../../src/cli/show/output.ts';
import { expect, it } from 'vitest';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import { setItems } from '../../src/import/run.ts';
import { describeReason } from '../../src/mapping/issue-reasons.ts';
import { english } from '../../src/messages/message.ts';
import type { Correction } from '../../src/mapping/template/change.ts';
import { csv } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

const GONE = ['1', '2', '3'].map((digit) => `11111111-1111-4111-8111-11111111111${digit}`);

function listen() {
  const lines: string[] = [];
  return {
    lines,
    onEvent: (event: ImportEvent) => {
      if (event.type === 'issues')
        lines.push(...event.reasons.map((reason) => english(describeReason(reason).line)));
    },
  };
}

it('a plan reports unknown ids, and keys that disagree or are blank', async () => {
  await using at = await openImport();
  at.sandbox.control.insertItems([
    { name: 'a', custom_fields: { sku: 'A' } },
    { name: 'b', custom_fields: { sku: 'B' } },
    { name: 'b again', custom_fields: { sku: 'B' } },
  ]);
  const { lines, onEvent } = listen();
  const ids = await at.file(
    'ids.csv',
    csv(
      ['id', 'status'],
      GONE.map((id) => [id, 'sold']),
    ),
  );
  await at.import({ file: ids, mode: 'update', dryRun: true }, { onEvent });
  expect(lines.splice(0)).toEqual(['3 rows: no item has this id; rows 2, 3, 4']);

  const one = await at.file('one.csv', csv(['id', 'status'], [[GONE[0] ?? '', 'sold']]));
  await at.import({ file: one, mode: 'update', dryRun: true }, { onEvent });
  expect(lines.splice(0)).toEqual([`1 row: there is no item ${GONE[0]}; row 2`]);

  const rows = [
    ['A', 'sold'],
    ['A', 'keep'],
    ['B', 'sold'],
    ['', 'sold'],
    ['C', 'sold'],
  ];
  const keys = await at.file('keys.csv', csv(['custom_fields.sku', 'status'], rows));
  const match = ['custom_fields.sku'];
  const { summary } = await at.import({ file: keys, mode: 'update', match, dryRun: true }, { onEvent });
  expect(summary.rows.invalid).toBe(5);
  expect(lines).toEqual([
    '2 rows: rows with the same custom_fields.sku disagree; rows 2, 3',
    expect.stringMatching(/^1 row: 2 items have this custom_fields\.sku: .*; row 4$/),
    '1 row: custom_fields.sku is blank, so no item can be found; row 5',
    '1 row: no item has this custom_fields.sku: "C"; row 6',
  ]);
});

it('a plan reports unknown collections of rows that are otherwise valid', async () => {
  await using at = await openImport();
  const rows = [
    ['a', 'Nowhere'],
    ['', 'Nowhere'],
    ['c', 'Main'],
    ['d', 'Nowhere'],
    ['e', 'Elsewhere'],
  ];
  const file = await at.file('toys.csv', csv(['name', 'collection'], rows));
  const { lines, onEvent } = listen();
  await at.import({ file, dryRun: true }, { onEvent });
  expect(lines).toEqual([
    expect.stringMatching(/^1 row: .*name.*; row 3$/),
    // The row without a name has both problems, and counts for both.
    '4 rows: collection has 2 unknown names; rows 2, 3, 5, 6',
  ]);
});

it('a plan reports the problems of a list of ids for set', async () => {
  await using at = await openImport();
  const idsFrom = await at.file('ids.csv', csv(['id'], [['x'], [GONE[0] ?? ''], ['x']]));
  const { lines, onEvent } = listen();
  await at.run((deps) => setItems({ changes: ['status=sold'], idsFrom, dryRun: true }, deps), { onEvent });
  expect(lines).toEqual([
    expect.stringMatching(/^2 rows: id "x" is not an id.*; rows 2, 4$/),
    `1 row: there is no item ${GONE[0]}; row 3`,
  ]);
});

it('a plan offers to send exactly its rows, only the valid rows, or nothing', async () => {
  await using at = await openImport();
  const remedyOf = async (years: string[], skipInvalid = false) => {
    const file = await at.file(
      'toys.csv',
      csv(
        ['name', 'year'],
        years.map((year) => ['Toy', year]),
      ),
    );
    const { summary, ...next } = await at.import({ file, dryRun: true, skipInvalid });
    return nextText(next, {}).replaceAll(summary.job, 'ID');
  };
  expect(await remedyOf(['1990'])).toMatch(/To send exactly this: shelflift jobs apply ID$/);
  expect(await remedyOf(['1990', 'soon'])).toMatch(
    /only the valid rows: shelflift jobs apply ID --skip-invalid/,
  );
  expect(await remedyOf(['1990', 'soon'], true)).toMatch(/To send exactly this: shelflift jobs apply ID$/);
  const none = await remedyOf(['soon', 'never']);
  expect(none).toMatch(
    /2 rows need correction\. To correct the rows: shelflift jobs mend ID\. Correct the rows in .*toys\.rejects\.csv/,
  );
  expect(none).not.toContain('jobs apply');
});

it('a stopped import, jobs mend and jobs show suggest the same next command, which works', async () => {
  await using at = await openImport();
  const rows = [
    ['Bear', 'soon'],
    ['Car', '1990'],
  ];
  const stopped = await at.import({ file: await at.file('toys.csv', csv(['name', 'year'], rows)) });
  const { job } = stopped.summary;
  const next = async (changes: Correction[]) => {
    const mended = await at.run((deps) => correctAndReport(job, { changes }, deps));
    const shown = await at.run((deps) => showJob(job, deps));
    expect(nextText(mended, {})).toBe(`Nothing was sent. ${nextText(shown, {})}`);
    return nextText(shown, {});
  };
  expect(await next([])).toMatch(
    new RegExp(
      `^1 row needs correction\\. To correct the rows: shelflift jobs mend ${job}\\. .* valid rows: shelflift jobs apply ${job} --skip-invalid$`,
    ),
  );
  expect(nextText(stopped, {})).toContain(
    `To send only the valid rows: shelflift jobs apply ${job} --skip-invalid`,
  );
  const year: Correction = { type: 'cell', row: 2, column: 'year', text: '1980' };
  expect(await next([year])).toBe(`To send the 2 rows: shelflift jobs apply ${job}`);
  expect((await at.apply(job)).summary.rows).toMatchObject({ created: 2 });
});
