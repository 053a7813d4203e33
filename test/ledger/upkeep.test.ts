import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { backupStore } from '../../src/ledger/upkeep/backup-store.ts';
import { checkStore } from '../../src/ledger/upkeep/check-store.ts';
import { compactStore } from '../../src/ledger/upkeep/compact-store.ts';
import { copyStore } from '../../src/ledger/upkeep/copy-store.ts';
import { openTables } from '../../src/ledger/upkeep/open-tables.ts';
import { pages } from '../../src/ledger/upkeep/pages.ts';
import { TABLES } from '../../src/ledger/upkeep/tables.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { COPY, fill, unknownTo, upkeep } from './upkeep.ts';

describe('an SQLite store', () => {
  upkeep(
    async () => join(await temporaryFolder(), 'store.db'),
    async (store, statement) => {
      const db = new DatabaseSync(store);
      db.exec(statement);
      db.close();
      return Promise.resolve();
    },
  );

  it('is copied with every table and column, except those about processes', async () => {
    const store = join(await temporaryFolder(), 'store.db');
    await (await openLedger(store)).close();
    const db = new DatabaseSync(store);
    const columns = db
      .prepare(
        `SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema m, pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`,
      )
      .all() as { table: string; column: string }[];
    db.close();
    expect(unknownTo(columns)).toEqual([]);
  });

  it('is compacted only if nobody else has it open, because others would have to wait', async () => {
    const store = join(await temporaryFolder(), 'store.db');
    await fill(store);
    const ledger = await openLedger(store);
    await ledger.rows.forget('first');
    expect(await compactStore(store)).toEqual({ freedBytes: 0, inUse: true });
    await ledger.values.put('s', [{ key: 'k', value: 'written' }]);
    await ledger.close();
    const before = statSync(store).size;
    expect((await compactStore(store)).freedBytes).toBe(before - statSync(store).size);
    expect(statSync(store).size).toBeLessThan(before);
    await using again = await openLedger(store);
    expect(await again.values.get('s', 'k')).toBe('written');
    await again.values.put('s', [{ key: 'k', value: 'once more' }]);
    expect(existsSync(`${store}-wal`)).toBe(true);
  });

  it('is read page by page, and each page begins where the last page ended', async () => {
    const store = join(await temporaryFolder(), 'store.db');
    await fill(store);
    await using tables = await openTables(store, { make: false });
    const plans = await tables.read(async (db) => {
      const asked: CompiledQuery[] = [];
      const spied = db.withPlugin({
        transformQuery: ({ node, queryId }) => {
          asked.push(db.getExecutor().compileQuery(node, queryId));
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      });
      const [rows] = TABLES.filter(({ name }) => name === 'rows');
      if (rows !== undefined) for await (const _ of pages(spied, rows, 'sqlite'));
      const details: string[] = [];
      for (const { sql, parameters } of asked.slice(1)) {
        const plan = await db.executeQuery<{ detail: string }>(
          CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]),
        );
        details.push(plan.rows[0]?.detail ?? '');
      }
      return details;
    });
    expect(new Set(plans)).toEqual(new Set(['SEARCH rows USING PRIMARY KEY ((job,ordinal)>(?,?))']));
  });

  it('is not created if it does not exist', async () => {
    const store = join(await temporaryFolder(), 'none.db');
    await expect(copyStore(store, `${store}.copy`, COPY)).rejects.toMatchObject({ code: 'no_such_store' });
    await expect(backupStore(store, `${store}.copy`)).rejects.toMatchObject({ code: 'no_such_store' });
    await expect(checkStore(store)).rejects.toMatchObject({ code: 'no_such_store' });
    expect([existsSync(store), existsSync(`${store}.copy`)]).toEqual([false, false]);
  });
});
