/** What would go on for ever, or be done behind a running job's back, is left to a person instead. */
import { expect, test } from 'vitest';
import { RequestMeter } from '../../src/api/meter.ts';
import { systemClock } from '../../src/base/clock.ts';
import { cancelJob } from '../../src/import/jobs/cancel-job.ts';
import { csv } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

test('a create that never gets an answer is held after some tries; the other creates are sent', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', csv(['name'], [['Falcon'], ['Rover']]));
  const setting = { client: { maxConcurrency: 1 } };
  await it.import({ file, run: { first: 1 } }, setting);
  for (let time = 0; time < 10; time += 1) it.sandbox.control.failNext('error500', 'createItem', false);
  const { summary, exitCode } = await it.resume('last', {}, setting);
  expect([exitCode, summary.state, summary.rows.created, summary.rows.held]).toEqual([3, 'done', 1, 1]);
  expect(it.names()).toEqual(['Falcon']);
  expect(await it.read(summary.files.results)).toContain('keeps_failing');
});

test('another process can neither resume nor cancel a running job', async () => {
  await using it = await openImport({ latencyMs: 100 });
  const rows = Array.from({ length: 40 }, (_, row) => [`Toy ${row}`]);
  const file = await it.file('toys.csv', csv(['name'], rows));
  let others: Promise<unknown>[] = [];
  const { summary, exitCode } = await it.import(
    { file },
    {
      onEvent: (event) => {
        if (event.type !== 'sending' || others.length > 0) return;
        others = [
          it.resume('last').then((outcome) => outcome.summary.error?.code),
          cancelJob('last', { ledger: it.ledger, clock: systemClock, meter: new RequestMeter() }).catch(
            (error: unknown) => error,
          ),
        ];
      },
    },
  );
  expect([exitCode, summary.state, summary.rows.created]).toEqual([0, 'done', 40]);
  expect(await Promise.all(others)).toEqual([
    'job_runs_elsewhere',
    expect.objectContaining({ code: 'job_runs_elsewhere' }),
  ]);
});

test.each([
  ['a plan', 2],
  ['the creates', 5],
])('endless 429s delay %s no longer than --wait', async (_, before) => {
  // No answer says when there is room again.
  await using it = await openImport({ rateLimit: `${before}/3600s`, headers: 'none', latencyMs: 1 });
  const file = await it.file(
    'toys.csv',
    csv(
      ['name'],
      Array.from({ length: 9 }, (_row, row) => [`Toy ${row}`]),
    ),
  );
  const { summary, exitCode } = await it.import(
    { file, mode: 'upsert', match: ['name'], run: { waitMs: 2_000 } },
    { client: { limitedWaitMs: 2_000 } },
  );
  expect([exitCode, summary.state, summary.error?.code]).toEqual([6, 'parked_unreachable', 'rate_limited']);
  it.sandbox.control.setRateLimit(null);
  const rest = await it.resume(summary.job);
  expect([rest.exitCode, rest.summary.rows.created]).toEqual([0, 9]);
  expect(it.items()).toHaveLength(9);
});

test('a stopped run ends even if a create is not answered, and a resume finds its item', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', csv(['name'], [['Falcon'], ['Rover']]));
  const setting = { client: { maxConcurrency: 1, timeoutMs: 3_600_000 } };
  await it.import({ file, run: { first: 1 } }, setting);
  it.sandbox.control.failNext('stall', 'createItem', true);
  const stop = new AbortController();
  const sent = it.resume('last', {}, { ...setting, signal: stop.signal });
  while (it.items().length < 2) await systemClock.sleep(10);
  stop.abort();
  const { summary, exitCode } = await sent;
  expect([exitCode, summary.state, summary.rows.pending]).toEqual([130, 'interrupted', 1]);
  const rest = await it.resume('last', {}, setting);
  expect([rest.exitCode, rest.summary.rows.created]).toEqual([0, 2]);
  expect(it.names()).toEqual(['Falcon', 'Rover']);
});
