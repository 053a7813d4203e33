/** Creates whose answers were lost: an item belongs to its row for certain, or a person decides. */
import { describe, expect, it } from 'vitest';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

it('what a resend may have doubled ends with 3, also when the job is shown again', async () => {
  await using it = await openImport({ faults: { lateCommitMs: 1_000 } });
  it.sandbox.control.failNext('lateCommit', 'createItem');
  const file = await it.file('toys.csv', csv(['name'], [['Robot']]));
  const { summary, exitCode } = await it.import(
    { file },
    {
      wrap: (client) => {
        let made = 0;
        return overriding(client, {
          createItem: async (...args) => {
            const answer = await client.createItem(...args);
            made += 1;
            return answer;
          },
          listItems: async (options) => {
            // Looked for only once the first request has had its effect, too late.
            if (made > 0) await until(() => it.items().length === 2);
            return client.listItems(options);
          },
        });
      },
    },
  );
  expect([exitCode, summary.state, summary.doubles?.length]).toEqual([3, 'done', 1]);
  const shown = await it.run((deps) => showJob(summary.job, deps));
  expect([shown.exitCode, shown.summary.doubles]).toEqual([3, summary.doubles]);
  expect((await it.resume(summary.job)).exitCode).toBe(3);
});

it('what two answers show of the server at one time is both kept', async () => {
  await using it = await openImport({ storing: { roundValues: true, sortTags: true } });
  const rows = [
    ['Robot', 'a', '1'],
    ['Bear', 'a', '12.345'],
    ['Ball', 'b;a', '2'],
  ];
  const file = await it.file('toys.csv', csv(['name', 'tags', 'estimated_value'], rows));
  const answered = Promise.withResolvers<void>();
  let answers = 0;
  const { values } = it.ledger;
  // Storing what the first one shows takes until the second is there.
  const ledger = overriding(it.ledger, {
    values: overriding(values, {
      get: async (space, key) => {
        if (space === 'server-changes' && answers > 1) await answered.promise;
        return values.get(space, key);
      },
    }),
  });
  const { summary } = await it.import(
    { file, decimal: 'point' },
    {
      ledger,
      wrap: (client) =>
        overriding(client, {
          createItem: async (...args) => {
            const answer = await client.createItem(...args);
            answers += 1;
            if (answers === 3) answered.resolve();
            return answer;
          },
        }),
    },
  );
  const { options } = await it.ledger.jobs.find(summary.job);
  expect(options.learned?.changes.toSorted()).toEqual(['round2', 'tag_order']);
});
