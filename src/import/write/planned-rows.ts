/**
 * The rows still to be sent, in file order as long as the last readings of their items are recent.
 *
 * Updates with older readings (`--recheck`) are put aside and sent in the order of the list: a page is read again, and
 * its rows are sent before the next page is read. So a job that runs for hours reads each page about once, whatever the
 * order of its rows.
 */
import type { Item } from '../../api/schemas.ts';
import type { LedgerRow } from '../../ledger/ledger.ts';
import type { RowAction } from '../../ledger/states.ts';
import { ItemReader } from '../items/current-items.ts';
import { type Circuit, withRecovery } from '../job/circuit.ts';
import type { Recheck } from './recheck.ts';
import type { WriteContext } from './write-context.ts';

const PAGE = 500;
/** As many as are in flight at once: readings of more items would be too old when their rows are sent. */
const ROWS_AT_ONCE = 64;
/** A row that was put aside this often is read individually. */
const MAX_TIMES_ASIDE = 8;
/** Rows with ordinals no further apart than this are loaded together. */
const GAP = 10;

export class PlannedRows {
  readonly #context: WriteContext;
  readonly #recheck: Recheck;
  readonly #circuit: Circuit;
  /** Rows after an ordinal, in state `planned`. */
  readonly #load: (after: number, actions: readonly RowAction[]) => Promise<LedgerRow[]>;
  /** Ids of items to read again, with the ordinals of their rows. */
  readonly #aside = new Map<string, number[]>();
  readonly #timesAside = new Map<number, number>();
  #after = 0;
  #reader: ItemReader | undefined;
  #pages: AsyncGenerator<Item[], void> | undefined;

  constructor(
    context: WriteContext,
    recheck: Recheck,
    circuit: Circuit,
    load: (after: number, actions: readonly RowAction[]) => Promise<LedgerRow[]>,
  ) {
    this.#context = context;
    this.#recheck = recheck;
    this.#circuit = circuit;
    this.#load = load;
  }

  /** The next rows; empty at the end. @throws ApiError if the items cannot be read again */
  async next(actions: readonly RowAction[]): Promise<LedgerRow[]> {
    for (;;) {
      const rows = await this.#load(this.#after, actions);
      const last = rows.at(-1);
      if (last === undefined) return this.#nextOfList();
      this.#after = last.ordinal;
      const ready = rows.filter((row) => !this.takeBack(row));
      if (ready.length > 0) return ready;
    }
  }

  /** Starts over from the first row, with nothing put aside. */
  restart(): void {
    this.#after = 0;
    this.#aside.clear();
    this.#timesAside.clear();
    this.#reader = undefined;
    this.#pages = undefined;
  }

  /** Takes back a row whose last reading is too old; false if it may be sent, or is cheaper to read individually. */
  takeBack(row: LedgerRow): boolean {
    if (this.#recheck.isFresh(row) || !this.#recheck.isReadByList(row)) return false;
    const times = this.#timesAside.get(row.ordinal) ?? 0;
    // The ledger may not know yet that a row which was sent before is free again.
    if (times >= MAX_TIMES_ASIDE || row.attempts > 0 || row.itemId === null) return false;
    this.#timesAside.set(row.ordinal, times + 1);
    this.#aside.set(row.itemId, [...(this.#aside.get(row.itemId) ?? []), row.ordinal]);
    this.#reader?.again(row.itemId);
    return true;
  }

  async #nextOfList(): Promise<LedgerRow[]> {
    while (this.#aside.size > 0) {
      this.#pages ??= this.#beginList();
      const step = await this.#pages.next();
      if (step.done === true) return this.#withoutList();
      const items = new Map(step.value.map((item) => [item.id.toLowerCase(), item]));
      const ready = (await this.#takeRows([...items.keys()])).filter((row) => {
        const item = items.get(row.itemId ?? '');
        return item === undefined || this.#recheck.judge(row, item);
      });
      if (ready.length > 0) return ready;
    }
    return [];
  }

  #beginList(): AsyncGenerator<Item[], void> {
    const { client, signal, clock, readings } = this.#context;
    this.#reader = new ItemReader({ client, signal, clock, readings }, this.#aside.keys(), {
      patiently: (read) => withRecovery(this.#circuit, read, { amongWrites: true }),
      priority: 'recheck',
    });
    return this.#reader.pages(ROWS_AT_ONCE);
  }

  /** Rows that are cheaper to read individually: the sender reads them. */
  async #withoutList(): Promise<LedgerRow[]> {
    this.#reader = undefined;
    const ids = [...this.#aside.keys()].slice(0, PAGE);
    const rows = await this.#takeRows(ids);
    for (const { ordinal } of rows) this.#timesAside.set(ordinal, MAX_TIMES_ASIDE);
    if (this.#aside.size === 0) this.#pages = undefined;
    return rows;
  }

  async #takeRows(itemIds: string[]): Promise<LedgerRow[]> {
    const ordinals = itemIds.flatMap((id) => this.#aside.get(id) ?? []).sort((a, b) => a - b);
    for (const id of itemIds) this.#aside.delete(id);
    const runs: number[][] = [];
    for (const ordinal of ordinals) {
      const run = runs.at(-1);
      if (run !== undefined && ordinal - (run.at(-1) ?? 0) <= GAP) run.push(ordinal);
      else runs.push([ordinal]);
    }
    const { ledger, job } = this.#context;
    const loaded = await Promise.all(
      runs.map(async (run) => {
        const first = run[0] ?? 0;
        const limit = (run.at(-1) ?? first) - first + 1;
        const rows = await ledger.rows.list(job.id, {
          states: ['planned'],
          actions: ['update'],
          after: first - 1,
          limit,
        });
        // If few rows are left, this page reaches into the next run, which loads its own rows.
        const own = new Set(run);
        return rows.filter(({ ordinal }) => own.has(ordinal));
      }),
    );
    return loaded.flat();
  }
}
