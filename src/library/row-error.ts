/**
 * Throw it in a mapping function to refuse a row: it becomes invalid, like one that breaks a rule of the API. Its issue has
 * the code `refused_by_map`, and yours in `said.params.code`.
 *
 * @example
 * import { RowError } from 'shelflift';
 *
 * await shelf.import(
 *   { rows: [{ title: 'Star Cruiser', price: -1 }], name: 'till' },
 *   {
 *     collection: 'Main',
 *     skipInvalid: true,
 *     map: ({ title, price }) => {
 *       if (price < 0)
 *         throw new RowError('negative_price', 'The till has a negative price.', { field: 'estimated_value' });
 *       return { name: title, estimated_value: price };
 *     },
 *     mapVersion: '1',
 *   },
 * );
 */
export class RowError extends Error {
  /** Your own code: rows with the same code are reported together. */
  readonly code: string;
  /** The field with the problem. */
  readonly field: string | undefined;

  constructor(code: string, message: string, { field }: { field?: string | undefined } = {}) {
    super(message);
    this.name = 'RowError';
    this.code = code;
    this.field = field;
  }
}
