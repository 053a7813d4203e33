/**
 * What a cast is: one cell in, a value of the contract out, or blank, or a problem. Casts are pure and know
 * nothing of rows and columns; the compiled column adds those to a problem.
 */
import type { RowCode } from '../../row-catalogue.ts';
import type { Cell } from '../../sheets/cell.ts';

/** The cell says nothing: empty, or `n/a` and its like in a typed field. */
export const BLANK: unique symbol = Symbol('blank');

/** Why a cell cannot be cast: becomes a RowIssue. `message` reads after the field's name. */
export class CastProblem {
  readonly code: RowCode;
  readonly message: string;
  readonly expected: string | undefined;

  constructor(code: RowCode, message: string, expected?: string) {
    this.code = code;
    this.message = message;
    this.expected = expected;
  }
}

/**
 * @param text the cell's text, trimmed and not empty (untrimmed in our own exports)
 * @param cell the cell itself, never blank and never a CellError
 * @returns the value, BLANK, or a CastProblem
 */
export type Cast = (text: string, cell: Cell) => unknown;

/** The cell's text in quotation marks, cut to 80 characters so that a message stays one line. */
export function quoted(text: string): string {
  return `"${cut(text)}"`;
}

/** At most 80 characters, control characters made visible, so that a message is one clean line. */
export function cut(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text.toWellFormed();
  // oxlint-disable-next-line no-control-regex -- these are what must not reach a terminal
  return short.replace(/[\u0000-\u001f\u007f-\u009f]/g, (c) =>
    c === '\n' ? '⏎' : c === '\t' ? ' ' : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
