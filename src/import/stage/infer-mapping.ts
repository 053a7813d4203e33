/**
 * How an import without a template understands the columns: by headers and values together. What is not certain is
 * used once the user has confirmed it, and from then on for every file with these headers.
 */
import { createHash } from 'node:crypto';
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
import type { Emit } from '../job/events.ts';
import type { ImportRequest } from '../job/options.ts';

/** Space of the store's values: accepted mappings by mode and headers. */
const SPACE = 'mapping';

export interface InferredMapping {
  /** Absent where headers said all there is. */
  template?: Template;
  /** Columns that nobody has agreed to yet. */
  unsure: ColumnGuess[];
  columns: ColumnGuess[];
  /** No column has a name that is known: the row of names may be data. */
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
 * Infers, from the first rows of `table`, which stay readable; or remembers what was accepted before.
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
  const hints = known === undefined ? [] : [`these columns are what --template ${known} is made for`];
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
 * Gets a person's word for what is not sure, and remembers it. A dry run asks nothing: what it shows is the answer.
 *
 * @throws UsageError `unsure_mapping` without that word
 */
export async function agreeOnMapping(
  { template, unsure, columns, nameless }: InferredMapping,
  request: ImportRequest,
  table: SheetTable,
  deps: { ledger: Ledger; emit: Emit; confirm?: (question: string) => Promise<boolean> },
): Promise<void> {
  if (template === undefined || unsure.length === 0) return;
  const which = unsure
    .map(
      (column) => `
  ${describe(column)}`,
    )
    .join('');
  const names = nameless
    ? `\n  Row ${table.headerRow} is taken for the column names, and none of them is known: if it is data, put names above it.`
    : '';
  const what = `not sure of ${unsure.length === 1 ? 'a column' : `${unsure.length} columns`}:${which}${names}`;
  if (request.dryRun === true) {
    deps.emit({ type: 'note', message: `${what}\n  An import that sends will ask, or wants --yes.` });
    return;
  }
  if (request.run?.yes === true) deps.emit({ type: nameless ? 'warning' : 'note', message: what });
  const agreed =
    request.run?.yes === true ||
    (await deps.confirm?.(`${what}\nTake ${unsure.length === 1 ? 'it' : 'them'} so?`));
  if (agreed !== true) {
    throw new UsageError('unsure_mapping', `${what}\n  Nothing was sent.`, {
      position: { file: table.file },
      remedy: `If that is right, add --yes: it is remembered for files with these headers. If not, say which it is: ${paste(unsure, columns)}; or write it down: shelflift template infer ${shellWord(table.file)} --out my.yaml`,
    });
  }
  const accepted: Accepted = { template, at: new Date().toISOString() };
  const key = keyOf(optionsOf(request, table));
  await deps.ledger.values.put(SPACE, [{ key, value: JSON.stringify(accepted) }]);
  deps.emit({ type: 'note', message: 'this use of the columns is remembered for files with these headers' });
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
  return new UsageError('header_is_data', `the row taken for column names is data: ${what}`, {
    position: { file, row: headerRow, ...(sheet === undefined ? {} : { sheet }) },
    remedy: `Put a row of names above it (name, brand, release_year …), or name the columns by letter: --map name=A. If it does hold the names: --header-row ${headerRow}`,
  });
}

/** The same set of headers in any order; a column without a name of its own counts by its place. */
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
  // Accepted by another version, whose templates could say something else: asked again.
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
  return `columns as accepted on ${at.slice(0, 10)} for these headers: ${columns.join('; ')} (--map or --template says otherwise)`;
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
