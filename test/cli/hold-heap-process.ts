/**
 * A process that makes much garbage, waits as one does that waits for a server (V8 shrinks its heap), and makes much again.
 * Prints how large the young generation was at most each time, and in between, MB.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { holdHeap } from '../../src/cli/hold-heap.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: object) => void;
holdHeap({ isSmall: false });

const first = await largestOfWork();
for (let time = 0; time < 4; time += 1) {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  await turn();
}
const waiting = young();
const second = await largestOfWork();
process.stdout.write(JSON.stringify({ first, waiting, second }));

/** As many batches as it takes until the size is at its limit, and some more. */
async function largestOfWork(): Promise<number> {
  let kept: object[][] = [];
  let largest = 0;
  for (let batch = 1, more = 100; batch <= 3_000 && more > 0; batch += 1) {
    kept.push(Array.from({ length: 3_000 }, (_, number) => ({ number, text: [number] })));
    if (batch % 50 === 0) kept = [];
    await turn();
    largest = Math.max(largest, young());
    if (largest > 12) more -= 1;
  }
  return largest;
}

function young(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return (space?.space_size ?? 0) / 1_000_000;
}
