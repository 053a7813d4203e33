/**
 * Maps columns by headers and values together if there is no template. Uncertain columns are used once the user has
 * confirmed them, and from then on for every file with these headers.
 */
import { english } from '../../messages/message.ts';
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { counted } from '../../counted.ts';
import { UsageError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { cut } from '../../mapping/casts/cast.ts';
import { fold } from '../../mapping/fold.ts';
import { isOwnExport, isResultsFile } from '../../sheets/own-headers.ts';
import {
  dataInHeader,
  hasKnownHeader,
  headerIsData,
  refuseTransposed,
} from '../../mapping/infer/data-header.ts';
import { type ColumnGuess, nameOf } from '../../mapping/infer/column-guess.ts';
import { inferColumns } from '../../mapping/infer/infer-columns.ts';
import { sum } from '../../mapping/infer/judge-column.ts';
import { inferredTemplate, unsureColumns } from '../../mapping/infer/inferred-template.ts';
import { findLetter } from '../../mapping/columns/find-column.ts';
import type { MappingOptions } from '../../mapping/mapping.ts';
import { changeTemplate, type MendChange } from '../../mapping/template/change.ts';
import { recogniseExport } from '../../mapping/template/recognise.ts';
import { loadTemplate, NO_TEMPLATE } from '../../mapping/template/load-template.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import { loadCollections, resolveReference } from '../items/collections.ts';
import { columnOptions, type Template, tickedNames } from '../../mapping/template/template.ts';
import { shellWord } from '../../shell-word.ts';
import type { FirstCells } from '../../sheets/peek-rows.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { ImportRequest } from '../job/options.ts';
import { readRemembered, type Remembered, REMEMBERED } from './recipes.ts';

export interface InferredMapping {
  /** Absent if the headers say enough. */
  template?: Template;
  /** Columns that nobody has confirmed yet. */
  unsure: ColumnGuess[];
  /** Filled columns that no field uses. */
  unused: ColumnGuess[];
  /** True if no column has a known name: the header row may be data. */
  nameless: boolean;
  /** Reported once the mapping is in use. */
  notes: string[];
}

const NOTHING: InferredMapping = {
  unsure: [],
  unused: [],
  nameless: false,
  notes: [],
};

/**
 * Infers the mapping from the first rows of `table`, which stay readable, or recalls a confirmed one.
 *
 * @throws UsageError `header_is_data` for a file without column names
 */
export async function inferMapping(
  request: ImportRequest,
  table: SheetTable,
  sample: FirstCells,
  deps: Pick<JobDeps, 'ledger' | 'client' | 'signal'>,
): Promise<InferredMapping> {
  const { ledger } = deps;
  const options = optionsOf(request, table);
  if (isOwnExport(table.headers)) return NOTHING;
  const nameless = !hasKnownHeader(options) && request.headerRow === undefined;
  const known = options.mode === 'create' ? await recogniseExport(options.headers) : undefined;
  if (known !== undefined && options.likely === true && request.template !== NO_TEMPLATE) {
    const note = `The columns are those of the template ${known}, which is used. To read the file without it: --template ${NO_TEMPLATE}`;
    return { ...NOTHING, template: await loadTemplate(known), notes: [note] };
  }
  const hints = known === undefined ? [] : [`These columns match --template ${known}.`];
  const text = await ledger.values.get(REMEMBERED, keyOf(options));
  if (text !== undefined) {
    const accepted = readRemembered(text);
    return { ...NOTHING, template: accepted.template, notes: [...hints, rememberedNote(accepted)] };
  }
  const cells = await sample.cells();
  const data = nameless ? dataInHeader(options, cells) : undefined;
  if (data !== undefined) throw headerIsData(table, data);
  refuseTransposed(options, cells, table);
  const inference = inferColumns(options, cells);
  const foreign = await leaveForeignCollections(inference.columns, cells, request, options, deps);
  const template = inferredTemplate(inference, options);
  const guesses = inference.columns.filter((column) => column.confidence === 'guess');
  const [unsure, taken] = partition(unsureColumns(inference), (column) => isAskedAbout(column, options));
  return {
    ...(template === undefined ? {} : { template }),
    unsure,
    unused: inference.columns.filter(({ target, profile }) => target === undefined && profile.filled > 0),
    nameless,
    notes: [
      ...hints,
      ...foreign,
      ...inference.columns.flatMap((column) => [...togetherNote(column), ...unfitNote(column)]),
      ...likelyNote(taken),
      ...guesses.map((guess) => `${describe(guess)} is a guess, and not used: ${paste([guess])}`),
    ],
  };
}

/**
 * Asks a person about columns that are uncertain, and remembers the answers. A dry run only shows them.
 *
 * @returns the template as confirmed
 * @throws UsageError `unsure_mapping` if nobody confirms
 */
export async function confirmMapping(
  { template, unsure, unused, nameless }: InferredMapping,
  request: ImportRequest,
  table: SheetTable,
  deps: Pick<JobDeps, 'ledger' | 'emit' | 'confirm' | 'choose'>,
): Promise<Template | undefined> {
  if (template === undefined || unsure.length === 0) return template;
  const which = unsure.map((column) => `\n  ${describe(column)}`).join('');
  const names = nameless
    ? `\n  Row ${table.headerRow} is read as the header, but none of its names is known: if it is data, add a header above it.`
    : '';
  const what = `${counted(unsure.length, 'column')} may be mapped wrongly:${which}${names}`;
  const name = nameless ? unsure.find(({ target }) => target === 'name') : undefined;
  const flags = `${name === undefined ? '' : `--map ${shellWord(`name=${nameOf(name)}`)} `}--yes`;
  if (request.dryRun === true) {
    deps.emit({ type: 'note', message: `${what}\n  The import itself will ask, or requires ${flags}.` });
    return template;
  }
  if (name !== undefined && request.run?.yes === true)
    throw new UsageError(
      'no_name_column',
      `${what}\n  Nothing was sent: --yes alone does not decide which column is the name.`,
      {
        position: { file: table.file },
        remedy: `If this is right: ${flags}`,
      },
    );
  if (request.run?.yes === true) deps.emit({ type: 'note', message: what });
  let confirmed: Template | undefined = template;
  if (request.run?.yes !== true) {
    const { choose } = deps;
    const question = `${what}\nUse ${unsure.length === 1 ? 'it' : 'them'} like this?`;
    if (choose !== undefined && !nameless)
      confirmed = await askAboutEach(unsure, unused, template, table, choose);
    else if (!(await confirmWithUser(deps, question))) confirmed = undefined;
  }
  if (confirmed === undefined) {
    throw new UsageError('unsure_mapping', `${what}\n  Nothing was sent.`, {
      position: { file: table.file },
      remedy: `If this is right, add ${flags}: it is remembered for files with these headers. If not, map the columns yourself: ${paste(unsure)}shelflift template infer ${shellWord(table.file)} --out my.yaml`,
    });
  }
  await rememberReading(optionsOf(request, table), confirmed, basename(table.file), deps.ledger);
  deps.emit({ type: 'note', message: 'This mapping is remembered for files with these headers.' });
  return confirmed;
}

/** More columns than this are not offered in place of an uncertain one. */
const MOST_OFFERED = 8;

/** Asked once more so often, if the answer is none of those offered. */
const MOST_TRIES = 5;

/** Asks about each column: use it, use another, or leave the field out. Undefined if one was not answered. */
async function askAboutEach(
  unsure: readonly ColumnGuess[],
  unused: readonly ColumnGuess[],
  template: Template,
  table: SheetTable,
  choose: NonNullable<JobDeps['choose']>,
): Promise<Template | undefined> {
  let changed = template;
  for (const column of unsure) {
    const { target = '' } = column;
    const others = column.ticked === true ? [] : unused.slice(0, MOST_OFFERED);
    const ignore: MendChange = { type: 'ignore', column: nameOf(column) };
    const choices: { says: string; change?: MendChange }[] = [
      { says: `Use it as ${target}.` },
      { says: `Do not use it as ${target}.`, change: ignore },
      ...others.map((other) => ({
        says: `Use column ${other.letter}${other.header === '' ? '' : ` "${other.header}"`} as ${target} instead.`,
        change: { type: 'map', field: target, column: nameOf(other) } as const,
      })),
    ];
    const answers = choices.map(({ says }, index) => ({ key: String(index + 1), says }));
    let chosen: (typeof choices)[number] | undefined;
    for (let tries = 0; chosen === undefined && tries < MOST_TRIES; tries += 1)
      chosen = choices[Number(await choose(describe(column), answers)) - 1];
    if (chosen === undefined) return undefined;
    if (chosen.change !== undefined) changed = changeTemplate(changed, table, chosen.change);
  }
  return changed;
}

/** For the next file with these headers. */
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

/** True where flags or the template name columns by letter, and the row taken for column names is data. */
export async function isHeaderless(
  request: ImportRequest,
  table: SheetTable,
  sample: FirstCells,
  template: Template | undefined,
): Promise<boolean> {
  if (request.headerRow !== undefined || hasKnownHeader(table) || isResultsFile(table.headers)) return false;
  const isLetter = (name: string) =>
    findLetter(table, name) !== undefined && !table.headers.some((header) => fold(header) === fold(name));
  const byLetter =
    Object.values(request.map ?? {}).some(isLetter) ||
    Object.keys(template?.columns ?? {}).some(
      (target) => columnOptions(template, target).column !== undefined,
    );
  return byLetter && dataInHeader(optionsOf(request, table), await sample.cells()) !== undefined;
}

/** Equal for the same headers in any order; a column without a unique name counts by its letter. */
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

function rememberedNote({ template, at }: Remembered): string {
  const columns = Object.keys(template.columns).map((target) => {
    const spec = columnOptions(template, target);
    const { from, column } = spec;
    const sources = column === undefined ? [from ?? tickedNames(spec)].flat() : [`column ${column}`];
    return `${sources.join(', ')} → ${target}`;
  });
  return `Columns as confirmed on ${at.slice(0, 10)} for these headers: ${columns.join('; ')}. To change that: --map or --template.`;
}

function describe({ header, letter, target = '', reason }: ColumnGuess): string {
  return `${header === '' ? `column ${letter}` : `"${header}"`} → ${target} (${english(reason)})`;
}

/** Of a name that two columns make. */
function togetherNote({ target, options, profile }: ColumnGuess): string[] {
  const { join, with: between = ' ' } = options ?? {};
  if (target !== 'name' || join === undefined) return [];
  const names = join.map((header) => `"${String(header)}"`).join(' and ');
  return [
    `${names} together are the name, such as "${profile.examples[0] ?? ''}${between}12". To use one of them: --map ${shellWord(`name=${String(join[0])}`)}`,
  ];
}

/** A wrong name or a wrong value cannot be taken back; of the rest, the text of the cell stays. */
function isAskedAbout({ target }: ColumnGuess, { likely }: MappingOptions): boolean {
  return likely !== true || target === 'name' || target === 'estimated_value';
}

function partition<V>(values: readonly V[], test: (value: V) => boolean): [V[], V[]] {
  return [values.filter(test), values.filter((value) => !test(value))];
}

/** A column of collections that the team does not have does not overrule `--collection`: its texts are kept. */
async function leaveForeignCollections(
  columns: readonly ColumnGuess[],
  cells: readonly (readonly Cell[])[],
  { collection }: ImportRequest,
  { likely }: MappingOptions,
  { client, signal }: Pick<JobDeps, 'client' | 'signal'>,
): Promise<string[]> {
  const column = columns.find(({ target, byFlag }) => target === 'collection' && byFlag !== true);
  if (likely !== true || collection === undefined || column === undefined) return [];
  const names = new Set(cells.map((row) => cellText(row[column.index] ?? null).trim()));
  names.delete('');
  const collections = await loadCollections(client, signal);
  if (names.size === 0 || collections === undefined) return [];
  if ([...names].some((name) => 'id' in resolveReference(name, collections))) return [];
  delete column.target;
  delete column.confidence;
  const some = [...names].slice(0, 3).map((name) => JSON.stringify(cut(name)));
  return [
    `"${column.header}" names no collection of your team (${some.join(', ')}): the rows go to ${collection}, and the column is kept as a custom field. To use it: --map ${shellWord(`collection=${nameOf(column)}`)}`,
  ];
}

/** Of columns that are used without a question, although they are not certain. */
function likelyNote(taken: readonly ColumnGuess[]): string[] {
  if (taken.length === 0) return [];
  const which = taken.map((column) => describe(column)).join('; ');
  return [`Taken as is likely: ${which}. To change one: --map FIELD=COLUMN; to be asked: --strict`];
}

/** Of a column that is kept as it is, although its header names a field. */
function unfitNote(column: ColumnGuess): string[] {
  const { header, unfit, target, profile } = column;
  if (unfit === undefined || target !== undefined) return [];
  const cells = sum(profile.understood[unfit]);
  const some = profile.examples.map((text) => JSON.stringify(cut(text))).join(', ');
  return [
    `"${header}" is not read as ${unfit}, because its words do not fit (${cells} of ${counted(profile.filled, 'cell')} ${cells === 1 ? 'does' : 'do'}: ${some}). To read it so: --map ${shellWord(`${unfit}=${nameOf(column)}`)}`,
  ];
}

function paste(columns: ColumnGuess[]): string {
  const pairs = columns
    .filter(({ ticked, options }) => ticked !== true && options === undefined)
    .map((column) => `--map ${shellWord(`${column.target ?? ''}=${nameOf(column)}`)}`);
  return pairs.length === 0
    ? 'edit the template that this writes: '
    : `${pairs.join(' ')}; or in a template: `;
}
