/**
 * Keeps V8's young generation from growing to its full size, which is 130 MB in Node 24: an export of 100,000 items
 * took 256 MB at its peak and takes about 190 MB so, a dry run of 1,000,000 rows 267 MB and 209 MB. Its size cannot be
 * set once the process runs, only whether it grows, so growth is stopped at the intended size.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Half of it is in use at a time. A smaller size costs time: short-lived objects are moved twice. */
const LARGEST_BYTES = 32_000_000;
/**
 * bin.ts has the old space collected at each fifth by which it grows, for the sake of long files. An export keeps
 * some 25 MB, so that it was collected every 10 MB: a tenth of the processor's time, where this costs 30 MB.
 */
const OLD_SPACE = '--heap-growing-percent=100';

/** The page is open all day, and keeps little: smaller is better there than faster. */
const SMALL_BYTES = 8_000_000;

/**
 * Looks at the size after each collection, for as long as the process runs: V8 makes it smaller again while a server or
 * the disk is waited for. Where that was for good, a dry run of 1,000,000 rows on a busy machine collected 7,000 times
 * instead of 450, which was an eighth of its time.
 *
 * @param isSmall for a process that stays: reading 1,000,000 rows took 328 MB at its peak without this, and takes 281 MB
 */
export function holdYoungHeap({ isSmall = false } = {}): void {
  if (!isSmall) setFlagsFromString(OLD_SPACE);
  const largest = isSmall ? SMALL_BYTES : LARGEST_BYTES;
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    const mayGrow = (young?.space_size ?? 0) < largest;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  });
  observer.observe({ entryTypes: ['gc'] });
}
