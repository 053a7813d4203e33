/**
 * Throw it in a mapping function to refuse a row: it becomes invalid, like one that breaks a rule of the API. Its issue has
 * the code `refused_by_map`, and yours in `said.params.code`.
 *
 * @example
 * if (row.price < 0) throw new RowError('negative_price', 'The till has a negative price.', { field: 'estimated_value' });
 */
export class RowError extends Error {
  /** Yours: rows with the same one are reported together. */
  readonly code: string;
  /** The field that it is about. */
  readonly field: string | undefined;

  /**
   * @param message a sentence for people
   */
  constructor(code: string, message: string, { field }: { field?: string | undefined } = {}) {
    super(message);
    this.name = 'RowError';
    this.code = code;
    this.field = field;
  }
}
