/**
 * Shortens long tables for people: the first rows, and one row that adds up the rest, so that the rows still add up
 * to the total. A report's CSV always has all rows.
 */
import { Big } from 'big.js';
import { count } from '../base/counted.ts';
import { meanMoney } from '../base/money.ts';
import type { Block, Column, Row, Value } from './model.ts';
import { shareOf } from '../export/tally.ts';

export interface FoldedRows {
  rows: readonly Row[];
  /** The omitted rows, added up; undefined if there are none, or if the rows are not parts of a total. */
  rest: Row | undefined;
  /** Number of omitted rows. */
  left: number;
}

/** @param most maximum number of rows to keep */
export function foldRows(
  { rows, total, currency }: Block,
  columns: readonly Column[],
  most: number,
): FoldedRows {
  if (rows.length <= most) return { rows, rest: undefined, left: 0 };
  // Items without the property keep a row of their own, however many others there are.
  const blank = total === undefined ? [] : rows.filter((row) => row.key === '');
  const named = rows.filter((row) => !blank.includes(row));
  const kept = named.slice(0, most - blank.length);
  const others = named.slice(kept.length);
  return {
    rows: [...kept, ...blank],
    rest: total === undefined ? undefined : together(others, total, columns, currency ?? ''),
    left: others.length,
  };
}

function together(rows: readonly Row[], total: Row, columns: readonly Column[], currency: string): Row {
  const sums = new Map<string, Value>();
  for (const [index, { key, formula }] of columns.entries()) {
    // Columns without a total, such as texts, have no sum.
    if (index === 0 || formula !== undefined || (total.values[index] ?? null) === null) continue;
    const values = rows.map((row) => row.values[index] ?? null).filter((value) => value !== null);
    const sum = values.reduce<Big>((all, value) => all.plus(value), new Big(0));
    sums.set(key, values.length === 0 ? null : sum);
  }
  const whole = (key: string) => total.values[columns.findIndex((column) => column.key === key)] ?? null;
  const values = columns.map(({ key, formula }, index): Value => {
    if (index === 0) return `${count(rows.length)} more, combined`;
    if (formula === undefined) return sums.get(key) ?? null;
    if ('share' in formula) {
      const [part, all] = [sums.get(formula.share) ?? null, whole(formula.share)];
      return part === null || all === null ? null : shareOf(new Big(part), new Big(all));
    }
    const [sum, of] = [sums.get(formula.mean) ?? null, Number(sums.get(formula.by) ?? 0)];
    return sum === null || of === 0 ? null : meanMoney(new Big(sum), of, currency);
  });
  return { key: '', values };
}
