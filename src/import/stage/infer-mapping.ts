/**
 * Maps columns by headers and values together if there is no template. Uncertain columns are used once the user has
 * confirmed them, and from then on for every file with these headers.
 */
import { createHash } from 'node:crypto';
import { counted } from '../../counted.ts';
import { UsageError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { fold } from '../../mapping/fold.ts';
import { isOwnExport, isResultsFile } from '../../mapping/headers.ts';
import { dataInHeader, hasKnownHeader } from '../../mapping/infer/data-header.ts';
import { type ColumnGuess, inferColumns, SAMPLE_ROWS } from '../../mapping/infer/infer-columns.ts';
import { inferredTemplate, nameOf, unsureColumns } from '../../mapping/infer/inferred-template.ts';
import { findLetter } from '../../mapping/columns/find-column.ts';
import type { MappingOptions } from '../../mapping/mapping.ts';
import { recogniseExport } from '../../mapping/template/recognise.ts';
import { columnOptions, Template } from '../../mapping/template/template.ts';
import { shellWord } from '../../shell-word.ts';
import { peekRows } from '../../sheets/peek-rows.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { ImportRequest } from '../job/options.ts';

/** Key space in the store: confirmed mappings by mode and headers. */
const SPACE = 'mapping';

export interface InferredMapping {
  /** Absent if the headers say enough. */
  template?: Template;
  /** Columns that nobody has confirmed yet. */
  unsure: ColumnGuess[];
  columns: ColumnGuess[];
  /** True if no column has a known name: the header row may be data. */
  nameless: boolean;
  /** Reported once the mapping is in use. */
  notes: string[];
  /** Releases the file if it is not read further. */
  close: () => Promise<void>;
}

interface Accepted {
  template: Template;
  /** ISO date and time. */
  at: string;
}

const NOTHING: InferredMapping = {
  unsure: [],
  columns: [],
  nameless: false,
  notes: [],
  close: async () => undefined,
};

/**
 * Infers the mapping from the first rows of `table`, which stay readable, or recalls a confirmed one.
 *
 * @throws UsageError `header_is_data` for a file without column names
 */
export async function inferMapping(
  request: ImportRequest,
  table: SheetTable,
  ledger: Ledger,
): Promise<InferredMapping> {
  const options = optionsOf(request, table);
  if (isOwnExport(table.headers)) return NOTHING;
  const nameless = !hasKnownHeader(options) && request.headerRow === undefined;
  const known = options.mode === 'create' ? await recogniseExport(options.headers) : undefined;
  const hints = known === undefined ? [] : [`These columns match --template ${known}.`];
  const accepted = await findAccepted(ledger, keyOf(options));
  if (accepted !== undefined) {
    return { ...NOTHING, template: accepted.template, notes: [...hints, rememberedNote(accepted)] };
  }
  const { rows, close } = await peekRows(table, SAMPLE_ROWS);
  const sample = rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells);
  const data = nameless ? dataInHeader(options, sample) : undefined;
  if (data !== undefined) {
    await close();
    throw headerIsData(table, data);
  }
  const inference = inferColumns(options, sample);
  const template = inferredTemplate(inference, options);
  const guesses = inference.columns.filter((column) => column.confidence === 'guess');
  return {
    ...(template === undefined ? {} : { template }),
    unsure: unsureColumns(inference),
    columns: inference.columns,
    nameless,
    notes: [
      ...hints,
      ...guesses.map(
        (guess) => `${describe(guess)} is a guess, and not used: ${paste([guess], inference.columns)}`,
      ),
    ],
    close,
  };
}

/**
 * Asks a person to confirm columns that are uncertain, and remembers the answer. A dry run only shows them.
 *
 * @throws UsageError `unsure_mapping` if nobody confirms
 */
export async function confirmMapping(
  { template, unsure, columns, nameless }: InferredMapping,
  request: ImportRequest,
  table: SheetTable,
  deps: Pick<JobDeps, 'ledger' | 'emit' | 'confirm'>,
): Promise<void> {
  if (template === undefined || unsure.length === 0) return;
  const which = unsure.map((column) => `\n  ${describe(column)}`).join('');
  const names = nameless
    ? `\n  Row ${table.headerRow} is read as the header, but none of its names is known: if it is data, add a header above it.`
    : '';
  const what = `${counted(unsure.length, 'column')} may be mapped wrongly:${which}${names}`;
  if (request.dryRun === true) {
    deps.emit({ type: 'note', message: `${what}\n  The import itself will ask, or requires --yes.` });
    return;
  }
  if (request.run?.yes === true) deps.emit({ type: nameless ? 'warning' : 'note', message: what });
  const question = `${what}\nUse ${unsure.length === 1 ? 'it' : 'them'} like this?`;
  if (request.run?.yes !== true && !(await confirmWithUser(deps, question))) {
    throw new UsageError('unsure_mapping', `${what}\n  Nothing was sent.`, {
      position: { file: table.file },
      remedy: `If this is right, add --yes: it is remembered for files with these headers. If not, map the columns yourself: ${paste(unsure, columns)}; or in a template: shelflift template infer ${shellWord(table.file)} --out my.yaml`,
    });
  }
  const accepted: Accepted = { template, at: new Date().toISOString() };
  const key = keyOf(optionsOf(request, table));
  await deps.ledger.values.put(SPACE, [{ key, value: JSON.stringify(accepted) }]);
  deps.emit({ type: 'note', message: 'This mapping is remembered for files with these headers.' });
}

function optionsOf(request: ImportRequest, { headers, letters, format }: SheetTable): MappingOptions {
  const { map = {}, defaults = {}, mode = 'create', match = [] } = request;
  return { headers, letters, format, map, defaults, mode, match };
}

/** True where flags or the template name columns by letter, and the row taken for column names is data. */
export async function isHeaderless(
  request: ImportRequest,
  table: SheetTable,
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
  if (!byLetter) return false;
  const { rows, close } = await peekRows(table, SAMPLE_ROWS);
  const sample = rows.slice(0, SAMPLE_ROWS).map(({ cells }) => cells);
  const isData = dataInHeader(optionsOf(request, table), sample) !== undefined;
  if (isData) await close();
  return isData;
}

function headerIsData({ file, sheet, headerRow }: SheetTable, what: string): UsageError {
  return new UsageError('header_is_data', `The row read as the header is data: ${what}.`, {
    position: { file, row: headerRow, ...(sheet === undefined ? {} : { sheet }) },
    remedy: `Put a row of names above it (name, brand, release_year …), or name the columns by letter: --map name=A. If it does hold the names: --header-row ${headerRow}`,
  });
}

/** Equal for the same headers in any order; a column without a unique name counts by its letter. */
function keyOf({ headers, letters, mode }: MappingOptions): string {
  const names = headers
    .map((header, index) => ({ name: fold(header), letter: letters[index] ?? '', header }))
    .filter(({ header }) => !header.startsWith('_'))
    .map(({ name, letter }, _, all) =>
      name !== '' && all.filter((other) => other.name === name).length === 1 ? name : `${name}@${letter}`,
    );
  return `${mode}:${createHash('sha256').update(JSON.stringify(names.sort())).digest('hex')}`;
}

async function findAccepted(ledger: Ledger, key: string): Promise<Accepted | undefined> {
  const text = await ledger.values.get(SPACE, key);
  if (text === undefined) return undefined;
  const { template, at } = JSON.parse(text) as Accepted;
  // Confirmed with a version that had other templates: ask again.
  const parsed = Template.safeParse(template);
  return parsed.success ? { template: parsed.data, at } : undefined;
}

function rememberedNote({ template, at }: Accepted): string {
  const columns = Object.keys(template.columns).map((target) => {
    const { from, column, ticked = [] } = columnOptions(template, target);
    const named = Array.isArray(ticked) ? ticked : Object.keys(ticked);
    const sources = column === undefined ? [from ?? named].flat() : [`column ${column}`];
    return `${sources.join(', ')} → ${target}`;
  });
  return `Columns as confirmed on ${at.slice(0, 10)} for these headers: ${columns.join('; ')}. To change that: --map or --template.`;
}

function describe({ header, letter, target = '', reason }: ColumnGuess): string {
  return `${header === '' ? `column ${letter}` : `"${header}"`} → ${target} (${reason})`;
}

function paste(columns: ColumnGuess[], all: ColumnGuess[]): string {
  const pairs = columns
    .filter(({ ticked, options }) => ticked !== true && options === undefined)
    .map((column) => `--map ${shellWord(`${column.target ?? ''}=${nameOf(column, all)}`)}`);
  return pairs.length === 0 ? 'a template says how such cells are read' : pairs.join(' ');
}
