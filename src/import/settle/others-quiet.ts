/**
 * Until when a request of another job may still be applied, as far as this process can tell.
 *
 * The store keeps the length of the quiet period and no moment, because clocks jump (ledger/states.ts). So each
 * request is counted from the instant at which this run has first seen it lost, or under way.
 */
import type { LedgerRow } from '../../ledger/ledger.ts';
import type { SettleContext } from './settle-context.ts';

export class OthersQuiet {
  readonly #context: Pick<SettleContext, 'clock' | 'quietPeriod'>;
  /** Monotonic ms, by request and what was known of it. */
  readonly #firstSeen = new Map<string, number>();

  constructor(context: Pick<SettleContext, 'clock' | 'quietPeriod'>) {
    this.#context = context;
  }

  /** Monotonic ms from which on the server does not apply the row's request any more. */
  endOf(jobId: string, { ordinal, sequence, state, quietMs }: LedgerRow): number {
    const { clock, quietPeriod } = this.#context;
    const request = `${jobId} ${ordinal} ${sequence} ${state}`;
    const seen = this.#firstSeen.get(request) ?? clock.monotonic();
    this.#firstSeen.set(request, seen);
    // Rows of older stores have no length of their own.
    return seen + (quietMs ?? quietPeriod.afterTimeout);
  }
}
