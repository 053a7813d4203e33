import { english, message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import type { RowCode } from '../messages/row-codes.ts';

/** A problem with a row. Problems are data: all are reported, none is thrown. */
export interface RowIssue {
  /** Stable, snake_case: `required`, `too_long`, `not_a_number`, `unknown_word`, `ambiguous_number` … */
  code: RowCode;
  /** The problem as a message. File and row are added wherever it is shown. */
  said?: Message;
  /** The problem as an English sentence. */
  message: string;
  /** Field of the contract, if the issue concerns a single field. */
  field?: string;
  /** Header of the source column, and its letter. */
  header?: string;
  column?: string;
  /** The cell's text as found, cut to 80 characters. */
  found?: string;
  /** The expected value. */
  expected?: Message;
  /** Likely readings of the cell, the likeliest first. None applies until someone accepts it. */
  offers?: Offer[];
  /** The conversion that an amount in another currency needs. */
  rate?: Rate;
}

export function rowIssue(
  code: RowCode,
  said: Message,
  about: Omit<RowIssue, 'code' | 'said' | 'message'>,
): RowIssue {
  return { code, said, message: english(said), ...about };
}

/** The problem together with the expected value. */
export function wholeProblem(said: Message, expected: Message | undefined): Message {
  return expected === undefined ? said : message('cell_expected', { problem: said, expected });
}

/** Upper-case codes: `from` is the cell's, `to` the items'. */
export interface Rate {
  /** Currency code of the amounts. */
  from: string;
  /** Currency code of the items. */
  to: string;
}

/** A likely but unconfirmed reading of a cell: `Near Mint` as loose_mint, `ca. 20` as 20. */
export interface Offer {
  /**
   * Target → value that the row would get: fields, and `custom_fields.NAME` to keep the cell's own text or year.
   * Empty if the field stays blank, or if the amount still depends on the decimal mark.
   */
  set: Record<string, unknown>;
  /** Accepts the offer: add these options to the template's column of the issue's `field`. */
  accept: OfferOptions;
}

/** Options of a template's column (template-column.ts). `words` accepts one word; the others accept the whole column. */
export interface OfferOptions {
  /** Word → field → value. */
  words?: Record<string, Record<string, string>>;
  /** Takes the likeliest meaning of a grade. */
  offeredWords?: 'take';
  /** Reads approximate values. */
  approximate?: 'read';
  /** How to treat values outside the range of the field. */
  outOfRange?: 'keep' | 'blank';
}
