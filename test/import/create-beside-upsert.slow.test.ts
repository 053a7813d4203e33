/** One file, sent as creates and as an upsert, with two keys of one team. */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import type { ImportRequest, RunOptions } from '../../src/import/job/options.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, type RunSetting } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const SKU = 'custom_fields.sku';
const UPSERT: Partial<ImportRequest> = { mode: 'upsert', match: [SKU] };

async function thirty(it: OpenImport): Promise<string> {
  const rows = Array.from({ length: 30 }, (_, index) => [`Toy ${index}`, `S${index}`]);
  return it.file('toys.csv', csv(['name', SKU], rows));
}

/** Starts `second` once `first` has sent five creates; the others leave once `second` has ended, or waits. */
async function beside(
  it: OpenImport,
  first: (setting: RunSetting) => Promise<JobOutcome>,
  second: (setting: RunSetting) => Promise<JobOutcome>,
): Promise<[JobOutcome, JobOutcome | Error]> {
  const { secret } = it.sandbox.control.addKey();
  const waits = Promise.withResolvers<void>();
  const onEvent = (event: ImportEvent) =>
    event.type === 'note' && event.message.includes('waits') ? waits.resolve() : undefined;
  let running: Promise<JobOutcome | Error> | undefined;
  let sent = 0;
  const one = await first({
    wrap: (client) =>
      overriding(client, {
        createItem: async (...args) => {
          sent += 1;
          if (sent === 5)
            running = second({ client: { key: secret }, onEvent }).catch((error: unknown) => error as Error);
          if (sent > 5) await Promise.race([waits.promise, running]);
          return client.createItem(...args);
        },
      }),
  });
  return [one, (await running) ?? new Error('never started')];
}

it('an upsert waits for the creates of another job, and finds their items', async () => {
  await using it = await openImport();
  const file = await thirty(it);
  const [creates, upsert] = await beside(
    it,
    (setting) => it.import({ file }, setting),
    (setting) => it.import({ file, ...UPSERT }, setting),
  );
  expect(creates.summary.rows).toMatchObject({ created: 30 });
  expect(upsert).toMatchObject({ exitCode: 0, summary: { rows: { created: 0, unchanged: 30 } } });
  expect(it.items()).toHaveLength(30);
});

it('an import finds the rows that a concurrent upsert has created, and does not send them', async () => {
  await using it = await openImport();
  const file = await thirty(it);
  const [upsert, creates] = await beside(
    it,
    (setting) => it.import({ file, ...UPSERT }, setting),
    (setting) => it.import({ file }, setting),
  );
  expect(upsert.summary.rows).toMatchObject({ created: 30 });
  expect(creates).toMatchObject({ code: 'rows_sent_before' });
  expect(it.items()).toHaveLength(30);
});

it('rows that an unfinished import has yet to create are held', async () => {
  await using it = await openImport();
  const file = await thirty(it);
  const { summary: paused } = await it.import({ file, run: { first: 10 } });
  let ahead = 0;
  const clock = {
    ...systemClock,
    monotonic: () => performance.now() + ahead,
    sleep: async (ms: number) => {
      ahead += ms;
    },
  };
  const { summary, exitCode } = await it.import({ file, ...UPSERT }, { clock });
  expect([exitCode, summary.rows]).toMatchObject([3, { created: 0, unchanged: 10, held: 20 }]);
  const [held] = await it.ledger.rows.list(summary.job, { states: ['held'], limit: 1 });
  expect(held?.issues[0]).toMatchObject({
    code: 'sent_before',
    message: expect.stringContaining(paused.job),
  });
  const run: RunOptions = {};
  expect((await it.resume(paused.job, run)).summary.rows).toMatchObject({ created: 30 });
  expect((await it.import({ file, ...UPSERT })).summary.rows).toMatchObject({ unchanged: 30 });
  expect(it.items()).toHaveLength(30);
});
