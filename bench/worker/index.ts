/**
 * What the worker costs, and how it shares: 20 keys of 5 requests a second each, served by 1, 2 and 3 workers on each
 * store, beside 20 scripts that send one request after the other; the queue by itself; a worker that has nothing to do.
 */
import { drainQueue } from './drain.ts';
import { scripts, type Shares, STEADY_MS, workers } from './fairness.ts';
import { idle } from './idle.ts';
import { simulated, type SimulatedShares } from './simulated.ts';
import { STORES } from './stores.ts';

export const name = 'worker';

/** On SQLite, and on a server, where each job takes many round trips. */
const JOBS = { file: 10_000, server: 2_000 };
/** 20 keys of 5 a second keep a process busy for 20 % and 60 % of its time with these. */
const WORK_MS = [1, 3];

export async function run(): Promise<string> {
  const shares: string[] = [];
  const costs: string[] = [];
  for (const open of STORES) {
    await using stores = await open();
    for (const count of [1, 2, 3]) {
      const label = `${count} ${count === 1 ? 'worker' : 'workers'}, one store on ${stores.name}`;
      shares.push(row(label, await workers(count, stores)));
    }
    const jobs = stores.isServer ? JOBS.server : JOBS.file;
    const { addMs, drainMs } = await drainQueue(jobs, stores);
    const { processor, queriesPerMinute } = await idle(stores);
    costs.push(
      `| ${stores.name} | ${addMs.toFixed(2)} ms | ${drainMs.toFixed(2)} ms | ` +
        `${jobs.toLocaleString('en-US')} in ${((drainMs * jobs) / 1000).toFixed(0)} s | ${percent(processor)} | ${Math.round(queriesPerMinute)} |`,
    );
  }
  shares.push(row('20 sequential scripts, told how long to wait', await scripts()));
  return [
    `**20 keys of 5 requests/s each: how much of each key’s budget is used**, over ${STEADY_MS / 1000} s, once all have begun`,
    '',
    '| | all keys | slowest key | answered 429, from the start | until the last key’s first create |',
    '|---|---|---|---|---|',
    ...shares,
    '',
    '**The same keys on simulated time** (60 s from a start at which answers take up to 600 ms longer; what the machine does meanwhile is nothing to it): the share that the pacing uses, the slowest key’s, and 429s from the first request on',
    '',
    `| limiter | ${WORK_MS.map((ms) => `one process, ${ms} ms for each request and each answer`).join(' | ')} |`,
    `|---|${WORK_MS.map(() => '---|').join('')}`,
    ...(['fixed', 'sliding', 'bucket'] as const).map(
      (limiter) => `| ${limiter} | ${WORK_MS.map((ms) => cell(simulated(limiter, ms))).join(' | ')} |`,
    ),
    '',
    '**The queue by itself**, every job on disk, in 20 queues, one job after another; **a worker with nothing to do**, 20 profiles and 20 schedules',
    '',
    '| | to add a job | to drain it | drained | idle: of a processor | idle: queries a minute |',
    '|---|---|---|---|---|---|',
    ...costs,
  ].join('\n');
}

function row(label: string, { mean, slowest, limited, startSeconds }: Shares): string {
  return `| ${label} | ${percent(mean)} | ${percent(slowest)} | ${percent(limited)} | ${startSeconds.toFixed(1)} s |`;
}

function cell({ mean, slowest, limited }: SimulatedShares): string {
  return `${percent(mean)}, ${percent(slowest)}, ${percent(limited)}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
