/**
 * What the worker costs, and how it shares: 20 keys of 5 requests a second each, served by 1, 2 and 3 workers on each
 * store, beside 20 scripts that send one request after the other; the queue by itself; a worker that has nothing to do.
 */
import { drainQueue } from './drain.ts';
import { scripts, type Shares, STEADY_MS, workers } from './fairness.ts';
import { idle } from './idle.ts';
import { STORES } from './stores.ts';

export const name = 'worker';

const JOBS = 10_000;

export async function run(): Promise<string> {
  const shares: string[] = [];
  for (const open of STORES) {
    await using stores = await open();
    for (const count of [1, 2, 3]) {
      const label = `${count} ${count === 1 ? 'worker' : 'workers'}, one store on ${stores.name}`;
      shares.push(row(label, await workers(count, stores)));
    }
  }
  shares.push(row('20 sequential scripts, told how long to wait', await scripts()));
  const queue = await drainQueue(JOBS);
  const cost = await idle();
  return [
    `**20 keys of 5 requests/s each: how much of each key’s budget is used**, over ${STEADY_MS / 1000} s, once all have begun`,
    '',
    '| | all keys | slowest key | answered 429, from the start | until the last key’s first create |',
    '|---|---|---|---|---|',
    ...shares,
    '',
    `**The queue by itself** (SQLite, every step on disk): ${JOBS.toLocaleString('en-US')} jobs in 20 queues added in ${queue.addSeconds.toFixed(1)} s and drained in ${queue.drainSeconds.toFixed(1)} s: ${queue.msPerJob.toFixed(2)} ms a job.`,
    '',
    `**A worker with nothing to do** (20 profiles, 20 schedules): ${(cost.processor * 100).toFixed(1)} % of a processor, ${Math.round(cost.queriesPerMinute)} queries a minute.`,
  ].join('\n');
}

function row(label: string, { mean, slowest, limited, startSeconds }: Shares): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return `| ${label} | ${percent(mean)} | ${percent(slowest)} | ${percent(limited)} | ${startSeconds.toFixed(1)} s |`;
}
