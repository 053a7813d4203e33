import type { Ledger } from '../../src/ledger/ledger.ts';
import { overriding } from './overriding.ts';

/** A ledger that does something else between a job's plan and its turn. */
export function beforeTurn(ledger: Ledger, work: () => Promise<unknown>): Ledger {
  let before: Promise<unknown> | undefined;
  return overriding(ledger, {
    lanes: overriding(ledger.lanes, {
      acquire: async (...args) => {
        await (before ??= work());
        return ledger.lanes.acquire(...args);
      },
    }),
  });
}
