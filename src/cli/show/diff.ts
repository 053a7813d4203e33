/** The difference of two exports, in words and as JSON. */
import { basename } from 'node:path';
import { message } from '../../messages/message.ts';
import type { DiffRow, DiffSummary } from '../../export/diff/model.ts';
import { fitTable } from './fit-table.ts';
import { changeText } from './plan-words.ts';
import { say } from './say.ts';

const FIRST_ROWS = 5;
const FIELDS_SHOWN = 12;
const KINDS = ['changed', 'added', 'gone'] as const;
const HEADS = [message('head_row', {}), message('head_key', {}), message('head_name', {})];
const CHANGE_HEADS = [message('head_field', {}), message('head_change', {})];

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
  const before = message('file_with_items', { file: basename(a.file), items: a.rows });
  const after = message('file_with_items', { file: basename(b.file), items: b.rows });
  const lines = [
    say(message('files_compared', { before, after, key: by.join(' + ') })),
    `  ${say(message('items_compared_counts', { added, gone, changed, unchanged }))}`,
  ];
  if (fields.length > 0) {
    const some = fields.slice(0, FIELDS_SHOWN).map((each) => message('field_in_items', each));
    const more = fields.length - some.length;
    lines.push(`  ${say(message('fields_that_changed', { fields: some, ...(more > 0 ? { more } : {}) }))}`);
  }
  for (const what of KINDS) {
    const rows = kept[what];
    if (rows.length === 0) continue;
    lines.push('', say(message(`diff_${what}`, {})), table(rows, width));
    const more = summary[what] - rows.length;
    if (more > 0) lines.push(say(message('rows_not_shown', { rows: more, option: '--verbose' })));
  }
  if (out !== undefined) lines.push('', say(message('written_to', { file: out })));
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
  const heads = [...HEADS, ...(rows[0]?.what === 'changed' ? CHANGE_HEADS : [])];
  return fitTable([heads.map(say), ...lines], width);
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
