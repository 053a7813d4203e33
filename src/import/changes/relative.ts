/** Changes relative to an item's current value: `estimated_value*=1.10`, `custom_fields.count+=1`. */
import { Big } from 'big.js';
import type { Item } from '../../api/schemas.ts';
import { exactNumber } from '../../base/exact-json.ts';
import { roundMoney } from '../../base/money.ts';
import { message } from '../../messages/message.ts';
import { UsageError } from '../../base/errors.ts';
import type { StoredIssue } from '../../ledger/ledger.ts';
import { issueOf } from '../engine/stored-issue.ts';
import type { RelativeChange } from '../engine/input.ts';
import type { Update } from '../engine/operation.ts';
import { castLike } from '../../mapping/text-form.ts';
import { currencyOf, toBig } from '../../where/item-values.ts';

/** `--round none`: results keep all their digits. */
export const UNROUNDED = 'none';

/** Enough digits to tell an exact half from a value next to it. */
const Exact = Big();
Exact.DP = 40;

/**
 * The new number, rounded as `round` says: by default to the digits of the currency.
 *
 * @param currency '' for a number that is not an amount of money
 */
export function applied(current: Big, { sign, operand, round }: RelativeChange, currency = ''): Big {
  const value = new Exact(current);
  const result =
    sign === '*=' ? value.times(operand) : sign === '+=' ? value.plus(operand) : value.minus(operand);
  if (round === UNROUNDED) return result;
  if (round === undefined) return roundMoney(result, currency);
  return result.div(round).round(0, Big.roundHalfUp).times(round);
}

/** The new value of an item's field, or the reason why the field cannot change. */
export function relativeValue(
  field: string,
  current: unknown,
  change: RelativeChange,
  item: Item,
): { to: unknown } | { skip: StoredIssue } | { issue: StoredIssue } {
  const { currency } = change;
  const at = { column: field };
  if (currency !== undefined && currencyOf(item).toLowerCase() !== currency) {
    const params = { field, is: currencyOf(item).toUpperCase(), wanted: currency.toUpperCase() };
    return { skip: issueOf('other_currency', message('currency_differs', params), at) };
  }
  if (current === null || current === undefined || current === '') {
    return { skip: issueOf('blank_value', message('nothing_to_start_from', { field }), at) };
  }
  const isValue = field === 'estimated_value';
  const number = toBig(current);
  if (number === undefined || (!isValue && !isWhole(number))) {
    const said = message('not_a_start', { field, is: JSON.stringify(current), isWhole: !isValue });
    return { issue: issueOf('not_a_number', said, at) };
  }
  // A text such as 007 is a name, not a number: it would lose its zeros.
  if (typeof current === 'string' && number.toFixed() !== current.trim()) {
    const said = message('not_written_as_number', { field, is: JSON.stringify(current) });
    return { issue: issueOf('not_exact', said, at) };
  }
  const result = applied(number, change, isValue ? currencyOf(item) : '');
  if (isValue && result.lt(0)) return { to: 0 };
  const value = exactNumber(result.toFixed());
  if (value === undefined || (!isValue && !isWhole(result))) {
    const said = message('not_exact', { field, to: shortened(result) });
    return { issue: issueOf('not_exact', said, at) };
  }
  return { to: isValue ? value : castLike(current, String(value), value) };
}

function isWhole(number: Big): boolean {
  return number.round(0, Big.roundDown).eq(number);
}

function shortened(number: Big): string {
  const text = number.toFixed();
  return text.length > 40 ? number.toExponential(15) : text;
}

interface ChangesValue {
  relative?: Readonly<Record<string, RelativeChange>>;
  valueForAll?: true;
}

/** The currencies of the values that one amount of a command changes: the amount makes sense in only one currency. */
export class CurrenciesChanged {
  readonly #items = new Map<string, number>();
  #isForAll = false;

  /** @param valueForAll the command sets all items to the same amount */
  note(item: Item, { relative, valueForAll }: ChangesValue, { unset = [] }: Pick<Update, 'unset'>): void {
    if (relative?.['estimated_value'] === undefined && valueForAll !== true) return;
    if (unset.some(({ column }) => column === 'estimated_value')) return;
    this.#isForAll = valueForAll === true;
    const currency = currencyOf(item).toUpperCase();
    this.#items.set(currency, (this.#items.get(currency) ?? 0) + 1);
  }

  /** @throws UsageError `mixed_currencies` if there are several */
  check(): void {
    if (this.#items.size < 2) return;
    const found = [...this.#items].sort(([, a], [, b]) => b - a);
    const currencies = found.map(([currency, items]) => message('items_in_currency', { currency, items }));
    const [[first] = ['']] = found;
    const only = this.#isForAll
      ? { option: 'where', value: `currency=${first.toLowerCase()}` }
      : { option: 'currency', value: first };
    throw new UsageError(
      'mixed_currencies',
      message(
        'mixed_currencies',
        { currencies },
        { do: 'setOption', ...only, label: message('to_change_one_currency', {}) },
      ),
    );
  }
}
