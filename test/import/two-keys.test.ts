import { expect, it } from 'vitest';
import { openImport, QUIET_MS } from '../support/open-import.ts';
import { csv } from '../support/csv.ts';
import { overriding } from '../support/overriding.ts';

it('two keys of one team that settle the same content at once give each item to one row, and nothing fails', async () => {
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
