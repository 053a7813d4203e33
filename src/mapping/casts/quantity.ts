/** A quantity column: how many items one row becomes. Bounded, because what is created cannot be deleted. */
import { BLANK, type Cast, CastProblem, quoted } from './cast.ts';

/** The most items that one row may become; more is surely another kind of number (a price, an id). */
const QUANTITY_MAX = 1000;

/** Compiles the cast: 1 to 1,000; `2.0` is 2. */
export function quantityCast(isBlankWord: (text: string) => boolean): Cast {
  return (text) => {
    const match = /^(\d{1,6})(?:[.,]0+)?$/.exec(text);
    if (match === null && isBlankWord(text)) return BLANK;
    const quantity = match === null ? Number.NaN : Number(match[1]);
    if (quantity >= 1 && quantity <= QUANTITY_MAX) return quantity;
    return new CastProblem(
      'bad_quantity',
      `${quoted(text)} is not a quantity`,
      `a whole number from 1 to ${QUANTITY_MAX}`,
    );
  };
}
