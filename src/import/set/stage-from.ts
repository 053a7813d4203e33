/**
 * Stages the rows of `set --from`: a file names items by a key, and gives values in its columns. It is read and matched
 * like an import in update mode, with a template made from the command.
 */
import { createHash } from 'node:crypto';
import { UsageError } from '../../base/errors.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { findHeader, findLetter, listHeaders } from '../../mapping/columns/find-column.ts';
import { isTarget, TARGETS } from '../../mapping/targets.ts';
import { Template, type TemplateInput } from '../../mapping/template/template.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import { nearest } from '../../base/nearest.ts';
import { isMappable } from '../../sheets/own-headers.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { changeInput } from '../engine/input.ts';
import type { JobDeps } from '../job/deps.ts';
import type { TableChange } from '../engine/input.ts';
import type { ImportRequest } from '../job/options.ts';
import { type FileChange, stageFile } from '../stage/stage.ts';
import type { Assignments } from './assignments.ts';

/** The file of `--from`, and how it is read. */
export type FileRequest = Pick<
  ImportRequest,
  | 'sheet'
  | 'headerRow'
  | 'delimiter'
  | 'encoding'
  | 'decimal'
  | 'outDir'
  | 'noFiles'
  | 'dryRun'
  | 'knownAs'
  | 'isStdin'
  | 'run'
> & {
  from: string;
  /** `FIELD=COLUMN`, or `FIELD` for a column with that name. Default: `id`. */
  match?: readonly string[];
};

/**
 * Reads the file into a new job.
 *
 * @param text of the request, as written on the command line
 * @throws SheetError, UsageError: then there is no job
 */
export function stageFrom(
  { from, match = ['id'], run, ...request }: FileRequest,
  { patch, collection, columns = {}, fields }: Assignments,
  text: string,
  deps: JobDeps,
): Promise<JobRecord> {
  const keys = match.map(keyOf);
  const map = new Map<string, Named>();
  for (const { field, column, name } of keys) map.set(field, { column, name });
  const both = fields.find((field) => keys.some((key) => slotOf(key.field) === slotOf(field)));
  if (both !== undefined)
    throw new UsageError(
      'bad_choice',
      message('changes_its_key', { field: both }, matchBy('FIELD=COLUMN', 'to_find_by_other_field')),
    );
  for (const [field, { column, sign }] of Object.entries(columns))
    map.set(field, { column, name: `${field}${sign}@${column}` });

  const relative = Object.fromEntries(
    Object.entries(columns).flatMap(([field, { relative: rule }]) =>
      rule === undefined ? [] : [[field, rule]],
    ),
  );
  const change: TableChange = {
    patch: changeInput(patch),
    ...(collection === undefined ? {} : { collection }),
    ...(Object.keys(relative).length === 0 ? {} : { relative }),
  };
  const asFile: FileChange = {
    change,
    check: (table) => checkColumns(table, map),
    request: {
      text,
      mappingHash: createHash('sha256')
        .update(JSON.stringify([change, [...map]]))
        .digest('hex'),
    },
  };
  const template = templateOf(columns);
  const asked: ImportRequest = {
    ...request,
    file: from,
    template,
    mode: 'update',
    match: keys.map(({ field }) => field),
    map: Object.fromEntries([...map].map(([field, { column }]) => [field, column])),
    ...(run === undefined ? {} : { run }),
    ...(run?.skipInvalid === true ? { skipInvalid: true } : {}),
  };
  return stageFile(asked, deps, asFile);
}

/** The options of the columns; the map says which columns they are. */
function templateOf(columns: NonNullable<Assignments['columns']>): Template {
  const specs: TemplateInput['columns'] = {};
  for (const [field, { sign, relative }] of Object.entries(columns)) {
    if (field === 'tags' && sign !== '=') specs[field] = { mode: sign === '+=' ? 'add' : 'remove' };
    else if (relative !== undefined && field.startsWith(CUSTOM_PREFIX)) specs[field] = { as: 'integer' };
  }
  return Template.parse({ name: 'set', guess: false, columns: specs });
}

/** A column, and the argument of the command that names it. */
interface Named {
  column: string;
  name: string;
}

/** @throws UsageError `unknown_field`, `bad_pair` */
function keyOf(text: string): Named & { field: string } {
  const [field = '', ...rest] = text.split('=');
  if (!isTarget(field) || field === 'quantity') {
    const fields = TARGETS.filter((each) => each !== 'quantity');
    const example = matchBy('custom_fields.sku=SKU', 'for_example');
    throw new UsageError('unknown_field', message('no_such_field', { field, fields }, example));
  }
  if (rest.length > 0) return { field, column: rest.join('=').trim(), name: text };
  return { field, column: field, name: text };
}

function matchBy(value: string, code: 'to_find_by_other_field' | 'for_example'): Action {
  return { do: 'setOption', option: 'match', value, label: message(code, {}) };
}

/** The name and the id of a collection share a field. */
function slotOf(field: string): string {
  return field === 'collection_id' ? 'collection' : field;
}

/** @throws UsageError `unknown_column`, `duplicate_column` */
function checkColumns(table: SheetTable, map: ReadonlyMap<string, Named>): void {
  const sheet = table.sheet === undefined ? {} : { sheet: table.sheet };
  const position = { file: table.file, ...sheet, row: table.headerRow };
  for (const [field, { column, name }] of map) {
    let index: number | undefined;
    try {
      index = findHeader(table, column) ?? findLetter(table, column);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const label = message('name_by_letter', { text: name.replace(column, 'C') });
      throw new UsageError('duplicate_column', error.said, {
        cause: error,
        position,
        actions: [{ do: 'byHand', label }],
      });
    }
    if (index !== undefined) {
      if (isMappable(table.headers[index], field)) continue;
      throw new UsageError('unknown_column', message('map_own_column', { pair: name }), { position });
    }
    const near = nearest(column, table.headers);
    const params = {
      asked: name,
      column,
      columns: listHeaders(table),
      ...(near === undefined ? {} : { near }),
    };
    const actions: Action[] =
      column === field
        ? [
            {
              do: 'setOption',
              option: 'match',
              value: `${field}=COLUMN`,
              label: message('to_name_column', { field }),
            },
          ]
        : [];
    throw new UsageError('unknown_column', message('no_such_column', params, ...actions), { position });
  }
}
