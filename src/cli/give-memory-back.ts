/** Gives back to the system what a large configuration took while it was read: some 40 kB a schedule. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/** By then a worker has looked at 10,000 schedules for the first time, which takes 20 MB. */
const AGAIN_MS = 60_000;

/**
 * At the start of a process that stays, and a minute later: V8 keeps the pages of garbage for as long as nobody asks
 * for them.
 */
export function giveMemoryBack(): void {
  collectGarbage();
  setTimeout(collectGarbage, AGAIN_MS).unref();
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
