import { type Clock, systemClock } from '../../src/base/clock.ts';

/** After this time, an id that the server does not know counts as that of a deleted item. */
export const NO_LONGER_NEW_MS = 60_000;

/**
 * Time passes while somebody sleeps, and at once.
 *
 * @param ahead ms by which the clock is ahead of the machine's
 */
export function hastyClock(ahead = 0): Clock {
  return {
    ...systemClock,
    now: () => Date.now() + ahead,
    monotonic: () => performance.now() + ahead,
    sleep: async (ms) => {
      ahead += ms;
    },
  };
}
