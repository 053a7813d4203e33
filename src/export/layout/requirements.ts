/**
 * Values that a layout's recipient takes: rows with another value are left out and named. A default in their place
 * would sell a German card as an English one.
 */
import type { Item } from '../../api/schemas.ts';
import { currencyOf, type ItemValues } from '../../where/item-values.ts';
import { dateTimeCell } from '../write/date-time-cell.ts';
import { RowTally } from '../write/row-tally.ts';
import { type ColumnSpec, type Layout, titleOf } from './layout.ts';
import { replacement } from './replacement.ts';

/** How many rows are named. */
const MOST_NAMED = 20;

type Problem = (item: Item) => string | undefined;

/** Whether the layout has a row for an item. */
export function takesOf(layout: Layout, values: ItemValues): (item: Item) => boolean {
  const problems = problemsIn(layout, values);
  return (item) => problems.every((problemOf) => problemOf(item) === undefined);
}

function problemsIn(layout: Layout, values: ItemValues): Problem[] {
  return layout.columns.flatMap((column) => (typeof column === 'string' ? [] : problemsOf(column, values)));
}

export class Requirements {
  /** Rows left out. */
  leftOut = 0;
  /** Of the rows that were kept; undefined if the layout takes every row. */
  readonly kept: RowTally | undefined;
  readonly #layout: string;
  readonly #problems: readonly Problem[];
  readonly #named: string[] = [];

  constructor(layout: Layout, values: ItemValues) {
    this.#layout = layout.name;
    this.#problems = problemsIn(layout, values);
    if (this.#problems.length > 0) this.kept = new RowTally();
  }

  async *filter(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<readonly Item[], void> {
    for await (const batch of batches) yield this.kept === undefined ? batch : batch.filter(this.#keeps);
  }

  /** Says which rows are left out, and why; undefined if there are none. */
  get warning(): string | undefined {
    if (this.leftOut === 0) return undefined;
    const more = this.leftOut > this.#named.length ? ' …' : '';
    const rows = this.leftOut === 1 ? '1 row is' : `${this.leftOut} rows are`;
    return `${rows} left out, because ${this.#layout} does not take their values: ${this.#named.join('; ')}${more}`;
  }

  readonly #keeps = (item: Item): boolean => {
    for (const problemOf of this.#problems) {
      const problem = problemOf(item);
      if (problem === undefined) continue;
      this.leftOut += 1;
      if (this.#named.length < MOST_NAMED) this.#named.push(`${item.name} (${item.id}): ${problem}`);
      return false;
    }
    this.kept?.add(item);
    return true;
  };
}

function problemsOf(column: ColumnSpec, values: ItemValues): Problem[] {
  const { field = '', words, currency, required, blank, format } = column;
  const problems: Problem[] = [];
  const title = titleOf(column);
  if (currency !== undefined) {
    problems.push((item) => {
      const found = currencyOf(item).toUpperCase();
      return found === currency.toUpperCase() ? undefined : `${title} is in ${currency}, not in ${found}`;
    });
  }
  if (required === true && words === undefined) {
    problems.push((item) => {
      const text = values.text(item, field);
      if (text === '') return `${field} is blank`;
      if (format === 'money' || format === 'number')
        return values.number(item, field) === undefined ? `${field} "${text}" is no number` : undefined;
      if (format !== 'date' && format !== 'datetime') return undefined;
      const cell = dateTimeCell(values.value(item, field));
      return typeof cell === 'object' ? undefined : `${field} "${text}" is no date (expected 2026-10-31)`;
    });
  }
  if (required === true && words !== undefined) {
    const replaced = replacement(field, words);
    problems.push((item) => {
      const text = values.text(item, field);
      if (text === '') return blank === undefined ? `${title} is blank` : undefined;
      return replaced(values.value(item, field), text) === undefined ? `${title} "${text}"` : undefined;
    });
  }
  return problems;
}
