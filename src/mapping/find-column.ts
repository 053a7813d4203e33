/** Finds the column that a person means by a header or a letter. */
import { UsageError } from '../errors.ts';
import { fold } from './fold.ts';

/** The parts of a table that naming a column needs. */
export interface HeaderRow {
  headers: string[];
  letters: string[];
}

/**
 * Index of the column that `name` means: by header text, else by header text folded, else by letter.
 * Undefined where there is none. Throws `duplicate_column` where several columns have that header.
 */
export function findColumn({ headers, letters }: HeaderRow, name: string): number | undefined {
  const byHeader =
    only(headers, letters, name, (header) => header === name.trim()) ??
    (name.trim() === '' ? undefined : only(headers, letters, name, (header) => fold(header) === fold(name)));
  if (byHeader !== undefined) return byHeader;
  const index = letters.indexOf(name.trim().toUpperCase());
  return index === -1 ? undefined : index;
}

function only(
  headers: string[],
  letters: string[],
  name: string,
  matches: (header: string) => boolean,
): number | undefined {
  const found = headers.flatMap((header, index) => (header !== '' && matches(header) ? [index] : []));
  if (found.length > 1) {
    const where = found.map((index) => letters[index]).join(', ');
    throw new UsageError('duplicate_column', `columns ${where} are all headed "${name}"`, {
      remedy: 'name the one you mean by its letter',
    });
  }
  return found[0];
}

/** `A "Name", B "Year"`: for messages that list what the file has. */
export function listHeaders({ headers, letters }: HeaderRow): string {
  return headers.map((header, index) => `${letters[index] ?? '?'} "${header}"`).join(', ');
}
