/** Opens an export of items to compare it with another: its columns, and its rows in a common form. */
import { open, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { SheetError, UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { comparable, textForm } from '../../mapping/text-form.ts';
import { cellText } from '../../sheets/cell.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { readNdjson } from '../../sheets/read-ndjson.ts';
import { COLLECTION_NAME, ITEM_FIELDS } from '../../where/item-values.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../request.ts';
import type { Manifest } from '../verify/manifest.ts';
import { readManifest } from '../verify/verify.ts';
import { type WrittenAs, type WrittenRow, writtenRows } from '../verify/written-rows.ts';
import { dateTimeCell } from '../write/date-time-cell.ts';
import { headerAsRead } from '../write/item-columns.ts';
import { type ComparedRow, KEY_BORDER } from './row-index.ts';

export interface OpenedExport {
  /** Absolute path. */
  file: string;
  format: ExportFormat;
  /** The manifest next to the file, if there is one. */
  manifest: Manifest | undefined;
  /** Whether the export has a column for the field. */
  has: (field: string) => boolean;
  /** Left to right; for NDJSON, the columns of its first rows. Empty if there are no rows. */
  columns: readonly string[];
  /** Undefined if neither a manifest nor an amount shows it. */
  decimal: 'point' | 'comma' | undefined;
  /** Warnings that a person should read before the comparison. */
  said: Message[];
}

/** The field that identifies a row, and the fields that are compared. */
export interface ReadAs {
  by: readonly string[];
  isCompared: (field: string) => boolean;
  /**
   * Numbers in custom fields count as equal with either decimal mark, because the two files use, or may use, different
   * marks.
   */
  marksDiffer: boolean;
}

/** Counts of the forms of amounts and times in a file, made while it is read. */
export interface FormTally {
  plain: number;
  /** Values formatted by a locale. */
  formatted: number;
}

const TIMES: ReadonlySet<string> = new Set(['created_at', 'updated_at']);
const NUMBERS: ReadonlySet<string> = new Set(['estimated_value', 'release_year']);
const PLAIN_NUMBER = /^-?\d+(?:[.,]\d+)?$/;
/** How an export writes the header of a custom field whose name would not survive as one. */
const ODD_CUSTOM = `_${CUSTOM_PREFIX}`;

/** @throws UsageError `unknown_format`, `bad_manifest`; SheetError `no_such_file`, `truncated` and others of readers */
export async function openExport(given: string): Promise<OpenedExport> {
  const file = resolve(given);
  const ending = extname(file).slice(1).toLowerCase();
  const named = EXPORT_FORMATS.find((format) => format === ending);
  const manifest = await manifestOf(file);
  const format = manifest?.format ?? named;
  if (format === undefined) {
    throw new UsageError('unknown_format', message('not_an_export', { file: given }));
  }
  const said = manifest === undefined ? [] : await manifestWarnings(file, manifest);
  const first = await firstRows(file, manifest ?? { format });
  const columns = first.columns.map(fieldOfHeader).filter((field) => !field.startsWith('_'));
  const known = new Set(columns);
  // A custom field that no item has gets no column, and JSON omits null fields: neither counts as a
  // missing column.
  const isWhole =
    manifest === undefined || columns.length === 0
      ? ITEM_FIELDS.every((field) => field === 'custom_fields' || format === 'ndjson' || known.has(field)) &&
        (columns.length === 0 || known.has('created_at'))
      : manifest.layout === undefined && manifest.columnsAsked === undefined;
  const has = (field: string) =>
    known.has(field) ||
    columns.length === 0 ||
    (isWhole && (field.startsWith(CUSTOM_PREFIX) || (format === 'ndjson' && field !== COLLECTION_NAME)));
  const decimal = manifest?.decimal ?? first.decimal;
  return { file, format, manifest, has, columns, decimal, said };
}

async function manifestOf(file: string): Promise<Manifest | undefined> {
  try {
    const manifest = await readManifest(file);
    return 'report' in manifest ? undefined : manifest;
  } catch (error) {
    if (error instanceof UsageError && error.code === 'no_manifest') return undefined;
    throw error;
  }
}

async function manifestWarnings(file: string, manifest: Manifest): Promise<Message[]> {
  const { size } = await stat(file);
  if (size < manifest.bytes && manifest.format !== 'xlsx' && !(await endsLine(file, size))) {
    throw cutOff(message('file_cut_off', { file, bytes: size, written: manifest.bytes }), file);
  }
  const said: Message[] = [];
  if (size !== manifest.bytes || (await hashFile(file)) !== manifest.sha256)
    said.push(message('file_changed_since_export', { file }));
  if (manifest.changes !== undefined) said.push(message('file_has_changes_only', { file }));
  if (manifest.consistency === 'moved') said.push(message('list_moved_for_file', { file }));
  return said;
}

function cutOff(said: Message, file: string): SheetError {
  return new SheetError('truncated', said, {
    position: { file },
    actions: [{ do: 'byHand', label: message('copy_or_export_again', {}) }],
  });
}

/** Whether the last byte is a line feed, as in every file that shelflift writes. */
async function endsLine(file: string, size: number): Promise<boolean> {
  if (size === 0) return false;
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] === 0x0a;
  } finally {
    await handle.close();
  }
}

/** The columns, and the decimal mark of amounts as the first rows show it. */
async function firstRows(
  file: string,
  as: WrittenAs,
): Promise<{ columns: readonly string[]; decimal: OpenedExport['decimal'] }> {
  for await (const rows of batches(file, as)) {
    const [first] = rows;
    if (first === undefined) continue;
    const columns =
      as.format === 'ndjson' ? [...new Set(rows.flatMap(({ headers }) => headers))] : first.headers;
    const amounts = rows.map(({ headers, texts }) => texts[headers.indexOf('estimated_value')] ?? '');
    const numbers = amounts.filter((text) => PLAIN_NUMBER.test(text)).join(' ');
    const decimal = numbers.includes(',') ? 'comma' : numbers.includes('.') ? 'point' : undefined;
    return { columns, decimal };
  }
  return { columns: [], decimal: undefined };
}

interface RawRow {
  row: number;
  headers: readonly string[];
  texts: readonly string[];
  problem?: Message;
}

async function* batches(file: string, as: WrittenAs): AsyncGenerator<RawRow[], void> {
  if (as.format === 'ndjson') {
    let row = 0;
    for await (const values of readNdjson(file)) {
      yield values.map((value) => {
        const fields = fieldsOf(value);
        return {
          row: (row += 1),
          headers: fields.map(([name]) => name),
          texts: fields.map(([, text]) => text),
        };
      });
    }
    return;
  }
  for await (const { rows, totals } of writtenRows(file, as)) if (!totals) yield rows.map(rawRow);
}

function rawRow({ cells, ...row }: WrittenRow): RawRow {
  return { ...row, texts: cells };
}

/** The fields of an item in JSON, in the text form of tables. */
function fieldsOf(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]): [string, string][] =>
    name === 'custom_fields' && typeof each === 'object' && each !== null
      ? Object.entries(each).map(([key, custom]) => [
          // As in a table, so that a name with odd spaces is the same field in both files.
          headerAsRead(CUSTOM_PREFIX + key),
          textForm(CUSTOM_PREFIX + key, custom),
        ])
      : [[name, textForm(name, each)]],
  );
}

function fieldOfHeader(header: string): string {
  return header.startsWith(ODD_CUSTOM) ? header.slice(1) : header;
}

/** Numbers for the fields of both files, so that rows can be compared without field names. */
export class FieldNumbers {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();

  of(field: string): number {
    const known = this.#numbers.get(field);
    if (known !== undefined) return known;
    this.#numbers.set(field, this.names.length);
    this.names.push(field);
    return this.names.length - 1;
  }
}

interface Column {
  field: string;
  /** Undefined if the column is not compared. */
  number: number | undefined;
  /** Place in the key, or -1. */
  place: number;
  anyMark: boolean;
}

/**
 * All rows, in batches.
 *
 * @param tally counts the forms of amounts and times
 * @throws SheetError `truncated`, `broken_csv`
 */
export async function* comparedRows(
  { file, format, manifest }: OpenedExport,
  { by, isCompared, marksDiffer }: ReadAs,
  numbers: FieldNumbers,
  tally: FormTally,
): AsyncGenerator<ComparedRow[], void> {
  const columns = new Map<string, Column>();
  const columnOf = (header: string): Column => {
    const known = columns.get(header);
    if (known !== undefined) return known;
    const field = format === 'ndjson' ? header : fieldOfHeader(header);
    const column = {
      field,
      number: isCompared(field) ? numbers.of(field) : undefined,
      place: by.indexOf(field),
      anyMark: marksDiffer && field.startsWith(CUSTOM_PREFIX),
    };
    columns.set(header, column);
    return column;
  };
  const compared = ({ row, headers, texts, problem }: RawRow): ComparedRow => {
    if (problem !== undefined) throw brokenRow(file, row, problem);
    const content: (number | string)[] = [];
    const key = by.map(() => '');
    let isSorted = true;
    for (const [index, header] of headers.entries()) {
      const text = texts[index] ?? '';
      if (text === '') continue;
      const { field, number, place, anyMark } = columnOf(header);
      if (number === undefined && place < 0) continue;
      const plain = plainText(field, text, tally);
      if (place >= 0) key[place] = field === 'id' ? plain.toLowerCase() : comparable(plain);
      if (number === undefined) continue;
      isSorted &&= content.length === 0 || Number(content.at(-2)) < number;
      content.push(number, anyMark && PLAIN_NUMBER.test(plain) ? plain.replace(',', '.') : plain);
    }
    return {
      row,
      key: key.every((part) => part === '') ? '' : key.join(KEY_BORDER),
      content: isSorted ? content : sorted(content),
    };
  };
  for await (const rows of batches(file, manifest ?? { format })) yield rows.map(compared);
}

function sorted(content: readonly (number | string)[]): (number | string)[] {
  const pairs: [number, string][] = [];
  for (let at = 0; at < content.length; at += 2) pairs.push([Number(content[at]), String(content[at + 1])]);
  return pairs.sort(([a], [b]) => a - b).flat();
}

/** An amount or time in a common form, from any file; a value formatted by a locale is unchanged. */
function plainText(field: string, text: string, tally: FormTally): string {
  if (NUMBERS.has(field)) {
    if (!PLAIN_NUMBER.test(text)) {
      tally.formatted += 1;
      return text;
    }
    tally.plain += 1;
    const point = text.replace(',', '.');
    return point.includes('.') ? point.replace(/\.?0+$/, '') : point;
  }
  if (!TIMES.has(field)) return text;
  // A workbook's times have no zone; both are UTC to the second.
  const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) ? `${text}Z` : text;
  const cell = dateTimeCell(zoned);
  return typeof cell === 'string' ? cell : cellText(cell);
}

function brokenRow(file: string, row: number, problem: Message): SheetError {
  return new SheetError('broken_csv', message('row_not_as_exported', { file, row, problem }), {
    position: { file, row },
    actions: [{ do: 'byHand', label: message('perhaps_cut_off', {}) }],
  });
}
