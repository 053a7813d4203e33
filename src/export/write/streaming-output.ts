/**
 * Writes the file while the list is still being read, assuming that the first rows show all columns.
 * Otherwise every row would be read a second time from the spool, which took a quarter of an export's
 * time.
 *
 * If a later row has a custom field that none of the first rows had, the file is discarded, and written
 * from the kept rows once all are known. Nothing else depends on this: the file gets its name only when
 * the reading is complete, and the rows are kept either way because an interrupted export needs them.
 */
import type { Item } from '../../api/schemas.ts';
import { openPlainOutput, type PlainOutput } from './plain-output.ts';
import type { Query } from '../query.ts';
import type { ExportSource } from '../read/source.ts';

/** Shorter lists are written at the end: most lists show all of their custom fields within this many items. */
export const FIRST_ROWS = 2000;

export class StreamingOutput implements AsyncDisposable {
  readonly #query: Query;
  readonly #source: ExportSource;
  #first: Item[] = [];
  #output: PlainOutput | undefined;
  /** Number of custom fields with a column; undefined before the file is begun. */
  #columns: number | undefined;

  constructor(query: Query, source: ExportSource) {
    this.#query = query;
    this.#source = source;
  }

  /** Whether the file can be begun before all rows are known, and be discarded. */
  static fits({ request }: Query): boolean {
    return (
      request.resource === 'items' &&
      request.layout === undefined &&
      request.changedSinceLast === undefined &&
      request.stream === undefined &&
      request.file !== '-'
    );
  }

  /**
   * Adds rows in the order of the file; await it before the next call.
   *
   * @param customFields names of the custom fields of all rows so far, including these
   */
  async add(rows: readonly Item[], customFields: ReadonlySet<string>): Promise<void> {
    if (this.#columns === undefined) {
      this.#first.push(...rows);
      if (this.#first.length <= FIRST_ROWS) return;
      this.#columns = customFields.size;
      this.#output = await openPlainOutput(this.#query, customFields, this.#source);
      const first = this.#first;
      this.#first = [];
      await this.#output.write(first);
      return;
    }
    if (this.#output === undefined) return;
    if (customFields.size > this.#columns && this.#needsAll()) await this.#takeBack();
    else await this.#output.write(rows);
  }

  /** The file with everything that was added, which the caller finishes or aborts; undefined if there is none. */
  take(): PlainOutput | undefined {
    const output = this.#output;
    this.#output = undefined;
    return output;
  }

  /** Discards everything that was added. */
  async reset(): Promise<void> {
    await this.#takeBack();
    this.#columns = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#takeBack();
  }

  async #takeBack(): Promise<void> {
    this.#first = [];
    await this.take()?.abort();
  }

  /** Whether each custom field gets a column. */
  #needsAll(): boolean {
    const { columns, format } = this.#query.request;
    return format !== 'ndjson' && (columns === undefined || columns.includes('custom_fields'));
  }
}
