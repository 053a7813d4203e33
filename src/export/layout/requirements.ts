/**
 * Values that a layout's recipient accepts: rows with other values are left out and reported. A default instead would
 * sell a German card as an English one.
 */
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { Item } from '../../api/schemas.ts';
import { currencyOf, type ItemValues } from '../../where/item-values.ts';
import { dateTimeCell } from '../write/date-time-cell.ts';
import { RowTally } from '../write/row-tally.ts';
import { type ColumnSpec, type Layout, titleOf } from './layout.ts';
import { replacement } from './replacement.ts';

/** Maximum number of rows to name. */
const MAX_NAMED = 20;

type Problem = (item: Item) => Message | undefined;

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
  /** Tally of the rows that were kept; undefined if the layout accepts every row. */
  readonly kept: RowTally | undefined;
  readonly #layout: string;
  readonly #problems: readonly Problem[];
  readonly #named: Message[] = [];

  constructor(layout: Layout, values: ItemValues) {
    this.#layout = layout.name;
    this.#problems = problemsIn(layout, values);
    if (this.#problems.length > 0) this.kept = new RowTally();
  }

  async *filter(batches: AsyncIterable<readonly Item[]>): AsyncGenerator<readonly Item[], void> {
    for await (const batch of batches) yield this.kept === undefined ? batch : batch.filter(this.#keeps);
  }

  /** Which rows are left out, and why; undefined if no row is. */
  get warning(): Message | undefined {
    if (this.leftOut === 0) return undefined;
    return message('rows_not_taken', {
      rows: this.leftOut,
      layout: this.#layout,
      problems: this.#named,
      more: this.leftOut > this.#named.length,
    });
  }

  readonly #keeps = (item: Item): boolean => {
    for (const problemOf of this.#problems) {
      const problem = problemOf(item);
      if (problem === undefined) continue;
      this.leftOut += 1;
      if (this.#named.length < MAX_NAMED)
        this.#named.push(message('item_problem', { name: item.name, id: item.id, problem }));
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
      return found === currency.toUpperCase()
        ? undefined
        : message('column_in_other_currency', { column: title, expected: currency, found });
    });
  }
  if (required === true && words === undefined) {
    problems.push((item) => {
      const text = values.text(item, field);
      if (text === '') return message('value_is_blank', { column: field });
      if (format === 'money' || format === 'number')
        return values.number(item, field) === undefined
          ? message('value_no_number', { column: field, value: text })
          : undefined;
      if (format !== 'date' && format !== 'datetime') return undefined;
      const cell = dateTimeCell(values.value(item, field));
      return typeof cell === 'object' ? undefined : message('value_no_date', { column: field, value: text });
    });
  }
  if (required === true && words !== undefined) {
    const replaced = replacement(field, words);
    problems.push((item) => {
      const text = values.text(item, field);
      if (text === '') return blank === undefined ? message('value_is_blank', { column: title }) : undefined;
      return replaced(values.value(item, field), text) === undefined
        ? message('value_not_listed', { column: title, value: text })
        : undefined;
    });
  }
  return problems;
}
