/** Reads and writes a table page by page, and hashes its lines. */
import { createHash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { fromText, toText } from '../postgres/text.ts';
import type { Cell, StoredLine, Table, Tables } from './tables.ts';

const PAGE = 500;

type Kind = 'sqlite' | 'postgres';

/** Lines in key order, with free texts unescaped. Skips jobs in state `staging`. */
export async function* pages(db: Kysely<Tables>, table: Table, kind: Kind): AsyncGenerator<StoredLine[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  let after: Cell[] | undefined;
  for (;;) {
    let query = db
      .selectFrom(table.name)
      .select([...table.columns])
      .limit(PAGE);
    for (const column of table.key) query = query.orderBy(column);
    if (after !== undefined) query = query.where(sql<boolean>`(${key}) > (${sql.join(after)})`);
    if (table.name === 'jobs') query = query.where('state', '<>', 'staging');
    if (table.name === 'rows')
      // Not `IN` those that are not: SQLite would then look job by job, and pass over all that came before, for each page.
      query = query.where(sql<boolean>`job NOT IN (SELECT number FROM jobs WHERE state = 'staging')`);
    const lines = (await query.execute()) as StoredLine[];
    const last = lines.at(-1);
    if (last === undefined) return;
    after = table.key.map((column) => last[column] ?? null);
    yield kind === 'postgres' ? lines.map((line) => withTexts(line, table, fromText)) : lines;
  }
}

export async function insert(
  db: Transaction<Tables>,
  table: Table,
  kind: Kind,
  lines: readonly StoredLine[],
): Promise<void> {
  const values = kind === 'postgres' ? lines.map((line) => withTexts(line, table, toText)) : [...lines];
  await db.insertInto(table.name).values(values).execute();
}

function withTexts(line: StoredLine, { free = [] }: Table, change: (text: string) => string): StoredLine {
  if (free.length === 0) return line;
  const changed = { ...line };
  for (const column of free) {
    const value = changed[column];
    if (typeof value === 'string') changed[column] = change(value);
  }
  return changed;
}

/** Count and hash of lines, in any order: databases sort texts differently. */
export class LineSum {
  count = 0;
  readonly #sum = Buffer.alloc(32);

  add(table: Table, line: StoredLine): void {
    this.count += 1;
    const text = JSON.stringify(table.columns.map((column) => line[column] ?? null));
    const hash = createHash('sha256').update(text).digest();
    // Keys are unique, so no two lines cancel out.
    for (let index = 0; index < hash.length; index += 1)
      this.#sum[index] = (this.#sum[index] ?? 0) ^ (hash[index] ?? 0);
  }

  get hash(): string {
    return this.#sum.toString('hex');
  }
}
