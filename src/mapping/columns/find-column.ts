/** Finds the column that a person means by a header or a letter. */
import { UsageError } from '../../base/errors.ts';
import { cut } from '../casts/cast.ts';
import { fold } from '../fold.ts';
import { byHand, message } from '../../messages/message.ts';
import type { ByHand, Message, SetOption } from '../../messages/params.ts';

/** The parts of a table that naming a column needs. */
export interface HeaderRow {
  headers: string[];
  letters: string[];
}

/**
 * Index of the column with the header `name`, compared exactly and then folded; undefined if there is none. Throws
 * UsageError `duplicate_column` if several columns have that header.
 */
export function findHeader({ headers, letters }: HeaderRow, name: string): number | undefined {
  if (name.trim() === '') return undefined;
  const folded = fold(name);
  for (const matches of [
    (header: string) => header === name.trim(),
    (header: string) => header !== '' && fold(header) === folded,
  ]) {
    const found = headers.flatMap((header, index) => (matches(header) ? [index] : []));
    if (found.length > 1) {
      const columns = found.map((index) => letters[index] ?? '');
      throw new UsageError('duplicate_column', message('duplicate_column', { columns, header: cut(name) }), {
        actions: [mapField('FIELD', columns[0] ?? '')],
      });
    }
    if (found[0] !== undefined) return found[0];
  }
  return undefined;
}

/** The action that names the column of a field. Words in capitals are placeholders. */
export function mapField(field: string, column: string): SetOption {
  const label = message('to_say_which_column', {});
  return { do: 'setOption', option: 'map', value: `${field}=${column}`, label };
}

/** Indexes of all columns with that header, compared exactly and then folded; otherwise of the column with that letter. */
export function findColumns(table: HeaderRow, name: string): number[] {
  const where = (matches: (header: string) => boolean) =>
    table.headers.flatMap((header, index) => (matches(header) ? [index] : []));
  const exact = where((header) => header !== '' && header === name.trim());
  if (exact.length > 0) return exact;
  const folded = where((header) => header !== '' && fold(header) === fold(name));
  return folded.length > 0 ? folded : [findLetter(table, name) ?? []].flat();
}

/** Index of the column with that letter, ignoring case. */
export function findLetter({ letters }: HeaderRow, letter: string): number | undefined {
  const index = letters.indexOf(letter.trim().toUpperCase());
  return index === -1 ? undefined : index;
}

/**
 * Index of the column that a template names: by the first of its headers that the file has, by a letter, or by a
 * position counted from 1. Undefined if there is none. `_` columns are our own and never found.
 */
export function findPlace(
  table: HeaderRow,
  headers: string | readonly string[] | undefined,
  place: string | number | undefined,
): number | undefined {
  const isData = (index: number | undefined) =>
    index !== undefined && table.headers[index]?.startsWith('_') === false;
  if (place !== undefined) {
    const index = typeof place === 'number' ? place - 1 : findLetter(table, place);
    return isData(index) ? index : undefined;
  }
  for (const header of [headers ?? []].flat()) {
    const index = findHeader(table, header);
    if (isData(index)) return index;
  }
  return undefined;
}

/** A sentence that lists the columns of the table. */
export function columnsAre(table: HeaderRow): ByHand {
  return byHand('columns_are', { columns: listHeaders(table) });
}

/** How many columns a message lists; a sheet can have thousands. */
const LISTED = 40;

/** The file's columns for messages: `A "Name", B "Year"`. */
export function listHeaders({ headers, letters }: HeaderRow): Message {
  const columns = headers
    .slice(0, LISTED)
    .map((header, index) => `${letters[index] ?? '?'} "${cut(header)}"`);
  return message('columns_of_table', { columns, more: headers.length - columns.length });
}
