/**
 * Returns memory to the system: what reading a large configuration took (some 40 kB per schedule), and what runs took.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

const LOOK_MS = 30_000;
/** Collecting everything takes 0.1 s. */
const WORTH_BYTES = 16_000_000;

/**
 * Called at the start of a long-running process, and whenever memory has grown since: V8 keeps the pages of garbage
 * until somebody asks for them.
 */
export function giveMemoryBack(): void {
  let kept = collectGarbage();
  setInterval(() => {
    if (heldBytes() - kept > WORTH_BYTES) kept = collectGarbage();
  }, LOOK_MS).unref();
}

/** @returns the bytes that are still in use */
function collectGarbage(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return heldBytes();
}

/** Does not use the resident set, which Node reads from /proc: a chroot may not have it. */
function heldBytes(): number {
  const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return heap + buffers;
}
