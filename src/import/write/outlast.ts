import { waitsOf } from '../../api/outage.ts';
import { Circuit, withRecovery } from './circuit.ts';
import type { ImportDeps } from '../deps.ts';
import type { RunOptions } from '../options.ts';

/** Runs reads through a short outage; the API that was never reached is waited for 30 s (design §2, Waiting). */
export function outlast<T>(deps: ImportDeps, run: RunOptions, read: () => Promise<T>): Promise<T> {
  const { client, clock, emit, signal } = deps;
  const circuit = new Circuit({
    client,
    clock,
    emit,
    signal,
    ...waitsOf(run.waitMs),
  });
  return withRecovery(circuit, read);
}
