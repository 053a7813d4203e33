/** Changes that start from an item's own value: `estimated_value*=1.10`, `custom_fields.count+=1`. */
import { Big } from 'big.js';
import type { Item } from '../../api/schemas.ts';
import { exactNumber } from '../../exact-json.ts';
import { roundMoney } from '../../money.ts';
import { counted } from '../../counted.ts';
import { UsageError } from '../../errors.ts';
import type { StoredIssue } from '../../ledger/ledger.ts';
import type { RelativeChange } from '../engine/input.ts';
import { castLike } from '../../mapping/text-form.ts';
import { currencyOf, toBig } from '../../where/item-values.ts';

/** `--round none`: results keep all their digits. */
export const UNROUNDED = 'none';

/** Enough digits for a quotient to tell a half from anything beside it. */
const Exact = Big();
Exact.DP = 40;

/**
 * The new number, exact but for what `round` asks for: by default the digits of the currency.
 *
 * @param currency '' for a number that is no amount of money
 */
export function applied(current: Big, { sign, operand, round }: RelativeChange, currency = ''): Big {
  const value = new Exact(current);
  const result =
    sign === '*=' ? value.times(operand) : sign === '+=' ? value.plus(operand) : value.minus(operand);
  if (round === UNROUNDED) return result;
  if (round === undefined) return roundMoney(result, currency);
  return result.div(round).round(0, Big.roundHalfUp).times(round);
}

/** The new value of an item's field, or why the item stays as it is. */
export function relativeValue(
  field: string,
  current: unknown,
  change: RelativeChange,
  item: Item,
): { to: unknown } | { skip: StoredIssue } | { issue: StoredIssue } {
  const { currency } = change;
  if (currency !== undefined && currencyOf(item).toLowerCase() !== currency) {
    const message = `its value is in ${currencyOf(item).toUpperCase()}, not in ${currency.toUpperCase()}`;
    return { skip: { code: 'other_currency', message, column: field } };
  }
  if (current === null || current === undefined || current === '') {
    return {
      skip: {
        code: 'blank_value',
        message: `${field} is blank, so there is nothing to start from`,
        column: field,
      },
    };
  }
  const isValue = field === 'estimated_value';
  const number = toBig(current);
  if (number === undefined || (!isValue && !isWhole(number))) {
    const expected = isValue ? 'a number' : 'a whole number';
    const message = `${field} is ${JSON.stringify(current)}: expected ${expected}`;
    return { issue: { code: 'not_a_number', message, column: field } };
  }
  // A text such as 007 is a name: as a number it would lose its zeros.
  if (typeof current === 'string' && number.toFixed() !== current.trim()) {
    const message = `${field} is ${JSON.stringify(current)}, which is not written as a number is`;
    return { issue: { code: 'not_exact', message, column: field } };
  }
  const result = applied(number, change, isValue ? currencyOf(item) : '');
  if (isValue && result.lt(0)) return { to: 0 };
  const value = exactNumber(result.toFixed());
  if (value === undefined || (!isValue && !isWhole(result))) {
    const message = `${field} would be ${shortened(result)}, which cannot be sent exactly`;
    return { issue: { code: 'not_exact', message, column: field } };
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

/** The currencies of the values that one amount of a command changes: it means something in one of them only. */
export class CurrenciesChanged {
  readonly #items = new Map<string, number>();
  #isForAll = false;

  /** @param valueForAll a command sets the value of all items to one amount */
  note(item: Item, { relative, valueForAll }: ChangesValue): void {
    if (relative?.['estimated_value'] === undefined && valueForAll !== true) return;
    this.#isForAll = valueForAll === true;
    const currency = currencyOf(item).toUpperCase();
    this.#items.set(currency, (this.#items.get(currency) ?? 0) + 1);
  }

  /** @throws UsageError `mixed_currencies` if there are several */
  check(): void {
    if (this.#items.size < 2) return;
    const found = [...this.#items].sort(([, a], [, b]) => b - a);
    const list = found.map(([currency, count]) => `${currency} (${counted(count, 'item')})`).join(', ');
    throw new UsageError(
      'mixed_currencies',
      `The values to change are in several currencies: ${list}. Nothing was changed.`,
      {
        remedy: this.#isForAll
          ? `Change one currency at a time: --where currency=${found[0]?.[0].toLowerCase() ?? ''}`
          : `Change one currency at a time: --currency ${found[0]?.[0] ?? ''}`,
      },
    );
  }
}
