import type { RowCode } from '../row-catalogue.ts';

/** A row's problem is data: all of them are reported, none is thrown. */
export interface RowIssue {
  /** Stable, snake_case: `required`, `too_long`, `not_a_number`, `unknown_word`, `ambiguous_number` … */
  code: RowCode;
  /** For people: what was found and what was expected. Without file and row: those are added where shown. */
  message: string;
  /** Field of the contract, where the issue is one field's. */
  field?: string;
  /** Header of the source column, and its letter. */
  header?: string;
  column?: string;
  /** The cell's text as found, cut to 80 characters. */
  found?: string;
  expected?: string;
}
