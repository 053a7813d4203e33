/**
 * Limits the memory of a long run. V8 has no such limit that can be set at run time, only flags, and setting a flag
 * makes Node compile its own modules again, which took a twentieth of an import of ten rows. So the flags are set only
 * when the heap has outgrown the needs of a short command.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Memory that a command takes before its rows. */
const SHORT_RUN_BYTES = 32_000_000;

/**
 * V8 allocates the records of a long file in its old space, where dead records keep their cells alive until the next
 * full collection: a dry run of 1,000,000 rows took 370 MB, and takes 250 to 280 MB with this flag, in the same time.
 * V8 does so only once the young generation has its full size, so setting the flag here is early enough.
 */
const OLD_SPACE = '--no-allocation-site-pretenuring';

/**
 * By how much the old space grows until the next full collection. An export keeps some 25 MB: with 20, it was collected
 * every 10 MB, which took a tenth of the processor time, while 100 costs 30 MB. A long-running process keeps little, so
 * there, small is better than fast.
 */
const GROWTH = '--heap-growing-percent=100';
const SMALL_GROWTH = '--heap-growing-percent=20';

/**
 * The young generation's full size is 130 MB in Node 24: with this limit, the peak of an export of 100,000 items fell
 * from 256 MB to about 190 MB, and that of a dry run of 1,000,000 rows from 267 MB to 209 MB. Only its growth can be
 * turned off, so this is done at the intended size. Half of it is in use at a time. A smaller size costs time, because
 * short-lived objects are moved twice.
 */
const YOUNG_BYTES = 32_000_000;
const SMALL_YOUNG_BYTES = 8_000_000;

/**
 * Checks the size after each collection, because V8 makes it smaller again during waits for a server or the disk. When
 * it stayed small, a dry run of 1,000,000 rows on a busy machine collected 7,000 times instead of 450, which took an
 * eighth of its time.
 *
 * @param isSmall for a long-running process: the peak of reading 1,000,000 rows falls from 328 MB to 281 MB
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
