/** Rows of several sheets have the same numbers: their lines in a rejects file are different rows. */
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { correctJob } from '../../src/import/correction/correct-job.ts';
import { rowsText } from '../../src/cli/show/plan-text.ts';
import { issuesOf } from '../../src/import/results/issues.ts';
import { toChangeRow } from '../../src/import/review/change-rows.ts';
import { firstOfKind } from '../../src/import/review/plan-view.ts';
import { describeReason } from '../../src/mapping/issue-reasons.ts';
import { english } from '../../src/messages/message.ts';
import { openImport, type OpenImport } from '../support/open-import.ts';
import { again, alive, refusing } from './rejects.ts';

async function workbook(
  at: OpenImport,
  sheets: string[][][],
  names: readonly string[] = [],
): Promise<string> {
  const book = new ExcelJS.Workbook();
  for (const [index, rows] of sheets.entries())
    book
      .addWorksheet(names[index] ?? `Sheet ${index + 1}`)
      .addRows([['name', 'brand', 'release_year'], ...rows]);
  const file = await at.file('two.xlsx', '');
  await book.xlsx.writeFile(file);
  return file;
}

type Line = Record<string, string>;
const corrected = (name: string) => (lines: Line[]) =>
  lines.map((line) => (line['name'] === name ? { ...line, release_year: '1984' } : line));

describe('lines of rows with the same number', () => {
  it('are sent once each if they are corrected one after the other', async () => {
    await using at = await openImport();
    const file = await workbook(at, [[['Robot', 'Kenner', 'x']], [['Bear', 'Steiff', 'x']]]);
    const { summary } = await at.import({ file, sheet: 'all', skipInvalid: true });
    expect(summary.rows).toMatchObject({ invalid: 2 });
    const rejects = await at.file('kept.csv', await at.read(summary.files.rejects));
    const run = { onlyNew: true, skipInvalid: true };
    const first = await again(at, rejects, run, corrected('Robot'));
    expect(first.summary.rows).toMatchObject({ created: 1, invalid: 1 });
    const second = await again(at, rejects, run, (lines) => corrected('Bear')(corrected('Robot')(lines)));
    expect(second.summary.rows).toMatchObject({ created: 1, skipped: 1 });
    expect(at.names().toSorted()).toEqual(['Bear', 'Robot']);
    const third = await again(at, rejects, run, (lines) => corrected('Bear')(corrected('Robot')(lines)));
    expect(third.summary.rows).toMatchObject({ created: 0, skipped: 2 });
  });

  it('are sent once each if they are equal and come in parts', async () => {
    await using at = await openImport();
    const robot = ['Robot', 'Kenner', '1984'];
    const file = await workbook(at, [
      [robot, robot],
      [robot, robot],
    ]);
    const { summary } = await at.import({ file, sheet: 'all' }, refusing(2, 3));
    const rejects = await at.file('kept.csv', await at.read(summary.files.rejects));
    const run = { onlyNew: true };
    expect((await again(at, rejects, run, (lines) => lines.slice(1))).summary.rows).toMatchObject({
      created: 1,
    });
    expect((await again(at, rejects, run)).summary.rows).toMatchObject({ created: 1, skipped: 1 });
    expect((await again(at, rejects, run)).summary.rows).toMatchObject({ created: 0, skipped: 2 });
    expect(alive(at)).toBe(4);
  });

  it('are held against the item of their own row', async () => {
    await using at = await openImport();
    const file = await workbook(at, [[['Robot', 'Kenner', '1984']], [['Bear', 'Steiff', 'x']]]);
    const { summary } = await at.import({ file, sheet: 'all', skipInvalid: true });
    const rejects = await at.file('kept.csv', await at.read(summary.files.rejects));
    const run = { onlyNew: true };
    const first = await again(at, rejects, run, corrected('Bear'));
    expect(first.summary.rows).toMatchObject({ created: 1 });
    const second = await again(at, rejects, run, (lines) =>
      lines.map((line) => ({ ...line, release_year: '1990' })),
    );
    const [held] = await at.ledger.rows.list(second.summary.job, { limit: 1 });
    expect(held?.issues[0]).toMatchObject({ code: 'row_changed', sentAs: { job: first.summary.job } });
  });
});

describe('a line whose sheet', () => {
  const NAMES = {
    'has spaces around it': ['Cars ', ' Dolls'],
    'begins like a formula': ['-old', '=new'],
    'looks like a date': ['May 2024', 'Jun 2024'],
    'looks like a number': ['01', '02'],
  };
  /** What a spreadsheet program makes of a cell of a CSV file. */
  const saved = (text: string) =>
    text
      .replace(/^(\w{3}) 20(\d\d)$/, '$1-$2')
      .replace(/^0(\d)$/, '$1')
      .trim();

  it.each(Object.entries(NAMES))('%s is sent once', async (_, names) => {
    await using at = await openImport();
    const file = await workbook(at, [[['Robot', 'Kenner', 'x']], [['Robot', 'Kenner', 'x']]], names);
    const { summary } = await at.import({ file, sheet: 'all', skipInvalid: true });
    const rejects = await at.file('kept.csv', await at.read(summary.files.rejects));
    const edit = (lines: Line[]) =>
      lines.map((line) => ({ ...line, release_year: '1984', _sheet: saved(line['_sheet'] ?? '') }));
    const changes = [
      { type: 'cell' as const, row: 2, sheet: names[0] ?? '', column: 'release_year', text: '1984' },
    ];
    await at.run((deps) => correctJob(summary.job, { changes }, deps));
    expect((await at.apply(summary.job)).summary.rows).toMatchObject({ created: 1, invalid: 1 });
    const run = { onlyNew: true };
    expect((await again(at, rejects, run, edit)).summary.rows).toMatchObject({ created: 1, skipped: 1 });
    expect((await again(at, rejects, run, edit)).summary.rows).toMatchObject({ created: 0, skipped: 2 });
  });
});

it('a corrected line of a sheet named True is known after a spreadsheet program saved it', async () => {
  await using at = await openImport();
  const file = await workbook(at, [[['Robot', 'Kenner', 'x']], [['Bear', 'Steiff', 'x']]], ['True', 'Cars']);
  const { summary } = await at.import({ file, sheet: 'all' });
  const rejects = await at.file('kept.csv', await at.read(summary.files.rejects));
  const edit = (year: string) => (lines: Line[]) =>
    lines.map((line) => ({
      ...line,
      release_year: year,
      _sheet: line['_sheet']?.replace(/^True$/, 'TRUE') ?? '',
    }));
  expect((await again(at, rejects, { yes: true }, edit('1984'))).summary.rows).toMatchObject({ created: 2 });
  expect((await again(at, rejects, { yes: true }, edit('1990'))).summary.rows).toMatchObject({ held: 2 });
});

it.each(['rejects', 'results'] as const)('%s without the column of sheets are refused', async (which) => {
  await using at = await openImport();
  const file = await workbook(at, [[['Robot', 'Kenner', 'x']], [['Bear', 'Steiff', 'x']]]);
  const { summary } = await at.import({ file, sheet: 'all' });
  const written = await at.file('kept.csv', await at.read(summary.files[which]));
  const edit = (lines: Line[]) =>
    lines.map(({ _sheet, ...line }) => ({ ...line, release_year: _sheet === undefined ? '' : '1984' }));
  await expect(again(at, written, { yes: true }, edit)).rejects.toMatchObject({ code: 'no_sheet_column' });
  expect(at.items()).toEqual([]);
});

it('a job of one sheet has no column for it', async () => {
  await using at = await openImport();
  const file = await workbook(at, [[['Robot', 'Kenner', '1984']]]);
  const { summary } = await at.import({ file, sheet: 'all' });
  expect((await at.read(summary.files.results)).split('\n')[0]).toMatch(/_request_id,_job\r?$/);
});

it('the problems and the plan of a job name the sheet of each row', async () => {
  await using at = await openImport();
  const file = await workbook(at, [[['Robot', 'Kenner', 'x']], [['Bear', 'Steiff', 'x']]]);
  const { summary } = await at.import({ file, sheet: 'all', skipInvalid: true });
  const [reason] = await issuesOf(summary.job, at.ledger);
  expect(reason && english(describeReason(reason).line)).toMatch(/; rows 2 \(Sheet 1\), 2 \(Sheet 2\)$/);
  const job = await at.ledger.jobs.find(summary.job);
  const rows = await firstOfKind(job, at.ledger, 'invalid', 5);
  expect(rowsText(rows.map(toChangeRow), 80)).toMatch(/\n2 \(Sheet 1\) .*\n2 \(Sheet 2\) /);
});
