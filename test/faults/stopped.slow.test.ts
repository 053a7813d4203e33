import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import type { JobSummary } from '../../src/import/results/summary.ts';
import { LEASE_EXPIRY_MS } from '../../src/ledger/lease-freshness.ts';
import { systemProcesses } from '../../src/ledger/process-identity.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { ended, newPlace } from '../cli/run-shelflift.ts';
import { toyNames, toys } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

const ALWAYS = ['--json', '--quiet', '--quiet-period', '150ms', '--timeout', '1s'];

/** Starts a real import in a process of its own, and stops it (SIGSTOP) in the middle of its rows. */
async function stoppedImport(it: Awaited<ReturnType<typeof openImport>>, rows: number) {
  const place = newPlace({
    SHELFLIFT_API_URL: it.sandbox.url,
    SHELFLIFT_API_KEY: it.sandbox.key,
    SHELFLIFT_STORE: it.store,
  });
  const file = place.file('toys.csv', toys(rows));
  const child = place.start(['import', file, '--collection', 'Main', ...ALWAYS]);
  const end = ended(child);
  while (it.items().length < rows / 4) await systemClock.sleep(2);
  await using probe = openSqliteLedger(it.store, { outageMs: 1000 });
  for (;;) {
    child.kill('SIGSTOP');
    // Stopped in the middle of a commit it would lock the whole store, and nobody else could do anything.
    const stopped = await probe.jobs.noteFile('none', 'none').then(
      () => true,
      () => false,
    );
    if (stopped) break;
    child.kill('SIGCONT');
    // On one core it would not even get to its next step.
    await systemClock.sleep(10);
  }
  return { place, end, goOn: () => child.kill('SIGCONT') };
}

describe('a process that is paused (SIGSTOP) in the middle of a job', () => {
  it('keeps its job, is reported to other processes, and continues after SIGCONT', async () => {
    await using it = await openImport({ latencyMs: 20 });
    const { place, end, goOn } = await stoppedImport(it, 200);
    const { code, stdout } = await place.run(['jobs', 'resume', 'last', ...ALWAYS]);
    expect(code).toBe(2);
    expect((JSON.parse(stdout) as JobSummary).error?.message).toMatch(
      /has been running on .+ \(pid \d+\) since 20/,
    );
    // Longer than the client's wait for an answer: what was in flight is lost to it.
    await systemClock.sleep(3000);
    goOn();
    const woken = await end;
    expect(woken.code, woken.stderr).toBe(0);
    expect(it.names()).toEqual(toyNames(200));
  });

  it('for longer than its lease is replaced by another host, and changes nothing when it continues', async () => {
    await using it = await openImport({ latencyMs: 20 });
    const { end, goOn } = await stoppedImport(it, 200);
    await systemClock.sleep(LEASE_EXPIRY_MS + 1000);
    await using elsewhere = openSqliteLedger(it.store, {
      processes: { ...systemProcesses, current: () => ({ host: 'another host', pid: 1, started: '1' }) },
    });
    // Woken once the other has the lane, and settles or sends: for a while both are there.
    const onEvent = ({ type }: ImportEvent) =>
      type === 'settling' || type === 'sending' ? goOn() : undefined;
    const taken = it.resume('last', {}, { ledger: elsewhere, onEvent });
    expect(await taken).toMatchObject({ exitCode: 0, summary: { state: 'done', rows: { created: 200 } } });
    const woken = await end;
    expect(woken.code, woken.stderr).toBe(130);
    expect(it.names()).toEqual(toyNames(200));
    expect((await it.ledger.jobs.find('last')).state).toBe('done');
  });
});
