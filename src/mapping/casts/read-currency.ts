/** Which currency the text of a cell shows, long after it was cast: for the check against the items. */
import { textPicker } from '../template/patterns.ts';
import { CastProblem } from './cast.ts';
import { parseDecimal } from './decimal.ts';

/**
 * Compiles the reading. It gives the codes that the amount's sign may stand for, none where it has no sign, and
 * undefined where the text is no amount.
 *
 * @param pattern of the template's column, and its group: what it leaves out is no part of the amount
 */
export function currencyReader(
  pattern?: string,
  group?: number | string,
): (text: string) => readonly string[] | undefined {
  const pick = pattern === undefined ? (text: string) => text : textPicker(pattern, group);
  return (text) => {
    const parsed = parseDecimal((pick(text) ?? text).trim());
    return parsed instanceof CastProblem ? undefined : (parsed.currency ?? []);
  };
}
