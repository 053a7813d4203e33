import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { systemProcesses } from '../../src/ledger/process-identity.ts';
import { Database } from '../../src/ledger/sqlite/database.ts';
import { SqlJobs } from '../../src/ledger/sql/jobs.ts';
import { SqlLanes } from '../../src/ledger/sql/lanes.ts';
import { SqliteRows } from '../../src/ledger/sqlite/rows.ts';
import { backupStore } from '../../src/ledger/upkeep/backup-store.ts';
import { checkStore } from '../../src/ledger/upkeep/check-store.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { jobRecord, ledgerContract, newRow } from './contract.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../src/ledger/sqlite/sqlite-ledger.ts')).href;

function childSource(path: string): string {
  return `import { openSqliteLedger } from ${JSON.stringify(MODULE)};
    const ledger = openSqliteLedger(${JSON.stringify(path)});`;
}

describe('the SQLite ledger', () => {
  ledgerContract(async () => {
    const path = join(await temporaryFolder(), 'store.db');
    return {
      open: (options) => Promise.resolve(openSqliteLedger(path, options)),
      beatAhead: async () => {
        const db = new DatabaseSync(path);
        db.exec(`UPDATE lanes SET beat = ${Date.now() + 172_800_000}`);
        db.close();
      },
      childSource: childSource(path),
    };
  });
});

describe('the SQLite file', () => {
  it('is created with its folder, and others can read it while it is written', async () => {
    const path = join(await temporaryFolder(), 'deep/er/store.db');
    await using ledger = openSqliteLedger(path);
    await ledger.jobs.create(jobRecord('a'));
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('SELECT count(*) AS count FROM jobs').get()).toEqual({ count: 1 });
    db.close();
  });

  it.each([
    ['UPDATE rows SET issues = \'[{"code":1}]\'', 'issues'],
    ['UPDATE rows SET notes = \'{"0":"a"}\'', 'notes'],
    ["UPDATE jobs SET record = json_set(record, '$.request.force', 'yes')", 'job'],
    ["UPDATE jobs SET record = json_set(record, '$.collections.a', 1)", 'job'],
    ["UPDATE jobs SET record = 'no JSON'", 'job'],
  ])('is refused if stored text has another form: %s', async (damage, what) => {
    const path = join(await temporaryFolder(), 'store.db');
    await using ledger = openSqliteLedger(path);
    await ledger.jobs.create(jobRecord('a'));
    await ledger.rows.stage('a', [newRow(1)]);
    await ledger.jobs.finishStaging('a', {});
    const db = new DatabaseSync(path);
    db.exec(damage);
    db.close();
    const reading = Promise.all([ledger.jobs.find('a'), ledger.rows.list('a', { limit: 1 })]);
    await expect(reading).rejects.toMatchObject({
      code: 'store_damaged',
      message: `The store contains data (${what}) that this version cannot read.`,
    });
  });

  it('can be read only by its owner, like its log and a backup, in a folder that others can read', async () => {
    const folder = await temporaryFolder();
    chmodSync(folder, 0o755);
    const path = join(folder, 'store.db');
    await using ledger = openSqliteLedger(path);
    await ledger.jobs.create(jobRecord('a'));
    await backupStore(path, join(folder, 'backup.db'));
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
    expect(Object.fromEntries(modes)).toEqual({
      'backup.db': 0o600,
      'store.db': 0o600,
      'store.db-shm': 0o600,
      'store.db-wal': 0o600,
    });
  });

  it('of another program is left unchanged', async () => {
    const path = join(await temporaryFolder(), 'theirs.db');
    const theirs = new DatabaseSync(path);
    theirs.exec('CREATE TABLE precious (x); INSERT INTO precious VALUES (1)');
    theirs.close();
    expect(() => openSqliteLedger(path)).toThrowError(
      expect.objectContaining({ code: 'store_not_ours', exitCode: 2 }),
    );
    const again = new DatabaseSync(path);
    expect(again.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
    again.close();
  });

  it('is reported if it is not a store, is newer, or is unreachable', async () => {
    const folder = await temporaryFolder();
    const text = join(folder, 'text.db');
    await writeFile(
      text,
      'this is a letter, not a database, and it is long enough to be read as one\n'.repeat(20),
    );
    expect(() => openSqliteLedger(text)).toThrowError(expect.objectContaining({ code: 'store_not_ours' }));
    const newer = join(folder, 'newer.db');
    await openSqliteLedger(newer).close();
    for (const [version, code] of [
      [999, 'store_newer'],
      [11, 'store_older'],
    ] as const) {
      const db = new DatabaseSync(newer);
      db.exec(`PRAGMA user_version = ${version}`);
      db.close();
      expect(() => openSqliteLedger(newer)).toThrowError(expect.objectContaining({ code, exitCode: 2 }));
    }
    expect(() => openSqliteLedger('/dev/null/store.db')).toThrowError(
      expect.objectContaining({ code: 'store_unwritable', exitCode: 2 }),
    );
  });

  it('may be created by several processes at once', async () => {
    const path = join(await temporaryFolder(), 'store.db');
    const children = Array.from({ length: 4 }, (_, index) =>
      spawn(
        process.execPath,
        [
          '--input-type=module',
          '--eval',
          `${childSource(path)} await ledger.jobs.create(${JSON.stringify(jobRecord(`job-${index}`))});
           await ledger.jobs.finishStaging('job-${index}', {}); await ledger.close();`,
        ],
        { stdio: 'inherit' },
      ),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
    expect(codes).toEqual([0, 0, 0, 0]);
    await using ledger = openSqliteLedger(path);
    expect(await ledger.jobs.list()).toHaveLength(4);
  });

  it('reports a full disk, keeps committed rows, and continues when there is space', async () => {
    const db = new Database(join(await temporaryFolder(), 'store.db'));
    const lanes = new SqlLanes(db, systemClock, systemProcesses);
    const jobs = new SqlJobs(db, lanes, systemClock, systemProcesses);
    const rows = new SqliteRows(db, jobs, systemClock);
    await jobs.create(jobRecord('a'));
    await rows.stage('a', [newRow(1)]);
    const { page_count: pages } = db.prepare('PRAGMA page_count').get() as { page_count: number };
    db.prepare(`PRAGMA max_page_count = ${pages + 1}`).get();
    const large = newRow(2, { input: JSON.stringify({ name: 'x'.repeat(100_000) }) });
    await expect(rows.stage('a', [newRow(3), large])).rejects.toThrowError(
      expect.objectContaining({ code: 'disk_full', exitCode: 6 }),
    );
    expect(await rows.list('a', { limit: 9 })).toHaveLength(1);
    db.prepare('PRAGMA max_page_count = 1000000').get();
    await rows.stage('a', [large]);
    expect(await rows.list('a', { limit: 9 })).toHaveLength(2);
    jobs.close();
    await db.close();
  });
});

describe('a query about items', () => {
  it('uses an index: no statement reads whole jobs', async () => {
    const path = join(await temporaryFolder(), 'store.db');
    const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
    onTestFinished(() => prepared.mockRestore());
    await using ledger = openSqliteLedger(path);
    const api = 'https://api.example.test';
    prepared.mockClear();
    const { items } = ledger;
    await items.openCreates(api);
    await items.heldCreates(api);
    await items.intents(api);
    await items.openUpdates(api, ['a']);
    await items.owned(api, ['a']);
    await items.creates(api, ['a']);
    await items.sentUpdates(api, ['a']);
    await items.rowsOf(api, 'a');
    await ledger.rows.countsOf(['a']);
    await ledger.rows.reverting([{ job: 'a', ordinal: 1 }]);
    const statements = prepared.mock.calls.map(([sql]) => sql).filter((sql) => sql.includes('rows'));
    const db = new DatabaseSync(path, { readOnly: true });
    const steps = statements.flatMap((sql) => db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
    db.close();
    const onRows = steps
      .map(({ detail }) => String(detail))
      .filter((detail) => /^S\w+ (?:r|rows)\b/.test(detail));
    expect(statements).toHaveLength(10);
    expect(onRows.length).toBeGreaterThanOrEqual(10);
    expect(onRows.filter((detail) => !/USING (?:COVERING )?INDEX rows_/.test(detail))).toEqual([]);
  });
});

describe('a transaction that moves rows', () => {
  const sending = (ordinal: number) => ({ ordinal, to: 'sending' as const, mark: 1, quietMs: 1 });
  const ledgerOfRows = async (flush: () => Promise<void>) => {
    const ledger = openSqliteLedger(join(await temporaryFolder(), 'store.db'), { flush });
    await ledger.jobs.create(jobRecord('a'));
    await ledger.rows.stage('a', [newRow(1), newRow(2), newRow(3)]);
    await ledger.jobs.finishStaging('a', {});
    return ledger;
  };

  it('waits until a flush that began after its commit has ended', async () => {
    const flushes: (() => void)[] = [];
    await using ledger = await ledgerOfRows(() => new Promise((resolve) => flushes.push(resolve)));
    const ended: number[] = [];
    const move = async (ordinal: number) => {
      await ledger.rows.move('a', [sending(ordinal)]);
      ended.push(ordinal);
    };
    const first = move(1);
    await expect.poll(() => flushes.length).toBe(1);
    const others = [move(2), move(3)];
    flushes[0]?.();
    await first;
    await expect.poll(() => flushes.length).toBe(2);
    expect(ended).toEqual([1]);
    flushes[1]?.();
    await Promise.all(others);
    expect(flushes).toHaveLength(2);
  });

  it('fails once the disk has failed, and so does every later move', async () => {
    let fails = true;
    await using ledger = await ledgerOfRows(() =>
      fails ? Promise.reject(Object.assign(new Error('EIO'), { syscall: 'fdatasync' })) : Promise.resolve(),
    );
    const failed = { code: 'store_failed' };
    await expect(ledger.rows.move('a', [sending(1)])).rejects.toMatchObject(failed);
    fails = false;
    await expect(ledger.rows.move('a', [sending(2)])).rejects.toMatchObject(failed);
  });
});

describe('a store with damaged pages', () => {
  it('is reported as damaged, by reads and by its check', async () => {
    const path = join(await temporaryFolder(), 'store.db');
    const whole = openSqliteLedger(path);
    for (const id of ['a', 'b', 'c']) {
      await whole.jobs.create(jobRecord(id));
      const rows = Array.from({ length: 200 }, (_, index) => newRow(index + 1));
      await whole.rows.stage(id, rows);
      await whole.jobs.finishStaging(id, { sheetRows: rows.length });
    }
    await whole.close();
    const bytes = await readFile(path);
    // All but the schema, which begins the file.
    bytes.fill(0xaa, 112 * 1024);
    await writeFile(path, bytes);
    const damaged = {
      code: 'store_damaged',
      exitCode: 2,
      remedy: expect.stringContaining('.recover') as string,
    };
    await using ledger = openSqliteLedger(path);
    await expect(ledger.jobs.list().then(() => ledger.rows.counts('a'))).rejects.toMatchObject(damaged);
    await expect(checkStore(path)).rejects.toMatchObject(damaged);
  });
});

describe('several containers on one SQLite file', () => {
  /** A process in a pid namespace of its own that keeps the host's name. */
  async function container(path: string, work: string, skip: (note: string) => never) {
    const source = `${childSource(path)}\n${work}\nconsole.log('ready'); setInterval(() => {}, 1000);`;
    const child = spawn(
      'unshare',
      [
        '--pid',
        '--fork',
        '--kill-child',
        '--mount-proc',
        process.execPath,
        '--input-type=module',
        '--eval',
        source,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const ready = await Promise.race([
      once(child.stdout, 'data').then(() => true),
      once(child, 'error').then(() => false),
      once(child, 'exit').then(() => false),
    ]);
    return ready ? child : skip('unshare may not make a pid namespace here');
  }
  const later = (ms: number): Clock => ({ ...systemClock, now: () => Date.now() + ms });

  it('do not take a lane from a living process of another container until it ends', async ({ skip }) => {
    const path = join(await temporaryFolder(), 'store.db');
    await openSqliteLedger(path).close();
    const child = await container(path, `await ledger.lanes.acquire('key', 'theirs');`, skip);
    await using ledger = openSqliteLedger(path);
    expect(await ledger.lanes.acquire('key', 'ours')).toMatchObject({ host: hostname(), job: 'theirs' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    // Nobody here can tell that it has gone.
    expect(await ledger.lanes.acquire('key', 'ours')).toMatchObject({ job: 'theirs' });
    await using afterwards = openSqliteLedger(path, { clock: later(60_000) });
    expect(await afterwards.lanes.acquire('key', 'ours')).toMatchObject({
      lastHolder: { job: 'theirs', certainlyGone: false },
    });
  });

  it('keep a file while a living process of another container reads it, and remove it afterwards', async ({
    skip,
  }) => {
    const path = join(await temporaryFolder(), 'store.db');
    await openSqliteLedger(path).close();
    const work = `await ledger.jobs.create(${JSON.stringify(jobRecord('theirs'))});`;
    const child = await container(path, work, skip);
    await using ledger = openSqliteLedger(path);
    await ledger.jobs.create(jobRecord('ours'));
    const db = new DatabaseSync(path, { readOnly: true });
    const jobs = () =>
      db
        .prepare('SELECT id FROM jobs ORDER BY id')
        .all()
        .map(({ id }) => id);
    expect(jobs()).toEqual(['ours', 'theirs']);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await using afterwards = openSqliteLedger(path, { clock: later(60_000) });
    await afterwards.jobs.create(jobRecord('more'));
    expect(jobs()).toEqual(['more', 'ours']);
    db.close();
  });
});
