/**
 * How long the server may still apply the requests of other jobs.
 *
 * The store has the length of a quiet period but not its start, because clocks jump (ledger/states.ts). So each period
 * starts when this run first sees that the request is lost or in flight.
 */
import type { LedgerRow } from '../../ledger/ledger.ts';
import type { SettleContext } from './settle-context.ts';

export class OthersQuiet {
  readonly #context: Pick<SettleContext, 'clock' | 'quietPeriod'>;
  /** Monotonic ms, by request and state. */
  readonly #firstSeen = new Map<string, number>();

  constructor(context: Pick<SettleContext, 'clock' | 'quietPeriod'>) {
    this.#context = context;
  }

  /** Monotonic ms after which the server can no longer apply the row's request. */
  endOf(
    jobId: string,
    { ordinal, sequence, state, quietMs }: Pick<LedgerRow, 'ordinal' | 'sequence' | 'state' | 'quietMs'>,
  ): number {
    const { clock, quietPeriod } = this.#context;
    const request = `${jobId} ${ordinal} ${sequence} ${state}`;
    const seen = this.#firstSeen.get(request) ?? clock.monotonic();
    this.#firstSeen.set(request, seen);
    // Rows of older stores have no length.
    return seen + (quietMs ?? quietPeriod.afterTimeout);
  }
}
