import { expect, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { DAY, TUESDAY } from './example-config.ts';
import { openWorker } from './open-worker.ts';

test('a worker whose clock was ten days ahead runs its schedules once the clock is set right', async () => {
  await using own = await openWorker(`
schedules:
  nightly:
    profile: main
    cron: "0 6 * * *"
    timeZone: Europe/Berlin
    task: { export: items, out: "{{period.end:yyyy-MM-dd}}.csv" }
`);
  await own.once({ now: TUESDAY });
  let now = TUESDAY + 10 * DAY;
  const stop = new AbortController();
  let looks = 0;
  const ended: string[] = [];
  const running = own.once({
    clock: { ...systemClock, now: () => now },
    once: false,
    signal: stop.signal,
    graceMs: 1000,
    emit: (event) => {
      if (event.type === 'looked') looks += 1;
      if (event.type === 'ended') ended.push(event.run.id);
    },
  });
  const lookAgain = async () => {
    const before = looks;
    await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 2), { timeout: 60_000 });
  };
  await lookAgain();
  now = TUESDAY + 2 * DAY;
  await lookAgain();
  now += DAY;
  await vi.waitFor(() => expect(ended).toContain('nightly@2026-06-19T04:00:00.000Z'), { timeout: 60_000 });
  stop.abort();
  await running;
});
