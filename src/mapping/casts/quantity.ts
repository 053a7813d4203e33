/** Quantity columns: the number of items that a row creates. It is limited, because created items cannot be deleted. */
import { message } from '../../messages/message.ts';
import { type Approximations, approximateCount, notExact } from './approximate.ts';
import { BLANK, type Cast, CastProblem, cut } from './cast.ts';

/** Maximum number of items per row; a larger number is certainly something else (a price, an id). */
const QUANTITY_MAX = 1000;
const EXPECTED = message('whole_number_from', { least: 1, most: QUANTITY_MAX });

/**
 * Compiles the cast: 1 to 1,000; `2.0` is 2.
 *
 * @param approximate if given, `2x` and `1 Stk.` are read too, and counted here
 */
export function quantityCast(isBlankWord: (text: string) => boolean, approximate?: Approximations): Cast {
  return (text) => {
    const match = /^(\d{1,6})(?:[.,]0+)?$/.exec(text);
    if (match === null && isBlankWord(text)) return BLANK;
    if (match !== null) return inBounds(Number(match[1]), text);
    const about = approximateCount(text);
    if (about === undefined) return notAQuantity(text);
    const read = inBounds(about.count, text);
    if (approximate !== undefined) {
      approximate.add(text, about.count, about.isRange);
      return read;
    }
    return typeof read === 'number' ? notExact(text, read, EXPECTED) : read;
  };
}

function inBounds(quantity: number, text: string): number | CastProblem {
  return quantity >= 1 && quantity <= QUANTITY_MAX ? quantity : notAQuantity(text);
}

function notAQuantity(text: string): CastProblem {
  return new CastProblem('bad_quantity', message('no_quantity', { text: cut(text) }), EXPECTED);
}

/** A larger number in a row does not count as a number of pieces to add one by one. */
const MAX_PIECES = 100;

export interface Pieces {
  from: number;
  to: number;
}

/** The smallest and largest number of pieces per row; undefined if it is always one, or not a number of pieces. */
export function piecesOf(texts: readonly string[]): Pieces | undefined {
  const numbers = texts.filter((text) => text !== '').map(Number);
  const isCount = numbers.every((each) => Number.isSafeInteger(each) && each > 0 && each <= MAX_PIECES);
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  return numbers.length > 0 && isCount && to > 1 ? { from, to } : undefined;
}
