/**
 * Reports runs to programs: a webhook for each end (webhook.ts), and pings for schedules. People get mail (notifier.ts).
 *
 * A ping tells a health check that a run has begun, succeeded or failed: the protocol of healthchecks.io. The check raises
 * the alarm if it hears nothing, so a worker that is down is noticed, too.
 *
 *   POST URL/start      POST URL      POST URL/fail (with the reason)
 */
import { ShelfliftError } from '../../base/errors.ts';
import type { Run } from '../queue/run.ts';
import { post } from '../remote/https.ts';
import { type ReportDeps, Webhooks } from './webhook.ts';

const PAUSES_MS = [1_000, 5_000];
const SUFFIX = { start: '/start', success: '', failure: '/fail' } as const;

export class RunReports {
  readonly #deps: ReportDeps;
  readonly #webhooks: Webhooks | undefined;
  #pinging: Promise<void> = Promise.resolve();
  #sending: Promise<void> = Promise.resolve();

  constructor(deps: ReportDeps) {
    const webhook = deps.config.notify?.webhook;
    this.#deps = deps;
    this.#webhooks = webhook === undefined ? undefined : new Webhooks(webhook, deps);
  }

  begun(run: Run, signal: AbortSignal): void {
    this.#ping(run, 'start', signal);
  }

  /** Call this before the end is recorded, because a final run is not processed again. @throws errors of the store */
  async ended(run: Run, signal: AbortSignal): Promise<void> {
    this.#ping(run, run.state === 'done' ? 'success' : 'failure', signal);
    await this.#webhooks?.keep(run);
    this.sendAgain(signal);
  }

  /** Sends the webhooks that are due; does not wait for them. */
  sendAgain(signal: AbortSignal): void {
    const webhooks = this.#webhooks;
    if (webhooks === undefined) return;
    // One at a time, so that this worker sends none twice.
    this.#sending = this.#sending
      .then(() => webhooks.send(signal))
      .catch((error: unknown) => {
        if (!signal.aborted) this.#deps.warn(`webhooks: ${(error as Error).message}`);
      });
  }

  /** Waits until all messages being sent have arrived or failed. */
  async sent(): Promise<void> {
    await this.#pinging;
    await this.#sending;
  }

  /** Sends a ping without waiting for it, so that no run is delayed. */
  #ping(run: Run, what: keyof typeof SUFFIX, signal: AbortSignal): void {
    const { config, context, clock, warn } = this.#deps;
    const name = run.work.kind === 'schedule' ? run.work.schedule : '';
    const address = config.schedules[name]?.ping;
    if (address === undefined) return;
    const body = what === 'failure' ? (run.error?.message ?? '') : '';
    const sent = { suffix: SUFFIX[what], headers: { 'content-type': 'text/plain' }, body };
    const trying = async () => {
      for (const pause of [...PAUSES_MS, undefined]) {
        try {
          return await post(address, sent, context, signal);
        } catch (error) {
          const mayPass = error instanceof ShelfliftError && error.code === 'remote_away';
          if (pause === undefined || !mayPass) throw error;
          await clock.sleep(pause, signal);
        }
      }
    };
    // One after the other: a start that arrived after its end would look like another run.
    this.#pinging = this.#pinging.then(trying).catch((error: unknown) => {
      if (!signal.aborted) warn(`The ping of ${name} failed: ${(error as Error).message}`);
    });
  }
}
