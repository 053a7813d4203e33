import { ShelfliftError } from '../../errors.ts';
import type { Runs } from './runs.ts';

const LOOK_MS = 2_000;

/** Aborts soon after somebody has cancelled the run. A look that fails is made again. */
export function watchCancelled(runId: string, runs: Runs): { signal: AbortSignal } & Disposable {
  const found = new AbortController();
  const timer = setInterval(() => {
    void runs
      .get(runId)
      .then((run) => {
        if (run?.state === 'cancelled')
          found.abort(new ShelfliftError('interrupted', 'the run was cancelled'));
      })
      .catch(() => undefined);
  }, LOOK_MS);
  return { signal: found.signal, [Symbol.dispose]: () => clearInterval(timer) };
}
