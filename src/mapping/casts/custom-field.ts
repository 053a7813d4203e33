/** Custom fields take any value. The cell's own type is kept if the file has types. */
import { message } from '../../messages/message.ts';
import type { Cell } from '../../sheets/cell.ts';
import { exactNumber } from '../../base/exact-json.ts';
import { fold } from '../fold.ts';
import { type Cast, CastProblem, cut } from './cast.ts';
import { checkNumberLost, checkText } from './text.ts';

/** Words in headers of id columns, in which a number with lost digits is certainly wrong. */
const ID_WORDS =
  /(?:^|[^\p{L}])(?:id|ids|no|nr|num|code)(?:$|[^\p{L}])|sku|upc|ean|isbn|asin|gtin|barcode|serial|catalog|number|nummer|numero/iu;

/** Whether the header suggests a column of ids. */
export function looksLikeIds(header: string): boolean {
  return ID_WORDS.test(header) || ID_WORDS.test(fold(header));
}

/** Numbers with lost digits that are kept, for a note at the end. */
export class LostDigits {
  #first: string | undefined;

  add(text: string): void {
    this.#first ??= text;
  }

  /** A note about the first of these numbers. */
  note(): string | undefined {
    return this.#first === undefined ? undefined : cut(this.#first);
  }
}

/**
 * Compiles the cast: numbers and booleans of workbooks keep their type, everything else is text.
 *
 * @param lostDigits if given, ids that have lost digits are kept, and noted here; otherwise they are issues
 */
export function customFieldCast(header: string, lostDigits?: LostDigits): Cast {
  const idLike = looksLikeIds(header);
  return (text, cell) => {
    const lost = idLike ? checkNumberLost(text, cell) : undefined;
    if (lost !== undefined && lostDigits === undefined) return lost;
    if (lost !== undefined) lostDigits?.add(text);
    return typedValue(cell) ?? checkText(text) ?? text;
  };
}

/**
 * Custom fields in our own exports: cast as by customFieldCast, but JSON text becomes objects and arrays. A plain text
 * that looks like JSON cannot be recognised here; if the item exists, the type of its current value decides (see
 * text-form.ts).
 */
export function castExactCustomField(text: string, cell: Cell): unknown {
  return typedValue(cell) ?? jsonValue(text) ?? checkText(text) ?? text;
}

function typedValue(cell: Cell): number | boolean | CastProblem | undefined {
  if (typeof cell === 'boolean') return cell;
  if (typeof cell !== 'number') return undefined;
  if (!Number.isFinite(cell)) {
    return new CastProblem('not_a_number', message('no_json_number', { text: cut(String(cell)) }));
  }
  // JSON would write -0 as 0, and the two compare as different values.
  return cell === 0 ? 0 : cell;
}

/**
 * The object or array that the JSON text stands for. Undefined for anything else, including JSON numbers and strings,
 * and if a number in it would lose digits.
 */
export function jsonValue(text: string): object | undefined {
  const first = text[0];
  if (first !== '{' && first !== '[') return undefined;
  let exact = true;
  // The third argument has the number as written (ES2025); the types lack it so far.
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
