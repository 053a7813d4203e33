/** Items that an undo has archived, and that somebody has taken out of the archive since, are there for the next import. */
import { expect, test } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import type { ItemUpdate } from '../../src/api/schemas.ts';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import { csv, toys } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const RUN = { quietPeriodMs: QUIET_MS, yes: true };
const undo = (at: OpenImport, job: string) => at.run((deps) => undoJob(job, deps, { run: RUN }));
const live = (at: OpenImport) => at.items().filter(({ status }) => status !== 'archived').length;

/** Imports so many toys, takes them back, and takes the first `count` out of the archive. */
async function backAgain(at: OpenImport, all: number, count: number): Promise<string> {
  const { summary } = await at.import({ file: await at.file('toys.csv', toys(all)) });
  await undo(at, summary.job);
  await bringBack(at, count);
  return summary.job;
}

async function bringBack(at: OpenImport, count: number): Promise<void> {
  const change: ItemUpdate = { status: 'keep', custom_fields: {} };
  const items = at.items().filter(({ status }) => status === 'archived');
  for (const { id } of items.slice(0, count)) await at.run(({ client }) => client.updateItem(id, change));
}

test('the file of an undone import counts as already applied once all of its items are unarchived', async () => {
  await using at = await openImport();
  await backAgain(at, 4, 4);
  const again = () => at.import({ file: `${at.folder}/toys.csv` });
  const { exitCode, summary } = await again();
  expect([exitCode, summary.state, live(at)]).toEqual([0, 'already_applied', 4]);
  // Taken back once more, it is new again.
  for (const { id } of at.items())
    await at.run(({ client }) => client.updateItem(id, { status: 'archived' }));
  expect((await again()).summary.rows.created).toBe(4);
  expect([live(at), at.items().length]).toEqual([4, 8]);
});

test('a note names items that a change takes out of the archive after an undo', async () => {
  await using at = await openImport();
  const { summary } = await at.import({ file: await at.file('toys.csv', toys(3)) });
  await undo(at, summary.job);
  await at.import({ file: `${at.folder}/toys.csv` });
  const notes: string[] = [];
  const onEvent = (event: ImportEvent) => event.type === 'note' && notes.push(event.message);
  const sell = { changes: ['status=sell'], where: ['status=archived'], outDir: at.folder, dryRun: true };
  await at.run((deps) => setItems(sell, deps), { onEvent });
  const rows = at.items().map(({ id, status }) => [id, status === 'archived' ? 'sell' : status]);
  const file = await at.file('u.csv', csv(['id', 'status'], rows));
  await at.import({ file, mode: 'update', dryRun: true }, { onEvent });
  const said = expect.stringMatching(
    new RegExp(`^3 items that an undo archived .*by job ${summary.job}\\)`),
  ) as string;
  expect(notes.filter((note) => note.includes('undo'))).toEqual([said, said]);
});

test('a longer file recognises the rows whose items were unarchived, and creates the others', async () => {
  await using at = await openImport();
  await backAgain(at, 30, 25);
  const file = await at.file('more.csv', toys(31));
  const run = { onlyNew: true };
  const plan = await at.import({ file, run, dryRun: true });
  expect(plan.summary.plan).toMatchObject({ create: 6, skipped: 25 });
  const { exitCode, summary } = await at.import({ file, run });
  expect([exitCode, summary.rows.created, summary.rows.skipped, live(at)]).toEqual([0, 6, 25, 31]);
  expect((await at.import({ file, run })).summary.state).toBe('already_applied');
});

test('an item that was unarchived and archived again by the next undo is new for the next file', async () => {
  await using at = await openImport();
  const job = await backAgain(at, 3, 3);
  await undo(at, job);
  const archived = 3 - live(at);
  const { summary } = await at.import({ file: await at.file('toys.csv', toys(3)), run: { onlyNew: true } });
  expect([live(at), summary.rows.created]).toEqual([3, archived]);
});

test('an import that was planned before somebody unarchived its items does not create them again', async () => {
  await using at = await openImport();
  await backAgain(at, 3, 0);
  const file = await at.file('more.csv', toys(4));
  const { summary } = await at.import({ file, dryRun: true });
  await bringBack(at, 2);
  await at.apply(summary.job, { onlyNew: true });
  expect(live(at)).toBe(4);
});

test('the undo of an undo does not restore an item whose row was imported again, undone and unarchived', async () => {
  await using at = await openImport();
  const first = await at.import({ file: await at.file('toys.csv', toys(2)) });
  const undone = await undo(at, first.summary.job);
  const second = await at.import({ file: await at.file('toys.csv', toys(2)) });
  await undo(at, second.summary.job);
  const made = (await at.ledger.rows.list(second.summary.job, { limit: 9 })).map(
    ({ itemId }) => itemId ?? '',
  );
  const change: ItemUpdate = { status: 'keep', custom_fields: {} };
  await at.run(({ client }) => client.updateItem(made[0] ?? '', change));
  const { exitCode } = await undo(at, undone.summary.job);
  expect([exitCode, live(at)]).toEqual([3, 2]);
});

test('items are looked up only for undone rows, and one request is enough if the first item is conclusive', async () => {
  await using at = await openImport();
  let gets = 0;
  const wrap = {
    wrap: (client: ApiClient) =>
      overriding(client, {
        getItem: (...request: Parameters<ApiClient['getItem']>) => {
          gets += 1;
          return client.getItem(...request);
        },
      }),
  };
  await at.import({ file: await at.file('toys.csv', toys(9)) });
  const longer = await at.import({ file: await at.file('more.csv', toys(19)), run: { onlyNew: true } }, wrap);
  expect(gets).toBe(0);
  await undo(at, longer.summary.job);
  await at.import({ file: `${at.folder}/toys.csv` }, wrap);
  expect(gets).toBe(0);
  const { summary } = await at.import({ file: `${at.folder}/more.csv`, run: { onlyNew: true } }, wrap);
  // One to see that the file is not applied, each time that it is asked, and one for each row that was taken back.
  expect([summary.rows.created, gets]).toEqual([10, 13]);
});
