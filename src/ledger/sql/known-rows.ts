/** Hashes of rows. */
import {
  COUNTS_AS_SENT,
  type FileColumns,
  type KnownRow,
  type KnownRows,
  type RowHash,
  type StoredColumns,
  toFileColumns,
} from '../known-rows.ts';
import type { Session } from './session.ts';

/** Hashes per transaction: no transaction may take longer than the answer timeout. */
const PART = 20_000;

export class SqlKnownRows implements KnownRows {
  readonly #db: Session;

  constructor(db: Session) {
    this.#db = db;
  }

  async note(jobId: string, hashes: readonly RowHash[], hashedTo: number): Promise<void> {
    const { schema } = this.#db;
    // In table order: each of its pages is written once, and two processes that fill in the same job do not deadlock.
    const sorted = [...hashes].sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
    const columns = { target: 'bigint', hash: 'text', job: 'bigint', ordinal: 'integer' };
    for (let from = 0; from < sorted.length; from += PART) {
      const part = sorted.slice(from, from + PART);
      await this.#db.together(function* () {
        const [found] = yield {
          text: `SELECT number, target FROM ${schema}.jobs WHERE id = $1 FOR KEY SHARE`,
          values: [jobId],
        };
        if (found === undefined) return;
        const { number, target } = found as { number: number; target: number };
        const lines = part.map(({ hash, ordinal }) => [target, hash, number, ordinal]);
        yield { table: 'row_hashes', columns, lines, onConflict: 'DO NOTHING' };
      });
    }
    await this.#db.change({
      text: `UPDATE ${schema}.jobs SET hashed_to = greatest(hashed_to, $2) WHERE id = $1`,
      values: [jobId, hashedTo],
    });
  }

  async forget(jobId: string): Promise<void> {
    const { schema } = this.#db;
    await this.#db.together(function* () {
      const [job] = yield {
        text: `UPDATE ${schema}.jobs SET hashed_to = 0 WHERE id = $1 RETURNING number`,
        values: [jobId],
      };
      yield { text: `DELETE FROM ${schema}.row_hashes WHERE job = $1`, values: [job?.['number'] ?? null] };
    });
  }

  async find(apiUrl: string, hashes: readonly string[], exceptJob: string): Promise<KnownRow[]> {
    const { schema } = this.#db;
    // Hashes first: without statistics, as in a new store, PostgreSQL starts from the rows, which took 2 s a look-up
    // while twenty imports ran. SQLite joins in the order of CROSS JOIN.
    const rows = await this.#db.read<KnownRow>({
      name: 'known_rows',
      text: `WITH h AS MATERIALIZED (
          SELECT hash, job, ordinal FROM ${schema}.row_hashes
          WHERE target = (SELECT number FROM ${schema}.targets WHERE api_url = $1) AND hash = ANY ($2::text[]))
        SELECT h.hash, j.id AS "jobId", r.ordinal, r.sheet_row AS "sheetRow", r.sheet, r.state,
          r.attempts + CASE WHEN r.issues LIKE '%"store_behind"%' THEN 1 ELSE 0 END AS attempts,
          r.item_id AS "itemId", r.collection
        FROM h CROSS JOIN ${schema}.jobs j CROSS JOIN ${schema}.rows r
        WHERE j.number = h.job AND r.job = h.job AND r.ordinal = h.ordinal
          AND j.id <> $3 AND ${COUNTS_AS_SENT} ORDER BY h.job, h.ordinal`,
      values: [apiUrl, hashes, exceptJob],
    });
    const textOf = (text: string | null) => (text === null ? null : this.#db.fromText(text));
    return rows.map(({ collection, sheet, ...row }) => ({
      ...row,
      sheet: textOf(sheet),
      collection: textOf(collection),
    }));
  }

  async columns(apiUrl: string): Promise<FileColumns[]> {
    const { schema } = this.#db;
    const of = (...path: string[]) => this.#db.json('j.record', ...path);
    const rows = await this.#db.read<StoredColumns>({
      text: `SELECT ${of('source', 'headers')} AS headers, ${of('plan', 'quantityColumn')} AS quantity
        FROM ${schema}.jobs j WHERE j.target = (SELECT number FROM ${schema}.targets WHERE api_url = $1)
          AND coalesce(j.owned_at, j.first_sent_at) IS NOT NULL AND ${of('mode')} <> 'update'
        GROUP BY 1, 2 ORDER BY max(j.number) DESC`,
      values: [apiUrl],
    });
    return rows.map(toFileColumns);
  }

  async own(jobId: string, at: number): Promise<void> {
    const text = `UPDATE ${this.#db.schema}.jobs SET owned_at = $2 WHERE id = $1`;
    await this.#db.change({ text, values: [jobId, at] });
  }
}
