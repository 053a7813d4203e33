/**
 * Tells a health check that a schedule's run has begun, succeeded or failed: the protocol of healthchecks.io.
 * The check raises the alarm if it hears nothing, so a worker that is down is noticed, too.
 *
 *   POST URL/start      POST URL      POST URL/fail (with the reason)
 */
import type { Clock } from '../../base/clock.ts';
import { ShelfliftError } from '../../base/errors.ts';
import type { ReadConfig } from '../config/read-config.ts';
import type { Run } from '../queue/run.ts';
import { post } from '../remote/https.ts';
import type { ConnectionContext } from '../remote/connection-context.ts';

const PAUSES_MS = [1_000, 5_000];
const SUFFIX = { start: '/start', success: '', failure: '/fail' } as const;

export class Pings {
  readonly #deps: {
    config: ReadConfig;
    context: ConnectionContext;
    clock: Clock;
    warn: (message: string) => void;
  };
  #open: Promise<void> = Promise.resolve();

  constructor(deps: {
    config: ReadConfig;
    context: ConnectionContext;
    clock: Clock;
    warn: (message: string) => void;
  }) {
    this.#deps = deps;
  }

  /** Sends a ping without waiting for it, so that no run is delayed. */
  send(run: Run, what: keyof typeof SUFFIX, signal: AbortSignal): void {
    const { config, warn } = this.#deps;
    const name = run.work.kind === 'schedule' ? run.work.schedule : '';
    if (config.schedules[name]?.ping === undefined) return;
    // One after the other: a start that came after its end would look like another run.
    this.#open = this.#open
      .then(() => this.#tried(name, run, what, signal))
      .catch((error: unknown) => {
        if (!signal.aborted) warn(`The ping of ${name} failed: ${(error as Error).message}`);
      });
  }

  /** Waits until all pings have been sent or have failed. */
  async sent(): Promise<void> {
    await this.#open;
  }

  async #tried(name: string, run: Run, what: keyof typeof SUFFIX, signal: AbortSignal): Promise<void> {
    const { config, context, clock } = this.#deps;
    const ping = config.schedules[name]?.ping;
    if (ping === undefined) return;
    const body = what === 'failure' ? (run.error?.message ?? '') : '';
    for (const pause of [...PAUSES_MS, undefined]) {
      try {
        await post(
          ping,
          { suffix: SUFFIX[what], headers: { 'content-type': 'text/plain' }, body },
          context,
          signal,
        );
        return;
      } catch (error) {
        const mayPass = error instanceof ShelfliftError && error.code === 'remote_away';
        if (pause === undefined || !mayPass) throw error;
        await clock.sleep(pause, signal);
      }
    }
  }
}
