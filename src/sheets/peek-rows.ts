/** Reads a table's first rows without consuming them. */
import type { Cell } from './cell.ts';
import type { SheetRow, SheetTable } from './table.ts';

export interface Peeked {
  /** The first rows: at least the requested number, or all rows. */
  rows: SheetRow[];
  /** Closes the file if the table is not read further. */
  close: () => Promise<void>;
}

/** Reads the first rows of `table`; its `batches` still begin with the first row, and can still be read once. */
export async function peekRows(table: SheetTable, count: number): Promise<Peeked> {
  const iterator = table.batches[Symbol.asyncIterator]();
  const kept: SheetRow[][] = [];
  let rows = 0;
  let ended = false;
  while (rows < count && !ended) {
    const next = await iterator.next();
    if (next.done === true) ended = true;
    else {
      kept.push(next.value);
      rows += next.value.length;
    }
  }
  const close = async () => void (await iterator.return?.());
  table.batches = { [Symbol.asyncIterator]: () => replay(kept, iterator, close) };
  return { rows: kept.flat(), close };
}

/** The cells of a table's first rows, which are read when somebody asks for them. The table stays readable from its beginning. */
export class FirstCells {
  readonly #table: SheetTable;
  readonly #most: number;
  #peeked: Peeked | undefined;

  constructor(table: SheetTable, most: number) {
    this.#table = table;
    this.#most = most;
  }

  async cells(): Promise<Cell[][]> {
    this.#peeked ??= await peekRows(this.#table, this.#most);
    return this.#peeked.rows.slice(0, this.#most).map(({ cells }) => cells);
  }

  /** Closes the file if the table is not read further. */
  async close(): Promise<void> {
    await this.#peeked?.close();
  }
}

async function* replay(
  kept: SheetRow[][],
  rest: AsyncIterator<SheetRow[]>,
  close: () => Promise<void>,
): AsyncGenerator<SheetRow[], void, undefined> {
  try {
    for (let batch = kept.shift(); batch !== undefined; batch = kept.shift()) yield batch;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await close();
  }
}
