import { rm, writeFile } from 'node:fs/promises';
import { SheetError } from '../../../src/errors.ts';
import { openTables } from '../../../src/sheets/open-table.ts';
import { type FuzzKind, mutated } from './mutate.ts';

/**
 * Reads the spoiled file of this number whole. Returns the code of the error by which it was refused, or `read`.
 * Throws where the reader fails in any other way than by an error of ours that says what to do.
 */
export async function readSpoiled(kind: FuzzKind, number: number, file: string): Promise<string> {
  await writeFile(file, mutated(kind, number));
  try {
    for (const table of await openTables(file, { sheet: 'all' })) {
      for await (const rows of table.batches) {
        for (const row of rows) {
          if (row.cells.length !== table.headers.length)
            throw new Error(`row ${row.number} has another width`);
        }
      }
    }
    return 'read';
  } catch (error) {
    if (error instanceof SheetError && error.message !== '' && error.remedy !== undefined) return error.code;
    throw new Error(`${kind} ${number}: not an error of ours`, { cause: error });
  } finally {
    await rm(file, { force: true });
  }
}
