/** The columns of a results or rejects file that comes back: those that its jobs read, and no others. */
import { basename } from 'node:path';
import { sameJson } from '../../base/equal-json.ts';
import { UsageError } from '../../base/errors.ts';
import { cut } from '../../mapping/casts/cast.ts';
import { chooseColumns } from '../../mapping/columns/columns.ts';
import { findColumns, mapField } from '../../mapping/columns/find-column.ts';
import { fold } from '../../mapping/fold.ts';
import { placeOf } from '../../mapping/template/explicit-template.ts';
import type { Template } from '../../mapping/template/template.ts';
import { byHand, message } from '../../messages/message.ts';
import type { SheetTable } from '../../sheets/table.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import type { Judging } from '../job/judging.ts';
import type { ImportRequest } from '../job/options.ts';

/** A job that wrote rows of the file, and how it reads them. */
export interface Writer {
  job: JobRecord;
  judging: Judging;
}

/**
 * Refuses columns that somebody added or deleted: the rows would lose their values without a word. For another mode,
 * such as an update of the created items, a person may choose the columns.
 *
 * @throws UsageError `missing_column`, `unknown_column`
 */
export function checkColumns(
  table: SheetTable,
  writers: readonly Writer[],
  reading: ImportRequest & { template: Template },
): void {
  for (const writer of writers) checkNoneLost(table, writer, reading);
  checkNoneAdded(table, writers, reading);
}

function checkNoneLost(
  { file, headers: own }: SheetTable,
  { job: { id, mode, request }, judging }: Writer,
  { mode: asked = mode, map = {}, template }: ImportRequest & { template: Template },
): void {
  const { match } = request;
  const folded = own.map(fold);
  for (const each of asked === mode ? judging.tables : []) {
    const { uses } = chooseColumns({ ...each, map: {}, defaults: {}, mode, match, template, explicit: true });
    const headers = each.headers.map(fold);
    for (const [at, { target, header, letter }] of uses.entries()) {
      if (target === undefined || map[target] !== undefined) continue;
      // A column is found by its place if its header is blank or belongs to several.
      const isThere =
        placeOf(each, at).from === undefined
          ? sameJson(folded.slice(0, at + 1), headers.slice(0, at + 1))
          : folded.includes(fold(header));
      if (isThere) continue;
      throw new UsageError(
        'missing_column',
        message(
          'rejects_column_missing',
          { job: id, file: basename(file), field: target, header, letter },
          mapField(target, 'COLUMN'),
          byHand('to_put_column_back', {}),
        ),
        { position: { file } },
      );
    }
  }
}

function checkNoneAdded(
  table: SheetTable,
  writers: readonly Writer[],
  { map = {}, keepUnknown, dropUnknown }: ImportRequest,
): void {
  const { file } = table;
  if (keepUnknown !== undefined || dropUnknown === true) return;
  const known = new Set(
    writers.flatMap(({ judging }) => judging.tables.flatMap(({ headers }) => headers.map(fold))),
  );
  const mapped = new Set(Object.values(map).flatMap((name) => findColumns(table, name)));
  const extra = table.headers.filter(
    (header, index) =>
      header !== '' && !header.startsWith('_') && !known.has(fold(header)) && !mapped.has(index),
  );
  const [header] = extra;
  if (header === undefined) return;
  const columns = extra.length;
  throw new UsageError(
    'unknown_column',
    message(
      'rejects_column_added',
      { job: writers[0]?.job.id ?? '', file: basename(file), columns: extra.map(cut) },
      mapField('FIELD', header),
      { do: 'setOption', option: 'keep-unknown', label: message('to_keep', { columns }) },
      { do: 'setOption', option: 'drop-unknown', label: message('to_leave_out', { columns }) },
      byHand('to_delete_columns', { columns }),
    ),
    { position: { file } },
  );
}
