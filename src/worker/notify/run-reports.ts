/** Reports runs to programs: a webhook for each end, and pings for schedules. People get mail (notifier.ts). */
import type { Clock } from '../../base/clock.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import type { ReadConfig } from '../config/read-config.ts';
import type { Run } from '../queue/run.ts';
import type { ConnectionContext } from '../remote/connection-context.ts';
import { Pings } from './pings.ts';
import { Webhooks } from './webhook.ts';

export class RunReports {
  readonly #pings: Pings;
  readonly #webhooks: Webhooks | undefined;
  readonly #warn: (message: string) => void;
  #sending: Promise<void> = Promise.resolve();

  constructor({
    config,
    values,
    context,
    clock,
    warn,
  }: {
    config: ReadConfig;
    values: KeyValues;
    context: ConnectionContext;
    clock: Clock;
    warn: (message: string) => void;
  }) {
    const patienceMs = config.retries.outage;
    this.#warn = warn;
    this.#pings = new Pings({ config, context, clock, warn });
    this.#webhooks =
      config.notify?.webhook === undefined
        ? undefined
        : new Webhooks(config.notify.webhook, { values, clock, context, patienceMs, warn });
  }

  begun(run: Run, signal: AbortSignal): void {
    this.#pings.send(run, 'start', signal);
  }

  /** Call before the end is recorded: nobody looks at a final run again. @throws errors of the store */
  async ended(run: Run, signal: AbortSignal): Promise<void> {
    this.#pings.send(run, run.state === 'done' ? 'success' : 'failure', signal);
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
        if (!signal.aborted) this.#warn(`webhooks: ${(error as Error).message}`);
      });
  }

  /** Waits until all messages being sent have arrived or failed. */
  async sent(): Promise<void> {
    await this.#pings.sent();
    await this.#sending;
  }
}
