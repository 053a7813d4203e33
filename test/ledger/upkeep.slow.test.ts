import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { backupStore } from '../../src/ledger/upkeep/backup-store.ts';
import { checkStore } from '../../src/ledger/upkeep/check-store.ts';
import { copyStore } from '../../src/ledger/upkeep/copy-store.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { PASSWORD, POSTGRES, usePostgres } from '../support/postgres.ts';
import { COPY, fill, unknownTo, upkeep } from './upkeep.ts';

describe.skipIf(POSTGRES.length === 0)('a PostgreSQL store', () => {
  const server = usePostgres(POSTGRES.at(-1));
  let database: string | undefined;
  let stores = 0;
  const newStore = async () => {
    database ??= await server.newDatabase();
    stores += 1;
    return `${database}?schema=s${stores}`;
  };
  const run = async (store: string, statement: string) => {
    const url = new URL(store);
    const schema = url.searchParams.get('schema') ?? '';
    url.search = '';
    return server.run(`SET search_path TO ${schema}; ${statement}`, url.href);
  };

  upkeep(newStore, async (store, statement) => {
    await run(store, statement);
  });

  it('is copied with every table and column, except those about processes', async () => {
    const store = await newStore();
    await (await openLedger(store)).close();
    const { rows } = await server.run(
      `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
       WHERE table_schema = '${new URL(store).searchParams.get('schema')}'`,
      database,
    );
    expect(unknownTo(rows as { table: string; column: string }[])).toEqual([]);
  });

  it('stays empty if a copy into it fails or stores different values', async () => {
    const [store, target] = [await newStore(), await newStore()];
    await fill(store);
    await (await openLedger(target)).close();
    await run(
      target,
      `CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN new.input = replace(new.input, 'Toy 1000', 'Toy 1001'); RETURN new; END $$;
       CREATE TRIGGER meddle BEFORE INSERT ON rows FOR EACH ROW EXECUTE FUNCTION meddle()`,
    );
    await expect(copyStore(store, target, COPY)).rejects.toMatchObject({ code: 'store_copy_differs' });
    await run(target, 'ALTER TABLE rows ADD CHECK (ordinal < 1100)');
    await expect(copyStore(store, target, COPY)).rejects.toMatchObject({ code: 'store_failed' });
    await run(target, 'DROP TRIGGER meddle ON rows; ALTER TABLE rows DROP CONSTRAINT rows_ordinal_check');
    expect(await copyStore(store, target, COPY)).toMatchObject({ rows: 1200 });
  });

  it('is named in messages without its password', async () => {
    const store = await newStore();
    await fill(store);
    const file = join(await temporaryFolder(), 'backup.db');
    const told = JSON.stringify([
      await checkStore(store),
      await backupStore(store, file),
      await copyStore(store, await newStore(), COPY),
    ]);
    expect(told).toContain('postgres://postgres@127.0.0.1');
    expect(told).not.toContain(PASSWORD);
  });
});
