/**
 * A cast turns one cell into a value of the contract, BLANK or a problem. Casts are pure and know nothing
 * about rows and columns; the compiled column adds row and column to a problem.
 */
import type { RowCode } from '../../messages/row-codes.ts';
import type { Message } from '../../messages/params.ts';
import type { Cell } from '../../sheets/cell.ts';
import type { OfferOptions, Rate } from '../issue.ts';

/** The cell has no value: it is empty, or `n/a` or the like in a typed field. */
export const BLANK: unique symbol = Symbol('blank');

/** The meaning of a cell for several fields: `MIB` gives both condition and packaging. */
export interface Meaning {
  /** Value of the cell's own field; absent if the cell is only about other fields. */
  value?: unknown;
  /** Other fields, and custom fields as `custom_fields.NAME`: set if the row does not set them otherwise. */
  also?: readonly { field: string; value: unknown }[];
  /** The note for the row, if the meaning is likely and not certain. */
  note?: Message;
}

/** An unconfirmed meaning (see Offer in issue.ts). */
export interface OfferedMeaning extends Meaning {
  accept: OfferOptions;
}

/** Why a cell cannot be cast; becomes a RowIssue. */
export class CastProblem {
  readonly code: RowCode;
  /** The problem, without the field. */
  readonly what: Message;
  readonly expected: Message | undefined;
  readonly offers: readonly OfferedMeaning[];
  readonly rate: Rate | undefined;

  constructor(
    code: RowCode,
    what: Message,
    expected?: Message,
    offers: readonly OfferedMeaning[] = [],
    rate?: Rate,
  ) {
    this.code = code;
    this.what = what;
    this.expected = expected;
    this.offers = offers;
    this.rate = rate;
  }
}

/**
 * @param text the cell's text, trimmed and not empty (untrimmed in our own exports)
 * @param cell the cell itself, never blank and never a CellError
 * @returns the value, BLANK, or a CastProblem
 */
export type Cast = (text: string, cell: Cell) => unknown;

/** At most 80 characters, with control characters made visible, so that a message stays on one line. */
export function cut(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text.toWellFormed();
  // oxlint-disable-next-line no-control-regex -- these must not reach a terminal
  return short.replace(/[\u0000-\u001f\u007f-\u009f]/g, (c) =>
    c === '\n' ? '⏎' : c === '\t' ? ' ' : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
