/** Two jobs of one store whose rows have the same content: what one may do to a row of the other. */
import { describe, expect, it } from 'vitest';
import { RequestMeter } from '../../src/api/meter.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { csv } from '../support/csv.ts';
import { openImport, type OpenImport, QUIET_MS } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';

/** Imports one row whose answer is lost, and stops before it is settled. The columns' order tells files apart. */
async function interrupted(
  it: OpenImport,
  ledger: Ledger,
  header: string[],
  quietPeriodMs: number,
): Promise<string> {
  const cells: Record<string, string> = { name: 'Twin', brand: 'Acme' };
  const row = header.map((column) => cells[column] ?? '');
  const file = await it.file(`${header.join('-')}.csv`, csv(header, [row]));
  const stop = new AbortController();
  const { summary } = await it.import(
    // Equal rows on purpose: the second file is about another toy.
    { file, run: { quietPeriodMs, allRows: true } },
    {
      ledger,
      signal: stop.signal,
      onEvent: (event) => (event.type === 'settling' ? stop.abort() : undefined),
    },
  );
  expect(summary).toMatchObject({ state: 'interrupted', rows: { pending: 1 } });
  return summary.job;
}

async function waitsForTheOthersQuietPeriod(it: OpenImport, ledger: Ledger): Promise<void> {
  // Applied long after the connection ended, within the quiet period of the job that sent it.
  it.sandbox.control.setFaults({ lateCommitMs: 1_000 });
  it.sandbox.control.failNext('lateCommit', 'createItem');
  const slow = await interrupted(it, ledger, ['name', 'brand'], 2_500);
  expect(it.items()).toHaveLength(0);

  it.sandbox.control.failNext('dropBefore', 'createItem');
  const quick = await interrupted(it, ledger, ['brand', 'name'], QUIET_MS);
  // Its own quiet period is over at once, and nothing is there yet.
  const end = await it.resume(quick, {}, { ledger });
  expect(end.summary).toMatchObject({ state: 'done', rows: { created: 1, pending: 0, held: 0 } });
  const rest = await it.resume(slow, {}, { ledger });
  expect(rest.summary).toMatchObject({ state: 'done', rows: { created: 1, pending: 0, held: 0 } });
  expect(it.names()).toEqual(['Twin', 'Twin']);
  // Noted where it was sent again, and nowhere else.
  const resent = await Promise.all(
    [slow, quick].map((job) => ledger.rows.list(job, { resent: true, limit: 9 })),
  );
  expect(resent.map((rows) => rows.map(({ ordinal, attempts }) => [ordinal, attempts]))).toEqual([
    [],
    [[1, 2]],
  ]);
}

async function leavesARowInFlight(it: OpenImport, ledger: Ledger): Promise<void> {
  it.sandbox.control.failNext('dropBefore', 'createItem');
  const job = await interrupted(it, ledger, ['name', 'brand'], 2_500);
  const [read, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // A person's word, given while the row was unknown and nothing ran; it comes to the store late.
  const slow = overriding(ledger, {
    rows: overriding(ledger.rows, {
      move: async (...args) => {
        read.resolve();
        await sent.promise;
        return ledger.rows.move(...args);
      },
    }),
  });
  const deps = { ledger: slow, meter: new RequestMeter(), emit: () => undefined };
  const resolving = resolveRow(job, 2, { as: 'retry' }, deps).catch((error: unknown) => error);
  await read.promise;
  let refused: unknown;
  const { summary } = await it.resume(
    job,
    {},
    {
      ledger,
      wrap: (client) =>
        overriding(client, {
          createItem: async (body, options) => {
            sent.resolve();
            refused = await resolving;
            return client.createItem(body, options);
          },
        }),
    },
  );
  expect(refused).toMatchObject({
    code: 'bad_resolution',
    message: expect.stringContaining('another process'),
  });
  expect(summary).toMatchObject({ state: 'done', rows: { created: 1, pending: 0 } });
  expect(it.names()).toEqual(['Twin']);
}

describe('a person who settles a row while another process resumes the job', () => {
  it('as retry never frees the row while its request is under way', async () => {
    await using it = await openImport();
    await leavesARowInFlight(it, it.ledger);
  });
});

describe('a job that settles a content which another job has lost, too', () => {
  it('sends nothing of it again before the other job’s quiet period is over, and frees no row of it', async () => {
    await using it = await openImport();
    await waitsForTheOthersQuietPeriod(it, it.ledger);
  });
});

describe.skipIf(POSTGRES.length === 0)('on PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1));

  it('sends nothing of it again before the other job’s quiet period is over, and frees no row of it', async () => {
    await using it = await openImport();
    await using ledger = await openLedger(await server.newDatabase());
    await waitsForTheOthersQuietPeriod(it, ledger);
  });

  it('as retry never frees a row while its request is under way', async () => {
    await using it = await openImport();
    await using ledger = await openLedger(await server.newDatabase());
    await leavesARowInFlight(it, ledger);
  });
});
