/** The library does what the command line does. */
import { expect, it } from 'vitest';
import {
  applyPlan,
  changeItems,
  createClient,
  findDuplicates,
  jobChanges,
  startSandbox,
  undoChanges,
  writeDuplicates,
} from '../../src/index.ts';
import { temporaryFolder } from '../support/open-import.ts';

it('plans, applies, shows and undoes changes, and finds duplicates', async () => {
  const outDir = await temporaryFolder();
  await using sandbox = await startSandbox();
  await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  sandbox.control.insertItems([{ name: 'A' }, { name: 'a!' }, { name: 'b', status: 'sold' }]);
  const context = { client, store: `${outDir}/ledger.db` };

  const dry = await changeItems({
    ...context,
    changes: ['status=sold'],
    collection: 'Main',
    outDir,
    dryRun: true,
  });
  expect(dry.summary).toMatchObject({
    plan: { update: 2, unchanged: 1 },
    changes: { requests: { write: 2 } },
  });
  const { job } = dry.summary;
  expect((await applyPlan({ ...context, job })).summary.rows).toMatchObject({ updated: 2, unchanged: 1 });
  const rows = (await Array.fromAsync(jobChanges({ job, store: context.store }))).flat();
  expect(rows.map(({ state }) => state).sort()).toEqual(['done', 'done', 'unchanged']);
  expect((await undoChanges({ ...context, job })).summary.rows).toMatchObject({ updated: 2 });
  expect(
    sandbox.control
      .items()
      .map(({ status }) => status)
      .sort(),
  ).toEqual(['keep', 'keep', 'sold']);

  const found = await findDuplicates({ client });
  expect(found.groups.map(({ items }) => items.map(({ name }) => name).sort())).toEqual([['A', 'a!']]);
  expect(await writeDuplicates(found, { out: `${outDir}/dupes.csv` })).toMatchObject({ rows: 2 });
});
