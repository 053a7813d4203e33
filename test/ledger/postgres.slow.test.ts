import { Client } from 'pg';
import { Logger, run as runGraphileWorker } from 'graphile-worker';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Lease, Ledger } from '../../src/ledger/ledger.ts';
import type { ProcessIdentity, Processes } from '../../src/ledger/process-identity.ts';
import { NOW } from '../../src/ledger/postgres/database.ts';
import { postgresError } from '../../src/ledger/postgres/errors.ts';
import { parsePostgresLocation, withoutPassword } from '../../src/ledger/postgres/location.ts';
import { type CuttingProxy, cuttingProxy } from '../support/cutting-proxy.ts';
import { PASSWORD, POSTGRES, usePostgres } from '../support/postgres.ts';
import { jobRecord, ledgerContract, newRow } from './contract.ts';
import { postgresStores } from './postgres-stores.ts';

describe.skipIf(POSTGRES.length === 0)('the PostgreSQL ledger', () => {
  const server = usePostgres(POSTGRES.at(-1));

  ledgerContract(postgresStores(server));

  async function staged(ledger: Ledger, id: string, rows: number): Promise<void> {
    await ledger.jobs.create(jobRecord(id));
    await ledger.rows.stage(
      id,
      Array.from({ length: rows }, (_, index) => newRow(index + 1)),
    );
    await ledger.jobs.finishStaging(id, { sheetRows: rows });
  }

  const failure = async (location: string) => {
    const error: unknown = await openLedger(location).catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain(PASSWORD);
    return error;
  };

  /** A role of its own, and the address of its database with it. */
  async function newRole(url: string, name: string): Promise<string> {
    await server.run(`CREATE ROLE ${name} LOGIN PASSWORD '${PASSWORD}'`);
    const address = new URL(url);
    address.username = name;
    return address.href;
  }

  it('needs only its own schema', async () => {
    const url = await server.newDatabase();
    const role = await newRole(url, 'clerk');
    expect(await failure(role)).toMatchObject({
      code: 'store_no_rights',
      remedy: expect.stringContaining('CREATE SCHEMA shelflift AUTHORIZATION clerk') as string,
    });
    await server.run(
      'REVOKE ALL ON SCHEMA public FROM PUBLIC; CREATE SCHEMA shelflift AUTHORIZATION clerk',
      url,
    );
    await using ledger = await openLedger(role);
    await staged(ledger, 'a', 2);
    await ledger.rows.move('a', [{ ordinal: 1, to: 'sending' }]);
    expect(await ledger.rows.counts('a')).toMatchObject({ planned: 1, sending: 1 });
    // Another role may look for it in vain.
    expect(await failure(await newRole(url, 'stranger'))).toMatchObject({ code: 'store_no_rights' });
  });

  it('shares a database with graphile-worker', async () => {
    const url = await server.newDatabase();
    const worker = await runGraphileWorker({
      connectionString: url,
      taskList: {},
      noHandleSignals: true,
      logger: new Logger(() => () => undefined),
      parsedCronItems: [],
    });
    await using ledger = await openLedger(url);
    await staged(ledger, 'a', 1);
    await worker.stop();
    const { rows } = await server.run(
      `SELECT DISTINCT table_schema AS name FROM information_schema.tables
       WHERE table_schema IN ('public', 'shelflift', 'graphile_worker') ORDER BY 1`,
      url,
    );
    expect(rows).toEqual([{ name: 'graphile_worker' }, { name: 'shelflift' }]);
  });

  it('can be created by several processes at once, and is created only once', async () => {
    const url = await server.newDatabase();
    const ledgers = await Promise.all(Array.from({ length: 5 }, () => openLedger(url)));
    await Promise.all(ledgers.map((ledger, index) => staged(ledger, `job-${index}`, 1)));
    expect(await ledgers[0]?.jobs.list()).toHaveLength(5);
    for (const ledger of ledgers) await ledger.close();
  });

  it('reports problems with the server, the database, the schema and the address', async () => {
    const url = await server.newDatabase();
    const change = (over: (address: URL) => void) => {
      const address = new URL(url);
      over(address);
      return address.href;
    };
    expect(await failure(change((to) => (to.port = '1')))).toMatchObject({
      code: 'store_unreachable',
      exitCode: 6,
    });
    expect(await failure(change((to) => (to.password = 'wrong')))).toMatchObject({
      code: 'store_unauthorized',
      exitCode: 2,
    });
    expect(await failure(change((to) => (to.pathname = '/none')))).toMatchObject({
      code: 'store_no_database',
      exitCode: 2,
    });
    expect(await failure(`${url}?schema=Drop%20it`)).toMatchObject({ code: 'bad_store_url', exitCode: 2 });
    expect(await failure(`postgres://me:${PASSWORD}@[/x`)).toMatchObject({ code: 'bad_store_url' });
    await server.run('CREATE SCHEMA theirs; CREATE TABLE theirs.photos (name text)', url);
    expect(await failure(`${url}?schema=theirs`)).toMatchObject({ code: 'store_not_ours', exitCode: 2 });
    await (await openLedger(url)).close();
    await server.run('UPDATE shelflift.store SET version = 999', url);
    expect(await failure(url)).toMatchObject({ code: 'store_newer', exitCode: 2 });
    await server.run('UPDATE shelflift.store SET version = 9', url);
    expect(await failure(url)).toMatchObject({ code: 'store_older', exitCode: 2 });
    await server.run("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    expect(await failure(change((to) => (to.pathname = '/latin')))).toMatchObject({
      code: 'store_encoding',
      exitCode: 2,
    });
  });

  it.each([
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ECONNRESET',
    '57P01',
  ])('reports %s as an unreachable server', (code) => {
    const cause = Object.assign(new Error('words'), { code });
    expect(postgresError(cause, 'postgres://db')).toMatchObject({ code: 'store_unreachable', exitCode: 6 });
  });

  it('shows its address without secrets', () => {
    const { url, schema, shown, reconnectMs } = parsePostgresLocation(
      'postgres://me:p%40ss@db.example:5433/toys?schema=mine&reconnect=5&sslmode=verify-full&sslpassword=also',
    );
    expect({ url, schema, shown, reconnectMs }).toEqual({
      url: 'postgres://me:p%40ss@db.example:5433/toys?sslmode=verify-full&sslpassword=also',
      schema: 'mine',
      shown: 'postgres://me@db.example:5433/toys?schema=mine&reconnect=5&sslmode=verify-full',
      reconnectMs: 5000,
    });
    expect(withoutPassword('postgres://me:p@ss:w/rd#x@[')).toBe('postgres://…');
    // Read as host ss and path /w, as a URL is: the password is not where it seems to be.
    for (const unescaped of ['postgres://user:p@ss/w#rd@host/db', 'postgres://user:p?s@host/db']) {
      expect(withoutPassword(unescaped)).toBe('postgres://…');
      const parse = () => parsePostgresLocation(unescaped);
      expect(parse).toThrowError(expect.objectContaining({ code: 'bad_store_url', exitCode: 2 }));
      expect(parse).not.toThrowError(/p@ss|w#rd|p\?s/);
    }
    expect(withoutPassword('/var/lib/ledger.db')).toBe('/var/lib/ledger.db');
  });

  it('commits to the disk, whatever the settings of the role', async () => {
    const url = await server.newDatabase();
    await server.run('ALTER ROLE postgres SET synchronous_commit = off');
    await using ledger = await openLedger(url);
    await staged(ledger, 'a', 1);
    // As its sessions have it: what the ledger itself runs tells.
    await server.run(
      `CREATE TABLE shelflift.seen_setting (value text);
       CREATE FUNCTION shelflift.note_setting() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN INSERT INTO shelflift.seen_setting VALUES (current_setting('synchronous_commit')); RETURN new; END $$;
       CREATE TRIGGER note AFTER UPDATE ON shelflift.rows FOR EACH ROW EXECUTE FUNCTION shelflift.note_setting()`,
      url,
    );
    await ledger.rows.move('a', [{ ordinal: 1, to: 'sending' }]);
    await server.run('ALTER ROLE postgres RESET synchronous_commit');
    expect((await server.run('SELECT value FROM shelflift.seen_setting', url)).rows).toEqual([
      { value: 'on' },
    ]);
  });

  it('keeps every character, even the character that PostgreSQL cannot store', async () => {
    await using ledger = await openLedger(await server.newDatabase());
    const odd = 'a\0b\u{10fffd}0\u{10fffd}\u{1f916}\'"\\';
    await ledger.values.put('s', [{ key: 'k', value: odd }]);
    expect(await ledger.values.get('s', 'k')).toBe(odd);
    expect(await ledger.values.replace('s', 'k', odd, 'x')).toBe(true);
    await ledger.jobs.create(jobRecord('a'));
    await ledger.rows.stage('a', [newRow(1, { collection: odd, sheet: odd, source: JSON.stringify([odd]) })]);
    const [row] = await ledger.rows.list('a', { limit: 1 });
    expect(row).toMatchObject({ collection: odd, sheet: odd, source: JSON.stringify([odd]) });
    expect(await ledger.rows.collectionReferences('a')).toEqual([odd]);
  });

  describe('if the answer to a commit is lost', () => {
    async function withProxy(
      work: (ledger: Ledger, loseAnswerTo: CuttingProxy['loseAnswerTo'], direct: Ledger) => Promise<void>,
    ): Promise<void> {
      const url = new URL(await server.newDatabase());
      await using proxy = await cuttingProxy({ host: url.hostname, port: Number(url.port) });
      await using direct = await openLedger(url.href);
      url.port = String(proxy.port);
      await using ledger = await openLedger(url.href);
      await work(ledger, (...request) => proxy.loseAnswerTo(...request), direct);
      expect(proxy.lost).toBeGreaterThan(0);
    }

    it('moves rows once, and returns the first answer', () =>
      withProxy(async (ledger, loseAnswerTo, direct) => {
        await staged(ledger, 'a', 2);
        await staged(direct, 'b', 1);
        // Each connection prepares the statement by its text, which the proxy knows it by.
        loseAnswerTo('move_rows');
        await ledger.rows.move(
          'a',
          [1, 2].map((ordinal) => ({ ordinal, to: 'sending' })),
        );
        expect(
          (await direct.rows.list('a', { limit: 9 })).map(({ attempts, sequence }) => [attempts, sequence]),
        ).toEqual([
          [1, 1],
          [1, 2],
        ]);
        await direct.rows.move('b', [{ ordinal: 1, to: 'sending' }]);
        await direct.rows.move('b', [{ ordinal: 1, to: 'done', itemId: 'item' }]);
        loseAnswerTo('move');
        expect(await ledger.rows.move('a', [{ ordinal: 1, to: 'done', itemId: 'item' }])).toEqual({
          contested: [1],
          missed: [],
          stale: [],
        });
        loseAnswerTo('move');
        expect(await ledger.rows.move('a', [{ ordinal: 2, from: 'unknown', to: 'held' }])).toEqual({
          contested: [],
          missed: [2],
          stale: [],
        });
      }));

    it('moves rows once, even if another process moves rows of the job before the retry', () =>
      withProxy(async (ledger, loseAnswerTo, direct) => {
        await staged(ledger, 'a', 3);
        const send = (by: Ledger, ordinal: number) => by.rows.move('a', [{ ordinal, to: 'sending' }]);
        await send(direct, 3);
        loseAnswerTo('move', () => send(direct, 2));
        await send(ledger, 1);
        const rows = await direct.rows.list('a', { limit: 9 });
        expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
      }));

    it('creates each job, value and claim to a key only once', () =>
      withProxy(async (ledger, loseAnswerTo, direct) => {
        loseAnswerTo("'staging'");
        await ledger.jobs.create(jobRecord('a'));
        loseAnswerTo('INSERT INTO "shelflift".key_values');
        expect(await ledger.values.putIfAbsent('s', 'k', 'mine')).toBe(true);
        expect(await direct.values.putIfAbsent('s', 'k', 'mine')).toBe(false);
        loseAnswerTo('UPDATE "shelflift".key_values');
        expect(await ledger.values.replace('s', 'k', 'mine', 'next')).toBe(true);
        expect(await direct.values.replace('s', 'k', 'mine', 'next')).toBe(false);
        loseAnswerTo('UPDATE "shelflift".jobs');
        await ledger.jobs.finishStaging('a', { sheetRows: 7 });
        expect(await direct.jobs.find('a')).toMatchObject({ state: 'planned', sheetRows: 7 });
        await expect(direct.jobs.create(jobRecord('a'))).rejects.toThrow(/There is already a job a/);
        loseAnswerTo('COMMIT');
        await ledger.jobs.discard('a');
        expect(await direct.jobs.list()).toEqual([]);
      }));

    it('takes a lane once, and still knows the previous holder', () =>
      withProxy(async (ledger, loseAnswerTo, direct) => {
        await direct.lanes.acquire('lane', 'theirs');
        await server.run('UPDATE shelflift.lanes SET beat = 0, machine = NULL', await databaseOf(direct));
        loseAnswerTo('INSERT INTO "shelflift".lanes');
        const lease = (await ledger.lanes.acquire('lane', 'mine')) as Lease;
        expect(lease.lastHolder?.job).toBe('theirs');
        await lease.renew();
      }));

    it('does not guess how many rows it took over, so the run is parked', () =>
      withProxy(async (ledger, loseAnswerTo, direct) => {
        await staged(ledger, 'a', 1);
        await ledger.rows.move('a', [{ ordinal: 1, to: 'sending' }]);
        loseAnswerTo("state = 'unknown'");
        await expect(ledger.rows.takeOver('a')).rejects.toMatchObject({ code: 'store_unreachable' });
        expect(await direct.rows.counts('a')).toMatchObject({ unknown: 1 });
      }));

    const databaseOf = async (ledger: Ledger) => {
      const url = new URL(ledger.location);
      url.password = PASSWORD;
      return Promise.resolve(url.href);
    };
  });

  describe('between machines', () => {
    const machine = (name: string | undefined, alive: boolean): Processes => ({
      current: () => ({
        host: 'same-name',
        pid: 7,
        started: 'then',
        ...(name === undefined ? {} : { machine: name }),
      }),
      mayStillRun: (identity: ProcessIdentity) => identity.pid === 7 && alive,
    });

    it.each([
      ['a dead process on the same machine counts as gone', 'm1', 'm1', false, true],
      ['a living process on the same machine is waited for', 'm1', 'm1', true, false],
      ['a process in another container of the same name is waited for', 'm1', 'm2', false, false],
      [
        'a process is waited for if the system cannot tell machines apart',
        undefined,
        undefined,
        false,
        false,
      ],
    ])('%s', async (_, theirs, ours, alive, taken) => {
      const url = await server.newDatabase();
      await using first = await openLedger(url, { processes: machine(theirs, alive) });
      await using second = await openLedger(url, { processes: machine(ours, alive) });
      await first.lanes.acquire('lane', 'theirs');
      expect('token' in (await second.lanes.acquire('lane', 'ours'))).toBe(taken);
    });

    it('a file no longer counts as being read 50 s after the last heartbeat of its reader', async () => {
      const url = await server.newDatabase();
      await using first = await openLedger(url, { processes: machine('m1', true) });
      await using second = await openLedger(url, { processes: machine('m2', true) });
      await first.jobs.create(jobRecord('theirs'));
      await first.rows.stage('theirs', [newRow(1)]);
      const jobs = async () => {
        const { rows } = await server.run('SELECT id FROM shelflift.jobs ORDER BY id', url);
        return rows.map(({ id }: { id: string }) => id);
      };
      await staged(second, 'one', 1);
      expect(await jobs()).toEqual(['one', 'theirs']);
      // Read at this moment, it is no job yet.
      expect(await second.jobs.find('last')).toMatchObject({ id: 'one' });
      await server.run(`UPDATE shelflift.jobs SET owner_beat = ${NOW} - 51000`, url);
      await staged(second, 'two', 1);
      expect(await jobs()).toEqual(['one', 'two']);
      await expect(first.jobs.finishStaging('theirs', { sheetRows: 1 })).rejects.toThrow();
    });

    it('a lease ends after 50 s without a heartbeat, by the clock of the database', async () => {
      const url = await server.newDatabase();
      await using first = await openLedger(url, { processes: machine('m1', true) });
      await using second = await openLedger(url, {
        processes: machine('m2', true),
        clock: { ...systemClock, now: () => 9e12 },
      });
      await staged(first, 'theirs', 1);
      const lease = (await first.lanes.acquire('lane', 'theirs')) as Lease;
      expect(await second.lanes.acquire('lane', 'ours')).toMatchObject({ host: 'same-name', job: 'theirs' });
      await server.run(`UPDATE shelflift.lanes SET beat = ${NOW} - 40000`, url);
      expect(await second.lanes.acquire('lane', 'ours')).toMatchObject({ job: 'theirs' });
      await server.run(`UPDATE shelflift.lanes SET beat = ${NOW} - 51000`, url);
      expect(await second.lanes.acquire('lane', 'ours')).toMatchObject({
        lastHolder: { job: 'theirs', certainlyGone: false },
      });
      await expect(
        first.rows.move('theirs', [{ ordinal: 1, to: 'sending' }], { lease }),
      ).rejects.toMatchObject({
        code: 'lease_lost',
      });
    });

    it('a living process that could not release its lane does not block it forever', async () => {
      const url = await server.newDatabase();
      await using first = await openLedger(url, { processes: machine('m1', true) });
      await first.lanes.acquire('lane', 'theirs');
      await server.run(`UPDATE shelflift.lanes SET beat = ${NOW} - 61000`, url);
      expect(await first.lanes.runner('theirs')).toBeUndefined();
      expect(await first.lanes.acquire('lane', 'ours')).toMatchObject({ lastHolder: { job: 'theirs' } });
    });

    it('a lane that could not be released is free at once for the ledger that held it', async () => {
      await using ledger = await openLedger(`${await server.newDatabase()}?reconnect=0`);
      const lease = (await ledger.lanes.acquire('lane', 'a')) as Lease;
      await server.stop();
      await lease.release();
      await server.start();
      expect(await ledger.lanes.runner('a')).toBeUndefined();
      expect(await ledger.lanes.acquire('lane', 'b')).toMatchObject({ lastHolder: { job: 'a' } });
    });

    it('a commit in progress ends before the lane can be taken', async () => {
      const url = await server.newDatabase();
      await using first = await openLedger(url, { processes: machine('m1', false) });
      await using second = await openLedger(url, { processes: machine('m1', false) });
      await staged(first, 'a', 1);
      const lease = (await first.lanes.acquire('lane', 'a')) as Lease;
      // Holds up the commit of the first at its row.
      const blocker = new Client({ connectionString: url });
      await blocker.connect();
      await blocker.query('BEGIN; SELECT 1 FROM shelflift.rows FOR UPDATE');
      const moved = first.rows.move('a', [{ ordinal: 1, to: 'sending' }], { lease });
      await waitFor(url, 1);
      let isTaken = false;
      const seen = second.lanes.acquire('lane', 'b').then(() => {
        isTaken = true;
        return second.rows.counts('a');
      });
      await waitFor(url, 2);
      expect(isTaken).toBe(false);
      await blocker.query('ROLLBACK');
      // Not the order of the two answers, which come by two connections: whoever has the lane sees the commit.
      expect(await seen).toMatchObject({ sending: 1, planned: 0 });
      await moved;
      await blocker.end();
    });

    /** Until so many statements wait for a lock. */
    async function waitFor(url: string, waiting: number): Promise<void> {
      for (;;) {
        const { rows } = await server.run(
          "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
          url,
        );
        if (rows.length >= waiting) return;
      }
    }
  });
});
