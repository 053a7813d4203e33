/**
 * Imports of our own exports: without a mode, the rows update the items that they name, if these belong to this
 * account.
 */
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { SetOption } from '../../messages/params.ts';
import type { FirstCells } from '../../sheets/peek-rows.ts';
import { cellText } from '../../sheets/cell.ts';
import { MissingScopeError } from '../../api/errors.ts';
import { isForPeople, isOwnExport } from '../../sheets/own-headers.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { itemExists } from '../items/item-exists.ts';
import type { JobDeps } from '../job/deps.ts';
import { noteOf } from '../job/events.ts';
import type { ImportRequest } from '../job/options.ts';

/** Number of ids to try, spread evenly: somebody may have deleted items since the export. */
const IDS_TRIED = 10;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The request, turned into an update if no mode was given and the ids of the file belong to items.
 *
 * @throws UsageError `foreign_export` if none of them does; `own_export` if a file that is not an export contains ids
 *   of items of this account
 */
export async function asExport(
  request: ImportRequest,
  table: SheetTable,
  sample: FirstCells,
  deps: JobDeps,
): Promise<ImportRequest> {
  if (request.mode !== undefined) return request;
  const position = { file: resolve(request.knownAs ?? request.file) };
  const here = mode('create', 'to_create_all_items');
  if (!isOwnExport(table.headers)) {
    if (isForPeople(table.headers))
      throw new UsageError('own_export', message('plan_for_people', {}), { position, actions: [here] });
    await askOfNamedItems(request, table, sample, deps);
    return request;
  }
  const at = table.headers.indexOf('id');
  const ids = (await sample.cells()).map((cells) => cellText(cells[at] ?? null).trim());
  const named = ids.filter((id) => UUID.test(id));
  // New rows alone, in the form of an export.
  if (named.length === 0) return request;
  for (const id of spread(named, IDS_TRIED)) {
    if (!(await itemExists(id, deps))) continue;
    deps.emit(noteOf(message('updates_own_export', {}, mode('upsert', 'to_create_rows_without_id'))));
    return { ...request, mode: 'update' };
  }
  throw new UsageError('foreign_export', message('foreign_export', {}), {
    position,
    actions: [here, mode('update', 'to_update_those_here')],
  });
}

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
    const texts = rows.map((cells) => cellText(cells[at] ?? null).trim()).filter((text) => text !== '');
    const ids = texts.filter((text) => UUID.test(text));
    // Columns that begin with _ are never data.
    if (ids.length === 0 || ids.length * 2 < texts.length || header.startsWith('_')) continue;
    for (const id of spread(ids, IDS_TRIED)) {
      if (!(await isItemHere(id, deps))) continue;
      const column = header || (letters[at] ?? '');
      const update = mode('update', 'to_update_items');
      if (column.toLowerCase() !== 'id') update.also = { map: `id=${column}` };
      throw new UsageError('own_export', message('names_items_here', { header: column, item: id }), {
        position: { file: resolve(request.knownAs ?? request.file) },
        actions: [update, mode('create', 'to_create_again')],
      });
    }
  }
}

/** A key that is not allowed to read items cannot tell, so the import is not stopped. */
async function isItemHere(id: string, deps: JobDeps): Promise<boolean> {
  try {
    return await itemExists(id, deps);
  } catch (error) {
    if (error instanceof MissingScopeError) return false;
    throw error;
  }
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

/** At most this many, evenly spread from the first to the last. */
function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, (all.length - 1) / (most - 1));
  const places = Array.from({ length: Math.min(most, all.length) }, (_, index) => Math.round(index * step));
  return places.flatMap((place) => all[place] ?? []);
}
