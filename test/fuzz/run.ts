/** `node run.ts KIND FROM COUNT FOLDER`: plays inputs, and tells the number of each before it is read. */
import { peakMegabytes } from '../../bench/peak-memory.mjs';
import { type Kind, openAdversary, outcomeOf } from './kinds.ts';

const [kind, from, count, folder] = process.argv.slice(2);
const outcomes = new Map<string, number>();
const adversary = await openAdversary(kind as Kind, folder ?? '');
let slowest = 0;
for (let number = Number(from); number < Number(from) + Number(count); number += 1) {
  await tell(String(number));
  const began = process.cpuUsage();
  const outcome = await outcomeOf(kind as Kind, adversary, number);
  const used = process.cpuUsage(began);
  slowest = Math.max(slowest, (used.user + used.system) / 1e6);
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}
const megabytes = peakMegabytes();
await tell(JSON.stringify({ outcomes: Object.fromEntries(outcomes), slowest, megabytes }));
await adversary.close?.();
process.exit(0);

/** Waits until it is out: whoever fills a pipe and goes on, or exits, is not heard. */
function tell(line: string): Promise<void> {
  return new Promise((resolve) => void process.stdout.write(`${line}\n`, () => resolve()));
}
