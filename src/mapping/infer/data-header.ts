/**
 * A file without column names: its first row was taken for them, and would be lost silently. The evidence is cells
 * of that row that are like the cells below, where no column has a known name. Pure.
 */
import { UsageError } from '../../errors.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { quoted } from '../casts/cast.ts';
import { fieldOfHeader } from '../columns/columns.ts';
import { isResultsFile } from '../../sheets/own-headers.ts';
import type { MappingOptions } from '../mapping.ts';
import { findSynonyms } from '../synonyms.ts';
import { hintsAtField, isCalled } from './header-hints.ts';
import { type ColumnProfile, profileColumn } from './column-profile.ts';

type Rows = readonly (readonly Cell[])[];

/** True where the headers are surely column names: one is a field's, or several words might be. */
export function hasKnownHeader({ headers }: Pick<MappingOptions, 'headers'>): boolean {
  if (isResultsFile(headers) || headers.some((header) => fieldOfHeader(header) !== undefined)) return true;
  // One such header may be data: `Your Name` is a film.
  const called = headers.filter((header) => isCalled(header));
  if (called.length > 0 && headers.some((header) => header !== called[0] && hintsAtField(header)))
    return true;
  const synonyms = headers.map(findSynonyms).filter((found) => found.length > 0);
  return synonyms.length > 1 || synonyms.some((found) => found.some(({ safety }) => safety !== 'weak'));
}

export function headerIsData(
  { file, sheet, headerRow }: Pick<SheetTable, 'file' | 'sheet' | 'headerRow'>,
  what: string,
): UsageError {
  return new UsageError('header_is_data', `The row read as the header is data: ${what}.`, {
    position: { file, row: headerRow, ...(sheet === undefined ? {} : { sheet }) },
    remedy: `Put a row of names above it (name, brand, release_year …), or name the columns by letter: --map name=A. If it does hold the names: --header-row ${headerRow}`,
  });
}

/** Cells of a transposed table that name fields. */
const FIELDS_NAMED = 2;

/** @throws UsageError `transposed_table` where the first column, rather than the first row, names the fields */
export function refuseTransposed(
  { headers, letters, mode, map }: MappingOptions,
  rows: Rows,
  { file, sheet, headerRow }: Pick<SheetTable, 'file' | 'sheet' | 'headerRow'>,
): void {
  const texts = rows.map(([cell = null]) => cellText(cell).trim()).filter((text) => text !== '');
  const fields = texts.flatMap((text) => fieldOfHeader(text) ?? strongField(text) ?? []);
  const isTransposed =
    headers.length > 1 &&
    fields.length >= Math.max(FIELDS_NAMED, texts.length / 2) &&
    new Set(fields).size === fields.length;
  if (!isTransposed || mode !== 'create' || map['name'] !== undefined) return;
  throw new UsageError(
    'transposed_table',
    `The table may be transposed: column ${letters[0] ?? ''} holds the names of fields (${fields.slice(0, FIELDS_NAMED).join(', ')} …). Nothing was sent.`,
    {
      position: { file, row: headerRow, ...(sheet === undefined ? {} : { sheet }) },
      remedy:
        'Swap its rows and columns: copy it, and use Paste Special, Transpose. If each row is an item: --map name=COLUMN',
    },
  );
}

function strongField(text: string): string | undefined {
  return findSynonyms(text).find(({ safety }) => safety === 'strong')?.field;
}

/** Which cell of the header row is data, and why: `"1985" (column C) is a year, like the cells below it`. */
export function dataInHeader({ headers, letters }: MappingOptions, rows: Rows): string | undefined {
  for (const [index, header] of headers.entries()) {
    const why = header === '' ? undefined : whyData(header, index, rows);
    if (why !== undefined) return `${quoted(header)} (column ${letters[index] ?? ''}) ${why}`;
  }
  return undefined;
}

const KINDS: readonly [(profile: ColumnProfile) => number, string][] = [
  [({ years }) => years, 'a year'],
  [({ amounts }) => amounts, 'a number'],
  [({ ids }) => ids, 'an id'],
  [({ texts, names }) => texts - names, 'a code or an address'],
  [({ words }) => words.condition, 'a condition'],
  [({ words }) => words.packaging, 'a packaging'],
];
/** The share of a column that makes it one of a kind. */
const MOST = 0.8;

function whyData(header: string, index: number, rows: Rows): string | undefined {
  const own = profileColumn([[header]], 0);
  const below = profileColumn(rows, index);
  const kind = KINDS.find(([of]) => of(own) > 0 && below.filled > 0 && of(below) / below.filled >= MOST);
  if (kind !== undefined) return `is ${kind[1]}, like the cells below it`;
  const text = header.toLowerCase();
  const recurs = rows.some(
    (cells) =>
      cellText(cells[index] ?? null)
        .trim()
        .toLowerCase() === text,
  );
  return recurs ? 'is in cells below it, too' : undefined;
}
