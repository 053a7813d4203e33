import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hostQueue } from '../../src/worker/queue/queue.ts';
import type { Run } from '../../src/worker/queue/run.ts';

/** What a worker had claimed in the folder `drop` when it died: toys.csv. */
export function claimedRun(folder: string, id: string, notBefore = Date.now()): Run {
  const claimed = join(folder, 'drop/processing', id, 'toys.csv');
  const { ino } = statSync(claimed, { throwIfNoEntry: false }) ?? { ino: 0 };
  return {
    id,
    queue: hostQueue(hostname(), 'main'),
    priority: 'write',
    work: {
      kind: 'import',
      source: { claimed, folder: join(folder, 'drop'), identity: `:${ino}`, alertShare: 0.5 },
      request: { collection: 'Main' },
    },
    state: 'queued',
    tries: 1,
    createdAt: Date.now(),
    notBefore,
  };
}
