/**
 * A file without column names: its first row was taken for them, and would be lost without a word. Told by cells
 * of that row that are what the cells below are, where no column has a name that is known. Pure.
 */
import { type Cell, cellText } from '../../sheets/cell.ts';
import { quoted } from '../casts/cast.ts';
import { chooseColumns, NOT_KNOWN } from '../columns/columns.ts';
import type { MappingOptions } from '../mapping.ts';
import { type ColumnProfile, profileColumn } from './column-profile.ts';

type Rows = readonly (readonly Cell[])[];

/** True where a column's name alone says what it holds; flags do not count. */
export function hasKnownHeader(options: MappingOptions): boolean {
  const { uses } = chooseColumns({ ...options, map: {} });
  return uses.some(({ reason }) => reason !== NOT_KNOWN);
}

/** Which cell of the header row is data, and why: `"1985" (column C) is a year, as the cells below it`. */
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
  [({ words }) => words.condition, 'a condition'],
  [({ words }) => words.packaging, 'a packaging'],
];
/** The share of a column that makes it one of a kind. */
const MOST = 0.8;

function whyData(header: string, index: number, rows: Rows): string | undefined {
  const own = profileColumn([[header]], 0);
  const below = profileColumn(rows, index);
  const kind = KINDS.find(([of]) => of(own) > 0 && below.filled > 0 && of(below) / below.filled >= MOST);
  if (kind !== undefined) return `is ${kind[1]}, as the cells below it`;
  const text = header.toLowerCase();
  const recurs = rows.some(
    (cells) =>
      cellText(cells[index] ?? null)
        .trim()
        .toLowerCase() === text,
  );
  return recurs ? 'stands in cells below it, too' : undefined;
}
