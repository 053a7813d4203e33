/** The store's key-value table on SQLite. */
import type { Durability, KeyValue, KeyValuePage, KeyValues } from '../key-values.ts';
import type { Database } from './database.ts';

/** Sorts after every text that begins with the prefix, by UTF-8 bytes. */
const LAST = '\u{10ffff}';

export class SqliteKeyValues implements KeyValues {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async get(space: string, key: string): Promise<string | undefined> {
    const row = await this.#db.patiently(() =>
      this.#db.prepare('SELECT value FROM key_values WHERE space = ? AND key = ?').get(space, key),
    );
    return row?.['value'] as string | undefined;
  }

  put(
    space: string,
    entries: readonly { key: string; value: string }[],
    durable?: Durability,
  ): Promise<void> {
    return this.#putAll(space, entries, 'UPDATE SET value = excluded.value, at = excluded.at', durable);
  }

  putMissing(space: string, entries: readonly { key: string; value: string }[]): Promise<void> {
    return this.#putAll(space, entries, 'NOTHING');
  }

  async #putAll(
    space: string,
    entries: readonly { key: string; value: string }[],
    otherwise: string,
    durable?: Durability,
  ): Promise<void> {
    const now = Date.now();
    await this.#change(durable, () => {
      const statement = this.#db.prepare(
        `INSERT INTO key_values (space, key, value, at) VALUES (?, ?, ?, ?) ON CONFLICT (space, key) DO ${otherwise}`,
      );
      for (const { key, value } of entries) statement.run(space, key, value, now);
    });
  }

  async putIfAbsent(space: string, key: string, value: string, durable?: Durability): Promise<boolean> {
    const { changes } = await this.#change(durable, () =>
      this.#db
        .prepare('INSERT INTO key_values (space, key, value, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING')
        .run(space, key, value, Date.now()),
    );
    return changes === 1;
  }

  async replace(
    space: string,
    key: string,
    from: string,
    to: string,
    durable?: Durability,
  ): Promise<boolean> {
    const { changes } = await this.#change(durable, () =>
      this.#db
        .prepare('UPDATE key_values SET value = ?, at = ? WHERE space = ? AND key = ? AND value = ?')
        .run(to, Date.now(), space, key, from),
    );
    return changes === 1;
  }

  async list(space: string, page: KeyValuePage): Promise<KeyValue[]> {
    const { prefix = '', limit, descending = false } = page;
    const after = page.after ?? (descending ? LAST : '');
    const sql = `SELECT key, value, at FROM key_values WHERE space = ? AND key ${descending ? '<' : '>'} ?
      AND key >= ? AND key <= ? ORDER BY key ${descending ? 'DESC' : ''} LIMIT ?`;
    return this.#db.patiently(
      () => this.#db.prepare(sql).all(space, after, prefix, prefix + LAST, limit) as unknown as KeyValue[],
    );
  }

  async remove(space: string, keys?: readonly string[], durable?: Durability): Promise<void> {
    await this.#change(durable, () => {
      if (keys === undefined) {
        this.#db.prepare('DELETE FROM key_values WHERE space = ?').run(space);
        return;
      }
      const statement = this.#db.prepare('DELETE FROM key_values WHERE space = ? AND key = ?');
      for (const key of keys) statement.run(space, key);
    });
  }

  #change<T>(durable: Durability = 'now', work: () => T): Promise<T> {
    return this.#db.patiently(() =>
      durable === 'now' ? this.#db.transaction(work) : this.#db.relaxed(work),
    );
  }

  async spaces(prefix: string): Promise<string[]> {
    // One index lookup per space: DISTINCT would read every key of all spaces.
    const sql = `WITH RECURSIVE found (space) AS (
        SELECT min(space) FROM key_values WHERE space >= ?1 AND space <= ?2
        UNION ALL
        SELECT (SELECT min(space) FROM key_values WHERE space > found.space AND space <= ?2)
        FROM found WHERE found.space IS NOT NULL
      ) SELECT space FROM found WHERE space IS NOT NULL`;
    const rows = await this.#db.patiently(() => this.#db.prepare(sql).all(prefix, prefix + LAST));
    return rows.map((row) => row['space'] as string);
  }
}
