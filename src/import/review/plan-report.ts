/** A plan in numbers: changes by field, transition and value, and its cost in requests and time. */
import { Big } from 'big.js';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { isWordField } from '../../mapping/word-lists.ts';
import { moneyText } from '../../base/money.ts';
import { type FieldChange, isEmptied } from '../engine/field-changes.ts';
import type { RunOptions } from '../job/options.ts';
import { type ChangeRow, changeRows } from './change-rows.ts';

/** A plan in numbers. */
export interface PlanReport {
  /** Number of items that change in each field; most first. */
  fields: {
    /** A field, or `custom_fields.NAME`. */
    field: string;
    /** Items whose value changes. */
    items: number;
    /** Of these, items whose field becomes empty. */
    emptied: number;
  }[];
  /** Transitions of status, condition and packaging; most first. */
  transitions: {
    /** `status`, `condition` or `packaging`. */
    field: string;
    /** Previous word; null if the field was empty. */
    from: string | null;
    /** New word; null if the field becomes empty. */
    to: string | null;
    /** Number of items. */
    items: number;
  }[];
  /** Value of the changed items before and after, by currency: currencies are never added together. */
  values: ValueEffect[];
  /** Rows that look like existing items (`--check-similar`). */
  similar?: {
    /** Number of rows. */
    rows: number;
    /** The items that most rows look like, with the number of rows of each. */
    items: {
      /** UUID of the item. */
      id: string;
      /** Name of the item. */
      name: string;
      /** Number of rows. */
      rows: number;
    }[];
  };
  /**
   * Requests to send the plan. `recheck` are reads of items whose last reading will be older than `--recheck`: about
   * one per item for a plan that is applied later, and for a job that runs longer than that. Items whose tags or custom
   * fields change, or whose value is computed from the current one, are always read again.
   */
  requests: {
    /** Creates and updates. */
    write: number;
    /** All reads, including `recheck`. */
    read: number;
    /** Reads of items before they are changed. */
    recheck: number;
  };
  /** Requests per second that the API is known to admit; null if unknown. */
  rate: number | null;
  /** Estimated duration of the requests at that rate, ms; null if unknown. */
  estimatedMs: number | null;
  /** How the items were read for this plan; absent if no item had to be read. */
  reading?: {
    /** `each`: one request per item. `pages`: the whole list. */
    way: 'each' | 'pages';
    /** Number of items that were read. */
    items: number;
    /** Requests that it took. */
    requests: number;
    /** Requests that the other way would have needed, if known. */
    otherwise?: number;
  };
}

/** The effect of a plan on the value of items in one currency. Amounts are exact texts. */
export interface ValueEffect {
  /** null for creates, because the service decides their currency. */
  currency: string | null;
  /** Number of items that change. */
  items: number;
  /** Sum before the plan. */
  before: string;
  /** Sum after the plan. */
  after: string;
  /** `after` minus `before`. */
  difference: string;
  /** The same sums by status, if items change their status or are created. */
  byStatus: {
    /** The status of these items. */
    status: string;
    /** Sum before the plan. */
    before: string;
    /** Sum after the plan. */
    after: string;
  }[];
}

/** Values of creates are added up only up to this number of creates: reading a million payloads would cost too much. */
const MAX_CREATES = 50_000;
/** An import reads the collections, and the head of the list before its first write. */
const READS_BEFORE = 2;

/**
 * @param rate requests per second that the API is known to admit; undefined if unknown
 * @param run options of the run that would send the plan
 */
export async function planReport(
  job: JobRecord,
  ledger: Ledger,
  rate: number | undefined,
  { recheckMs }: Pick<RunOptions, 'recheckMs'>,
): Promise<PlanReport> {
  const { reading, similar } = job.plan;
  const counts = await ledger.rows.counts(job.id);
  const totals = new Totals();
  if (job.mode !== 'create' || counts.planned <= MAX_CREATES) {
    for await (const rows of changeRows(job, ledger, { states: ['planned'] })) rows.forEach(totals.add);
  }
  // By the list if that was cheaper; `--recheck 0s` reads each item by itself.
  const pages = recheckMs === 0 ? undefined : reading?.requests;
  const others = counts.plannedUpdates - totals.builtOnItems;
  const recheck =
    totals.builtOnItems +
    (recheckMs === Number.POSITIVE_INFINITY ? 0 : Math.min(others, pages ?? Number.POSITIVE_INFINITY));
  // The keys of new items are looked up again by whoever applies the plan.
  const lookup = counts.planned > counts.plannedUpdates ? (reading?.requests ?? 0) : 0;
  const requests = { write: counts.planned, read: READS_BEFORE + lookup + recheck, recheck };
  return {
    ...totals.report(),
    requests,
    rate: rate ?? null,
    estimatedMs: rate === undefined ? null : Math.ceil((requests.write + requests.read) / rate) * 1000,
    ...(reading === undefined ? {} : { reading }),
    ...(similar === undefined ? {} : { similar: { rows: similar.rows, items: similar.items } }),
  };
}

class Totals {
  readonly #fields = new Map<string, { items: number; emptied: number }>();
  readonly #transitions = new Map<string, PlanReport['transitions'][number]>();
  readonly #values = new Map<string | null, Values>();
  builtOnItems = 0;

  readonly add = (row: ChangeRow): void => {
    if (row.isBuiltOnItem === true) this.builtOnItems += 1;
    // All fields of a create are new: only the value is of interest.
    if (row.action !== 'create') row.changes.forEach((change) => this.#addChange(change));
    this.#addValue(row);
  };

  report(): Pick<PlanReport, 'fields' | 'transitions' | 'values'> {
    return {
      fields: most([...this.#fields].map(([field, counts]) => ({ field, ...counts }))),
      transitions: most([...this.#transitions.values()]),
      values: [...this.#values].map(([currency, values]) => values.effect(currency)),
    };
  }

  #addChange({ field, from, to }: FieldChange): void {
    const counts = this.#fields.get(field) ?? { items: 0, emptied: 0 };
    counts.items += 1;
    if (isEmptied(to)) counts.emptied += 1;
    this.#fields.set(field, counts);
    if (!isWordField(field)) return;
    const words = [from, to].map((word) => (typeof word === 'string' ? word : null));
    const key = JSON.stringify([field, ...words]);
    const [before = null, after = null] = words;
    const known = this.#transitions.get(key) ?? { field, from: before, to: after, items: 0 };
    known.items += 1;
    this.#transitions.set(key, known);
  }

  #addValue({ item, changes, action }: ChangeRow): void {
    const to = (field: string) => changes.find((change) => change.field === field)?.to;
    const value = to('estimated_value');
    const status = to('status');
    if (action === 'create') {
      if (typeof value !== 'number') return;
      this.#of(null).add(undefined, { status: typeof status === 'string' ? status : 'keep', value });
    } else if (item !== undefined && (value !== undefined || status !== undefined)) {
      const after = value === undefined ? item.value : (value as number | null);
      this.#of(item.currency).add(item, {
        status: typeof status === 'string' ? status : item.status,
        value: after,
      });
    }
  }

  #of(currency: string | null): Values {
    const known = this.#values.get(currency) ?? new Values();
    this.#values.set(currency, known);
    return known;
  }
}

interface Worth {
  status: string;
  value: number | null;
}

class Values {
  #items = 0;
  readonly #before = new Map<string, Big>();
  readonly #after = new Map<string, Big>();

  add(before: Worth | undefined, after: Worth): void {
    this.#items += 1;
    if (before !== undefined) sum(this.#before, before);
    sum(this.#after, after);
  }

  effect(currency: string | null): ValueEffect {
    const text = (amount: Big) => (currency === null ? amount.toFixed() : moneyText(amount, currency));
    const zero = new Big(0);
    const [before, after] = [this.#before, this.#after].map((amounts) =>
      [...amounts.values()].reduce((all, each) => all.plus(each), zero),
    ) as [Big, Big];
    const statuses = [...new Set([...this.#before.keys(), ...this.#after.keys()])];
    return {
      currency,
      items: this.#items,
      before: text(before),
      after: text(after),
      difference: text(after.minus(before)),
      byStatus: statuses.map((status) => ({
        status,
        before: text(this.#before.get(status) ?? zero),
        after: text(this.#after.get(status) ?? zero),
      })),
    };
  }
}

function sum(amounts: Map<string, Big>, { status, value }: Worth): void {
  amounts.set(status, (amounts.get(status) ?? new Big(0)).plus(value ?? 0));
}

function most<T extends { items: number }>(entries: T[]): T[] {
  return entries.sort((a, b) => b.items - a.items);
}
