/** Two jobs of one store whose rows have the same content: what one may do to a row of the other. */
import { describe, expect, it } from 'vitest';
import { RequestMeter } from '../../src/api/meter.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { csv, toyNames, toys } from '../support/csv.ts';
import { openImport, type OpenImport } from '../support/open-import.ts';
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
  const quick = await interrupted(it, ledger, ['brand', 'name'], 60_000);
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

describe('the same file imported twice at one moment', () => {
  // The second import looks for rows that were sent before; meanwhile the first one, which has owned its rows, sends them.
  it.each(['looks', 'moves its rows'])(
    'is one job if the first import ends while the second %s',
    async (what) => {
      await using it = await openImport();
      await it.import({ file: await it.file('one.csv', toys(1)) });
      const file = await it.file('toys.csv', toys(3));
      const [waiting, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { lanes, known } = it.ledger;
      const slow = overriding(it.ledger, {
        lanes: overriding(lanes, {
          acquire: async (lane, ...others) => {
            if (!lane.startsWith('rows of')) {
              waiting.resolve();
              await go.promise;
            }
            return lanes.acquire(lane, ...others);
          },
        }),
      });
      const run = { yes: true, onlyNew: true };
      const first = it.import({ file, run }, { ledger: slow });
      await waiting.promise;
      // Another file is compared with the rows of the first import, which from then on are found.
      if (what !== 'looks') await it.import({ file: await it.file('more.csv', toys(4)), dryRun: true });
      const end = async () => {
        go.resolve();
        await first;
      };
      let looks = 0;
      const looking = overriding(it.ledger, {
        known: overriding(known, {
          columns: async (...asked) => {
            if (what === 'looks') await end();
            return known.columns(...asked);
          },
          find: async (...asked) => {
            looks += 1;
            if (looks === 2) await end();
            return known.find(...asked);
          },
        }),
      });
      const second = await it.import({ file, run }, { ledger: looking });
      const { summary } = await first;
      expect(summary.rows).toMatchObject({ created: 2, skipped: 1 });
      expect(second).toMatchObject({ exitCode: 0, summary: { job: summary.job, state: 'already_applied' } });
      expect(it.names()).toEqual(toyNames(3));
    },
  );
});

describe('a person who settles a row while another process resumes the job', () => {
  it('resolve --as retry never releases the row while its request is in flight', async () => {
    await using it = await openImport();
    await leavesARowInFlight(it, it.ledger);
  });
});

describe('a job that settles rows while another job has lost the answers to equal rows', () => {
  it('sends none of them again before the other job’s quiet period is over, and releases no row', async () => {
    await using it = await openImport();
    await waitsForTheOthersQuietPeriod(it, it.ledger);
  });
});

describe('a lost create whose answer is looked up after another job has changed an item', () => {
  const upsert: Omit<ImportRequest, 'file'> = { mode: 'upsert', match: ['custom_fields.sku'] };
  // With a quiet period that no machine misses: the job is stopped while it waits.
  const stopAtSettling = (stop: AbortController) => ({
    signal: stop.signal,
    onEvent: (event: ImportEvent) => (event.type === 'settling' ? stop.abort() : undefined),
  });

  it('is not matched to somebody else’s item that the other job has made equal', async () => {
    await using it = await openImport();
    const lines = csv(['name', 'brand', 'custom_fields.sku'], [['Robot', 'Acme', 'AF-1']]);
    it.sandbox.control.failNext('dropBefore', 'createItem');
    const file = await it.file('toys.csv', lines);
    const { summary: first } = await it.import(
      { file, ...upsert, run: { quietPeriodMs: 60_000 } },
      stopAtSettling(new AbortController()),
    );
    expect(first).toMatchObject({ state: 'interrupted', rows: { pending: 1 } });
    it.sandbox.control.insertItems([{ name: 'Tin car', brand: 'Else', custom_fields: { sku: 'AF-1' } }]);
    const same = await it.file('same.csv', `${lines}\n`);
    const { summary: second } = await it.import({ file: same, ...upsert });
    expect(second).toMatchObject({ state: 'done', rows: { updated: 1 } });
    const { summary, exitCode } = await it.resume(first.job);
    expect(exitCode).toBe(3);
    expect(summary.rows).toMatchObject({ created: 0, held: 1 });
    const [held] = await it.ledger.rows.list(first.job, { states: ['held'], limit: 1 });
    expect(held?.issues[0]?.code).toBe('doubtful_match');
    expect(it.names()).toEqual(['Robot']);
    // The person who decides sees the item as it is now.
    const [item] = it.items();
    const { undecided } = (await it.run((deps) => showJob(first.job, deps))).summary;
    const resolve = (as: string) => ({ do: 'resolve', job: first.job, row: 2, options: { as } });
    expect(undecided).toMatchObject({
      rows: [
        {
          row: 2,
          state: 'held',
          code: 'doubtful_match',
          candidates: [{ id: item?.id, name: 'Robot', action: resolve(`created:${item?.id}`) }],
          otherwise: [resolve('retry'), resolve('skip')],
        },
      ],
      more: false,
    });
  });

  it('is matched to its own item, however the other job has changed it', async () => {
    await using it = await openImport();
    const rows = ['Ball', 'Robot'].map((name) => [name, 'Acme']);
    const file = await it.file('toys.csv', csv(['name', 'brand'], rows));
    const { summary: first } = await it.import({ file, run: { first: 1 } });
    it.sandbox.control.failNext('dropAfterCommit', 'createItem');
    await it.resume(first.job, { quietPeriodMs: 60_000 }, stopAtSettling(new AbortController()));
    const made = it.items().find(({ name }) => name === 'Robot');
    for (const name of ['Android', 'Golem']) {
      const changes = await it.file(
        `${name}.csv`,
        csv(['id', 'name', 'brand'], [[made?.id ?? '', name, name]]),
      );
      expect((await it.import({ file: changes, mode: 'update' })).summary.rows).toMatchObject({ updated: 1 });
    }
    const { summary } = await it.resume(first.job);
    expect(summary.rows).toMatchObject({ created: 2, held: 0 });
    expect(it.names()).toEqual(['Ball', 'Golem']);
  });
});

describe.skipIf(POSTGRES.length === 0)('on PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1));

  it('a second job sends no lost row again before the first job’s quiet period is over, and releases no row', async () => {
    await using it = await openImport();
    await using ledger = await openLedger(await server.newDatabase());
    await waitsForTheOthersQuietPeriod(it, ledger);
  });

  it('resolve --as retry never releases a row while its request is in flight', async () => {
    await using it = await openImport();
    await using ledger = await openLedger(await server.newDatabase());
    await leavesARowInFlight(it, ledger);
  });
});
