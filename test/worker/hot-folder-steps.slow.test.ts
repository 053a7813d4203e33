/** A watched folder whose worker is gone at any of its steps; the next worker does the rest. */
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { systemProcesses } from '../../src/ledger/process-identity.ts';
import { stopAt } from '../support/stop-at.ts';
import { DROP } from './example-config.ts';
import { openWorker } from './open-worker.ts';

/** This process's predecessor with the same pid: certainly gone. */
const GONE = { ...systemProcesses, current: () => ({ ...systemProcesses.current(), started: 'before' }) };

test('a worker that is killed at any step leaves its file to the next worker: one name, one set of results, each row once', async () => {
  await using place = await openWorker(DROP);
  const drop = place.dropper('drop');
  const there = (folder: string) => readdirSync(join(place.folder, 'drop', folder)).sort();
  let at = 0;
  for (let isKilled = true; isKilled; ) {
    at += 1;
    const stem = `toys-${at}`;
    drop(`${stem}.csv`, `name\n${stem}\n`);
    chmodSync(join(place.folder, 'drop', `${stem}.csv`), 0o644);
    drop(`${stem}.csv.ready`, '');
    const own = await openLedger(place.ledger.location, { processes: GONE });
    const stop = new AbortController();
    const step = stopAt(at, own, join(place.folder, 'drop'));
    const killed = place.once({ ledger: step.ledger, signal: stop.signal, graceMs: 0 });
    isKilled = await Promise.race([step.reached.then(() => true), killed.then(() => false)]);
    stop.abort();
    step[Symbol.dispose]();
    const where = `killed before step ${at}: ${step.steps.join(', ')}`;
    const next = await place.once();
    const again = await place.once();
    expect([next.exitCode, again.exitCode], where).toEqual([0, 0]);
    expect(there('processing'), where).toEqual([]);
    expect(there('.'), where).toEqual(['done', 'failed', 'processing']);
    expect(there('failed'), where).toEqual([]);
    expect(
      there('done').filter((name) => name.startsWith(`${stem}.`) || name.startsWith(`${stem}-`)),
      where,
    ).toEqual([`${stem}.csv`, `${stem}.results.csv`]);
    // As readable as the file is.
    expect(statSync(join(place.folder, 'drop/done', `${stem}.results.csv`)).mode & 0o777, where).toBe(0o644);
    expect(
      place.sandbox.control.items().filter(({ name }) => name === stem),
      where,
    ).toHaveLength(1);
    step.end();
    await killed.catch(() => undefined);
    await own.close();
  }
  // There are as many steps in a file's way.
  expect(at).toBeGreaterThan(10);
});
