/**
 * A store of many rows: `node bench/stores/size.ts [ROWS] [IMPORTED] [postgres|sqlite]`, by default 5,000,000 rows on both,
 * and imports of 20,000 rows.
 *
 * Apart from the other benchmarks, because it takes a quarter of an hour and 10 GB of disk.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger, NewJob, NewRow, RowMove } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { POSTGRES, PostgresServer } from '../../test/support/postgres-server.ts';
import { median } from '../measure.ts';

const [ROWS = 5_000_000, IMPORTED = 20_000] = process.argv.slice(2, 4).map(Number);
const [, , , , ONLY] = process.argv;
const CLI = resolve(import.meta.dirname, '../../src/cli/bin.ts');
const JOB_ROWS = 50_000;
const JOBS = Math.ceil(ROWS / JOB_ROWS);
/** Jobs that are old enough to be pruned. */
const OLD_JOBS = Math.ceil(JOBS * 0.4);
const OLD = Date.now() - 100 * 86_400_000;
/** Rows in flight: so many intents share a commit with the outcomes before them. */
const IN_FLIGHT = 16;
const STAGED_AT_ONCE = 1_000;
const API = 'https://api.example.test';

/** What one database does in its own way. */
interface Side {
  name: string;
  location: string;
  /** Adds finished jobs and their rows. */
  fill(): Promise<void>;
  /** MB by what takes them. */
  sizes(): Promise<[what: string, megabytes: number][]>;
  /** What else there is to say of updates, since the last time. */
  updates(): Promise<string>;
}

const INPUT = (n: string) =>
  `{"kind":"create","fields":{"name":"Halloway Toys tin locomotive no. ${n}","brand":"Halloway","series":"Railways of the valley","condition":"near_mint","estimated_value":${n},"purchase_price":12.5,"tags":["tin","boxed"],"acquired_on":"2019-05-04"}}`;
const SOURCE = (n: string) =>
  `["Halloway Toys tin locomotive no. ${n}","Halloway","Railways of the valley","NM","${n}","12.50","tin; boxed","04.05.2019"]`;

const say = (what: string, value: string) => console.log(`  ${what.padEnd(62)} ${value}`);
const rate = (rows: number, ms: number) => `${Math.round((rows * 1000) / ms).toLocaleString('en-US')} rows/s`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const folder = mkdtempSync(join(tmpdir(), 'shelflift-size-'));
const binaries = POSTGRES.at(-1);
const server = binaries === undefined || ONLY === 'sqlite' ? undefined : new PostgresServer(binaries, true);
try {
  if (server !== undefined) {
    await server.start();
    await measure(postgres(`${await server.newDatabase()}?schema=size`, server, binaries?.name ?? ''));
    await server.remove();
  }
  if (ONLY !== 'postgres') await measure(sqlite(join(folder, 'ledger.db')));
} finally {
  await server?.remove();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(side: Side): Promise<void> {
  console.log(`${side.name}, ${ROWS.toLocaleString('en-US')} rows`);
  await using ledger = await openLedger(side.location);
  const empty = await importRows(ledger, 'empty');
  say('import into an empty store: staged, sent', speeds(empty));
  await side.updates();
  const begun = performance.now();
  await side.fill();
  say('filled', seconds(performance.now() - begun));
  const before = await side.sizes();
  say('MB', before.map(([what, megabytes]) => `${what} ${megabytes}`).join(', '));
  const total = before.reduce((sum, [, megabytes]) => sum + megabytes, 0);
  say('bytes a row', String(Math.round((total * 1e6) / ROWS)));
  await side.updates();
  const full = await importRows(ledger, 'full');
  say('import at that size: staged, sent', speeds(full));
  say('its commits: median, slowest', commits(full));
  say('its updates', await side.updates());

  for (const argv of [
    ['jobs', 'list'],
    ['store', 'check'],
  ])
    say(`shelflift ${argv.join(' ')}`, await timed(argv, side));

  const pruned = await besideImports(ledger, timed(['store', 'prune', '--older-than', '90d'], side));
  say(`shelflift store prune of ${(OLD_JOBS * JOB_ROWS).toLocaleString('en-US')} rows`, pruned.result);
  say('imports meanwhile: staged, sent', speeds(pruned.imports));
  say('their commits: median, slowest', commits(pruned.imports));
  say('their slowest second', `${pruned.slowestSecond} rows`);
  say('updates meanwhile', await side.updates());
  const after = await side.sizes();
  say('MB', after.map(([what, megabytes]) => `${what} ${megabytes}`).join(', '));
  const again = await importRows(ledger, 'after', IMPORTED * 4);
  say(`import of ${(IMPORTED * 4).toLocaleString('en-US')} rows after it: staged, sent`, speeds(again));
  say('MB', (await side.sizes()).map(([what, megabytes]) => `${what} ${megabytes}`).join(', '));
  say(
    'load of the machine',
    loadavg()
      .map((load) => load.toFixed(1))
      .join(', '),
  );
}

interface Imported {
  rows: number;
  stagedMs: number;
  sentMs: number;
  /** ms of each commit. */
  commits: number[];
}

/** What an import does to its store, without an API: nothing else is waited for. */
async function importRows(
  ledger: Ledger,
  id: string,
  rows = IMPORTED,
  onCommit: (rows: number) => void = () => undefined,
): Promise<Imported> {
  await ledger.jobs.create(newJob(id, rows));
  let from = performance.now();
  for (let ordinal = 1; ordinal <= rows; ordinal += STAGED_AT_ONCE)
    await ledger.rows.stage(
      id,
      Array.from({ length: Math.min(STAGED_AT_ONCE, rows - ordinal + 1) }, (_, at) => newRow(ordinal + at)),
    );
  await ledger.jobs.finishStaging(id, {});
  const stagedMs = performance.now() - from;
  const lease = await ledger.lanes.acquire(`lane-${id}`, id);
  if (!('token' in lease)) throw new Error('the lane is held');
  const times: number[] = [];
  from = performance.now();
  let outcomes: RowMove[] = [];
  for (let ordinal = 1; ordinal <= rows + IN_FLIGHT; ordinal += IN_FLIGHT) {
    const ordinals = Array.from({ length: IN_FLIGHT }, (_, at) => ordinal + at).filter(
      (each) => each <= rows,
    );
    const intents = ordinals.map(
      (each): RowMove => ({ ordinal: each, to: 'sending', mark: OLD, quietMs: 30_000 }),
    );
    const begun = performance.now();
    await ledger.rows.move(id, [...outcomes, ...intents], { by: id, lease });
    times.push(performance.now() - begun);
    onCommit(outcomes.length);
    outcomes = ordinals.map((each) => ({
      ordinal: each,
      to: 'done',
      itemId: crypto.randomUUID(),
      requestId: crypto.randomUUID(),
    }));
  }
  const sentMs = performance.now() - from;
  await ledger.jobs.update(id, { state: 'done' });
  await lease.release();
  return { rows, stagedMs, sentMs, commits: times };
}

/** Imports until `work` is done. */
async function besideImports(ledger: Ledger, work: Promise<string>) {
  const over = new AbortController();
  const result = work.finally(() => over.abort());
  const imports: Imported = { rows: 0, stagedMs: 0, sentMs: 0, commits: [] };
  const bySecond: number[] = [];
  let sending = 0;
  for (let count = 1; !over.signal.aborted; count += 1) {
    let since = performance.now();
    const one = await importRows(ledger, `beside-${count}`, IMPORTED, (rows) => {
      sending += rows;
      if (performance.now() - since < 1_000) return;
      bySecond.push(sending / ((performance.now() - since) / 1_000));
      since = performance.now();
      sending = 0;
    });
    sending = 0;
    imports.rows += one.rows;
    imports.stagedMs += one.stagedMs;
    imports.sentMs += one.sentMs;
    imports.commits.push(...one.commits);
  }
  return { result: await result, imports, slowestSecond: Math.round(Math.min(...bySecond)) };
}

function speeds({ rows, stagedMs, sentMs }: Imported): string {
  return `${rate(rows, stagedMs)}, ${rate(rows, sentMs)}`;
}

function commits({ commits: times }: Imported): string {
  return `${median(times).toFixed(1)} ms, ${Math.max(...times).toFixed(0)} ms`;
}

/** Seconds and peak memory of a command. */
async function timed(argv: string[], { location }: Side): Promise<string> {
  const from = performance.now();
  const reporter = resolve(import.meta.dirname, '../report-memory.mjs');
  const child: ChildProcess = spawn(process.execPath, ['--import', reporter, CLI, ...argv], {
    env: { ...process.env, SHELFLIFT_STORE: location },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  let printed = '';
  child.stderr?.on('data', (text: Buffer) => (told += String(text)));
  child.stdout?.on('data', (text: Buffer) => (printed += String(text)));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${told} ${printed}`);
  const last = printed.trim().split('\n').at(-1) ?? '';
  return `${seconds(performance.now() - from)}, ${/peak-mb=(\d+)/.exec(told)?.[1]} MB; ${last.replace(location, '').slice(0, 120)}`;
}

function newJob(id: string, rows: number): NewJob {
  return {
    id,
    kind: 'import',
    mode: 'create',
    dryRun: false,
    apiUrl: API,
    source: { file: `/bench/${id}.csv`, format: 'csv', headers: ['name'], letters: ['A'], sha256: id },
    request: {
      match: [],
      skipInvalid: false,
      force: false,
      noSettle: false,
      outDir: '/bench',
      mappingHash: id,
    },
    plan: { noCollectionColumn: true, ownExport: false },
    collections: { '': '11111111-1111-4111-8111-111111111111' },
    sheetRows: rows,
  };
}

function newRow(ordinal: number): NewRow {
  return {
    ordinal,
    sheetRow: ordinal + 1,
    copy: 0,
    state: 'planned',
    action: 'create',
    input: INPUT(String(ordinal)),
    operation: null,
    collection: null,
    itemId: null,
    source: SOURCE(String(ordinal)),
    issues: [],
  };
}

/** Of a finished job. */
function updatedAt(job: number): number {
  return job <= OLD_JOBS ? OLD : Date.now();
}

function postgres(location: string, own: PostgresServer, name: string): Side {
  const url = location.replace(/\?.*/, '');
  const ask = async (sql: string) => (await own.run(sql, url)).rows as Record<string, string>[];
  let last = { updated: 0, hot: 0, wal: 0 };
  return {
    name,
    location,
    async fill() {
      await ask('ALTER SYSTEM SET fsync = off');
      await ask('SELECT pg_reload_conf()');
      // Made again at the end, which takes a tenth of the time.
      const indexes = await ask(
        `SELECT format('ALTER TABLE size.%I DROP CONSTRAINT %I', t.relname, c.conname) AS drop,
           format('ALTER TABLE size.%I ADD CONSTRAINT %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid)) AS make
         FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
         WHERE c.contype = 'p' AND t.relname IN ('rows', 'row_hashes', 'seen_items') AND t.relnamespace = 'size'::regnamespace
         UNION ALL SELECT format('DROP INDEX size.%I', i.indexname), i.indexdef FROM pg_indexes i
         WHERE i.schemaname = 'size' AND i.tablename = 'rows' AND i.indexname <> 'rows_pkey'`,
      );
      for (const { drop = '' } of indexes) await ask(drop);
      for (let job = 1; job <= JOBS; job += 1) {
        await ask(
          `SET session_replication_role = replica; SET synchronous_commit = off; WITH job AS (INSERT INTO size.jobs (id, target, kind, state, dry_run, created_at, updated_at, first_sent_at, owned_at, hashed_to, record)
             SELECT 'filled-${job}', number, 'import', 'done', 0, ${updatedAt(job)}, ${updatedAt(job)}, ${updatedAt(job)}, ${updatedAt(job)}, ${JOB_ROWS}, '${recordOf(job)}'
             FROM size.targets RETURNING number, target),
           hashed AS (INSERT INTO size.row_hashes (target, hash, job, ordinal) SELECT target, md5(number || 'h' || n), number, n FROM job, generate_series(1, ${JOB_ROWS}) n),
           seen AS (INSERT INTO size.seen_items SELECT target, md5(number || 'i' || n)::uuid::text, n FROM job, generate_series(1, ${JOB_ROWS}) n)
           INSERT INTO size.rows (job, ordinal, target, state, action, sheet_row, copy, item_id, request_id, mark, sequence, attempts, quiet_ms, input, source)
             SELECT number, n, target, 'done', 'create', n + 1, 0, md5(number || 'i' || n)::uuid::text, md5(number || 'r' || n)::uuid::text, ${OLD},
               ${IMPORTED} + (${job} - 1) * ${JOB_ROWS} + n, 1, 30000, replace('${INPUT('#')}', '#', n::text), replace('${SOURCE('#')}', '#', n::text)
             FROM job, generate_series(1, ${JOB_ROWS}) n`,
        );
      }
      for (const { make = '' } of indexes) await ask(`SET maintenance_work_mem = '512MB'; ${make}`);
      await ask(`UPDATE size.targets SET sequence = ${IMPORTED + JOBS * JOB_ROWS}`);
      await ask('VACUUM ANALYZE');
      await ask('ALTER SYSTEM SET fsync = on');
      await ask('SELECT pg_reload_conf()');
      await ask('CHECKPOINT');
    },
    async sizes() {
      const rows = await ask(
        `SELECT c.relname AS what, round(pg_relation_size(c.oid) / 1e6) AS mb FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'size' AND pg_relation_size(c.oid) > 1e6 ORDER BY 2 DESC`,
      );
      return rows.map(({ what = '', mb }) => [what, Number(mb)]);
    },
    async updates() {
      // The server counts those of other connections late.
      await sleep(2_000);
      const [found] = await ask(
        `SELECT pg_stat_clear_snapshot(), n_tup_upd, n_tup_hot_upd, n_dead_tup, pg_current_wal_lsn() - '0/0' AS wal FROM pg_stat_user_tables WHERE relid = 'size.rows'::regclass`,
      );
      const now = {
        updated: Number(found?.['n_tup_upd']),
        hot: Number(found?.['n_tup_hot_upd']),
        wal: Number(found?.['wal']),
      };
      const text = `${now.updated - last.updated}, of which HOT ${now.hot - last.hot}; ${Math.round((now.wal - last.wal) / 1e6)} MB of WAL; ${found?.['n_dead_tup']} dead rows`;
      last = now;
      return text;
    },
  };
}

function sqlite(location: string): Side {
  return {
    name: 'SQLite',
    location,
    async fill() {
      const db = new DatabaseSync(location);
      db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
      const hex = (what: string) => `lower(hex(randomblob(8))) || '-${what}-' || j || '-' || n`;
      for (let job = 1; job <= JOBS; job += 1) {
        db.exec(`BEGIN;
          INSERT INTO jobs (id, target, kind, state, dry_run, created_at, updated_at, first_sent_at, owned_at, hashed_to, record)
            SELECT 'filled-${job}', number, 'import', 'done', 0, ${updatedAt(job)}, ${updatedAt(job)}, ${updatedAt(job)}, ${updatedAt(job)}, ${JOB_ROWS}, '${recordOf(job)}' FROM targets;
          CREATE TEMP TABLE filling AS WITH RECURSIVE numbers (n, j, t) AS (
            SELECT 1, number, target FROM jobs WHERE id = 'filled-${job}' UNION ALL SELECT n + 1, j, t FROM numbers WHERE n < ${JOB_ROWS})
            SELECT n, j, t, ${hex('item')} AS item, ${hex('request')} AS request, ${hex('hash')} AS hash FROM numbers;
          INSERT INTO row_hashes SELECT t, hash, j, n FROM filling ORDER BY hash;
          INSERT INTO seen_items SELECT t, item, n FROM filling ORDER BY item;
          INSERT INTO rows (job, ordinal, target, state, action, sheet_row, copy, item_id, request_id, mark, sequence, attempts, quiet_ms, input, source)
            SELECT j, n, t, 'done', 'create', n + 1, 0, item, request, ${OLD}, ${IMPORTED} + (${job} - 1) * ${JOB_ROWS} + n, 1, 30000,
              replace('${INPUT('#')}', '#', n), replace('${SOURCE('#')}', '#', n) FROM filling;
          DROP TABLE filling;
          COMMIT`);
      }
      db.exec(`UPDATE targets SET sequence = ${IMPORTED + JOBS * JOB_ROWS}`);
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
    },
    sizes: () =>
      Promise.resolve(
        ['', '-wal'].map((end): [string, number] => [
          `ledger.db${end}`,
          Math.round((statSync(location + end, { throwIfNoEntry: false })?.size ?? 0) / 1e6),
        ]),
      ),
    updates: () => Promise.resolve('not counted'),
  };
}

function recordOf(job: number): string {
  const {
    id: _id,
    kind: _kind,
    dryRun: _dryRun,
    apiUrl: _apiUrl,
    ...record
  } = newJob(`filled-${job}`, JOB_ROWS);
  return JSON.stringify({ ...record, files: {} });
}
