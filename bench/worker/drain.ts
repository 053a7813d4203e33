/** The queue without work: what a job costs from the moment it is queued to the moment it is forgotten. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { lanesOf, profileQueue, type Service } from '../../src/worker/queue/queue.ts';
import type { Run } from '../../src/worker/queue/run.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { StoreQueue } from '../../src/worker/queue/store-queue.ts';

const QUEUES = 20;

export async function drainQueue(
  jobs: number,
): Promise<{ addSeconds: number; drainSeconds: number; msPerJob: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-bench-'));
  try {
    await using ledger = openSqliteLedger(join(folder, 'ledger.db'));
    await using queue = new StoreQueue(ledger);
    const runs = new Runs(ledger);
    const names = Array.from({ length: QUEUES }, (_, index) => `team${index}`);
    const service: Service = {
      ...lanesOf('bench', new Map(names.map((name) => [name, name]))),
      parallel: QUEUES,
      now: () => Date.now(),
      isLeft: () => false,
      isDue: (_, notBefore) => notBefore <= Date.now(),
    };
    const addedFrom = performance.now();
    for (let index = 0; index < jobs; index += 1) {
      const run = runOf(index, profileQueue(names[index % QUEUES] ?? ''));
      await runs.add(run);
      await queue.add(run);
    }
    const drainedFrom = performance.now();
    let drained = 0;
    // The steps that the executor takes, without what it does between them.
    for (let turn = await queue.take(service); turn !== undefined; turn = await queue.take(service)) {
      const run = await runs.get(turn.runId);
      if (run === undefined) throw new Error(`${turn.runId} is not there`);
      await runs.save(Object.assign(run, { state: 'running' }));
      await runs.save(Object.assign(run, { state: 'done', endedAt: Date.now() }));
      await turn.finish();
      drained += 1;
    }
    if (drained !== jobs) throw new Error(`${drained} of ${jobs} jobs were drained`);
    const end = performance.now();
    return {
      addSeconds: (drainedFrom - addedFrom) / 1000,
      drainSeconds: (end - drainedFrom) / 1000,
      msPerJob: (end - addedFrom) / jobs,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runOf(index: number, queue: string): Run {
  const now = Date.now();
  const work = { kind: 'schedule', schedule: 'bench', fire: now, previous: now } as const;
  return {
    id: `bench-${index}`,
    queue,
    priority: 'read',
    work,
    state: 'queued',
    tries: 0,
    createdAt: now,
    notBefore: now,
  };
}
