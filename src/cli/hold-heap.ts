/**
 * Keeps a long run small. V8 has no limit for this that can be set once the process runs, only flags, and each of them
 * makes Node compile its own modules again from then on, which took a twentieth of an import of ten rows: so they are
 * set when the heap has outgrown what a short command takes.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** What a command takes before its rows. */
const SHORT_RUN_BYTES = 32_000_000;

/**
 * V8 lays the records of a long file into its old space, where the dead ones keep their cells alive until the next full
 * collection: a dry run of 1,000,000 rows took 370 MB, and takes 250 to 280 MB so, in the same time. It does so when the
 * young generation has its full size, so that it is early enough to say this here.
 */
const OLD_SPACE = '--no-allocation-site-pretenuring';

/**
 * By how much the old space grows until the next full collection. An export keeps some 25 MB: with 20, it was collected
 * every 10 MB, which was a tenth of the processor's time, where 100 costs 30 MB. A process that stays keeps little:
 * smaller is better there than faster.
 */
const GROWTH = '--heap-growing-percent=100';
const SMALL_GROWTH = '--heap-growing-percent=20';

/**
 * The young generation's full size is 130 MB in Node 24: an export of 100,000 items took 256 MB at its peak and takes
 * about 190 MB so, a dry run of 1,000,000 rows 267 MB and 209 MB. Only whether it grows can be set, so growth is stopped
 * at the intended size. Half of it is in use at a time. A smaller size costs time: short-lived objects are moved twice.
 */
const YOUNG_BYTES = 32_000_000;
const SMALL_YOUNG_BYTES = 8_000_000;

/**
 * Looks at the size after each collection, for as long as the process runs: V8 makes it smaller again while a server or
 * the disk is waited for. Where that was for good, a dry run of 1,000,000 rows on a busy machine collected 7,000 times
 * instead of 450, which was an eighth of its time.
 *
 * @param isSmall for a process that stays: reading 1,000,000 rows took 328 MB at its peak without this, and takes 281 MB
 */
export function holdHeap({ isSmall }: { isSmall: boolean }): void {
  const youngBytes = isSmall ? SMALL_YOUNG_BYTES : YOUNG_BYTES;
  let isLong = false;
  const observer = new PerformanceObserver(() => {
    const spaces = getHeapSpaceStatistics();
    if (!isLong) {
      const bytes = spaces.reduce((sum, { space_size }) => sum + space_size, 0);
      if (bytes < SHORT_RUN_BYTES && !isSmall) return;
      isLong = true;
      setFlagsFromString(OLD_SPACE);
      setFlagsFromString(isSmall ? SMALL_GROWTH : GROWTH);
    }
    const young = spaces.find(({ space_name }) => space_name === 'new_space');
    const mayGrow = (young?.space_size ?? 0) < youngBytes;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  });
  observer.observe({ entryTypes: ['gc'] });
}
