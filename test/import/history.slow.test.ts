/** The history of rows on PostgreSQL, and through killed processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JobSummary } from '../../src/import/results/summary.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, newPlace } from '../cli/run-shelflift.ts';
import { toys } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';
import { historyCases } from './history-cases.ts';

describe.skipIf(POSTGRES.length === 0)('on PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1));
  const urls = new WeakMap<object, string>();
  historyCases(
    async (options) => {
      const url = await server.newDatabase();
      const it = await openImport(options, () => openLedger(url));
      urls.set(it.ledger, url);
      return it;
    },
    async ({ ledger }, statements) => {
      for (const statement of statements)
        await server.run(`SET search_path = shelflift; ${statement}`, urls.get(ledger) ?? '');
    },
  );
});

it('an undo that is killed, and then undone, leaves every row of the file in effect', async () => {
  await using sandbox = await startSandbox({ latencyMs: 20 });
  const place = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'ledger.db',
  });
  const alive = () => sandbox.control.items().filter(({ status }) => status !== 'archived').length;
  const run = async (...argv: string[]) => {
    const { code, stdout } = await place.run([...argv, '--json', '--yes', '--quiet-period', '1s']);
    return { code, ...(JSON.parse(stdout) as JobSummary) };
  };
  place.file('toys.csv', toys(60));
  const { job } = await run('import', 'toys.csv', '--collection', 'Main');
  const killed = place.start(['jobs', 'undo', job, '--yes', '--quiet', '--max-concurrency', '2']);
  while (alive() > 38) await sleep(5);
  killed.kill('SIGKILL');
  expect(alive()).toBeGreaterThan(0);
  expect(await run('jobs', 'undo', 'last')).toMatchObject({ code: 0, rows: { held: 0 } });
  expect(alive()).toBe(60);
  expect(await run('import', 'toys.csv', '--collection', 'Main', '--only-new')).toMatchObject({
    code: 0,
    state: 'already_applied',
  });
  place.file('toys.csv', toys(61));
  expect(await run('import', 'toys.csv', '--collection', 'Main', '--only-new')).toMatchObject({
    code: 0,
    rows: { created: 1, skipped: 60 },
  });
  expect(alive()).toBe(61);
});

it('a job that is resumed while its undo starts leaves no item out of the undo', async () => {
  await using sandbox = await startSandbox();
  const place = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'ledger.db',
  });
  const always = ['--json', '--yes', '--quiet', '--quiet-period', '1s'];
  place.file('toys.csv', toys(400));
  const paused = await place.run(['import', 'toys.csv', '--collection', 'Main', '--first', '40', ...always]);
  const { job } = JSON.parse(paused.stdout) as JobSummary;
  sandbox.control.setLatency(300);
  const process = place.start(['jobs', 'undo', job, '--max-concurrency', '2', ...always]);
  const undo = ended(process);
  await using ledger = openSqliteLedger(`${place.folder}/ledger.db`);
  while (!(await ledger.jobs.list()).some(({ kind }) => kind === 'undo')) await sleep(20);
  // It has its rows, and plans them.
  process.kill('SIGSTOP');
  sandbox.control.setLatency(0);
  const resumed = await place.run(['jobs', 'resume', job, '--first', '20', ...always]);
  process.kill('SIGCONT');
  const undone = await undo;
  expect([resumed.code, undone.code], `${undone.stderr}${resumed.stderr}`).toEqual([0, 0]);
  const items = sandbox.control.items();
  expect(items).toHaveLength(60);
  expect(items.filter(({ status }) => status !== 'archived')).toEqual([]);
  expect(await ledger.rows.counts(job)).toMatchObject({ created: items.length, sending: 0, unknown: 0 });
  expect(JSON.parse(undone.stdout)).toMatchObject({ rows: { updated: items.length, pending: 0 } });
});
