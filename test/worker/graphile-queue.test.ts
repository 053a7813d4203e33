import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { parsePostgresLocation } from '../../src/ledger/postgres/location.ts';
import { GraphileQueue } from '../../src/worker/queue/graphile-queue.ts';
import { lanesOf, profileQueue, type Service } from '../../src/worker/queue/queue.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';

describe.skipIf(POSTGRES.length === 0)('the queue on PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1));

  it('ends although nobody took what it had handed over, and keeps no lease of it', async () => {
    const store = await server.newDatabase();
    await using ledger = await openLedger(store);
    const service: Service = {
      ...lanesOf('host', new Map([['main', 'lane']])),
      parallel: 2,
      now: Date.now,
      isDue: (_, notBefore) => notBefore <= Date.now(),
    };
    const queue = new GraphileQueue(ledger, parsePostgresLocation(store), systemClock);
    const woken = Promise.withResolvers<void>();
    await queue.start(service, woken.resolve);
    await queue.add({ id: 'one', queue: profileQueue('main'), priority: 'read', notBefore: Date.now() });
    await woken.promise;
    await queue[Symbol.asyncDispose]();
    expect(await ledger.holders()).toEqual([]);
    // Still to be done, by the next worker.
    await using next = new GraphileQueue(ledger, parsePostgresLocation(store), systemClock);
    expect((await next.take(service))?.runId).toBe('one');
  });
});
