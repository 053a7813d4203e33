/** How long `shelflift why` takes on a store of 2,000,000 rows, and its index, in both databases. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { POSTGRES, PostgresServer } from '../../test/support/postgres-server.ts';
import { inTurn } from '../measure.ts';

export const name = 'why';

const cli = resolve(import.meta.dirname, '../../src/cli/bin.ts');
const RUNS = 5;
const JOBS = 40;
const ROWS = 50_000;
/** The first jobs create the items, the others change them. */
const CREATING = 10;
const ITEMS = CREATING * ROWS;

/** The item of a row, as SQL: jobs after the first ones change the same items again. */
const itemOf = (job: string, ordinal: string, pad: (number: string) => string) =>
  `'00000000-0000-4000-8000-' || ${pad(`((${job} - 1) * ${ROWS} + ${ordinal}) % ${ITEMS}`)}`;

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-bench-'));
  const [binaries] = POSTGRES.slice(-1);
  const server = binaries === undefined ? undefined : new PostgresServer(binaries, false);
  try {
    const file = join(folder, 'ledger.db');
    await fillSqlite(file);
    await server?.start();
    const url = server === undefined ? undefined : `${await server.newDatabase()}?schema=bench`;
    if (url !== undefined) await fillPostgres(url);
    const side = (label: string, store: string) => ({
      label,
      args: [
        cli,
        'why',
        `00000000-0000-4000-8000-${String(ITEMS / 2).padStart(12, '0')}`,
        '--offline',
        '--json',
      ],
      env: { SHELFLIFT_STORE: store },
    });
    const sides = [side('the ledger in an SQLite file', file)];
    if (url !== undefined) sides.push(side(`the ledger on ${binaries?.name ?? ''}`, url));
    const measured = await inTurn(sides, RUNS);
    return [
      `**\`shelflift why\` of an item that ${JOBS / CREATING} of ${JOBS} jobs have touched, in a store of ${(JOBS * ROWS).toLocaleString('en-US')} rows**, start of the process included`,
      '',
      '| | seconds | processor seconds | peak memory |',
      '|---|---|---|---|',
      ...measured.map(
        (each) =>
          `| ${each.label} | ${each.seconds.toFixed(2)} | ${each.processor.toFixed(2)} | ${each.peakMb} MB |`,
      ),
    ].join('\n');
  } finally {
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** SQL that fills both: a job each, then its rows. */
function jobRecord(job: number): string {
  return JSON.stringify({
    mode: job <= CREATING ? 'create' : 'update',
    source: {
      file: `/bench/${job}.csv`,
      format: 'csv',
      headers: ['name'],
      letters: ['A'],
      sha256: String(job),
    },
    options: {},
    collections: { '': '11111111-1111-4111-8111-111111111111' },
    sheetRows: ROWS,
    files: {},
  });
}

const CREATE = `'{"name":"Toy ' || n || '","brand":"Acme","estimated_value":' || (n % 100) || '}'`;
const UPDATE = `'{"set":{"estimated_value":' || (n % 100 + j) || '},"before":{"estimated_value":1}}'`;

async function fillSqlite(file: string): Promise<void> {
  await (await openLedger(file)).close();
  const db = new DatabaseSync(file);
  db.exec(
    `PRAGMA synchronous = OFF; INSERT INTO targets (number, api_url) VALUES (1, 'https://api.example.test')`,
  );
  const insert = db.prepare(
    `INSERT INTO jobs (number, id, target, kind, state, dry_run, created_at, updated_at, first_sent_at, record)
     VALUES (?1, 'bench-' || ?1, 1, 'import', 'done', 0, ?1, ?1, ?1, ?2)`,
  );
  for (let job = 1; job <= JOBS; job += 1) {
    insert.run(job, jobRecord(job));
    const isCreate = job <= CREATING;
    db.exec(
      `WITH RECURSIVE numbers (n, j) AS (SELECT 1, ${job} UNION ALL SELECT n + 1, j FROM numbers WHERE n < ${ROWS})
       INSERT INTO rows (job, ordinal, target, state, action, sheet_row, copy, item_id, request_id, sequence, attempts, payload)
       SELECT j, n, 1, 'done', '${isCreate ? 'create' : 'update'}', n + 1, 0,
         ${itemOf('j', 'n', (number) => `printf('%012d', ${number})`)}, 'req', (j - 1) * ${ROWS} + n, 1,
         ${isCreate ? CREATE : UPDATE} FROM numbers`,
    );
  }
  db.close();
}

async function fillPostgres(url: string): Promise<void> {
  await (await openLedger(url)).close();
  const client = new Client({ connectionString: url.replace(/\?.*/, '') });
  await client.connect();
  try {
    await fill(client);
  } finally {
    await client.end();
  }
}

async function fill(client: Client): Promise<void> {
  await client.query(`INSERT INTO bench.targets (number, api_url) VALUES (1, 'https://api.example.test')`);
  for (let job = 1; job <= JOBS; job += 1) {
    const isCreate = job <= CREATING;
    await client.query(
      `INSERT INTO bench.jobs (number, id, target, kind, state, dry_run, created_at, updated_at, first_sent_at, record)
       VALUES ($1::int, 'bench-' || $1::int, 1, 'import', 'done', 0, 1, 1, 1, $2)`,
      [job, jobRecord(job)],
    );
    await client.query(
      `INSERT INTO bench.rows (job, ordinal, target, state, action, sheet_row, copy, item_id, request_id, sequence, attempts, payload)
       SELECT j, n, 1, 'done', '${isCreate ? 'create' : 'update'}', n + 1, 0,
         ${itemOf('j', 'n', (number) => `lpad((${number})::text, 12, '0')`)}, 'req', (j - 1) * ${ROWS} + n, 1,
         ${isCreate ? CREATE : UPDATE} FROM generate_series(1, ${ROWS}) n, (SELECT ${job} AS j) one`,
    );
  }
  await client.query('ANALYZE bench.rows');
}
