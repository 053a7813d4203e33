/** The store's key-value table on PostgreSQL. */
import { randomUUID } from 'node:crypto';
import type { KeyValue, KeyValuePage, KeyValues } from '../key-values.ts';
import type { Database } from './database.ts';
import { fromText, toText } from './text.ts';

/** Past every text that begins with the prefix, in the order of UTF-8 bytes (COLLATE "C"). */
const LAST = '\u{10ffff}';

/** What may be durable soon is so at once: an answer waits for the network anyway. */
export class PostgresKeyValues implements KeyValues {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db;
    this.#table = `${db.schema}.key_values`;
  }

  async get(space: string, key: string): Promise<string | undefined> {
    const [row] = await this.#db.repeatable<{ value: string }>({
      text: `SELECT value FROM ${this.#table} WHERE space = $1 AND key = $2`,
      values: [space, key],
    });
    return row === undefined ? undefined : fromText(row.value);
  }

  put(space: string, entries: readonly { key: string; value: string }[]): Promise<void> {
    return this.#putAll(space, entries, 'UPDATE SET value = excluded.value, at = excluded.at, put = NULL');
  }

  putMissing(space: string, entries: readonly { key: string; value: string }[]): Promise<void> {
    return this.#putAll(space, entries, 'NOTHING');
  }

  async putIfAbsent(space: string, key: string, value: string): Promise<boolean> {
    // Sent again after a lost answer, it knows the value for its own.
    const put = randomUUID();
    const rows = await this.#db.repeatable({
      text: `INSERT INTO ${this.#table} AS kv (space, key, value, at, put) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (space, key) DO UPDATE SET put = excluded.put WHERE kv.put = excluded.put RETURNING 1`,
      values: [space, key, toText(value), Date.now(), put],
    });
    return rows.length === 1;
  }

  async replace(space: string, key: string, from: string, to: string): Promise<boolean> {
    const rows = await this.#db.repeatable({
      text: `UPDATE ${this.#table} SET value = $4, at = $5, put = $6
             WHERE space = $1 AND key = $2 AND (put = $6 OR value = $3) RETURNING 1`,
      values: [space, key, toText(from), toText(to), Date.now(), randomUUID()],
    });
    return rows.length === 1;
  }

  async #putAll(space: string, entries: readonly { key: string; value: string }[], otherwise: string) {
    // A statement may write a line once only: of equal keys the last counts. In order, so that two who put the
    // same keys wait for each other instead of for ever.
    const last = new Map(entries.map(({ key, value }) => [key, toText(value)]));
    const sorted = [...last].sort(([a], [b]) => (a < b ? -1 : 1));
    await this.#db.repeatable({
      text: `INSERT INTO ${this.#table} (space, key, value, at)
             SELECT $1, e.key, e.value, $4 FROM unnest($2::text[], $3::text[]) AS e(key, value)
             ON CONFLICT (space, key) DO ${otherwise}`,
      values: [space, sorted.map(([key]) => key), sorted.map(([, value]) => value), Date.now()],
    });
  }

  async list(space: string, page: KeyValuePage): Promise<KeyValue[]> {
    const { prefix = '', limit, descending = false } = page;
    const after = page.after ?? (descending ? LAST : '');
    const rows = await this.#db.repeatable<KeyValue>({
      text: `SELECT key, value, at FROM ${this.#table} WHERE space = $1 AND key ${descending ? '<' : '>'} $2
             AND key >= $3 AND key <= $4 ORDER BY key ${descending ? 'DESC' : ''} LIMIT $5`,
      values: [space, after, prefix, prefix + LAST, limit],
    });
    return rows.map(({ key, value, at }) => ({ key, value: fromText(value), at }));
  }

  async remove(space: string, keys?: readonly string[]): Promise<void> {
    await this.#db.repeatable({
      text: `DELETE FROM ${this.#table} WHERE space = $1 AND ($2::text[] IS NULL OR key = ANY ($2))`,
      values: [space, keys ?? null],
    });
  }

  async spaces(prefix: string): Promise<string[]> {
    const rows = await this.#db.repeatable<{ space: string }>({
      text: `SELECT DISTINCT space FROM ${this.#table} WHERE space >= $1 AND space <= $2 ORDER BY space`,
      values: [prefix, prefix + LAST],
    });
    return rows.map(({ space }) => space);
  }
}
