/** Gives back to the system what a large configuration took while it was read, some 40 kB a schedule, and what runs took. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

const LOOK_MS = 30_000;
/** Collecting everything takes 0.1 s. */
const WORTH_BYTES = 16_000_000;

/**
 * At the start of a process that stays, and whenever it has grown since: V8 keeps the pages of garbage for as long as
 * nobody asks for them.
 */
export function giveMemoryBack(): void {
  let kept = collectGarbage();
  setInterval(() => {
    if (heldBytes() - kept > WORTH_BYTES) kept = collectGarbage();
  }, LOOK_MS).unref();
}

/** @returns what is held after it, bytes */
function collectGarbage(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  return heldBytes();
}

/** Not the resident set, which Node reads in /proc: a chroot may not have it. */
function heldBytes(): number {
  const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return heap + buffers;
}
