/**
 * The hashes by which a later import recognises a row: of its payload, of its cells, of its values, and of its
 * identifiers.
 *
 * A new template changes the payload, and an added column changes the cells: rows are the same if they are equal in
 * either. If a column has another name, only the values are the same. The quantity and shelflift's own columns
 * (`_state` …) do not count.
 */
import { hash } from 'node:crypto';
import type { FileColumns } from '../../ledger/known-rows.ts';
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { cellsOf } from '../../ledger/stored-row.ts';
import { looksLikeIds } from '../../mapping/casts/custom-field.ts';
import { fold } from '../../mapping/fold.ts';
import { formsBefore, formsOf, isRounded, keptIn, type KeptCodes } from '../changes/rewritten.ts';
import { fieldsOfCreate } from '../engine/input.ts';
import { rowPages } from '../job/row-pages.ts';

/** Characters of a hash, 6 bits each: ten million rows collide in one of 10^14 stores. */
const LENGTH = 16;

/** The columns of a file whose cells count as content. */
export interface Columns {
  /** Column names in the form that is compared, sorted. */
  names: readonly string[];
  /** The index of each column in the row's cells. */
  places: readonly number[];
}

/** The columns of a job's file. */
export function columnsOf(job: FileColumns): Columns {
  const { quantityColumn } = job.plan;
  const used = new Map<string, number>();
  const found: { name: string; place: number }[] = [];
  for (const [place, header] of job.source.headers.entries()) {
    const folded = fold(header);
    const earlier = used.get(folded) ?? 0;
    used.set(folded, earlier + 1);
    if (place === quantityColumn || header.startsWith('_')) continue;
    found.push({ name: earlier === 0 ? folded : `${folded}#${earlier}`, place });
  }
  found.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    names: found.map(({ name }) => name),
    places: found.map(({ place }) => place),
  };
}

/** The same cells in the columns of another file; undefined if a column is missing here. */
export function narrowedTo(names: readonly string[], columns: Columns): Columns | undefined {
  const places = names.map((name) => columns.places[columns.names.indexOf(name)]);
  return places.includes(undefined) ? undefined : { ...columns, names, places: places as number[] };
}

/** Hash of the body of a create, whatever the order of its keys; undefined if it was pruned. */
export function payloadHash(row: Pick<LedgerRow, 'input'>): string | undefined {
  return row.input === null ? undefined : hashOf('payload', JSON.stringify(sortedKeys(fieldsOfCreate(row))));
}

/** Hash of the row's values, in whatever fields they are; undefined if they were pruned. */
export function valuesHash(row: Pick<LedgerRow, 'input'>): string | undefined {
  if (row.input === null) return undefined;
  const { custom_fields: custom = {}, ...fields } = fieldsOfCreate(row);
  const values = [...Object.values(fields), ...Object.values(custom as object)].map(valueText);
  return hashOf('values', JSON.stringify(values.sort()));
}

/** A custom field keeps the text of a number: 12.50, where another field has 12.5. */
function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : JSON.stringify(value);
  return /^\d+(?:\.\d+)?$/.test(text) ? String(Number(text)) : text;
}

/** Hash of the row's cells in these columns; undefined if they were pruned. */
export function cellsHash({ source }: Pick<LedgerRow, 'source'>, columns: Columns): string | undefined {
  if (source === null) return undefined;
  const cells = cellsOf({ source });
  const texts = columns.places.map((place) => (cells[place] ?? '').trim());
  return hashOf('cells', JSON.stringify([columns.names, texts]));
}

/** The custom fields that identify the row, judged by their headers: `SKU`, `Barcode`, `Item No`. */
export function identifiersOf(row: Pick<LedgerRow, 'input'>): Identifier[] {
  if (row.input?.includes('"custom_fields"') !== true) return [];
  const { custom_fields: custom = {} } = fieldsOfCreate(row) as {
    custom_fields?: Record<string, unknown>;
  };
  return Object.entries(custom).flatMap(([field, value]) => {
    const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
    return text === '' || !isIdName(field)
      ? []
      : [{ field, text, hash: hashOf('identifier', `${fold(field)}\n${text.toLowerCase()}`) }];
  });
}

/** Hashes by which codes are found in a file that a spreadsheet program has rewritten. */
export function rewrittenHashes(identifiers: readonly Identifier[]): string[] {
  return identifiers.flatMap(({ field, text }) => formsOf(text).map((form) => rewrittenHash(field, form)));
}

/** The hashes of the texts that an identifier may have had before a spreadsheet program rewrote it. */
export function hashesBefore({ field, text }: Identifier, kept: KeptCodes): string[] {
  return formsBefore(text, kept).map((form) => rewrittenHash(field, form));
}

function rewrittenHash(field: string, form: string): string {
  return hashOf('rewritten', `${fold(field)}\n${form}`);
}

/** Hash by which the lines of results and rejects files that stand for a row are found, whatever their cells are now. */
export function lineHash(job: string, place: string): string {
  return hashOf('line', `${job} ${place}`);
}

export interface Identifier {
  /** Name of the custom field. */
  field: string;
  text: string;
  hash: string;
}

/** The name as an identifier, for files whose rows have no other one; undefined if the row was pruned. */
export function nameOfRow(row: Pick<LedgerRow, 'input'>): Identifier | undefined {
  const { name } = row.input === null ? {} : fieldsOfCreate(row);
  if (typeof name !== 'string') return undefined;
  return { field: 'name', text: name, hash: hashOf('name', fold(name)) };
}

const idNames = new Map<string, boolean>();

function isIdName(field: string): boolean {
  let known = idNames.get(field);
  if (known === undefined) {
    known = looksLikeIds(field);
    idNames.set(field, known);
  }
  return known;
}

function hashOf(kind: string, text: string): string {
  return hash('sha256', `${kind}\n${text}`, 'base64url').slice(0, LENGTH);
}

function sortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortedKeys(inner)]));
}

const ROWS_TRIED = 5000;
/** Includes the rows that a killed run has already taken out, so that the other rows are judged as before. */
const COMPARED = { states: ['planned', 'skipped', 'held'], actions: ['create'] } as const;
/** Values identify rows if at least this share of them is distinct: typos are allowed. */
const DISTINCT = 0.98;
/** Values only number the rows if at least this share of them is the previous value plus 1. */
const RUNNING = 0.8;
/** A column with such a name identifies its rows even if its values are consecutive. */
const SURE = /sku|upc|ean|isbn|asin|gtin|barcode|serial/i;

/** The custom fields that identify the rows to create, and the forms of codes that their columns have kept. */
export async function identifyingFields(
  job: JobRecord,
  ledger: Ledger,
): Promise<ReadonlyMap<string, KeptCodes>> {
  const seen = new Map<string, Values>();
  const isRepeated = repeats();
  let tried = 0;
  for await (const rows of rowPages(ledger, job.id, COMPARED)) {
    for (const row of rows) {
      if (row.copy > 0 || isRepeated(row)) continue;
      for (const { field, text } of identifiersOf(row)) {
        const values = seen.get(field) ?? new Values();
        seen.set(field, values);
        values.add(text);
      }
    }
    tried += rows.length;
    if (tried >= ROWS_TRIED) break;
  }
  return new Map(
    [...seen].filter(([field, values]) => values.identify(field)).map(([field, { kept }]) => [field, kept]),
  );
}

/** True for a row that equals an earlier one: like a copy, it does not show that others share its code or name. */
function repeats(): (row: Pick<LedgerRow, 'input'>) => boolean {
  const seen = new Set<string>();
  return (row) => {
    const content = payloadHash(row);
    const isRepeated = content !== undefined && seen.has(content);
    if (content !== undefined) seen.add(content);
    return isRepeated;
  };
}

/** Fewer equal names may be chance. */
const MIN_NAMES = 3;
/** Two files have the same rows if at least this share of the names of one is in the other. */
const SAME_NAMES = 0.8;
/** At least this share of a file's names, or of its values, must be those of earlier rows: it may have new rows, too. */
const MIN_SHARE = 1 / 3;

/** Signs, other than equal cells, that a file has the rows of earlier files. */
export interface Resemblance {
  /** It has the names of the rows that earlier jobs have created, each once: it is the same list, whatever has changed. */
  names: boolean;
  /** It has the values of earlier rows, in columns of other names. */
  values: boolean;
}

/** @param isCompared whether the rows of an earlier job count */
export async function resemblance(
  job: JobRecord,
  ledger: Ledger,
  isCompared: (earlier: JobRecord) => boolean,
): Promise<Resemblance> {
  const names = new Set<string>();
  const values = new Set<string>();
  const isRepeated = repeats();
  let tried = 0;
  for await (const rows of rowPages(ledger, job.id, COMPARED)) {
    for (const row of rows) {
      const name = row.copy > 0 || isRepeated(row) ? undefined : nameOfRow(row);
      if (name === undefined) continue;
      names.add(name.hash);
      values.add(valuesHash(row) ?? '');
      tried += 1;
    }
    if (tried >= ROWS_TRIED) break;
  }
  if (names.size < tried * DISTINCT) names.clear();
  const found = await ledger.known.find(job.apiUrl, [...names, ...values], job.id);
  const byJob = Map.groupBy(found, ({ jobId }) => jobId);
  const jobs = byJob.size === 0 ? [] : await ledger.jobs.list(undefined, { ids: [...byJob.keys()] });
  const own = columnsOf(job).names.join('\n');
  const known = { names: new Set<string>(), values: new Set<string>() };
  let isWhole = false;
  for (const each of jobs.filter(isCompared)) {
    const hashes = new Set((byJob.get(each.id) ?? []).map(({ hash }) => hash));
    const same = hashes.intersection(names);
    isWhole ||= same.size >= each.sheetRows * SAME_NAMES;
    for (const hash of same) known.names.add(hash);
    if (columnsOf(each).names.join('\n') === own) continue;
    for (const hash of hashes.intersection(values)) known.values.add(hash);
  }
  return {
    names:
      known.names.size >= Math.max(MIN_NAMES, names.size * MIN_SHARE) &&
      (isWhole || known.names.size >= names.size * SAME_NAMES),
    values: known.values.size >= Math.max(1, values.size * MIN_SHARE),
  };
}

class Values {
  kept: KeptCodes = { zeros: false, dates: false };
  readonly #distinct = new Set<string>();
  #count = 0;
  #running = 0;
  #last = Number.NaN;

  add(text: string): void {
    // Several codes may be rounded to one.
    if (isRounded(text)) return;
    const { zeros, dates } = keptIn(text);
    this.kept = { zeros: this.kept.zeros || zeros, dates: this.kept.dates || dates };
    this.#count += 1;
    this.#distinct.add(text.toLowerCase());
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number === this.#last + 1) this.#running += 1;
    this.#last = number;
  }

  identify(field: string): boolean {
    if (this.#distinct.size < this.#count * DISTINCT) return false;
    return SURE.test(field) || this.#count < 2 || this.#running < (this.#count - 1) * RUNNING;
  }
}
