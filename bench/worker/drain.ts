/** The queue without work: what a job costs from the moment it is queued to the moment it is forgotten. */
import { setTimeout as sleep } from 'node:timers/promises';
import { lanesOf, profileQueue, type Service } from '../../src/worker/queue/queue.ts';
import type { Run } from '../../src/worker/queue/run.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { openStore, type Stores } from './stores.ts';

const QUEUES = 20;

export interface Drained {
  addMs: number;
  drainMs: number;
}

/** @returns what a job takes, ms */
export async function drainQueue(jobs: number, stores: Stores): Promise<Drained> {
  await using store = await openStore(await stores.fresh(), stores.folder);
  const { ledger, queue } = store;
  const runs = new Runs(ledger);
  const names = Array.from({ length: QUEUES }, (_, index) => `team${index}`);
  const service: Service = {
    ...lanesOf('bench', new Map(names.map((name) => [name, name]))),
    parallel: QUEUES,
    now: () => Date.now(),
    isDue: (_, notBefore) => notBefore <= Date.now(),
    left: new Set(),
    once: false,
  };
  const addedFrom = performance.now();
  for (let index = 0; index < jobs; index += 1) {
    const run = runOf(index, profileQueue(names[index % QUEUES] ?? ''));
    await queue.enqueue(run, runs);
  }
  const drainedFrom = performance.now();
  let woken = Promise.withResolvers<void>();
  await queue.start(service, () => woken.resolve());
  for (let drained = 0; drained < jobs; ) {
    const turn = await queue.take(service);
    if (turn === undefined) {
      // Told, or looking by itself as a worker does.
      await Promise.race([woken.promise, sleep(1000)]);
      woken = Promise.withResolvers();
      continue;
    }
    // The steps that the executor takes, without what it does between them.
    const run = await runs.get(turn.runId);
    if (run === undefined) throw new Error(`${turn.runId} is not there`);
    await runs.save(Object.assign(run, { state: 'running' }));
    await runs.save(Object.assign(run, { state: 'done', endedAt: Date.now() }));
    await turn.finish();
    drained += 1;
  }
  const end = performance.now();
  return { addMs: (drainedFrom - addedFrom) / jobs, drainMs: (end - drainedFrom) / jobs };
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
