/** A plan in words: its numbers, and the first rows of each kind (`--verbose`: all of them). */
import type { ChangeRow } from '../../import/review/change-rows.ts';
import type { PlanReport } from '../../import/review/plan-report.ts';
import type { RowCounts, RowQuery } from '../../ledger/ledger.ts';
import { fitTable } from './fit-table.ts';
import { changeText, cut, word } from './plan-words.ts';
import { count, duration } from './words.ts';
import { counted } from '../../counted.ts';

/** Rows shown of each kind. */
export const FIRST_ROWS = 5;
/** Fields and transitions shown; `--json` has all. */
const TOTALS_SHOWN = 12;

/** The lines above the rows. */
export function reportText(report: PlanReport): string {
  const { fields, transitions, values, requests, rate, seconds, reading, similar } = report;
  const lines: string[] = [];
  const list = (title: string, entries: string[]) => {
    if (entries.length === 0) return;
    const more = entries.length - TOTALS_SHOWN;
    lines.push(
      `  ${title}: ${entries.slice(0, TOTALS_SHOWN).join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
    );
  };
  list(
    'fields',
    fields.map(({ field, items, emptied }) => {
      const empty = emptied === 0 ? '' : ` (${count(emptied)} emptied)`;
      return `${field} ${count(items)}${empty}`;
    }),
  );
  list(
    'transitions',
    transitions.map(({ field, from, to, items }) => {
      const of = field === 'status' ? '' : `${field} `;
      return `${of}${from ?? 'blank'} → ${to ?? 'blank'} ${count(items)}`;
    }),
  );
  for (const { currency, before, after, difference, by_status } of values) {
    const statuses = by_status.map((each) => `${each.status} ${each.before} → ${each.after}`).join(', ');
    const total =
      currency === null
        ? `${after} more`
        : `${before} → ${after} (${difference.startsWith('-') ? '' : '+'}${difference})`;
    lines.push(`  value${currency === null ? '' : ` in ${currency.toUpperCase()}`}: ${total}; ${statuses}`);
  }
  if (similar !== undefined) {
    lines.push(
      `  ${counted(similar.rows, 'row looks like an item', 'rows look like items')} that ${similar.rows === 1 ? 'is' : 'are'} there already`,
    );
    for (const { id, name, rows } of similar.items.slice(0, FIRST_ROWS))
      lines.push(`    looks like item ${id} (${cut(name)}): ${counted(rows, 'row')}`);
  }
  if (reading !== undefined) {
    const way = reading.way === 'each' ? 'one by one' : 'by pages of the list';
    const other =
      reading.otherwise === undefined
        ? ''
        : ` (${reading.way === 'each' ? 'by pages of the list' : 'one by one'}: ${count(reading.otherwise)})`;
    lines.push(
      `  read: ${counted(reading.items, 'item')} ${way}, ${counted(reading.requests, 'request')}${other}`,
    );
  }
  if (requests.write > 0) {
    const time =
      rate === null || seconds === null
        ? "takes an unknown time: the API's rate is not known yet"
        : `takes about ${duration(seconds * 1000)} at ${rate.toFixed(1)}/s`;
    const recheck =
      requests.recheck === 0
        ? ''
        : ` (${count(requests.recheck)} to check items again before changing them: --recheck)`;
    lines.push(
      `  to send: ${counted(requests.write, 'write')} and about ${counted(requests.read, 'read')}${recheck}; ${time}`,
    );
  }
  return lines.join('\n');
}

/** The kinds of rows in the order in which they are shown, with how many there are. */
export function kinds(
  counts: RowCounts,
): (Omit<RowQuery, 'after' | 'limit'> & { title: string; count: number })[] {
  const { planned, plannedUpdates, held, invalid, skipped, unchanged } = counts;
  return [
    { title: 'UPDATES', states: ['planned'], actions: ['update'], count: plannedUpdates },
    { title: 'CREATES', states: ['planned'], actions: ['create'], count: planned - plannedUpdates },
    { title: 'HELD', states: ['held'], count: held },
    { title: 'INVALID', states: ['invalid'], count: invalid },
    { title: 'SKIPPED', states: ['skipped'], count: skipped },
    { title: 'UNCHANGED', states: ['unchanged'], count: unchanged },
  ];
}

/** Rows of one kind as a table: a line a field. */
export function rowsText(rows: readonly ChangeRow[], width: number): string {
  const lines = rows.flatMap((row): string[][] => {
    const head = [String(row.row), row.itemId?.slice(0, 8) ?? '', row.name];
    const told = row.issues.map((issue) => issue.message).join('; ');
    if (row.changes.length === 0) return [[...head, '', told === '' ? 'as it is' : told]];
    const changes = row.changes.map(({ field, from, to }) => [
      field,
      row.action === 'create' ? word(field, to) : changeText({ field, from, to }),
    ]);
    if (told !== '') changes.push(['', told]);
    return changes.map((cells, index) => [...(index === 0 ? head : ['', '', '']), ...cells]);
  });
  return fitTable([['ROW', 'ITEM', 'NAME', 'FIELD', 'OLD → NEW'], ...lines], width);
}
