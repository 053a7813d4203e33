/** Custom fields: any value. The cell's own type is kept where the file has types. */
import type { Cell } from '../../sheets/cell.ts';
import { exactNumber } from '../exact-number.ts';
import { fold } from '../fold.ts';
import { type Cast, CastProblem, quoted } from './cast.ts';
import { checkNumberLost, checkText } from './text.ts';

/** Words in a header that make a column one of ids, where a number of lost digits is surely wrong. */
const ID_WORDS =
  /(?:^|[^\p{L}])(?:id|ids|no|nr|num|code)(?:$|[^\p{L}])|sku|upc|ean|isbn|asin|gtin|barcode|serial|catalog|number|nummer|numero/iu;

/** Whether a column looks like one of ids by its header. */
export function looksLikeIds(header: string): boolean {
  return ID_WORDS.test(header) || ID_WORDS.test(fold(header));
}

/** Compiles the cast: numbers and booleans of XLSX stay what they are, everything else is text. */
export function customFieldCast(header: string): Cast {
  const idLike = looksLikeIds(header);
  return (text, cell) => {
    const lost = idLike ? checkNumberLost(text, cell) : undefined;
    if (lost !== undefined) return lost;
    return typedValue(cell) ?? checkText(text) ?? text;
  };
}

/**
 * Custom fields in our own exports: as above, and objects and arrays are JSON text. A text that looks like JSON
 * cannot be told from it here; where the item exists, its current value's type decides (see text-form.ts).
 */
export function castExactCustomField(text: string, cell: Cell): unknown {
  return typedValue(cell) ?? jsonValue(text) ?? checkText(text) ?? text;
}

function typedValue(cell: Cell): number | boolean | CastProblem | undefined {
  if (typeof cell === 'boolean') return cell;
  if (typeof cell !== 'number') return undefined;
  if (!Number.isFinite(cell)) {
    return new CastProblem('not_a_number', `${quoted(String(cell))} is no number that JSON can carry`);
  }
  // -0 would be written as 0 by JSON, and compare as another value.
  return cell === 0 ? 0 : cell;
}

/**
 * The object or array that the text is as JSON; undefined for anything else, also for JSON numbers and texts, and
 * where it has a number whose digits would be lost.
 */
export function jsonValue(text: string): object | undefined {
  const first = text[0];
  if (first !== '{' && first !== '[') return undefined;
  let exact = true;
  // The third argument is the number as it is written (ES2025), which the types do not know yet.
  const check = (_key: string, value: unknown, context?: { source?: string }) => {
    if (typeof value === 'number' && context?.source !== undefined)
      exact &&= exactNumber(context.source) !== undefined;
    return value;
  };
  try {
    const value = JSON.parse(text, check) as object;
    return exact ? value : undefined;
  } catch {
    return undefined;
  }
}
