/** The store's key-value table. */
import { randomUUID } from 'node:crypto';
import type { Durability, KeyValue, KeyValuePage, KeyValues } from '../key-values.ts';
import type { Session } from './session.ts';

/** Sorts after every text that begins with the prefix, by UTF-8 bytes. */
const LAST = '\u{10ffff}';

export class SqlKeyValues implements KeyValues {
  readonly #db: Session;
  readonly #table: string;

  constructor(db: Session) {
    this.#db = db;
    this.#table = `${db.schema}.key_values`;
  }

  async get(space: string, key: string): Promise<string | undefined> {
    const [row] = await this.#db.read<{ value: string }>({
      text: `SELECT value FROM ${this.#table} WHERE space = $1 AND key = $2`,
      values: [space, key],
    });
    return row === undefined ? undefined : this.#db.fromText(row.value);
  }

  put(
    space: string,
    entries: readonly { key: string; value: string }[],
    durable?: Durability,
  ): Promise<void> {
    const replacing = 'UPDATE SET value = excluded.value, at = excluded.at, put = NULL';
    return this.#putAll(space, entries, replacing, durable);
  }

  putMissing(space: string, entries: readonly { key: string; value: string }[]): Promise<void> {
    return this.#putAll(space, entries, 'NOTHING');
  }

  async putIfAbsent(space: string, key: string, value: string, durable?: Durability): Promise<boolean> {
    // Sent again after a lost answer, it recognises its own value.
    const text = `INSERT INTO ${this.#table} AS kv (space, key, value, at, put) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (space, key) DO UPDATE SET put = excluded.put WHERE kv.put = excluded.put RETURNING 1`;
    const values = [space, key, this.#db.toText(value), Date.now(), randomUUID()];
    return (await this.#db.change({ text, values }, { durable })).length === 1;
  }

  async replace(
    space: string,
    key: string,
    from: string,
    to: string,
    durable?: Durability,
  ): Promise<boolean> {
    const text = `UPDATE ${this.#table} SET value = $4, at = $5, put = $6
      WHERE space = $1 AND key = $2 AND (put = $6 OR value = $3) RETURNING 1`;
    const values = [space, key, this.#db.toText(from), this.#db.toText(to), Date.now(), randomUUID()];
    return (await this.#db.change({ text, values }, { durable })).length === 1;
  }

  async #putAll(
    space: string,
    entries: readonly { key: string; value: string }[],
    onConflict: string,
    durable?: Durability,
  ): Promise<void> {
    // Of equal keys the last counts.
    const last = new Map(entries.map(({ key, value }) => [key, this.#db.toText(value)]));
    const now = Date.now();
    const lines = [...last]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [space, key, value, now]);
    const columns = { space: 'text', key: 'text', value: 'text', at: 'bigint' };
    await this.#db.change(
      { table: 'key_values', columns, lines, onConflict: `(space, key) DO ${onConflict}` },
      { durable },
    );
  }

  async list(space: string, page: KeyValuePage): Promise<KeyValue[]> {
    const { prefix = '', limit, descending = false } = page;
    const after = page.after ?? (descending ? LAST : '');
    const rows = await this.#db.read<KeyValue>({
      text: `SELECT key, value, at FROM ${this.#table} WHERE space = $1 AND key ${descending ? '<' : '>'} $2
        AND key >= $3 AND key <= $4 ORDER BY key ${descending ? 'DESC' : ''} LIMIT $5`,
      values: [space, after, prefix, prefix + LAST, limit],
    });
    return rows.map(({ key, value, at }) => ({ key, value: this.#db.fromText(value), at }));
  }

  async remove(space: string, keys?: readonly string[], durable?: Durability): Promise<void> {
    const some = keys === undefined ? '' : 'AND key = ANY ($2::text[])';
    const text = `DELETE FROM ${this.#table} WHERE space = $1 ${some}`;
    await this.#db.change({ text, values: keys === undefined ? [space] : [space, keys] }, { durable });
  }

  async spaces(prefix: string): Promise<string[]> {
    // One index lookup per space: DISTINCT would read every key of all spaces.
    const rows = await this.#db.read<{ space: string }>({
      text: `WITH RECURSIVE found (space) AS (
          SELECT min(space) FROM ${this.#table} WHERE space >= $1 AND space <= $2
          UNION ALL
          SELECT (SELECT min(space) FROM ${this.#table} WHERE space > found.space AND space <= $2)
          FROM found WHERE found.space IS NOT NULL
        ) SELECT space FROM found WHERE space IS NOT NULL ORDER BY space`,
      values: [prefix, prefix + LAST],
    });
    return rows.map(({ space }) => space);
  }
}
