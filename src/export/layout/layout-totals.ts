/** Totals rows: exact sums of the displayed amounts. Money is summed by currency, with a row for each. */
import { Big } from 'big.js';
import type { Item } from '../../api/schemas.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { Cell } from '../../sheets/cell.ts';
import { moneyText } from '../../base/money.ts';
import { currencyOf } from '../../where/item-values.ts';
import type { LayoutColumn } from './compile-columns.ts';
import type { Layout } from './layout.ts';

/** How many texts a warning names, and how many characters of each. */
const MAX_NAMED = 3;
const MAX_SHOWN = 40;

/** The label before a currency in a totals row; undefined if the layout has no totals. */
export function totalsLabel(totals: Layout['totals']): string | undefined {
  if (totals === undefined || totals === false) return undefined;
  return totals === true ? 'Total' : totals;
}

export class LayoutTotals {
  readonly #columns: readonly LayoutColumn[];
  readonly #label: string;
  /** Currency → column → sum; numbers that are not money are under ''. */
  #sums = new Map<string, Map<number, Big>>();
  /** Column of money → currency → sum over all sheets. */
  readonly #amounts = new Map<number, Map<string, Big>>();
  /** Column → rows that add nothing to it because a value is a text, such as "12,50". */
  readonly #texts = new Map<number, { rows: number; named: string[] }>();

  constructor(columns: readonly LayoutColumn[], label: string) {
    this.#columns = columns;
    this.#label = label;
  }

  add(item: Item): void {
    for (const [index, { total }] of this.#columns.entries()) {
      if (total === undefined) continue;
      const amount = total.amount(item);
      if (amount === undefined) {
        this.#addText(index, total.noNumber(item));
        continue;
      }
      const currency = currencyOf(item);
      // An item that no longer exists adds nothing to a sum of money.
      if (total.kind === 'money' && currency === '') continue;
      if (total.kind === 'money') this.#addAmount(index, currency.toLowerCase(), amount);
      const group = total.kind === 'money' ? currency.toLowerCase() : '';
      const sums = this.#sums.get(group) ?? new Map<number, Big>();
      sums.set(index, (sums.get(index) ?? new Big(0)).plus(amount));
      this.#sums.set(group, sums);
    }
  }

  #addAmount(column: number, currency: string, amount: Big): void {
    const sums = this.#amounts.get(column) ?? new Map<string, Big>();
    sums.set(currency, (sums.get(currency) ?? new Big(0)).plus(amount));
    this.#amounts.set(column, sums);
  }

  #addText(column: number, text: string | undefined): void {
    if (text === undefined) return;
    const { rows, named } = this.#texts.get(column) ?? { rows: 0, named: [] };
    if (named.length < MAX_NAMED) named.push(text.slice(0, MAX_SHOWN));
    this.#texts.set(column, { rows: rows + 1, named });
  }

  /** A warning for each column whose totals lack rows that have a value. */
  warnings(): Message[] {
    return [...this.#texts].map(([column, { rows, named }]) =>
      message('total_lacks_texts', {
        column: this.#columns[column]?.header ?? '',
        rows,
        texts: named,
        more: rows > named.length,
      }),
    );
  }

  /** How many values the totals lack, because they are texts. */
  get lacking(): number {
    return [...this.#texts.values()].reduce((sum, { rows }) => sum + rows, 0);
  }

  /** The sums over all sheets, as plain digits. */
  amounts(): { title: string; totals: Record<string, string> }[] {
    return [...this.#amounts].map(([column, sums]) => ({
      title: this.#columns[column]?.header ?? '',
      totals: Object.fromEntries(
        [...sums].sort(byCode).map(([currency, sum]) => [currency, moneyText(sum, currency)]),
      ),
    }));
  }

  /**
   * Returns the totals so far and starts over: a row of plain numbers, which have no currency, and a row for each
   * currency.
   */
  take(): Cell[][] {
    const sums = this.#sums;
    this.#sums = new Map();
    return [...sums].sort(byCode).map(([currency, group]) => {
      const label = currency === '' ? this.#label : `${this.#label} ${currency.toUpperCase()}`;
      const cells = this.#columns.map(({ total }, column): Cell => {
        const sum = group.get(column);
        return sum === undefined || total === undefined ? null : total.show(sum, currency);
      });
      const free = cells.findIndex((cell) => cell === null);
      if (free >= 0) cells[free] = label;
      return cells;
    });
  }
}

function byCode([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}
