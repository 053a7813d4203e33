import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { MissingScopeError, RequestTimeoutError, UnreachableError } from '../../src/api/errors.ts';
import type { Clock } from '../../src/base/clock.ts';
import { Circuit, withRecovery } from '../../src/import/job/circuit.ts';
import { asWritten } from '../support/as-written.ts';

const refused = new UnreachableError('unreachable', asWritten('refused'), { applied: 'no' });
const timeout = new RequestTimeoutError('timeout', asWritten('late'), { applied: 'unknown' });

/** A circuit on a simulated clock; `probe` answers the cheap read at a time in ms, or throws. */
function circuitWith(probe: (now: number) => unknown) {
  let now = 0;
  const waits: number[] = [];
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    begun: { now, monotonic: now },
    slept: () => 0,
    sleep: (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
    after: () => () => undefined,
  };
  const client = {
    listItems: () => Promise.resolve().then(() => probe(now)),
  } as unknown as ApiClient;
  const circuit = new Circuit({
    client,
    clock,
    emit: () => undefined,
    signal: new AbortController().signal,
    neverReachedMs: 30_000,
    outageMs: 600_000,
  });
  return { circuit, waits, now: () => now, pass: (ms: number) => (now += ms) };
}

function fail(error: Error): never {
  throw error;
}

describe('the circuit breaker', () => {
  it('opens at once if the connection is refused, otherwise at the fifth failure in a row', () => {
    const one = circuitWith(() => undefined);
    one.circuit.failed(refused);
    expect(one.circuit.isOpen).toBe(true);
    const other = circuitWith(() => undefined);
    for (let count = 0; count < 4; count += 1) other.circuit.failed(timeout);
    other.circuit.succeeded();
    for (let count = 0; count < 4; count += 1) other.circuit.failed(timeout);
    expect(other.circuit.isOpen).toBe(false);
    other.circuit.failed(timeout);
    expect(other.circuit.isOpen).toBe(true);
  });

  it('waits 30 s for an API that was never reached, and ten minutes for an API that was reached before', async () => {
    const never = circuitWith(() => fail(refused));
    never.circuit.failed(refused);
    await expect(never.circuit.recover()).rejects.toBe(refused);
    expect(never.now()).toBe(30_000);
    const middle = circuitWith(() => fail(refused));
    middle.circuit.succeeded();
    middle.circuit.failed(refused);
    await expect(middle.circuit.recover()).rejects.toBe(refused);
    expect(middle.now()).toBe(600_000);
    expect(Math.max(...middle.waits)).toBe(15_000);
  });

  it('opens when failures have lasted for the whole wait, however few there were', () => {
    const slow = circuitWith(() => undefined);
    slow.circuit.failed(timeout);
    slow.pass(30_000);
    slow.circuit.failed(timeout);
    expect(slow.circuit.isOpen).toBe(true);
  });

  it('closes when a read is answered, or refused for a missing scope, because the API is reachable', async () => {
    for (const answer of [
      () => ({}),
      () => fail(new MissingScopeError('missing_scope', asWritten('no'), { applied: 'no' })),
    ]) {
      const { circuit } = circuitWith((now) => (now < 5000 ? fail(refused) : answer()));
      circuit.failed(refused);
      await circuit.recover();
      expect(circuit.isOpen).toBe(false);
    }
  });

  it('does not hold a job forever if reads work and writes fail', async () => {
    const half = circuitWith(() => ({}));
    half.circuit.succeeded();
    let writes = 0;
    await expect(
      (async () => {
        for (;;) {
          writes += 1;
          half.circuit.failed(timeout);
          if (half.circuit.isOpen) await half.circuit.recover();
        }
      })(),
    ).rejects.toBe(timeout);
    expect(half.now()).toBeLessThanOrEqual(600_000);
    expect(writes).toBeLessThan(300);
  });

  it('repeats a read through a short outage', async () => {
    const { circuit } = circuitWith(() => ({}));
    let calls = 0;
    const value = await withRecovery(circuit, () => {
      calls += 1;
      return calls < 3 ? Promise.reject(refused) : Promise.resolve('read');
    });
    expect(value).toBe('read');
  });
});
