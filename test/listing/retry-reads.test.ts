import { describe, expect, it } from 'vitest';
import { ApiError, InvalidRequestError } from '../../src/api/errors.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { RetriedReads } from '../../src/listing/retry-reads.ts';
import { message } from '../../src/messages/message.ts';

const down = () => new ApiError('unreachable', message('answer_no_json', { found: '' }), { applied: 'no' });

/** Sleeps in no time; reads that fail until they have failed so many times. */
function opened(failures: number, neverReachedMs = 30_000, outageMs = 600_000) {
  let now = 0;
  const waits: number[] = [];
  const retries: [number, number][] = [];
  const signals = new Set<AbortSignal | undefined>();
  const clock: Clock = {
    ...systemClock,
    monotonic: () => now,
    sleep: async (ms, signal) => {
      waits.push(ms);
      signals.add(signal);
      now += ms;
    },
  };
  const { signal } = new AbortController();
  const reads = new RetriedReads({
    clock,
    patience: { neverReachedMs, outageMs },
    signal,
    onRetry: (_, tryNumber, waitMs) => retries.push([tryNumber, waitMs]),
  });
  let left = failures;
  const read = async () => {
    left -= 1;
    if (left >= 0) throw down();
    return 'read';
  };
  return { reads, read, waits, retries, signals, signal, fail: (times: number) => (left = times) };
}

describe('a read during an outage', () => {
  it('is repeated after pauses of 250 ms to 15 s', async () => {
    const { reads, read, waits, retries, signals, signal } = opened(9, 600_000);
    expect(await reads.read(read)).toBe('read');
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
    expect(retries.slice(0, 2)).toEqual([
      [2, 250],
      [3, 500],
    ]);
    expect([...signals]).toEqual([signal]);
  });

  it('ends after half a minute if nothing was ever answered, and after ten minutes otherwise', async () => {
    const { reads, read, waits, fail } = opened(100);
    await expect(reads.read(read)).rejects.toMatchObject({ code: 'unreachable' });
    expect(waits.reduce((sum, each) => sum + each)).toBe(30_000);
    fail(0);
    await reads.read(read);
    waits.length = 0;
    fail(1000);
    await expect(reads.read(read)).rejects.toMatchObject({ code: 'unreachable' });
    expect(waits.reduce((sum, each) => sum + each)).toBe(600_000);
  });

  it('is not repeated after an error that stays the same', async () => {
    const { reads, waits } = opened(0);
    const refused = new InvalidRequestError('invalid_request', message('api_rejects', {}), { applied: 'no' });
    await expect(reads.read(() => Promise.reject(refused))).rejects.toBe(refused);
    expect(waits).toEqual([]);
  });
});
