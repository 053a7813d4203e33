/**
 * Prepared rows of a sheet that nobody has filled in: they have no name, and contain only row numbers, zeros, errors of
 * formulas, unticked boxes and defaults.
 */
import { bareCell, type Cell, cellText } from '../../sheets/cell.ts';
import { isNumberHeader } from '../synonyms.ts';
import type { ColumnOptions } from '../template/template-column.ts';
import { isBlankWord } from '../word-lists.ts';
import { type HeaderRow, findPlace } from './find-column.ts';

/** `0`, `$0.00`, `- €`, `€`: results of formulas without input. */
const NO_AMOUNT = /^[\p{Sc}\s%]*[-–—]?[\p{Sc}\s%]*(?:0+(?:[.,]0+)?)?[\p{Sc}\s%]*$/u;
const UNTICKED = /^(?:false|falsch|faux|falso|onwaar|☐)$/iu;
const COUNTED = /^\d{1,7}$/;

/**
 * @param name columns of the name
 * @returns the content of the row if nobody has filled it in; otherwise undefined
 */
export function fillerTest(
  fillers: ColumnOptions['fillers'],
  name: readonly number[],
  table: HeaderRow,
): ((cells: readonly Cell[]) => string | undefined) | undefined {
  if (typeof fillers !== 'object') return undefined;
  const defaults = new Map(
    Object.entries(fillers).map(([column, text]) => [
      findPlace(table, column, undefined) ?? findPlace(table, undefined, column) ?? -1,
      text,
    ]),
  );
  const counts = table.headers.map((header) => header === '' || isNumberHeader(header));
  const saysNothing = (cell: Cell, text: string, at: number) =>
    text === defaults.get(at) ||
    (typeof cell === 'object' && cell?.kind === 'error') ||
    (counts[at] === true && COUNTED.test(text)) ||
    NO_AMOUNT.test(cellText(bareCell(cell))) ||
    UNTICKED.test(text) ||
    isBlankWord(text);
  return (cells) => {
    const texts: string[] = [];
    for (const [at, cell] of cells.entries()) {
      const text = cellText(cell).trim();
      if (text === '') continue;
      if (name.includes(at) || !saysNothing(cell, text, at)) return undefined;
      texts.push(text);
    }
    return texts.join(', ');
  };
}

/** Minimum number of equal cells after which a column's text no longer shows that a row was filled in. */
const MIN_REPEATED = 20;

/** Column → the one text of its cells, for `fillers`. @param rows the first rows of the table */
export function repeatedTexts(
  rows: readonly (readonly Cell[])[],
  nameOf: (index: number) => string,
): Record<string, string> {
  const found: Record<string, string> = {};
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  for (let at = 0; at < width; at += 1) {
    const texts = rows.map((cells) => cellText(cells[at] ?? null).trim()).filter((text) => text !== '');
    const [first] = texts;
    if (first !== undefined && texts.length >= MIN_REPEATED && texts.every((text) => text === first))
      found[nameOf(at)] = first;
  }
  return found;
}
