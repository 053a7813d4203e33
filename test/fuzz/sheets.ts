import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTables } from '../../src/sheets/open-table.ts';
import type { Adversary } from './adversary.ts';
import { type SheetKind, spoiledSheet } from './spoiled-sheets.ts';

/** Spreadsheets, read whole from a file. */
export function sheets(kind: SheetKind, folder: string): Adversary {
  const file = join(folder, `spoiled.${kind}`);
  return {
    async play(number) {
      await writeFile(file, spoiledSheet(kind, number));
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
      } finally {
        await rm(file, { force: true });
      }
    },
  };
}
