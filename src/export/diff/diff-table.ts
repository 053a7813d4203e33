/**
 * The difference between two exports as a table for review, like the table of a plan: a row per item, a
 * column per field.
 */
import { changedCell, type MarkedTable } from '../../sheets/marked-table.ts';
import type { MarkedCell } from '../../sheets/xlsx/write-marked.ts';
import type { DiffRow, DiffSummary } from './model.ts';

/** Fields beyond this number share the last column. */
const MAX_FIELDS = 60;
const BATCH_ROWS = 500;

/** @param used fields that differ in any item, in the order of their columns */
export function diffTable(
  summary: DiffSummary,
  used: readonly string[],
  rows: () => Iterable<DiffRow>,
): MarkedTable {
  const { a, b, by, fields, warnings } = summary;
  const shown = used.slice(0, MAX_FIELDS);
  const key = by.length === 1 && by[0] === 'id' ? 'item' : by.join(' + ');
  return {
    title: 'Difference of two exports',
    sheet: 'Difference',
    summary: [
      ['from', a.file],
      ['to', b.file],
      ['items before', String(a.rows)],
      ['items after', String(b.rows)],
      ...(['added', 'gone', 'changed', 'unchanged'] as const).map((what): [string, string] => [
        what,
        String(summary[what]),
      ]),
      ...fields.map(({ field, items }): [string, string] => [`items whose ${field} changed`, String(items)]),
      ...warnings.map((warning): [string, string] => ['note', warning]),
    ],
    columns: ['row', 'what', key, 'name', ...shown, 'note'],
    rows: async function* () {
      let batch: MarkedCell[][] = [];
      for (const row of rows()) {
        batch.push(line(row, shown));
        if (batch.length < BATCH_ROWS) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    },
  };
}

function line({ what, row, key, name, changes }: DiffRow, shown: readonly string[]): MarkedCell[] {
  const byField = new Map(changes.map((change) => [change.field, change]));
  const cells = shown.map((field): MarkedCell => {
    const change = byField.get(field);
    if (change === undefined) return '';
    const { from, to } = change;
    if (what === 'changed') return changedCell(from, to);
    return what === 'added' ? { text: to, mark: 'added' } : { text: from, mark: 'emptied' };
  });
  const others = changes
    .filter(({ field }) => !shown.includes(field))
    .map(({ field, from, to }) => `${field}: ${from} → ${to}`);
  return [String(row), what, key, name, ...cells, others.join('; ')];
}
