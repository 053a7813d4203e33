/**
 * Sorts rows without keeping all of them in memory: runs of 25,000 are sorted, written to disk, and merged as they
 * are read back (an external merge sort). Memory holds one run at a time, then a few rows of each.
 */
import { parseExactJson } from '../../base/exact-json.ts';
import type { Item } from '../../api/schemas.ts';
import { FileChunks } from '../keep/chunk-store.ts';
import type { ItemValues } from '../../where/item-values.ts';

/** By one field; blanks come last in both directions. */
export interface SortKey {
  field: string;
  descending: boolean;
  /** Compares digits as text: only equal texts are equal. */
  asText?: boolean;
}

const RUN_ROWS = 25_000;
const CHUNK_ROWS = 200;

interface Keyed {
  item: Item;
  keys: (string | number | undefined)[];
}

export interface SortOptions {
  keys: readonly SortKey[];
  values: ItemValues;
  /** Order of texts; default English. Digits within texts are compared as numbers. */
  locale?: string;
  runRows?: number;
}

/** Rows with equal keys keep their order. */
export async function* sortRows(
  batches: AsyncIterable<readonly Item[]>,
  options: SortOptions,
): AsyncGenerator<Item[], void> {
  const { runRows = RUN_ROWS } = options;
  const order = new RowOrder(options);
  const runs: FileChunks[] = [];
  let run: Keyed[] = [];
  try {
    for await (const batch of batches) {
      for (const item of batch) run.push(order.keyed(item));
      if (run.length < runRows) continue;
      runs.push(await spilled(run.sort(order.compare)));
      run = [];
    }
    run.sort(order.compare);
    if (runs.length === 0) {
      for (let from = 0; from < run.length; from += CHUNK_ROWS) {
        yield run.slice(from, from + CHUNK_ROWS).map(({ item }) => item);
      }
      return;
    }
    if (run.length > 0) runs.push(await spilled(run));
    run = [];
    yield* merge(runs, order);
  } finally {
    for (const each of runs) await each[Symbol.asyncDispose]();
  }
}

class RowOrder {
  readonly #options: SortOptions;
  readonly #collator: Intl.Collator;

  constructor(options: SortOptions) {
    this.#options = options;
    this.#collator = new Intl.Collator(options.locale ?? 'en', { numeric: true });
  }

  keyed(item: Item): Keyed {
    const { keys, values } = this.#options;
    return {
      item,
      keys: keys.map(({ field, asText }) => {
        const number = asText === true ? undefined : values.number(item, field);
        if (number !== undefined) return number.toNumber();
        const text = values.text(item, field);
        return text === '' ? undefined : text;
      }),
    };
  }

  readonly compare = (a: Keyed, b: Keyed): number => {
    const { keys } = this.#options;
    for (const [index, { descending }] of keys.entries()) {
      const difference = this.#compareKeys(a.keys[index], b.keys[index], descending);
      if (difference !== 0) return difference;
    }
    return 0;
  };

  #compareKeys(a: string | number | undefined, b: string | number | undefined, descending: boolean): number {
    if (a === b) return 0;
    if (a === undefined) return 1;
    if (b === undefined) return -1;
    let difference: number;
    if (typeof a === 'number' && typeof b === 'number') difference = a - b;
    // Numbers come before texts.
    else if (typeof a === 'number') difference = -1;
    else if (typeof b === 'number') difference = 1;
    // Texts that are equal for the collator but written differently still have a fixed order, next to each other.
    else difference = this.#collator.compare(a, b) || (a < b ? -1 : 1);
    return descending ? -difference : difference;
  }
}

async function spilled(run: readonly Keyed[]): Promise<FileChunks> {
  const chunks = new FileChunks();
  for (let from = 0; from < run.length; from += CHUNK_ROWS) {
    const items = run.slice(from, from + CHUNK_ROWS).map(({ item }) => item);
    await chunks.put([Buffer.from(JSON.stringify(items))]);
  }
  return chunks;
}

/** A run that is being merged: its next rows, and the rest. */
interface Input {
  run: number;
  rows: Keyed[];
  at: number;
  rest: AsyncGenerator<string, void>;
}

async function* merge(runs: readonly FileChunks[], order: RowOrder): AsyncGenerator<Item[], void> {
  const inputs: Input[] = [];
  for (const [run, chunks] of runs.entries()) {
    const input: Input = { run, rows: [], at: 0, rest: chunks.all() };
    if (await refill(input, order)) inputs.push(input);
  }
  const before = (a: Input, b: Input): boolean => {
    const [one, other] = [a.rows[a.at], b.rows[b.at]];
    const difference = one === undefined || other === undefined ? 0 : order.compare(one, other);
    // Equal rows keep the order of their runs.
    return difference < 0 || (difference === 0 && a.run < b.run);
  };
  for (let index = Math.floor(inputs.length / 2) - 1; index >= 0; index -= 1) sink(inputs, index, before);
  let batch: Item[] = [];
  for (let first = inputs[0]; first !== undefined; first = inputs[0]) {
    const row = first.rows[first.at];
    if (row !== undefined) batch.push(row.item);
    first.at += 1;
    if (first.at >= first.rows.length && !(await refill(first, order))) {
      const last = inputs.pop();
      if (last !== undefined && last !== first) inputs[0] = last;
    }
    sink(inputs, 0, before);
    if (batch.length < CHUNK_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function refill(input: Input, order: RowOrder): Promise<boolean> {
  const { value } = await input.rest.next();
  if (typeof value !== 'string') return false;
  input.rows = (parseExactJson(value) as Item[]).map((item) => order.keyed(item));
  input.at = 0;
  return true;
}

/** Restores the heap below `from`: every input comes before its two children. */
function sink(inputs: Input[], from: number, before: (a: Input, b: Input) => boolean): void {
  for (let index = from; ; ) {
    let least = index;
    for (const child of [2 * index + 1, 2 * index + 2]) {
      const [a, b] = [inputs[child], inputs[least]];
      if (a !== undefined && b !== undefined && before(a, b)) least = child;
    }
    const [top, other] = [inputs[index], inputs[least]];
    if (least === index || top === undefined || other === undefined) return;
    inputs[index] = other;
    inputs[least] = top;
    index = least;
  }
}
