import { nextText } from '../../src/cli/show/output.ts';
import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { RequestMeter } from '../../src/api/meter.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import { toyNames, toys } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

/** Sleeps a hundredth of what it is asked for, and says that it was all of it. */
function fastClock(): Clock {
  let ahead = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    monotonic: () => systemClock.monotonic() + ahead,
    sleep: async (ms, signal) => {
      await systemClock.sleep(ms / 100, signal);
      ahead += ms - ms / 100;
    },
  };
}

it('--wait-for-limit says when it checks again, and running jobs resume elsewhere makes it check at once', async () => {
  await using it = await openImport({ planLimit: 2 });
  const file = await it.file('toys.csv', toys(5));
  const full = Promise.withResolvers<ImportEvent & { type: 'note' }>();
  // The clock of this run goes by itself: without help the wait would be a whole minute.
  const waiting = it.import(
    { file, run: { waitForLimit: true } },
    { onEvent: (event) => (event.type === 'note' ? full.resolve(event) : undefined) },
  );
  expect((await full.promise).said).toMatchObject({
    code: 'waits_for_room',
    params: { rows: 3 },
    actions: [{ do: 'resume' }],
  });
  const shown = await showJob('last', { ledger: it.ledger, meter: new RequestMeter() });
  expect(shown.summary.state).toBe('running');
  expect(shown.summary.nextTry?.getTime()).toBeGreaterThan(Date.now() + 30_000);

  it.sandbox.control.setPlanLimit(null);
  const elsewhere = await it.resume('last');
  expect(elsewhere.exitCode).toBe(2);
  expect(elsewhere.summary.error?.code).toBe('job_runs_elsewhere');
  expect(elsewhere.summary.error?.message).toContain(`on ${hostname()} (pid ${process.pid}) since 20`);
  expect(nextText(elsewhere, {})).toContain('is trying again now');
  expect(await waiting).toMatchObject({ exitCode: 0, summary: { state: 'done', rows: { created: 5 } } });
  expect(it.names()).toEqual(toyNames(5));
});

it('--wait-for-limit checks at growing intervals, with one create each time', async () => {
  await using it = await openImport({ planLimit: 1 });
  const file = await it.file('toys.csv', toys(3));
  let waits = 0;
  const { summary } = await it.import(
    { file, run: { waitForLimit: true } },
    {
      clock: fastClock(),
      client: { maxConcurrency: 1 },
      onEvent: (event) => {
        if (event.type === 'note') waits += 1;
        if (waits === 3) it.sandbox.control.setPlanLimit(null);
      },
    },
  );
  expect(summary).toMatchObject({ state: 'done', rows: { created: 3 } });
  expect(summary.nextTry).toBeUndefined();
  expect(it.sandbox.control.counts().byOperation.createItem).toEqual({ '201': 3, '403': 3 });
});
