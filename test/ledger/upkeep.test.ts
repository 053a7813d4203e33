import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { KEPT_MS, pruneJobs } from '../../src/import/prune-jobs.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { backupStore } from '../../src/ledger/upkeep/backup-store.ts';
import { checkStore } from '../../src/ledger/upkeep/check-store.ts';
import { compactStore } from '../../src/ledger/upkeep/compact-store.ts';
import { copyStore } from '../../src/ledger/upkeep/copy-store.ts';
import { TABLES } from '../../src/ledger/upkeep/tables.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { PASSWORD, POSTGRES, usePostgres } from '../support/postgres.ts';
import { jobRecord, newRow } from './contract.ts';

const API = 'https://api.example.test';
const ODD = 'a\0b\u{10fffd}0 \u{1f916} \'"\\';
const COPY = { whileRunning: false };

/** Something in every table, and rows in most states. */
async function fill(location: string): Promise<void> {
  await using ledger = await openLedger(location);
  await ledger.createJob(jobRecord('first'));
  await ledger.stageRows(
    'first',
    Array.from({ length: 1200 }, (_, index) =>
      newRow(index + 1, index === 7 ? { collection: ODD, sheet: ODD, source: JSON.stringify([ODD]) } : {}),
    ),
  );
  await ledger.finishStaging('first', { sheetRows: 1200 });
  await ledger.move(
    'first',
    [1, 2, 3, 4].map((ordinal) => ({ ordinal, to: 'sending', mark: 77 })),
    { claim: { fingerprint: 'f', force: false } },
  );
  await ledger.move('first', [
    { ordinal: 1, to: 'done', itemId: 'item-1', requestId: 'r' },
    { ordinal: 2, to: 'refused', issues: [{ code: 'invalid_request', message: 'm' }] },
    { ordinal: 3, to: 'unknown' },
  ]);
  await ledger.noteSeen(API, ['item-0', 'item-1']);
  await ledger.noteFile('hash', 'first');
  await ledger.values.put('s', [{ key: 'k', value: ODD }]);
  // A file that is being read at this moment is no job yet.
  await ledger.createJob(jobRecord('reading'));
}

async function contentOf(location: string): Promise<unknown> {
  await using ledger = await openLedger(location);
  return {
    jobs: await ledger.listJobs(),
    rows: await ledger.rows('first', { limit: 9999 }),
    claimant: await ledger.claimant('f'),
    seen: await ledger.seenAt(API, ['item-0', 'item-1', 'none']),
    file: await ledger.fileWriter('hash'),
    value: await ledger.values.get('s', 'k'),
  };
}

/** The upkeep of one kind of store; `damage` runs SQL on it, whatever is in its way. */
function upkeep(
  newStore: () => Promise<string>,
  damage: (store: string, statement: string) => Promise<void>,
): void {
  it('is copied whole, to either kind and back, and goes on with its own numbers', async () => {
    const store = await newStore();
    await fill(store);
    const folder = await temporaryFolder();
    const there = await copyStore(store, join(folder, 'there.db'), COPY);
    const again = await newStore();
    const back = await copyStore(join(folder, 'there.db'), again, COPY);
    expect(there).toMatchObject({ jobs: 1, rows: 1200, sha256: back.sha256 });
    expect(await contentOf(again)).toEqual(await contentOf(store));
    expect(await checkStore(again)).toMatchObject({ ok: true, jobs: 1, rows: 1200, problems: [] });
    await using ledger = await openLedger(again);
    await ledger.createJob(jobRecord('second'));
    await ledger.stageRows('second', [newRow(1)]);
    await ledger.finishStaging('second', {});
    await ledger.move('second', [{ ordinal: 1, to: 'sending' }]);
    expect((await ledger.findJob('last')).id).toBe('second');
    expect((await ledger.rows('second', { limit: 1 }))[0]?.sequence).toBe(5);
  });

  it('is not copied over another, nor while a job runs, nor from nothing', async () => {
    const [store, other] = [await newStore(), await newStore()];
    await fill(store);
    await fill(other);
    await expect(copyStore(store, other, COPY)).rejects.toMatchObject({
      code: 'store_not_empty',
      exitCode: 2,
    });
    const target = join(await temporaryFolder(), 'target.db');
    await using ledger = await openLedger(store);
    const lease = await ledger.acquireLane('lane', 'first');
    expect(await ledger.holders()).toMatchObject([{ job: 'first', pid: process.pid }]);
    await expect(copyStore(store, target, COPY)).rejects.toMatchObject({ code: 'store_in_use', exitCode: 2 });
    // A backup may be taken all the same.
    const file = join(await temporaryFolder(), 'backup.db');
    expect(await backupStore(store, file)).toMatchObject({ jobs: 1, rows: 1200 });
    await expect(backupStore(store, file)).rejects.toMatchObject({ code: 'backup_exists' });
    expect(await contentOf(file)).toEqual(await contentOf(store));
    if ('release' in lease) await lease.release();
    expect(await ledger.holders()).toEqual([]);
    await copyStore(store, target, COPY);
  });

  it('is whole, or what is wrong with it is named', async () => {
    const damages: [string, RegExp][] = [
      ['UPDATE rows SET item_id = NULL WHERE ordinal = 1', /row 1 .* is done without an item/],
      ["UPDATE rows SET state = 'lost' WHERE ordinal = 5", /row 5 .* is in the state lost/],
      ["UPDATE rows SET action = 'delete' WHERE ordinal = 5", /row 5 .* is to delete/],
      ['UPDATE rows SET sequence = NULL WHERE ordinal = 3', /row 3 .* is unknown, and was never sent/],
      ["UPDATE rows SET payload = '{' WHERE ordinal = 6", /payload of row 6 .* cannot be read/],
      ['DELETE FROM rows WHERE ordinal = 9', /job first has 1199 rows, and the last is number 1200/],
      ['UPDATE targets SET sequence = 2', /the intent [34] of .* is yet to be given/],
      ['UPDATE rows SET sequence = 1 WHERE ordinal = 4', /the intent 1 of .* was given twice/],
      [
        'UPDATE jobs SET first_sent_at = NULL',
        /job first has rows that were sent .* before its own beginning/,
      ],
      ["UPDATE jobs SET state = 'gone'", /job first is in the state gone/],
      ["UPDATE jobs SET record = 'x'", /record of job first cannot be read/],
    ];
    const whole = await newStore();
    await fill(whole);
    for (const [statement, problem] of damages) {
      const store = await newStore();
      await copyStore(whole, store, COPY);
      await damage(store, statement);
      const { ok, problems } = await checkStore(store);
      expect({ ok, problems }, statement).toMatchObject({
        ok: false,
        problems: expect.arrayContaining([expect.stringMatching(problem)]) as string[],
      });
    }
  });

  it('forgets what finished jobs held, and nothing else', async () => {
    const store = await newStore();
    await using ledger = await openLedger(store);
    const end = async (id: string, last: 'done' | 'unknown') => {
      await ledger.createJob(jobRecord(id));
      await ledger.stageRows(id, [newRow(1), newRow(2, { state: 'skipped' })]);
      await ledger.finishStaging(id, {});
      await ledger.move(id, [{ ordinal: 1, to: 'sending' }]);
      await ledger.move(id, [{ ordinal: 1, to: last, itemId: `item of ${id}` }]);
      await ledger.updateJob(id, { state: last === 'done' ? 'done' : 'cancelled' });
    };
    await end('old', 'done');
    await end('unclear', 'unknown');
    expect((await pruneJobs(ledger, { now: Date.now() })).jobs).toEqual([]);
    const { jobs } = await pruneJobs(ledger, { now: Date.now() + KEPT_MS + 1000 });
    expect(jobs).toEqual(['unclear', 'old']);
    expect(await heldBy(ledger, 'old')).toEqual([
      ['done', 'item of old', null, null],
      ['skipped', null, null, null],
    ]);
    // What may still have to be looked up keeps what it held.
    expect((await heldBy(ledger, 'unclear'))[0]?.[3]).not.toBeNull();
    expect((await compactStore(store)).freedBytes).toBeGreaterThanOrEqual(0);
    expect(await checkStore(store)).toMatchObject({ ok: true });
  });
}

async function heldBy(ledger: Ledger, job: string): Promise<unknown[][]> {
  const rows = await ledger.rows(job, { limit: 9 });
  return rows.map(({ state, itemId, payload, source }) => [state, itemId, payload, source]);
}

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

  it('of which a copy remembers every table and column, but for what belongs to processes', async () => {
    const store = await newStore();
    await (await openLedger(store)).close();
    const { rows } = await server.run(
      `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
       WHERE table_schema = '${new URL(store).searchParams.get('schema')}'`,
      database,
    );
    expect(unknownTo(rows as { table: string; column: string }[])).toEqual([]);
  });

  it('into which a copy fails, or which alters what it is given, stays empty', async () => {
    const [store, target] = [await newStore(), await newStore()];
    await fill(store);
    await (await openLedger(target)).close();
    await run(
      target,
      `CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN new.payload = replace(new.payload, 'Toy 1000', 'Toy 1001'); RETURN new; END $$;
       CREATE TRIGGER meddle BEFORE INSERT ON rows FOR EACH ROW EXECUTE FUNCTION meddle()`,
    );
    await expect(copyStore(store, target, COPY)).rejects.toMatchObject({ code: 'store_copy_differs' });
    await run(target, 'ALTER TABLE rows ADD CHECK (ordinal < 1100)');
    await expect(copyStore(store, target, COPY)).rejects.toMatchObject({ code: 'store_failed' });
    await run(target, 'DROP TRIGGER meddle ON rows; ALTER TABLE rows DROP CONSTRAINT rows_ordinal_check');
    expect(await copyStore(store, target, COPY)).toMatchObject({ rows: 1200 });
  });

  it('is told without its password', async () => {
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

/** Tables and columns that a copy would forget. */
function unknownTo(columns: readonly { table: string; column: string }[]): string[] {
  const ofProcesses = [
    'lanes',
    'commits',
    'store',
    'jobs.owner_pid',
    'jobs.owner_started',
    'jobs.owner_machine',
  ];
  return columns
    .filter(
      ({ table, column }) => !ofProcesses.includes(table) && !ofProcesses.includes(`${table}.${column}`),
    )
    .filter(
      ({ table, column }) => !TABLES.some((each) => each.name === table && each.columns.includes(column)),
    )
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => name !== 'key_values.put');
}
