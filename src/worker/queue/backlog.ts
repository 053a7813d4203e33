/** How many runs have not ended. The cost does not grow with the number of ended runs. */
import type { Ledger } from '../../ledger/ledger.ts';
import { DELIVER } from './queue.ts';
import type { RunState } from './run.ts';
import { Runs } from './runs.ts';
import { QUEUES, runOfKey } from './store-queue.ts';

export type Backlog = Record<Extract<RunState, 'queued' | 'running' | 'delivering'>, number>;

const PAGE = 500;
/** Runs looked at in each queue: one of them may be running, and all behind them wait. */
const LOOKED_AT = 16;

export async function countBacklog(ledger: Pick<Ledger, 'values'>): Promise<Backlog> {
  const { values } = ledger;
  const runs = new Runs(ledger);
  const backlog: Backlog = { queued: 0, running: 0, delivering: 0 };
  for (const space of await values.spaces(QUEUES)) {
    const keys: string[] = [];
    for (let page = PAGE; page === PAGE; ) {
      const after = keys.at(-1);
      const found = await values.list(space, { limit: PAGE, ...(after === undefined ? {} : { after }) });
      keys.push(...found.map(({ key }) => key));
      page = found.length;
    }
    if (space.startsWith(QUEUES + DELIVER)) {
      backlog.delivering += keys.length;
      continue;
    }
    const first = await Promise.all(keys.slice(0, LOOKED_AT).map((key) => runs.get(runOfKey(key))));
    const running = first.filter((run) => run?.state === 'running').length;
    backlog.running += running;
    backlog.queued += keys.length - running;
  }
  return backlog;
}
