/**
 * Maps columns by headers and values together if there is no template. Uncertain columns are used once the user has
 * confirmed them, and from then on for every file with these headers.
 */
import { message } from '../../messages/message.ts';
import type { Action, Message, SetOption } from '../../messages/params.ts';
import { noteOf } from '../job/events.ts';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { cut } from '../../mapping/casts/cast.ts';
import { fold } from '../../mapping/fold.ts';
import { findSynonyms } from '../../mapping/synonyms.ts';
import { isOwnExport, isResultsFile } from '../../sheets/own-headers.ts';
import {
  dataInHeader,
  hasKnownHeader,
  headerIsData,
  isSurelyData,
  refuseTransposed,
} from '../../mapping/infer/data-header.ts';
import { type ColumnGuess, nameOf } from '../../mapping/infer/column-guess.ts';
import { inferColumns, isContractWord } from '../../mapping/infer/infer-columns.ts';
import { sum } from '../../mapping/infer/judge-column.ts';
import { isWordField } from '../../mapping/word-lists.ts';
import { inferredTemplate, unsureColumns } from '../../mapping/infer/inferred-template.ts';
import { findLetter } from '../../mapping/columns/find-column.ts';
import type { MappingOptions } from '../../mapping/mapping.ts';
import { changeTemplate, type Correction } from '../../mapping/template/change.ts';
import { recogniseExport } from '../../mapping/template/recognise.ts';
import { loadTemplate, NO_TEMPLATE } from '../../mapping/template/load-template.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import type { Collection } from '../../api/schemas.ts';
import { loadCollections } from '../../api/load-collections.ts';
import { resolveReference } from '../items/collections.ts';
import { columnOptions, type Template, tickedNames } from '../../mapping/template/template.ts';
import type { FirstCells } from '../../sheets/peek-rows.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { ImportRequest } from '../job/options.ts';
import { readRemembered, type Remembered, REMEMBERED } from './recipes.ts';

export interface InferredMapping {
  /** Absent if the headers alone are sufficient. */
  template?: Template;
  /** Columns that nobody has confirmed yet. */
  unsure: ColumnGuess[];
  /** Columns with content that no field uses. */
  unused: ColumnGuess[];
  /**
   * True if the words in a later file with these headers could lead to another reading, so that this reading is
   * remembered.
   */
  isClose: boolean;
  /** True if no column has a known name: the header row may be data. */
  nameless: boolean;
  /** Reported when the mapping is used. */
  notes: Message[];
}

const NOTHING: InferredMapping = {
  unsure: [],
  unused: [],
  isClose: false,
  nameless: false,
  notes: [],
};

/**
 * Infers the mapping from the first rows of `table`, which remain readable, or uses a remembered mapping.
 *
 * @throws UsageError `header_is_data` for a file without column names
 */
export async function inferMapping(
  request: ImportRequest,
  table: SheetTable,
  sample: Pick<FirstCells, 'cells'>,
  deps: Pick<JobDeps, 'ledger' | 'client' | 'signal' | 'confirm'>,
): Promise<InferredMapping> {
  const { ledger } = deps;
  const options = optionsOf(request, table);
  if (isOwnExport(table.headers)) return NOTHING;
  const isDoubtful = !isHeadless(table) && !hasKnownHeader(options) && request.headerRow === undefined;
  // A header that is exactly one of the words is one, unless a cell shows that the row is data.
  const nameless = isDoubtful && options.headers.every((header) => findSynonyms(header).length === 0);
  // Letters are the same in every such file.
  const text = isHeadless(table) ? undefined : await ledger.values.get(REMEMBERED, keyOf(options));
  const known = options.mode === 'create' ? await recogniseExport(options.headers) : undefined;
  if (
    text === undefined &&
    known !== undefined &&
    options.likely === true &&
    request.template !== NO_TEMPLATE
  ) {
    const label = message('to_read_without_it', {});
    const action: SetOption = { do: 'setOption', option: 'template', value: NO_TEMPLATE, label };
    const note = message('template_used', { template: known }, action);
    return { ...NOTHING, template: await loadTemplate(known), notes: [note] };
  }
  const hints = known === undefined ? [] : [matchingNote(known)];
  if (text !== undefined) {
    const accepted = readRemembered(text);
    return { ...NOTHING, template: accepted.template, notes: [...hints, rememberedNote(accepted)] };
  }
  const cells = await sample.cells();
  const data = isDoubtful ? dataInHeader(options, cells) : undefined;
  if (data !== undefined) throw headerIsData(table, data);
  refuseTransposed(options, cells, table);
  const inference = inferColumns(options, cells);
  const foreign = await leaveForeignCollections(inference.columns, cells, request, options, deps);
  const isClose = options.likely === true && inference.columns.some((column) => isReadByWords(column));
  const template = inferredTemplate(inference, options, isClose);
  const guesses = inference.columns.filter((column) => column.confidence === 'guess');
  return {
    ...(template === undefined ? {} : { template }),
    unsure: unsureColumns(inference),
    isClose,
    unused: inference.columns.filter(({ target, profile }) => target === undefined && profile.filled > 0),
    nameless,
    notes: [
      ...hints,
      ...foreign,
      ...inference.columns.flatMap((column) => [...togetherNote(column), ...unfitNote(column)]),
      ...guesses.map((column) => columnNote('column_guessed', column)),
    ],
  };
}

/**
 * Asks a person about the uncertain columns whose meaning matters, and remembers the reading. A dry run only shows the
 * columns.
 *
 * @returns the template as confirmed
 * @throws UsageError `unsure_mapping`, `no_name_column` if nobody confirms
 */
export async function confirmMapping(
  { template, unsure, unused, nameless, isClose }: InferredMapping,
  request: ImportRequest,
  table: SheetTable,
  deps: Pick<JobDeps, 'ledger' | 'emit' | 'confirm' | 'choose'>,
): Promise<Template | undefined> {
  if (template === undefined || (unsure.length === 0 && !isClose)) return template;
  const options = optionsOf(request, table);
  const asked = unsure.filter((column) => options.likely !== true || nameless || mustAsk(column));
  const taken = unsure.filter((column) => !asked.includes(column));
  for (const column of taken) deps.emit(noteOf(columnNote('column_taken', column)));
  const confirmed =
    asked.length === 0
      ? template
      : await confirmColumns({ template, unsure: asked, unused, nameless }, request, table, deps);
  if (request.dryRun === true || isHeadless(table)) return confirmed;
  await rememberReading(options, confirmed, basename(table.file), deps.ledger);
  if (asked.length > 0) deps.emit(noteOf(message('mapping_remembered', {})));
  return confirmed;
}

/**
 * Names, money and the collection of the items need confirmation. Other wrong readings can be mended later, because the
 * text stays in its row.
 */
function mustAsk({ target, isOnly }: ColumnGuess): boolean {
  if (target === 'name') return isOnly !== true;
  return target === 'estimated_value' || target === 'collection' || target === 'collection_id';
}

function matchingNote(template: string): Message {
  const label = message('to_read_by_it', {});
  return message(
    'template_matches',
    { template },
    { do: 'setOption', option: 'template', value: template, label },
  );
}

/** The option that maps a column to a field. */
function mapTo(field: string, column: ColumnGuess, label: Message): SetOption {
  return { do: 'setOption', option: 'map', value: `${field}=${nameOf(column)}`, label };
}

function columnNote(code: 'column_guessed' | 'column_taken', column: ColumnGuess): Message {
  const { header, letter, target: field = '', reason, ticked, options } = column;
  const params = { header: header === '' ? letter : header, field, reason };
  // No flag can express a column of ticks, or one with its own reading options.
  const isPlain = ticked !== true && options === undefined;
  if (code === 'column_taken') return message(code, params);
  return message(code, params, ...(isPlain ? [mapTo(field, column, message('to_use_it', {}))] : []));
}

async function confirmColumns(
  { template, unsure, unused, nameless }: Omit<InferredMapping, 'notes' | 'isClose'> & { template: Template },
  request: ImportRequest,
  table: SheetTable,
  deps: Pick<JobDeps, 'emit' | 'confirm' | 'choose'>,
): Promise<Template> {
  const params = {
    columns: unsure.map((column) => columnUse(column)),
    ...(nameless ? { headerRow: table.headerRow } : {}),
  };
  const name = nameless ? unsure.find(({ target }) => target === 'name') : undefined;
  const agree = (code: 'to_agree' | 'to_agree_in_dry_run' | 'to_agree_and_remember'): SetOption => ({
    do: 'setOption',
    option: 'yes',
    ...(name === undefined ? {} : { also: { map: `name=${nameOf(name)}` } }),
    label: message(code, {}),
  });
  if (request.dryRun === true) {
    deps.emit(noteOf(message('columns_unsure', params, agree('to_agree_in_dry_run'))));
    return template;
  }
  const position = { file: table.file };
  if (request.run?.yes === true) {
    if (name !== undefined)
      throw new UsageError('no_name_column', message('name_column_unsure', params, agree('to_agree')), {
        position,
      });
    deps.emit(noteOf(message('columns_unsure', params)));
    return template;
  }
  const { choose } = deps;
  const confirmed =
    choose !== undefined && !nameless
      ? await askOnce(unsure, unused, template, table, choose)
      : (await confirmWithUser(deps, message('use_columns_so', params)))
        ? template
        : undefined;
  if (confirmed !== undefined) return confirmed;
  const actions = [agree('to_agree_and_remember'), ...waysToMap(unsure, table.file)];
  throw new UsageError('unsure_mapping', message('unsure_mapping', params, ...actions), { position });
}

function waysToMap(columns: readonly ColumnGuess[], file: string): Action[] {
  // No flag can express a column of ticks, or one with its own reading options.
  const map = columns
    .filter(({ ticked, options }) => ticked !== true && options === undefined)
    .map((column) => `${column.target ?? ''}=${nameOf(column)}`);
  const [value] = map;
  const inTemplate: Action = {
    do: 'run',
    command: 'template infer',
    args: [file],
    options: { out: 'my.yaml' },
    label: message('to_map_in_template', {}),
  };
  if (value === undefined) return [inTemplate];
  const label = message('to_map_columns', {});
  return [{ do: 'setOption', option: 'map', value, also: { map }, label }, inTemplate];
}

/** Maximum number of columns offered in place of an uncertain one. */
const MAX_OFFERED = 8;

/** Number of further tries if the answer is not one of those offered. */
const MAX_TRIES = 5;

/**
 * Shows all columns on one screen, with samples; and corrects the columns that a person names. Undefined if the person
 * does not agree.
 */
async function askOnce(
  unsure: readonly ColumnGuess[],
  unused: readonly ColumnGuess[],
  template: Template,
  table: SheetTable,
  choose: NonNullable<JobDeps['choose']>,
): Promise<Template | undefined> {
  let changed = template;
  let open = [...unsure];
  for (let tries = 0; tries < MAX_TRIES + unsure.length; tries += 1) {
    if (open.length === 0) return changed;
    const answer = await choose(message('columns_all_right', {}), [
      ...open.map((column, index) => ({ key: String(index + 1), says: columnUse(column, 'samples') })),
      { key: 'y', says: message('use_them_so', { columns: open.length }) },
      { key: 'n', says: message('send_nothing', {}) },
    ]);
    if (/^(?:y(?:es)?|ja?)?$/.test(answer)) return changed;
    if (/^(?:no?|nein)$/.test(answer)) return undefined;
    const column = open[Number(answer) - 1];
    const change = column && (await askAbout(column, unused, choose));
    if (column === undefined || change === undefined) continue;
    changed = changeTemplate(changed, table, change);
    open = open.filter((each) => each !== column);
  }
  return undefined;
}

async function askAbout(
  column: ColumnGuess,
  unused: readonly ColumnGuess[],
  choose: NonNullable<JobDeps['choose']>,
): Promise<Correction | undefined> {
  const { target: field = '' } = column;
  const others = column.ticked === true ? [] : unused.slice(0, MAX_OFFERED);
  const choices: { says: Message; change: Correction }[] = [
    {
      says: message('do_not_use_as', { field }),
      change: { type: 'ignore', column: nameOf(column) },
    },
    ...others.map((other) => ({
      says: message('use_instead', { header: other.header, column: other.letter, field }),
      change: { type: 'map', field, column: nameOf(other) } as const,
    })),
  ];
  const answers = choices.map(({ says }, index) => ({ key: String(index + 1), says }));
  return choices[Number(await choose(columnUse(column), answers)) - 1]?.change;
}

function columnUse(column: ColumnGuess, withSamples?: 'samples'): Message {
  const { header, letter, target = '', reason, profile } = column;
  const samples = withSamples === undefined ? [] : profile.examples.map((text) => cut(text));
  return message('column_use', { header, column: letter, field: target, reason, samples });
}

export async function rememberReading(
  headers: Pick<MappingOptions, 'headers' | 'letters' | 'mode'>,
  template: Template,
  file: string,
  { values }: Pick<Ledger, 'values'>,
): Promise<void> {
  const accepted: Remembered = { template, file, at: new Date().toISOString() };
  await values.put(REMEMBERED, [{ key: keyOf(headers), value: JSON.stringify(accepted) }]);
}

export function optionsOf(request: ImportRequest, { headers, letters, format }: SheetTable): MappingOptions {
  const { map = {}, defaults = {}, mode = 'create', match = [], strict } = request;
  const likely = mode === 'create' && strict !== true ? { likely: true as const } : {};
  return { headers, letters, format, map, defaults, mode, match, ...likely };
}

/**
 * True if the row taken for column names is data, and it is known how to read the file without names: flags or the
 * template name columns by letter, the values leave no doubt, or a person says so.
 */
export async function isHeaderless(
  request: ImportRequest,
  table: SheetTable,
  sample: FirstCells,
  template: Template | undefined,
  deps: Pick<JobDeps, 'ledger' | 'confirm'>,
): Promise<boolean> {
  if (request.headerRow !== undefined || hasKnownHeader(table) || isResultsFile(table.headers)) return false;
  const isLetter = (name: string) =>
    findLetter(table, name) !== undefined && !table.headers.some((header) => fold(header) === fold(name));
  const mapped = Object.values(request.map ?? {});
  const byLetter =
    mapped.some(isLetter) ||
    Object.keys(template?.columns ?? {}).some(
      (target) => columnOptions(template, target).column !== undefined,
    );
  const options = optionsOf(request, table);
  const isGiven = template !== undefined || request.recipe !== undefined || mapped.length > 0;
  if (!byLetter && (isGiven || options.likely !== true)) return false;
  const cells = await sample.cells();
  const what = dataInHeader(options, cells);
  if (what === undefined || byLetter) return what !== undefined;
  if ((await deps.ledger.values.get(REMEMBERED, keyOf(options))) !== undefined) return false;
  return (
    isSurelyData(options, cells) || (await confirmWithUser(deps, message('is_first_row_data', { what })))
  );
}

/** Whether the columns are named by their letters alone. */
function isHeadless({ headerRow, headers, letters }: SheetTable): boolean {
  return headerRow === 0 && headers.every((header, index) => header === letters[index]);
}

/** Equal for the same headers in any order; a column without a unique name is identified by its letter. */
function keyOf({ headers, letters, mode }: Pick<MappingOptions, 'headers' | 'letters' | 'mode'>): string {
  const columns = headers
    .map((header, index) => ({ name: fold(header), letter: letters[index] ?? '', header }))
    .filter(({ header }) => !header.startsWith('_'));
  const times = Map.groupBy(columns, ({ name }) => name);
  const names = columns.map(({ name, letter }) =>
    name !== '' && times.get(name)?.length === 1 ? name : `${name}@${letter}`,
  );
  return `${mode}:${createHash('sha256').update(JSON.stringify(names.sort())).digest('hex')}`;
}

function rememberedNote({ template, at }: Remembered): Message {
  const columns = Object.keys(template.columns).map((target) => {
    const spec = columnOptions(template, target);
    const { from, column } = spec;
    const sources = column === undefined ? [from ?? tickedNames(spec)].flat() : [`column ${column}`];
    return `${sources.join(', ')} → ${target}`;
  });
  const label = message('to_read_one_otherwise', {});
  const action: SetOption = { do: 'setOption', option: 'map', value: 'FIELD=COLUMN', label };
  return message('answers_remembered', { day: at.slice(0, 10), columns }, action);
}

/** The note for a name that is joined from two columns. */
function togetherNote(column: ColumnGuess): Message[] {
  const { target, options, profile } = column;
  const { join, with: between = ' ' } = options ?? {};
  if (target !== 'name' || join === undefined) return [];
  const headers = join.map((header) => String(header));
  const label = message('to_use_one_of_them', {});
  const action: SetOption = { do: 'setOption', option: 'map', value: `name=${headers[0] ?? ''}`, label };
  const text = `${profile.examples[0] ?? ''}${between}12`;
  return [message('together_the_name', { headers, text }, action)];
}

/**
 * What a person is asked (`choose_collections`) about a column that names only collections that the team does not have;
 * undefined for other columns.
 */
export function foreignCollections(
  header: string,
  cells: readonly string[],
  collection: string,
  collections: Collection[],
): { header: string; texts: string[]; collection: string } | undefined {
  const names = [...new Set(cells.map((cell) => cell.trim()))].filter((name) => name !== '');
  const isKnown = names.some((name) => 'id' in resolveReference(name, collections));
  if (names.length === 0 || isKnown) return undefined;
  const chosen = collections.find(({ id }) => id === collection)?.name ?? collection;
  return { header, texts: names.slice(0, 3).map((name) => cut(name)), collection: chosen };
}

/** If a column names collections that the team does not have, `--collection` wins: the texts of the column are kept. */
async function leaveForeignCollections(
  columns: readonly ColumnGuess[],
  cells: readonly (readonly Cell[])[],
  request: ImportRequest,
  { likely }: MappingOptions,
  deps: Pick<JobDeps, 'client' | 'signal' | 'confirm'>,
): Promise<Message[]> {
  const { collection } = request;
  const column = columns.find(({ target, byFlag }) => target === 'collection' && byFlag !== true);
  if (likely !== true || collection === undefined || column === undefined) return [];
  const names = cells.map((row) => cellText(row[column.index] ?? null));
  const collections = await loadCollections(deps.client, deps.signal);
  const params = collections && foreignCollections(column.header, names, collection, collections);
  if (params === undefined) return [];
  const isAsked = request.dryRun !== true && request.run?.yes !== true;
  if (isAsked && (await confirmWithUser(deps, message('choose_collections', params)))) return [];
  delete column.target;
  delete column.confidence;
  return [message('collections_not_known', params, mapTo('collection', column, message('to_use_it', {})))];
}

/**
 * Whether the cells of a column decide how it is read, so that other cells in a later file could change the reading.
 */
function isReadByWords({ header, target = '', byFlag, unfit, profile, options }: ColumnGuess): boolean {
  if (unfit !== undefined || options?.twoDigitYears !== undefined) return true;
  return byFlag !== true && isWordField(target) && !isContractWord(header, target) && profile.filled > 0;
}

/** The note for a column that is kept unchanged although its header names a field. */
function unfitNote(column: ColumnGuess): Message[] {
  const { header, unfit, target, profile } = column;
  if (unfit === undefined || target !== undefined) return [];
  const cells = sum(profile.understood[unfit]);
  const texts = profile.examples.map((text) => cut(text));
  const params = { header, field: unfit, cells, of: profile.filled, texts };
  return [message('words_do_not_fit', params, mapTo(unfit, column, message('to_read_it_so', {})))];
}
