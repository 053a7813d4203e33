/**
 * Imports of our own exports: without a mode, the rows update the items that they name, if these belong to this
 * account.
 */
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import { jsonOrNot } from '../../base/json-or-not.ts';
import { isUuid } from '../../base/uuid.ts';
import { message } from '../../messages/message.ts';
import type { SetOption } from '../../messages/params.ts';
import type { FirstCells } from '../../sheets/peek-rows.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import { MissingScopeError } from '../../api/errors.ts';
import { isForPeople, isOwnExport } from '../../sheets/own-headers.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { itemAmong } from '../items/item-among.ts';
import type { JobDeps } from '../job/deps.ts';
import { noteOf } from '../job/events.ts';
import type { ImportRequest } from '../job/options.ts';

/**
 * The request, turned into an update if no mode was given and the ids of the file belong to items.
 *
 * @throws UsageError `foreign_export` if none of them does; `own_export` if a file that is not an export contains ids
 *   of items of this account, or if a locale has formatted the values of the export
 */
export async function asExport(
  request: ImportRequest,
  table: SheetTable,
  sample: FirstCells,
  deps: JobDeps,
): Promise<ImportRequest> {
  const position = { file: resolve(request.knownAs ?? request.file) };
  if (await isFormatted(request.file, table, sample))
    throw new UsageError('own_export', message('formatted_export', {}), { position });
  if (request.mode !== undefined) return request;
  const here = mode('create', 'to_create_all_items');
  if (!isOwnExport(table.headers)) {
    if (isForPeople(table.headers))
      throw new UsageError('own_export', message('plan_for_people', {}), { position, actions: [here] });
    await askOfNamedItems(request, table, sample, deps);
    return request;
  }
  const ids = (await sample.cells())
    .map((cells) => textOf(cells, table.headers.indexOf('id')))
    .filter(isUuid);
  // New rows alone, in the form of an export.
  if (ids.length === 0) return request;
  if ((await itemAmong(ids, deps)) !== undefined) {
    deps.emit(noteOf(message('updates_own_export', {}, mode('upsert', 'to_create_rows_without_id'))));
    return { ...request, mode: 'update' };
  }
  throw new UsageError('foreign_export', message('foreign_export', {}), {
    position,
    actions: [here, mode('update', 'to_update_those_here')],
  });
}

/**
 * Whether this is a CSV export with `--locale`: its amounts are rounded, and `1.250` may be 1250. Its manifest says so, or
 * its times, which neither a plain export nor a spreadsheet program writes with a comma.
 */
async function isFormatted(file: string, { headers }: SheetTable, sample: FirstCells): Promise<boolean> {
  if (!headers.includes('id')) return false;
  const times = ['created_at', 'updated_at'].map((name) => headers.indexOf(name));
  const rows = await sample.cells();
  if (rows.some((cells) => times.some((at) => TIME_OF_LOCALE.test(textOf(cells, at))))) return true;
  const text = await readFile(`${resolve(file)}.manifest.json`, 'utf8').catch(() => '{}');
  const { success, data } = OfLocale.safeParse(jsonOrNot(text));
  return success && data.file === basename(file);
}

/** `28.11.2026, 10:02:03`, `11/28/2026, 10:02:03 AM`. */
const TIME_OF_LOCALE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}, \d/;

/** The part of an export's manifest that tells whether a locale formats its values; workbooks have values. */
const OfLocale = z.object({
  file: z.string(),
  format: z.literal('csv'),
  layout: z.object({ locale: z.string() }),
});

/**
 * Refuses part of an export, a list from a report, or a table of another program that has our ids: imported as new
 * items, its rows would exist twice.
 */
async function askOfNamedItems(
  request: ImportRequest,
  { headers, letters }: SheetTable,
  sample: FirstCells,
  deps: JobDeps,
): Promise<void> {
  const rows = await sample.cells();
  for (const [at, header] of headers.entries()) {
    const texts = rows.map((cells) => textOf(cells, at)).filter((text) => text !== '');
    const ids = texts.filter(isUuid);
    // Columns that begin with _ are never data.
    if (ids.length === 0 || ids.length * 2 < texts.length || header.startsWith('_')) continue;
    const item = await itemAmong(ids, deps).catch(unreadable);
    if (item === undefined) continue;
    const column = header || (letters[at] ?? '');
    const update = mode('update', 'to_update_items');
    if (column.toLowerCase() !== 'id') update.also = { map: `id=${column}` };
    throw new UsageError('own_export', message('names_items_here', { header: column, item }), {
      position: { file: resolve(request.knownAs ?? request.file) },
      actions: [update, mode('create', 'to_create_again')],
    });
  }
}

/** A key that is not allowed to read items cannot tell, so the import is not stopped. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof MissingScopeError)) throw error;
}

function textOf(cells: readonly Cell[], at: number): string {
  return cellText(cells[at] ?? null).trim();
}

function mode(
  value: string,
  label:
    | 'to_create_rows_without_id'
    | 'to_create_all_items'
    | 'to_update_those_here'
    | 'to_update_items'
    | 'to_create_again',
): SetOption {
  return { do: 'setOption', option: 'mode', value, label: message(label, {}) };
}
