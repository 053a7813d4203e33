/** The shipped samples import with the commands that the README and the templates name. */
import { english, inOneLine } from '../../src/messages/message.ts';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileMapping } from '../../src/mapping/compile.ts';
import { loadTemplate } from '../../src/mapping/template/load-template.ts';
import { templateMode } from '../../src/mapping/template/template-mode.ts';
import type { MappedRow } from '../../src/mapping/mapping.ts';
import type { Cell } from '../../src/sheets/cell.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import { codesOf } from './helpers.ts';

async function mapSample(name: string, templateName?: string) {
  const table = await openTable(fileURLToPath(new URL(`../../samples/${name}`, import.meta.url)), {});
  const template = templateName === undefined ? undefined : await loadTemplate(templateName);
  const { headers, letters, format } = table;
  const base = { headers, letters, format, map: {}, defaults: {} };
  const { mode, match } = templateMode(template, base);
  const mapping = compileMapping({ ...base, mode, match, ...(template === undefined ? {} : { template }) });
  const cells: Cell[][] = [];
  for await (const batch of table.batches) cells.push(...batch.map((row) => row.cells));
  let rows: MappedRow[] = cells.map((row) => mapping.mapRow(row));
  if (mapping.resolveDecimals()) rows = cells.map((row) => mapping.mapRow(row));
  return { table, mapping, rows, issues: rows.flatMap(codesOf) };
}

test('untidy-1000.csv is read without issues, and its repeated headers and totals are skipped', async () => {
  const { table, rows, issues, mapping } = await mapSample('untidy-1000.csv', 'action-figures');
  expect(inOneLine(table.detected)).toContain('Windows-1252');
  expect(rows).toHaveLength(1000);
  expect(issues).toEqual([]);
  expect(mapping.columns.every((column) => column.target !== undefined)).toBe(true);
  expect(mapping.notes().map(english)).toContain(
    'I (Wert) uses a decimal comma, as its unambiguous amounts show',
  );
  expect(table.skipped).toMatchObject({ repeatedHeader: 3, totals: 1 });
  // Pairs of equal toys are two items each.
  const texts = rows.map((row) => JSON.stringify(row));
  expect(new Set(texts).size).toBeLessThan(texts.length);
});

test('die-cast.csv is read without issues, with copies and skipped rows', async () => {
  const { rows, issues } = await mapSample('die-cast.csv', 'die-cast');
  expect(issues).toEqual([]);
  expect(rows.some((row) => row.copies > 1)).toBe(true);
  expect(rows.some((row) => row.skip !== undefined)).toBe(true);
});

test('the sheet Figures of action-figures.xlsx is read without issues', async () => {
  const { table, rows, issues } = await mapSample('action-figures.xlsx', 'action-figures');
  expect(table.sheet).toBe('Figures');
  expect(rows).toHaveLength(48);
  expect(issues).toEqual([]);
  expect(rows[0]?.customFields['sku']?.value).toBe('001');
});

test('importing status-changes.csv changes items of untidy-1000.csv', async () => {
  const changes = await mapSample('status-changes.csv', 'status-change');
  expect(changes.issues).toEqual([]);
  const skus = new Set(
    (await mapSample('untidy-1000.csv', 'action-figures')).rows.map((row) => row.customFields['sku']?.value),
  );
  for (const row of changes.rows) {
    expect(Object.keys(row.fields)).toEqual(['status']);
    expect(skus).toContain(row.customFields['sku']?.value);
  }
});

test('with-mistakes.csv has eight rows to mend, each with a different problem', async () => {
  const { rows, issues } = await mapSample('with-mistakes.csv');
  expect(rows).toHaveLength(30);
  expect(rows.filter((row) => row.issues.length > 0)).toHaveLength(8);
  expect(issues.sort()).toEqual([
    'inexact_word',
    'negative',
    'not_a_number',
    'out_of_range',
    'required',
    'too_long',
    'two_digit_year',
    'unknown_word',
  ]);
});
