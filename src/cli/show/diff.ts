/** The difference of two exports, in words and as JSON. */
import { basename } from 'node:path';
import { count, counted } from '../../base/counted.ts';
import type { DiffRow, DiffSummary } from '../../export/diff/model.ts';
import { fitTable } from './fit-table.ts';
import { changeText } from './plan-words.ts';

const FIRST_ROWS = 5;
const FIELDS_SHOWN = 12;
const KINDS = ['changed', 'added', 'gone'] as const;

/** The rows to show: the first of each kind, or all. */
export class DiffRows {
  readonly kept: Record<DiffRow['what'], DiffRow[]> = { changed: [], added: [], gone: [] };
  readonly #most: number;

  constructor(all: boolean) {
    this.#most = all ? Number.POSITIVE_INFINITY : FIRST_ROWS;
  }

  add(row: DiffRow): void {
    const rows = this.kept[row.what];
    if (rows.length < this.#most) rows.push(row);
  }
}

/** @param width characters of a line */
export function diffText(summary: DiffSummary, { kept }: DiffRows, width: number): string {
  const { a, b, by, added, gone, changed, unchanged, fields, out } = summary;
  const lines = [
    `${basename(a.file)} (${counted(a.rows, 'item')}) → ${basename(b.file)} (${counted(b.rows, 'item')}), by ${by.join(' + ')}`,
    `  added ${count(added)}, gone ${count(gone)}, changed ${count(changed)}, unchanged ${count(unchanged)}`,
  ];
  if (fields.length > 0) {
    const some = fields.slice(0, FIELDS_SHOWN).map(({ field, items }) => `${field} ${count(items)}`);
    const more = fields.length - some.length;
    lines.push(`  fields: ${some.join(', ')}${more > 0 ? `, and ${more} more` : ''}`);
  }
  for (const what of KINDS) {
    const rows = kept[what];
    if (rows.length === 0) continue;
    lines.push('', what.toUpperCase(), table(rows, width));
    const more = summary[what] - rows.length;
    if (more > 0) lines.push(`… and ${count(more)} more (--verbose shows all)`);
  }
  if (out !== undefined) lines.push('', `written to ${out}`);
  return lines.join('\n');
}

/** A line per changed field of changed items; one line for each other item. */
function table(rows: readonly DiffRow[], width: number): string {
  const lines = rows.flatMap(({ what, row, key, name, changes }): string[][] => {
    const head = [String(row), key.length === 36 ? key.slice(0, 8) : key, name];
    if (what !== 'changed') return [head];
    return changes.map((change, index) => [
      ...(index === 0 ? head : ['', '', '']),
      change.field,
      changeText(change),
    ]);
  });
  const titles = ['ROW', 'KEY', 'NAME', ...(rows[0]?.what === 'changed' ? ['FIELD', 'OLD → NEW'] : [])];
  return fitTable([titles, ...lines], width);
}

/** The one object of `--json`. */
export function diffJson({ a, b, ...summary }: DiffSummary): unknown {
  const side = ({ file, rows, withoutKey, missing }: DiffSummary['a']) => ({
    file,
    rows,
    without_key: withoutKey,
    missing,
  });
  const { added, gone, changed, unchanged, by, fields, warnings, out } = summary;
  return {
    added,
    gone,
    changed,
    unchanged,
    by,
    before: side(a),
    after: side(b),
    fields,
    warnings,
    ...(out === undefined ? {} : { file: out }),
  };
}
