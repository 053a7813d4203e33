/** Old jobs lose what they held, never what they did. */
import { expect, it } from 'vitest';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { KEPT_MS, pruneJobs } from '../../src/import/jobs/prune-jobs.ts';
import { writeAgain } from '../../src/import/results/results.ts';
import { changeRows } from '../../src/import/review/change-rows.ts';
import { undoJob } from '../../src/import/run.ts';
import { csv, toys } from '../support/csv.ts';
import { openImport, QUIET_MS } from '../support/open-import.ts';

it('prune keeps the before-images of jobs younger than 90 days, and the outcomes of all rows', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', toys(3));
  const dry = await it.import({ file, dryRun: true });
  const { summary } = await it.import({ file });
  const paused = await it.import({ file: await it.file('more.csv', toys(3, 'More')), run: { first: 1 } });
  const { updatedAt } = await it.ledger.jobs.find(dry.summary.job);

  expect(await pruneJobs(it.ledger, { now: updatedAt + KEPT_MS - 1 })).toEqual({
    jobs: [],
    dryRuns: [],
    bytes: 0,
  });
  const now = Date.now() + KEPT_MS;
  const both = { jobs: [summary.job], dryRuns: [dry.summary.job] };
  expect(await pruneJobs(it.ledger, { now, dryRun: true })).toEqual({ ...both, bytes: 0 });
  const rows = async () => (await Array.fromAsync(changeRows({ id: summary.job }, it.ledger))).flat();
  expect((await rows())[0]).toMatchObject({ name: 'Toy 0001' });

  const pruned = await pruneJobs(it.ledger, { now });
  expect(pruned).toMatchObject(both);
  expect(pruned.bytes).toBeGreaterThan(0);
  expect((await rows())[0]).toMatchObject({ state: 'done', name: '', changes: [] });
  await expect(it.run((deps) => undoJob(summary.job, deps))).rejects.toMatchObject({ code: 'cannot_undo' });
  // The same file again is still known, and the job that waits has lost nothing.
  const again = await it.import({ file });
  expect(again.summary.state).toBe('already_applied');
  const rest = await it.resume(paused.summary.job);
  expect(rest.summary.rows).toMatchObject({ created: 3, pending: 0 });
});

it('an item that was taken out of the archive is not created again, although its undo was pruned', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', toys(2));
  const { summary } = await it.import({ file });
  const run = { quietPeriodMs: QUIET_MS, yes: true };
  await it.run((deps) => undoJob(summary.job, deps, { run }));
  for (const { id } of it.items()) await it.run(({ client }) => client.updateItem(id, { status: 'keep' }));
  await pruneJobs(it.ledger, { now: Date.now() + KEPT_MS });
  const again = await it.import({ file });
  expect([again.exitCode, again.summary.state]).toEqual([0, 'already_applied']);
  const grown = await it.file('grown.csv', toys(3));
  const more = await it.import({ file: grown, run: { onlyNew: true } });
  expect([more.exitCode, more.summary.rows]).toMatchObject([0, { created: 1, skipped: 2 }]);
  expect(it.items()).toHaveLength(3);
});

it('the files of a pruned job stay as they are', async () => {
  await using it = await openImport();
  const file = await it.file(
    'toys.csv',
    csv(
      ['name', 'brand'],
      [
        ['Rover', 'Acme'],
        ['', 'Acme'],
      ],
    ),
  );
  const { summary } = await it.import({ file, skipInvalid: true });
  const texts = () => Promise.all([it.read(summary.files.results), it.read(summary.files.rejects)]);
  const before = await texts();
  expect(before[1]).toContain('Acme');
  await pruneJobs(it.ledger, { now: Date.now() + 2 * KEPT_MS });
  const pruned = await it.ledger.jobs.find(summary.job);
  await expect(writeAgain(pruned, it.ledger, () => undefined)).rejects.toMatchObject({ code: 'job_pruned' });
  expect(await texts()).toEqual(before);
});

it('prune refuses less than 90 days', async () => {
  await using it = await openImport();
  const tooShort = pruneJobs(it.ledger, { now: 0, olderThanMs: KEPT_MS - 1 });
  await expect(tooShort).rejects.toMatchObject({ code: 'bad_duration', exitCode: 2 });
});

it('an item that was archived as missing gets its status back, although that job was pruned', async () => {
  await using it = await openImport();
  const upsert: Pick<ImportRequest, 'mode' | 'match'> = { mode: 'upsert', match: ['name'] };
  const list = (names: string[]) =>
    csv(
      ['name', 'status'],
      names.map((name) => [name, 'sell']),
    );
  const full = await it.file('list.csv', list(['A', 'B', 'C']));
  await it.import({ file: full, ...upsert });
  const part = await it.file('part.csv', list(['A', 'B']));
  await it.import({ file: part, ...upsert, missing: 'archive', run: { yes: true, maxMissing: '90%' } });
  await pruneJobs(it.ledger, { now: Date.now() + KEPT_MS });
  const names = await it.file('names.csv', csv(['name'], [['A'], ['B'], ['C']]));
  expect((await it.import({ file: names, ...upsert })).summary.rows).toMatchObject({ updated: 1 });
  expect(it.items().map(({ status }) => status)).toEqual(['sell', 'sell', 'sell']);
});
