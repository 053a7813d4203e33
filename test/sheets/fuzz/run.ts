/** `node run.ts KIND FROM COUNT FILE`: reads spoiled files, and tells the number of each before it is read. */
import { peakMegabytes } from '../../../bench/peak-memory.ts';
import type { FuzzKind } from './mutate.ts';
import { readSpoiled } from './read-spoiled.ts';

const [kind, from, count, file] = process.argv.slice(2);
const outcomes = new Map<string, number>();
let slowest = 0;
for (let number = Number(from); number < Number(from) + Number(count); number += 1) {
  process.stdout.write(`${number}\n`);
  const began = process.cpuUsage();
  const outcome = await readSpoiled(kind as FuzzKind, number, file ?? '');
  const used = process.cpuUsage(began);
  slowest = Math.max(slowest, (used.user + used.system) / 1e6);
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}
const megabytes = peakMegabytes();
process.stdout.write(`${JSON.stringify({ outcomes: Object.fromEntries(outcomes), slowest, megabytes })}\n`);
