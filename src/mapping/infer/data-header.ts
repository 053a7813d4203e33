/**
 * Detects a file without column names, whose first row was mistaken for the names and would be lost
 * silently. Evidence is that cells of that row resemble the cells below, and that no column has a known
 * name. Pure.
 */
import { UsageError } from '../../base/errors.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { cut } from '../casts/cast.ts';
import { fieldOfHeader } from '../columns/columns.ts';
import { isResultsFile } from '../../sheets/own-headers.ts';
import type { MappingOptions } from '../mapping.ts';
import { findSynonyms, isNumberHeader } from '../synonyms.ts';
import { hintsAtField, isCalled, mayBeName } from './header-hints.ts';
import { type ColumnProfile, profileColumn } from './column-profile.ts';
import { inferColumns } from './infer-columns.ts';
import { byHand, message } from '../../messages/message.ts';
import type { Message, MessageCode } from '../../messages/params.ts';

type Rows = readonly (readonly Cell[])[];

/** True if the headers are certainly column names: one is the name of a field, or several words might be. */
export function hasKnownHeader({ headers }: Pick<MappingOptions, 'headers'>): boolean {
  if (isResultsFile(headers) || headers.some((header) => fieldOfHeader(header) !== undefined)) return true;
  // One such header may be data: `Your Name` is a film.
  const called = headers.filter((header) => isCalled(header) || findSynonyms(header).length > 0);
  if (called.length > 0 && headers.some((header) => header !== called[0] && isOfHeader(header))) return true;
  const synonyms = headers.map(findSynonyms).filter((found) => found.length > 0);
  return synonyms.length > 1 || synonyms.some((found) => found.some(({ safety }) => safety !== 'weak'));
}

export function headerIsData(
  { file, sheet, headerRow }: Pick<SheetTable, 'file' | 'sheet' | 'headerRow'>,
  what: Message,
): UsageError {
  return new UsageError('header_is_data', message('header_is_data', { what }), {
    position: { file, row: headerRow, ...(sheet === undefined ? {} : { sheet }) },
    actions: [
      { do: 'setOption', option: 'header-row', value: '0', label: message('to_read_it_as_data', {}) },
      { do: 'setOption', option: 'header-row', value: `${headerRow}`, label: message('if_it_has_names', {}) },
    ],
  });
}

/** Cells of a transposed table that name fields. */
const FIELDS_NAMED = 2;

/** @throws UsageError `transposed_table` if the first column, rather than the first row, names the fields */
export function refuseTransposed(
  { headers, letters, mode, map }: MappingOptions,
  rows: Rows,
  { file, sheet, headerRow }: Pick<SheetTable, 'file' | 'sheet' | 'headerRow'>,
): void {
  const texts = rows.map(([cell = null]) => cellText(cell).trim()).filter((text) => text !== '');
  const fields = texts.flatMap((text) => fieldOfHeader(text) ?? strongField(text) ?? []);
  const namesFields =
    headers.length > 1 &&
    fields.length >= Math.max(FIELDS_NAMED, texts.length / 2) &&
    new Set(fields).size === fields.length;
  const isTransposed = namesFields || speaksOfFields(texts, headers);
  if (!isTransposed || mode !== 'create' || map['name'] !== undefined) return;
  const column = letters[0] ?? '';
  throw new UsageError(
    'transposed_table',
    message('transposed_table', { column, fields: (namesFields ? fields : texts).slice(0, FIELDS_NAMED) }),
    {
      position: { file, row: headerRow, ...(sheet === undefined ? {} : { sheet }) },
      actions: [
        byHand('swap_rows_and_columns', {}),
        { do: 'setOption', option: 'map', value: 'name=COLUMN', label: message('if_rows_are_items', {}) },
      ],
    },
  );
}

/** Whether the first column consists of headers (`sku`, `price day 1`), and the rest of the first row of other texts. */
function speaksOfFields(texts: readonly string[], [, ...others]: readonly string[]): boolean {
  return (
    others.length > 1 &&
    texts.length >= FIELDS_NAMED &&
    texts.filter(isLikeHeader).length >= texts.length * MIN_SHARE &&
    others.filter(isLikeHeader).length <= others.length * (1 - MIN_SHARE)
  );
}

function isLikeHeader(text: string): boolean {
  return isCalled(text) || isOfHeader(text) || findSynonyms(text).length > 0;
}

/** Whether the text names a property of an item. */
function isOfHeader(text: string): boolean {
  return hintsAtField(text) || isNumberHeader(text) || (text !== '' && !mayBeName(text));
}

function strongField(text: string): string | undefined {
  return findSynonyms(text).find(({ safety }) => safety === 'strong')?.field;
}

/**
 * Names the cell of the header row that is data, with the reason: `"1985" (column C) is a year, like the cells below
 * it`.
 */
export function dataInHeader({ headers, letters }: MappingOptions, rows: Rows): Message | undefined {
  for (const [index, header] of headers.entries()) {
    const about = { header: cut(header), column: letters[index] ?? '' };
    const kind = header === '' ? undefined : kindOfData(header, index, rows);
    if (kind === 'recurs') return message('header_recurs', about);
    if (kind !== undefined) return message('header_is_kind', { ...about, kind: message(kind, {}) });
  }
  return undefined;
}

const KINDS = [
  [({ years }) => years, 'kind_year'],
  [({ amounts }) => amounts, 'kind_number'],
  [({ ids }) => ids, 'kind_id'],
  [({ texts, names }) => texts - names, 'kind_code'],
  [({ words }) => words.condition, 'kind_condition'],
  [({ words }) => words.packaging, 'kind_packaging'],
] as const satisfies readonly [(profile: ColumnProfile) => number, MessageCode][];
/** Minimum share of cells of a kind for the column to be of that kind. */
const MIN_SHARE = 0.8;

/**
 * Whether the row taken for column names is certainly data: it has numbers above numbers, no text above numbers, and the
 * values alone show which column is the name.
 */
export function isSurelyData(options: MappingOptions, rows: Rows): boolean {
  const { headers, letters } = options;
  const columns = headers.map((header, index) => ({
    own: profileColumn([[header]], 0),
    below: profileColumn(rows, index),
  }));
  const isNumeric = ({ filled, amounts }: ColumnProfile) => filled > 0 && amounts >= filled * MIN_SHARE;
  const numeric = columns.filter(({ own, below }) => own.filled > 0 && (own.amounts > 0 || isNumeric(below)));
  const isLike = ({ own, below }: (typeof columns)[number]) =>
    own.amounts > 0 && isNumeric(below) && (own.years === 0 || below.years >= below.filled * MIN_SHARE);
  // A price list may be headed by years, and a form by the numbers of its columns.
  const isCounted = headers.some((header, index) => Number(header) + 1 === Number(headers[index + 1]));
  if (numeric.length === 0 || isCounted || !numeric.every(isLike)) return false;
  const named = inferColumns({ ...options, headers: letters }, [headers, ...rows]);
  return named.columns.some(({ target }) => target === 'name');
}

function kindOfData(
  header: string,
  index: number,
  rows: Rows,
): (typeof KINDS)[number][1] | 'recurs' | undefined {
  const own = profileColumn([[header]], 0);
  const below = profileColumn(rows, index);
  const kind = KINDS.find(([of]) => of(own) > 0 && below.filled > 0 && of(below) / below.filled >= MIN_SHARE);
  if (kind !== undefined) return kind[1];
  const text = header.toLowerCase();
  const recurs = rows.some(
    (cells) =>
      cellText(cells[index] ?? null)
        .trim()
        .toLowerCase() === text,
  );
  return recurs ? 'recurs' : undefined;
}
