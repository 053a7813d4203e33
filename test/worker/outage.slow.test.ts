/** What cannot be reached is waited for and uses up no try; what was parked can be revived, with its file. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ApiError, MisfitResponseError, UnreachableError } from '../../src/api/errors.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { isAway, outageWait } from '../../src/worker/outage.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { StoreQueue } from '../../src/worker/queue/store-queue.ts';
import { reviveRun } from '../../src/worker/revive.ts';
import { refusingPort } from '../support/refusing-port.ts';
import { DAY, DROP, EXPORT, TUESDAY } from './example-config.ts';
import { mailServer } from './mail-server.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';
import { CERTIFICATE } from './test-certificate.ts';
import { asWritten } from '../support/as-written.ts';

/** Time that passes fifty times as fast. */
function fast(from: number): Clock {
  const begun = performance.now();
  const passed = () => (performance.now() - begun) * 50;
  return {
    now: () => from + passed(),
    monotonic: passed,
    begun: { now: from + passed(), monotonic: passed() },
    slept: () => 0,
    sleep: (ms, signal) => systemClock.sleep(ms / 50, signal),
    after: (ms, callback) => systemClock.after(ms / 50, callback),
  };
}

const MAIL = (port: number, retries: string) => `
smtp: { host: 127.0.0.1, port: ${port}, from: "shelflift@example.com", caFile: mail/cert.pem }
retries: ${retries}
${EXPORT().replace('[{ folder: ./out }]', '[{ email: { to: [books@example.com] } }]')}`;

function giveCertificate({ folder }: WorkerPlace): void {
  mkdirSync(join(folder, 'mail'));
  writeFileSync(join(folder, 'mail/cert.pem'), CERTIFICATE);
}

test('an unreachable mail server does not count as a try: --once ends, and the next worker delivers the file', async () => {
  const port = await refusingPort();
  await using place = await openWorker(MAIL(port, '{ tries: 2 }'));
  giveCertificate(place);
  await place.once({ now: TUESDAY });
  for (const hours of [0, 20]) {
    const { exitCode, runs } = await place.once({ clock: fast(TUESDAY + DAY + hours * 3_600_000) });
    expect(exitCode).toBe(6);
    expect(runs).toMatchObject([{ state: 'delivering', tries: 0, deliveries: [{ done: false, tries: 0 }] }]);
    expect(runs[0]?.deliveries?.[0]?.error).toContain('refuses the connection');
  }
  const server = await mailServer(true, port);
  const events: string[] = [];
  const { exitCode, runs } = await place.once({
    now: TUESDAY + 1.9 * DAY,
    emit: ({ type }) => void events.push(type),
  });
  expect([exitCode, runs[0]?.state, server.mails.length]).toEqual([0, 'done', 1]);
  expect(events).not.toContain('export');
});

test('an outage that lasts for days counts as an error; the parked run keeps its file, and gets all its tries again when it is revived', async () => {
  const port = await refusingPort();
  await using place = await openWorker(MAIL(port, '{ tries: 2, backoff: 1ms, outage: 0s }'));
  giveCertificate(place);
  await place.once({ now: TUESDAY });
  const parked = await place.once({ now: TUESDAY + DAY });
  expect(parked).toMatchObject({ exitCode: 6, runs: [{ state: 'parked_poison', tries: 2 }] });
  const id = parked.runs[0]?.id ?? '';
  expect((await place.once({ now: TUESDAY + DAY })).runs).toEqual([]);
  const server = await mailServer(true, port);
  await using queue = new StoreQueue(place.ledger);
  const revived = await reviveRun(id, { ledger: place.ledger, queue, now: TUESDAY + DAY });
  expect(revived).toMatchObject({ state: 'delivering', tries: 0, deliveries: [{ tries: 0 }] });
  const requests = place.sandbox.control.counts().requests;
  const { runs } = await place.once({ now: TUESDAY + DAY });
  expect(runs).toMatchObject([{ id, state: 'done' }]);
  expect(runs[0]?.error).toBeUndefined();
  expect(server.mails).toHaveLength(1);
  expect(place.sandbox.control.counts().requests).toBe(requests);
  // Only the one entry, and it is gone.
  expect(await place.ledger.values.spaces('queue:')).toEqual([]);
  expect(readdirSync(join(place.folder, 'spool'))).toEqual([]);
  expect(await reviveRun(id, { ledger: place.ledger, queue, now: 0 })).toMatchObject({ state: 'done' });
  expect(await new Runs(place.ledger).list()).toHaveLength(1);
});

test('silence, a 5xx and a full disk are outages; a redirect and a broken contract are not', () => {
  const answered = (status: number) =>
    new ApiError('unexpected_response', asWritten('an answer'), { status, applied: 'unknown' });
  const misfit = new MisfitResponseError('unexpected_response', asWritten('a body'), {
    status: 200,
    applied: 'unknown',
  });
  const ofSystem = (code: string) => Object.assign(new Error(code), { code });
  for (const error of [
    new UnreachableError('unreachable', asWritten('no answer'), { applied: 'no' }),
    answered(500),
    answered(503),
    answered(200),
    ofSystem('EHOSTUNREACH'),
    ofSystem('ENOSPC'),
    new Error('it failed', { cause: ofSystem('ECONNREFUSED') }),
    Object.assign(new Error('closing'), { responseCode: 421 }),
  ])
    expect(isAway(error)).toBe(true);
  for (const error of [
    answered(302),
    misfit,
    ofSystem('EACCES'),
    ofSystem('ENOTDIR'),
    new Error('no'),
    undefined,
  ])
    expect(isAway(error)).toBe(false);
});

test('each check of an outage waits as long as the outage has lasted, but ten minutes at most', () => {
  expect([0, 100_000, 86_400_000].map((lasted) => outageWait(0, lasted, 60_000))).toEqual([
    60_000, 100_000, 600_000,
  ]);
});

test('a worker that is asked to stop does not wait for an unreachable API', async () => {
  await using place = await openWorker(DROP);
  await place.sandbox.close();
  const stop = new AbortController();
  const daemon = place.once({
    once: false,
    signal: stop.signal,
    // Far longer than the test may take.
    graceMs: 3_600_000,
    emit: (event) => {
      if (event.type === 'import' && event.event.type === 'unreachable') stop.abort();
    },
  });
  place.dropper('drop')('toys.csv', 'name\nRobot\n');
  place.dropper('drop')('toys.csv.ready', '');
  expect((await daemon).runs).toMatchObject([{ state: 'queued', tries: 0, exitCode: 130 }]);
});

test('a target that is back gets the file at its own time, not when a refused target is tried again', async () => {
  const port = await refusingPort();
  const to = '[{ folder: ./blocked }, { email: { to: [books@example.com] } }]';
  await using place = await openWorker(MAIL(port, '{ tries: 9, backoff: 1m }').replace(/\[\{ email.*\]/, to));
  giveCertificate(place);
  writeFileSync(join(place.folder, 'blocked'), 'not a folder');
  await place.once({ now: TUESDAY });
  const runs = new Runs(place.ledger);
  /** Tries what is due, and returns the run as it then waits. */
  const tried = async (now: number) => {
    const stop = new AbortController();
    const ended = place.once({ now, once: false, signal: stop.signal });
    const waiting = await vi.waitFor(
      async () => {
        const [run] = await runs.list();
        if (run === undefined || run.notBefore < now + 50_000) throw new Error('not tried');
        return run;
      },
      { timeout: 60_000, interval: 20 },
    );
    stop.abort();
    await ended;
    return waiting;
  };
  const first = await tried(TUESDAY + DAY);
  const second = await tried(first.notBefore);
  expect(second.deliveries).toMatchObject([{ tries: 2 }, { tries: 0 }]);
  // The refused target waits for two minutes by now.
  const server = await mailServer(true, port);
  const third = await tried(second.notBefore);
  expect(server.mails).toHaveLength(1);
  expect(third.deliveries).toMatchObject([{ done: false, tries: 2 }, { done: true }]);
});
