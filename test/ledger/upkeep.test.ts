import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { backupStore } from '../../src/ledger/upkeep/backup-store.ts';
import { checkStore } from '../../src/ledger/upkeep/check-store.ts';
import { copyStore } from '../../src/ledger/upkeep/copy-store.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { COPY, unknownTo, upkeep } from './upkeep.ts';

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

  it('of which a copy remembers every table and column, but for what belongs to processes', async () => {
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

  it('that is not there is not made', async () => {
    const store = join(await temporaryFolder(), 'none.db');
    await expect(copyStore(store, `${store}.copy`, COPY)).rejects.toMatchObject({ code: 'no_such_store' });
    await expect(backupStore(store, `${store}.copy`)).rejects.toMatchObject({ code: 'no_such_store' });
    await expect(checkStore(store)).rejects.toMatchObject({ code: 'no_such_store' });
    expect([existsSync(store), existsSync(`${store}.copy`)]).toEqual([false, false]);
  });
});
