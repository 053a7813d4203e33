/** Copies a store into an empty one, completely or not at all, and verifies the copy. */
import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { openLedger } from '../open-ledger.ts';
import { openTables, type OpenTables } from './open-tables.ts';
import { insert, LineSum, pages } from './pages.ts';
import { type Table, TABLES, type Tables } from './tables.ts';
import { byHand, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

export interface CopyReport {
  /** Without passwords. */
  from: string;
  to: string;
  jobs: number;
  rows: number;
  /** Hash of everything copied; equal for equal content in either database. */
  sha256: string;
}

/**
 * Writes the target in one transaction, reads it back, compares it with the source and commits. The source does not
 * change. Continuing jobs in both stores sends rows twice.
 *
 * @param options.whileRunning copies a snapshot although jobs run: for a backup
 * @throws UsageError `no_such_store`, `store_not_empty`, `store_in_use`; ShelfliftError `store_copy_differs`, and the
 *   errors of openLedger
 */
export async function copyStore(
  from: string,
  to: string,
  options: { whileRunning: boolean },
): Promise<CopyReport> {
  await using source = await openTables(from, { make: false });
  if (!options.whileRunning) await refuseWhileHeld(from);
  await using target = await openTables(to, { make: true });
  await refuseWhileHeld(to);
  const before = options.whileRunning ? '' : await traceOf(from);
  const sums = await source.read((reading) =>
    target.write(async (writing) => {
      await refuseUnlessEmpty(writing, target);
      const read = new Map<Table, LineSum>();
      for (const table of TABLES)
        read.set(table, await copyTable(table, { source, reading, target, writing }));
      await setCounters(writing, target);
      await compare(read, writing, target);
      if (!options.whileRunning) await refuseWhileHeld(from);
      if (!options.whileRunning && (await traceOf(from)) !== before)
        throw inUse(from, message('changed_while_copied', {}));
      return read;
    }),
  );
  const all = createHash('sha256');
  for (const [table, sum] of sums) all.update(`${table.name} ${sum.count} ${sum.hash}\n`);
  const count = (name: string) => [...sums].find(([table]) => table.name === name)?.[1].count ?? 0;
  return {
    from: source.location,
    to: target.location,
    jobs: count('jobs'),
    rows: count('rows'),
    sha256: all.digest('hex'),
  };
}

interface Ends {
  source: OpenTables;
  reading: Transaction<Tables>;
  target: OpenTables;
  writing: Transaction<Tables>;
}

async function copyTable(table: Table, { source, reading, target, writing }: Ends): Promise<LineSum> {
  const sum = new LineSum();
  for await (const lines of pages(reading, table, source.kind)) {
    for (const line of lines) sum.add(table, line);
    await insert(writing, table, target.kind, lines);
  }
  return sum;
}

/** Makes the database's number sequences continue after the copied numbers; SQLite does this itself. */
async function setCounters(writing: Transaction<Tables>, target: OpenTables): Promise<void> {
  if (target.kind === 'sqlite') return;
  for (const table of ['targets', 'jobs']) {
    await sql`SELECT setval(pg_get_serial_sequence(${table}, 'number'),
      (SELECT coalesce(max(number), 0) + 1 FROM ${sql.table(table)}), false)`.execute(writing);
  }
}

async function compare(
  read: ReadonlyMap<Table, LineSum>,
  writing: Transaction<Tables>,
  target: OpenTables,
): Promise<void> {
  for (const [table, expected] of read) {
    const found = new LineSum();
    for await (const lines of pages(writing, table, target.kind))
      for (const line of lines) found.add(table, line);
    if (found.count === expected.count && found.hash === expected.hash) continue;
    const counts = { table: table.name, found: found.count, expected: expected.count };
    const said = message('table_copied_wrong', { store: target.location, ...counts });
    throw new ShelfliftError('store_copy_differs', said);
  }
}

async function refuseUnlessEmpty(writing: Transaction<Tables>, target: OpenTables): Promise<void> {
  for (const { name } of TABLES) {
    const line = await writing.selectFrom(name).select(sql`1`.as('one')).limit(1).executeTakeFirst();
    if (line === undefined) continue;
    const said = message('store_not_empty', { store: target.location, table: name });
    throw new UsageError('store_not_empty', said, { actions: [byHand('copy_into_new', {})] });
  }
}

async function refuseWhileHeld(location: string): Promise<void> {
  await using ledger = await openLedger(location);
  const [holder] = await ledger.lanes.holders();
  if (holder === undefined) return;
  const { job, host, pid } = holder;
  throw inUse(ledger.location, message('job_runs_there', { job, host, pid: String(pid) }));
}

function inUse(store: string, why: Message): UsageError {
  return new UsageError('store_in_use', message('store_in_use', { store, why }), {
    actions: [byHand('copy_when_ended', {})],
  });
}

/** A text that differs after every change of a job, a row or a value. */
async function traceOf(location: string): Promise<string> {
  await using tables = await openTables(location, { make: false });
  return await tables.read(async (db) => {
    const { rows } = await sql`SELECT
      (SELECT count(*) FROM jobs) AS jobs, (SELECT max(updated_at) FROM jobs) AS updated,
      (SELECT sum(sequence) FROM targets) AS intents, (SELECT sum(hashed_to) FROM jobs) AS hashed, (SELECT count(*) FROM key_values) AS entries,
      (SELECT max(at) FROM key_values) AS put, (SELECT count(*) FROM runs) AS runs, (SELECT max(at) FROM runs) AS run`.execute(
      db,
    );
    return JSON.stringify(rows);
  });
}
