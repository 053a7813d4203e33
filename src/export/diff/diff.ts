/**
 * Compares two exports row by row, by id or another key, whatever their formats:
 *
 *   open both → rows of the first by key → rows of the second against them → file for review
 *
 * Rows wait on disk, so that files of a million items take little memory.
 */
import { sameJson } from '../../base/equal-json.ts';
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { english, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { nearest } from '../../base/nearest.ts';
import { checkMarkedFile } from '../../sheets/write-marked-table.ts';
import type { Manifest } from '../verify/manifest.ts';
import { Differences } from './differences.ts';
import type { DiffRow, DiffSide, DiffSummary } from './model.ts';
import {
  comparedRows,
  FieldNumbers,
  type FormTally,
  openExport,
  type OpenedExport,
  type ReadAs,
} from './open-export.ts';
import { type ComparedRow, KEY_BORDER, RowIndex } from './row-index.ts';

export interface DiffRequest {
  /** Paths of the exports: CSV, XLSX or NDJSON. `a` is the earlier one. */
  a: string;
  b: string;
  /** Fields that identify an item, such as `custom_fields.sku`. Default: id. */
  by?: readonly string[];
  /** Writes the differences for review: a path that ends in .xlsx or .html. */
  out?: string;
  /** Called for each difference: first changed and added rows in the order of the second file, then removed rows. */
  onRow?: (row: DiffRow) => void;
}

/** Fields that differ between any two exports, and say nothing about the item. */
const IGNORED: ReadonlySet<string> = new Set(['updated_at', 'object']);
const MAX_LISTED = 12;

/**
 * @throws UsageError `not_comparable`, `double_key`, `unknown_format`, `output_is_input`, `bad_manifest`; SheetError for a
 *   file that cannot be read, such as `truncated`
 */
export async function diffExports(request: DiffRequest): Promise<DiffSummary> {
  const { out, by = ['id'], onRow = () => undefined } = request;
  if (out !== undefined) checkOut(out, request);
  const [a, b] = [await openExport(request.a), await openExport(request.b)];
  checkForms(a, b);
  for (const each of [a, b]) checkKey(each, by);
  const isCompared = (field: string) =>
    a.has(field) && b.has(field) && !IGNORED.has(field) && !field.startsWith('_');
  const as: ReadAs = { by, isCompared, marksDiffer: a.decimal !== b.decimal || a.decimal === undefined };
  using before = new RowIndex();
  using added = new RowIndex();
  const numbers = new FieldNumbers();
  using differences = new Differences(numbers, onRow, out !== undefined);
  const summary: DiffSummary = {
    a: { file: a.file, rows: 0, withoutKey: 0, missing: 0 },
    b: { file: b.file, rows: 0, withoutKey: 0, missing: 0 },
    by: [...by],
    added: 0,
    gone: 0,
    changed: 0,
    unchanged: 0,
    fields: [],
    said: [...a.said, ...b.said, ...warningsOf(a, b)],
    warnings: [],
  };
  const tallies: [FormTally, FormTally] = [
    { plain: 0, formatted: 0 },
    { plain: 0, formatted: 0 },
  ];
  for await (const rows of keyed(comparedRows(a, as, numbers, tallies[0]), a, by, summary.a)) {
    for (const row of rows) {
      const same = before.add(row);
      if (same !== undefined) throw doubleKey(a, by, same, row);
    }
  }
  for await (const rows of keyed(comparedRows(b, as, numbers, tallies[1]), b, by, summary.b)) {
    for (const row of rows) {
      const met = before.meet(row);
      if (met === 'twice') throw doubleKey(b, by, undefined, row);
      if (met === 'same') {
        summary.unchanged += 1;
      } else if (met === 'new') {
        const same = added.add(row);
        if (same !== undefined) throw doubleKey(b, by, same, row);
        summary.added += 1;
        differences.add('added', row, [], row.content);
      } else {
        summary.changed += 1;
        differences.add('changed', row, met.content, row.content);
      }
    }
  }
  checkTallies(a, tallies[0], b, tallies[1]);
  for (const row of before.unmet()) {
    summary.gone += 1;
    differences.add('gone', row, row.content, []);
  }
  summary.fields = differences.fields;
  summary.said.push(...withoutKeyWarnings(summary), ...missingWarnings(summary));
  summary.warnings = summary.said.map((each) => english(each));
  if (out === undefined) return summary;
  const file = resolve(out);
  await differences.write(file, summary, [...b.columns, ...a.columns]);
  return { ...summary, out: file };
}

/**
 * Leaves out rows without a key, and counts them.
 *
 * @throws UsageError `not_comparable` if no row has one of the fields: with a misspelt field, nothing would differ
 */
async function* keyed(
  batches: AsyncIterable<ComparedRow[]>,
  opened: OpenedExport,
  by: readonly string[],
  side: DiffSide,
): AsyncGenerator<ComparedRow[], void> {
  const unseen = new Set(by.keys());
  for await (const rows of batches) {
    const found = rows.filter(({ key }) => key !== '');
    side.rows += rows.length;
    side.withoutKey += rows.length - found.length;
    if (unseen.size > 0)
      for (const { key } of found)
        for (const [place, part] of key.split(KEY_BORDER).entries()) if (part !== '') unseen.delete(place);
    yield found;
  }
  const [place] = unseen;
  if (side.rows > 0 && place !== undefined) throw noKey(opened, by[place] ?? '', 'rows_lack_key');
  side.missing = Math.max(0, (opened.manifest?.rows ?? 0) - side.rows);
}

function checkOut(out: string, { a, b }: DiffRequest): void {
  checkMarkedFile(out);
  if (![a, b].some((file) => resolve(file) === resolve(out))) return;
  throw new UsageError('output_is_input', message('output_is_compared', { file: out }));
}

function checkKey(opened: OpenedExport, by: readonly string[]): void {
  const missing = by.find((field) => !opened.has(field));
  if (missing !== undefined) throw noKey(opened, missing, 'key_no_column');
}

function noKey(
  { file, columns }: OpenedExport,
  field: string,
  what: 'rows_lack_key' | 'key_no_column',
): UsageError {
  const near = nearest(field, columns);
  const known = columns.length > MAX_LISTED ? [...columns.slice(0, MAX_LISTED), '…'] : columns;
  const label =
    near === undefined ? message('to_name_key_column', { known }) : message('to_compare_by_near', {});
  return new UsageError('not_comparable', message(what, { file, field }), {
    actions: [{ do: 'setOption', label, option: 'by', value: near ?? 'FIELD' }],
  });
}

/** Checks the manifests before anything is read. */
function checkForms(a: OpenedExport, b: OpenedExport): void {
  const [one, other] = [a.manifest, b.manifest];
  if (one === undefined || other === undefined) return;
  if (one.resource !== other.resource)
    throw notComparable(
      message('other_resources', {
        one: a.file,
        resource: one.resource,
        other: b.file,
        other_resource: other.resource,
      }),
    );
  const locales = [one, other].map(({ layout, format }) => (format === 'csv' ? layout?.locale : undefined));
  if (locales[0] !== locales[1]) throw otherForms(a, b);
}

/** Checks the form of the cells if there is no manifest. */
function checkTallies(a: OpenedExport, one: FormTally, b: OpenedExport, other: FormTally): void {
  const isMixed = (x: FormTally, y: FormTally) =>
    x.formatted > 0 && x.plain === 0 && y.plain > 0 && y.formatted === 0;
  if (isMixed(one, other) || isMixed(other, one)) throw otherForms(a, b);
}

function otherForms(a: OpenedExport, b: OpenedExport): UsageError {
  return notComparable(message('other_forms', { one: a.file, other: b.file }));
}

function notComparable(said: Message): UsageError {
  return new UsageError('not_comparable', said, {
    actions: [{ do: 'byHand', label: message('export_both_alike', {}) }],
  });
}

function doubleKey(
  { file }: OpenedExport,
  by: readonly string[],
  first: ComparedRow | undefined,
  { row, key }: ComparedRow,
): UsageError {
  const value = key.replaceAll(KEY_BORDER, ' + ');
  return new UsageError(
    'double_key',
    message('double_key', {
      file,
      row,
      key: by.join(' + '),
      value,
      ...(first === undefined ? {} : { first: first.row }),
    }),
    {
      actions: [
        by.includes('id')
          ? { do: 'byHand', label: message('export_again', {}) }
          : { do: 'setOption', label: message('to_compare_by_id', {}), option: 'by', value: 'id' },
      ],
    },
  );
}

function warningsOf(a: OpenedExport, b: OpenedExport): Message[] {
  const said: Message[] = [];
  const left = [...new Set([...a.columns, ...b.columns])].filter(
    (field) => !(a.has(field) && b.has(field)) && !IGNORED.has(field),
  );
  if (left.length > 0) {
    const named = left.slice(0, MAX_LISTED);
    const more = left.length > MAX_LISTED;
    said.push(message('columns_of_one_file', { columns: left.length, named, more }));
  }
  const [one, other] = [a.manifest, b.manifest];
  if (one === undefined || other === undefined) return said;
  if (isOtherTeam(one, other)) said.push(message('files_of_two_teams', {}));
  if (!sameJson(one.filters, other.filters)) said.push(message('files_of_two_filters', {}));
  return said;
}

/** Compares the collections, which identify teams, or the address if the key could not read collections. */
function isOtherTeam(one: Manifest, other: Manifest): boolean {
  const [a, b] = [one.team?.fingerprint, other.team?.fingerprint];
  return a === undefined || b === undefined ? one.apiUrl !== other.apiUrl : a !== b;
}

function missingWarnings({ a, b }: DiffSummary): Message[] {
  return [a, b].flatMap(({ file, rows, missing }) =>
    missing === 0 ? [] : [message('file_lacks_rows', { file, rows, exported: rows + missing })],
  );
}

function withoutKeyWarnings({ a, b, by }: DiffSummary): Message[] {
  return [a, b].flatMap(({ file, withoutKey }) =>
    withoutKey === 0 ? [] : [message('rows_without_key', { rows: withoutKey, file, key: by.join(' + ') })],
  );
}
