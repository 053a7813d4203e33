/** Reads the currency of a staged cell, to compare it with that of the items. */
import { textPicker } from '../template/patterns.ts';
import { readAmount } from './approximate.ts';
import { CastProblem } from './cast.ts';

/**
 * Compiles the reader. It returns the codes that the amount's sign can stand for: an empty list if there is no sign,
 * undefined if the text is not an amount.
 *
 * @param pattern the template column's pattern (and its group); text outside it is not part of the amount
 */
export function currencyReader(
  pattern?: string,
  group?: number | string,
): (text: string) => readonly string[] | undefined {
  const pick = pattern === undefined ? (text: string) => text : textPicker(pattern, group);
  return (text) => {
    const read = readAmount((pick(text) ?? text).trim());
    return read instanceof CastProblem ? undefined : (read.amount.currency ?? []);
  };
}
