import { expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { openImport, QUIET_MS } from '../support/open-import.ts';
import { csv } from '../support/csv.ts';
import { overriding } from '../support/overriding.ts';

it('two keys of one team that settle the same rows at once match each item to one row, without errors', async () => {
  await using it = await openImport();
  const keys = [it.sandbox.key, it.sandbox.control.addKey().secret];
  const jobs: string[] = [];
  // Two jobs, each with an unknown row of one and the same content: one was applied, the other was not.
  const texts = [csv(['name', 'brand'], [['Twin', 'Acme']]), csv(['brand', 'name'], [['Acme', 'Twin']])];
  for (const [index, fault] of (['dropAfterCommit', 'dropBefore'] as const).entries()) {
    const file = await it.file(`${index}.csv`, texts[index] ?? '');
    it.sandbox.control.failNext(fault, 'createItem');
    const stop = new AbortController();
    const { summary } = await it.import(
      // Stopped while it waits: long enough for a busy machine to get there.
      { file, run: { quietPeriodMs: 5_000, allRows: true } },
      {
        client: { key: keys[index] ?? '' },
        signal: stop.signal,
        onEvent: (event) => (event.type === 'settling' ? stop.abort() : undefined),
      },
    );
    expect(summary).toMatchObject({ state: 'interrupted', rows: { pending: 1 } });
    jobs.push(summary.job);
  }
  const [one = '', two = ''] = jobs;
  expect(one).not.toBe(two);

  // While the first has read the list and not yet decided, the second settles and sends all there is.
  let second: Awaited<ReturnType<typeof it.resume>> | undefined;
  const first = await it.resume(
    one,
    {},
    {
      client: { key: keys[0] ?? '' },
      wrap: (client) => {
        let lists = 0;
        return overriding(client, {
          listItems: async (options) => {
            const answer = await client.listItems(options);
            lists += 1;
            // The first page is the head that every run reads; the two passes of the first look come after it.
            if (lists === 3) second = await it.resume(two, {}, { client: { key: keys[1] ?? '' } });
            return answer;
          },
        });
      },
    },
  );
  expect([first.exitCode, first.summary.state]).toEqual([0, 'done']);
  // What the first took may have been the second's: it says so, and a last resume looks again.
  expect([0, 3, undefined]).toContain(second?.exitCode);
  const last = await it.resume(two, { quietPeriodMs: QUIET_MS }, { client: { key: keys[1] ?? '' } });
  expect([last.exitCode, last.summary.rows.created]).toEqual([0, 1]);
  expect(it.names()).toEqual(['Twin', 'Twin']);
  const owned = await Promise.all(jobs.map((job) => it.ledger.rows.list(job, { limit: 9 })));
  expect(new Set(owned.flat().map((row) => row.itemId))).toEqual(new Set(it.items().map((item) => item.id)));
});

it('a lost row with a stamp is not matched to an identical row without a stamp that another job sends during the look-up', async () => {
  await using it = await openImport();
  const file = await it.file('stamped.csv', csv(['name', 'brand'], [['Twin', 'Acme']]));
  it.sandbox.control.failNext('dropBefore', 'createItem');
  const stop = new AbortController();
  const { summary: lost } = await it.import(
    { file, stamp: 'custom_fields.stamp', run: { quietPeriodMs: 5_000 } },
    { signal: stop.signal, onEvent: (event) => (event.type === 'settling' ? stop.abort() : undefined) },
  );

  const [made, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const other = await it.file('other.csv', csv(['brand', 'name'], [['Acme', 'Twin']]));
  const send = () =>
    it.import(
      { file: other, run: { allRows: true } },
      {
        client: { key: it.sandbox.control.addKey().secret },
        wrap: (client) =>
          overriding(client, {
            createItem: async (body, options) => {
              const answer = await client.createItem(body, options);
              made.resolve();
              await answered.promise;
              return answer;
            },
          }),
      },
    );
  let sent: ReturnType<typeof send> | undefined;
  let lists = 0;
  const wrap = (client: ApiClient) =>
    overriding(client, {
      listItems: async (options) => {
        lists += 1;
        // The first page is the head that every run reads; the two passes of the first look come after it.
        if (lists === 2) sent = send();
        if (lists >= 2) await made.promise;
        if (lists === 4) answered.resolve();
        if (lists >= 4) await sent;
        return client.listItems(options);
      },
    });
  const { summary, exitCode } = await it.resume(lost.job, {}, { wrap });
  answered.resolve();
  expect([exitCode, summary.rows]).toMatchObject([0, { created: 1, held: 0 }]);
  expect((await sent)?.summary.rows).toMatchObject({ created: 1, held: 0 });
  const [row] = await it.ledger.rows.list(lost.job, { limit: 1 });
  const items = it.items();
  expect(items.find(({ id }) => id === row?.itemId)?.custom_fields).toHaveProperty('stamp');
  expect(items).toHaveLength(2);
  expect(items.filter(({ custom_fields: custom = {} }) => 'stamp' in custom)).toHaveLength(1);
});
