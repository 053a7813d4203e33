/** What has become of the rows of earlier jobs, through undos of undos, stopped or not: the same on each store. */
import { nextText } from '../../src/cli/show/output.ts';
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { systemClock } from '../../src/base/clock.ts';
import { cancelJob } from '../../src/import/jobs/cancel-job.ts';
import { KEPT_MS, pruneJobs } from '../../src/import/jobs/prune-jobs.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import type { RunOptions } from '../../src/import/job/options.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import { applyJob, setItems, undoJob } from '../../src/import/run.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { SetRequest } from '../../src/import/set/stage-set.ts';
import { csv } from '../support/csv.ts';
import { hastyClock, NO_LONGER_NEW_MS } from '../support/hasty-clock.ts';
import {
  type OpenImport,
  type openImport as open,
  QUIET_MS,
  type RunSetting,
} from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';
const HEADERS = ['name', 'brand', 'release_year'];
const toys = (count: number) =>
  Array.from({ length: count }, (_, index) => [`Toy ${index + 1}`, 'Kenner', '1984']);

async function send(it: OpenImport, rows: string[][], run: RunOptions = {}) {
  return it.import({ file: await it.file('toys.csv', csv(HEADERS, rows)), run });
}

function undo(it: OpenImport, job: string, run: RunOptions = {}, setting: RunSetting = {}) {
  return it.run((deps) => undoJob(job, deps, { run: { quietPeriodMs: QUIET_MS, ...run } }), setting);
}

/** Imports toys. The answer for one is lost, and its item is replaced by one that looks almost like it: its row is held. */
async function sendDoubtful(it: OpenImport, count: number) {
  await send(it, toys(count), { first: 1 });
  it.sandbox.control.failNext('dropAfterCommit', 'createItem');
  return it.resume(
    'last',
    {},
    {
      wrap: (client) =>
        overriding(client, {
          createItem: async (...request: Parameters<ApiClient['createItem']>) => {
            try {
              return await client.createItem(...request);
            } catch (error) {
              const [{ name }] = request;
              for (const item of it.items()) if (item.name === name) it.sandbox.control.removeItem(item.id);
              it.sandbox.control.insertItems([{ name, brand: 'Kenner', release_year: 1999 }]);
              throw error;
            }
          },
        }),
    },
  );
}

const alive = (it: OpenImport) =>
  it
    .items()
    .filter(({ status }) => status !== 'archived')
    .map(({ name }) => name)
    .sort();

const namesOf = (count: number) =>
  toys(count)
    .map(([name = '']) => name)
    .sort();

/** @param run executes statements in the store */
export function historyCases(
  openImport: typeof open,
  run: (it: OpenImport, statements: readonly string[]) => Promise<void>,
): void {
  test('an import reads the same number of jobs however many the store contains', async () => {
    await using it = await openImport();
    let read = 0;
    const ledger = overriding(it.ledger, {
      jobs: overriding(it.ledger.jobs, {
        list: async (...request: Parameters<Ledger['jobs']['list']>) => {
          const jobs = await it.ledger.jobs.list(...request);
          read += jobs.length;
          return jobs;
        },
      }),
    });
    const importToy = async (number: number) => {
      const file = await it.file(`${number}.csv`, csv(HEADERS, [[`Toy of ${number}`, 'Kenner', '1984']]));
      read = 0;
      const { exitCode, summary } = await it.import({ file }, { ledger });
      expect([exitCode, summary.rows.created]).toEqual([0, 1]);
      return read;
    };
    const readOf: number[] = [];
    for (let number = 1; number <= 9; number += 1) readOf.push(await importToy(number));
    // The one before is hashed, and its own.
    expect(readOf.slice(2)).toEqual(Array.from({ length: 7 }, () => readOf[1]));
  });

  describe('an undo that is stopped', () => {
    test('and then undone leaves every row in effect: its file counts as already applied', async () => {
      await using it = await openImport();
      const first = await send(it, toys(9));
      const stopped = await undo(it, first.summary.job, { first: 4 });
      expect(stopped.summary).toMatchObject({ state: 'paused', rows: { updated: 4, pending: 5 } });
      await undo(it, stopped.summary.job);
      expect(alive(it)).toEqual(namesOf(9));

      expect((await send(it, toys(9), { onlyNew: true })).summary.state).toBe('already_applied');
      const longer = await send(it, toys(10), { onlyNew: true });
      expect(longer.summary.rows).toMatchObject({ created: 1, skipped: 9 });
      expect(alive(it)).toEqual(namesOf(10));
    });

    test('has undone the rows that it reached, and an import creates them again', async () => {
      await using it = await openImport();
      const first = await send(it, toys(9));
      const stopped = await undo(it, first.summary.job, { first: 4 });
      const again = await send(it, toys(9), { onlyNew: true });
      // Those are there as long as the undo is stopped.
      expect(again).toMatchObject({ exitCode: 3, summary: { rows: { created: 4, held: 5 } } });
      // The rest of the undo takes back the first job's items, not those that took their place.
      await it.resume(stopped.summary.job);
      expect(alive(it)).toHaveLength(4);
      expect((await send(it, toys(9), { onlyNew: true })).summary.rows).toMatchObject({
        created: 5,
        skipped: 4,
      });
      expect(alive(it)).toEqual(namesOf(9));
    });

    test('after a lost answer is completed by the next undo of the same job', async () => {
      await using it = await openImport();
      const first = await send(it, toys(4));
      const controller = new AbortController();
      it.sandbox.control.failNext('dropAfterCommit', 'updateItem');
      const stopped = await it.run(
        (deps) => undoJob(first.summary.job, deps, { run: { quietPeriodMs: 60_000 } }),
        {
          signal: controller.signal,
          onEvent: (event) => event.type === 'settling' && controller.abort(),
        },
      );
      expect(stopped.summary.state).toBe('interrupted');
      await undo(it, first.summary.job);
      expect(alive(it)).toEqual([]);
      const again = await send(it, toys(4));
      expect(again.summary.rows).toMatchObject({ created: 4, skipped: 0 });
    });
  });

  test('an undo reports the rows of its job that may be on the server and are not undone', async () => {
    await using it = await openImport();
    const { job } = (await sendDoubtful(it, 3)).summary;
    const undone = await undo(it, job);
    expect(undone).toMatchObject({
      exitCode: 3,
      summary: { state: 'done', rows: { updated: 2 }, notTakenBack: 1 },
      actions: [{ do: 'show', job }],
    });
    const [held] = await it.ledger.rows.list(job, { states: ['held'], limit: 1 });
    await it.run((deps) => resolveRow(job, held?.sheetRow ?? 0, { as: 'retry' }, deps));
    const shown = await it.run((deps) => showJob(undone.summary.job, deps));
    expect(shown).toMatchObject({ exitCode: 0 });
  });

  test('a job that was undone has ended: only apply sends a row that a person decides to retry later', async () => {
    await using it = await openImport();
    const { job } = (await sendDoubtful(it, 3)).summary;
    const { summary } = await undo(it, job);
    const [held] = await it.ledger.rows.list(job, { states: ['held'], limit: 1 });
    const free = () => it.run((deps) => resolveRow(job, held?.sheetRow ?? 0, { as: 'retry' }, deps));
    const freed = await free();
    expect(freed).toMatchObject({ summary: { state: 'cancelled', rows: { pending: 1 } } });
    expect(nextText(freed, {})).toContain(`shelflift jobs apply ${job}`);
    const items = it.items().length;
    const resumed = await it.resume(job);
    expect(resumed).toMatchObject({ summary: { state: 'cancelled', rows: { pending: 1 } } });
    expect(nextText(resumed, {})).toContain(`shelflift jobs apply ${job}`);
    expect(it.items()).toHaveLength(items);
    expect((await undo(it, summary.job)).summary.rows).toMatchObject({ updated: 2 });
    const applied = await it.run((deps) => applyJob(job, deps, { quietPeriodMs: QUIET_MS }));
    expect(applied.summary).toMatchObject({ state: 'done', rows: { created: 3, pending: 0 } });
    expect(it.items()).toHaveLength(items + 1);
  });

  test('a row is held if an undo may have restored its item', async () => {
    await using it = await openImport();
    const first = await send(it, toys(3));
    const undone = await undo(it, first.summary.job);
    const controller = new AbortController();
    it.sandbox.control.failNext('dropAfterCommit', 'updateItem');
    const restore = await it.run(
      (deps) => undoJob(undone.summary.job, deps, { run: { quietPeriodMs: 60_000 } }),
      {
        signal: controller.signal,
        onEvent: (event) => event.type === 'settling' && controller.abort(),
      },
    );
    expect(restore.summary).toMatchObject({ state: 'interrupted', rows: { updated: 2, pending: 1 } });
    expect(alive(it)).toHaveLength(3);
    const again = await send(it, toys(3), { onlyNew: true });
    expect([again.exitCode, again.summary.rows]).toMatchObject([3, { created: 0, skipped: 2, held: 1 }]);
    expect(await it.read(again.summary.files.results)).toContain(
      `it is not certain which rows job ${restore.summary.job} has undone`,
    );
    expect(alive(it)).toHaveLength(3);
  });

  test('held rows of an undo that a person decides later count as undone', async () => {
    await using it = await openImport();
    const first = await send(it, toys(5));
    const edited = it.items().find(({ name }) => name === 'Toy 2');
    await it.run(({ client }) => client.updateItem(edited?.id ?? '', { brand: 'Mattel' }));
    const undone = await undo(it, first.summary.job);
    expect(undone.summary.rows).toMatchObject({ updated: 4, held: 1 });
    const [held] = await it.ledger.rows.list(undone.summary.job, { states: ['held'], limit: 1 });
    await it.run((deps) => resolveRow(undone.summary.job, held?.sheetRow ?? 0, { as: 'mine' }, deps));
    await it.resume(undone.summary.job);
    expect(alive(it)).toEqual([]);
    expect((await send(it, toys(5))).summary.rows).toMatchObject({ created: 5, skipped: 0 });
  });

  test.each(['some', 'all'])(
    'deleted items count as undone: %s were deleted before the undo',
    async (which) => {
      await using it = await openImport();
      const first = await send(it, toys(6));
      const gone = it.items().slice(0, which === 'all' ? 6 : 2);
      for (const { id } of gone) it.sandbox.control.removeItem(id);
      const later = { clock: hastyClock(NO_LONGER_NEW_MS) };
      const dry = await it.run((deps) => undoJob(first.summary.job, deps, { dryRun: true }), later);
      expect(dry.summary.plan).toMatchObject({ skipped: gone.length });
      // Nobody has undone anything yet.
      expect((await send(it, toys(6))).summary.state).toBe('already_applied');
      const undone = await undo(it, first.summary.job, {}, later);
      expect(undone.summary.rows).toMatchObject({ updated: 6 - gone.length, skipped: gone.length });
      const again = await send(it, toys(6), { onlyNew: true });
      expect([again.exitCode, again.summary.rows]).toMatchObject([0, { created: 6, skipped: 0 }]);
      expect(alive(it)).toEqual(namesOf(6));
    },
  );

  test('an item that is deleted between the plan of an undo and its request counts as undone', async () => {
    await using it = await openImport();
    const first = await send(it, toys(4));
    const dry = await it.run((deps) => undoJob(first.summary.job, deps, { dryRun: true }));
    it.sandbox.control.removeItem(it.items()[0]?.id ?? '');
    const later = { clock: hastyClock(NO_LONGER_NEW_MS) };
    const applied = await it.apply(dry.summary.job, {}, later);
    expect(applied.summary.rows).toMatchObject({ updated: 3, refused: 1 });
    expect((await send(it, toys(4), { onlyNew: true })).summary.rows).toMatchObject({
      created: 4,
      skipped: 0,
    });
    expect(alive(it)).toEqual(namesOf(4));
  });

  test('undos of undos remove and restore the items by turns', async () => {
    await using it = await openImport();
    const first = await send(it, toys(3));
    let last = first.summary.job;
    for (const there of [0, 3, 0, 3]) {
      last = (await undo(it, last)).summary.job;
      expect(alive(it)).toHaveLength(there);
      const dry = await it.import({
        file: await it.file('longer.csv', csv(HEADERS, toys(4))),
        dryRun: true,
        run: { onlyNew: true },
      });
      expect(dry.summary.plan).toMatchObject({ create: 4 - there, skipped: there });
    }
  });

  describe('a file of which some rows were undone', () => {
    test('does not count as applied: the rows of an undone job are new, even in a longer file that had skipped them', async () => {
      await using it = await openImport();
      const first = await send(it, toys(30));
      await send(it, toys(31), { onlyNew: true });
      await undo(it, first.summary.job);
      expect(alive(it)).toEqual(['Toy 31']);
      await expect(send(it, toys(31))).rejects.toMatchObject({
        code: 'rows_sent_before',
        message: expect.stringMatching(/^1 of 31 rows was sent before .*30 are new/),
      });
      const again = await send(it, toys(31), { onlyNew: true });
      expect(again.summary.rows).toMatchObject({ created: 30, skipped: 1 });
      expect(alive(it)).toEqual(namesOf(31));
      expect(await send(it, toys(31))).toMatchObject({ exitCode: 0, summary: { state: 'already_applied' } });
    });

    test('is sent once by two concurrent imports', async () => {
      await using it = await openImport();
      const first = await send(it, toys(12));
      await undo(it, first.summary.job);
      const file = await it.file('toys.csv', csv(HEADERS, toys(12)));
      await Promise.all([1, 2].map(() => it.import({ file, run: { onlyNew: true } })));
      expect(alive(it)).toEqual(namesOf(12));
    });
  });

  test('deleting the hashes and claims of the store changes no result', async () => {
    await using it = await openImport();
    const first = await send(it, toys(6));
    await undo(it, (await undo(it, first.summary.job, { first: 2 })).summary.job);
    await undo(it, (await send(it, toys(8), { onlyNew: true })).summary.job);
    const answers = async () => {
      const applied = await send(it, toys(6));
      const file = await it.file('longer.csv', csv(HEADERS, toys(9)));
      const { summary } = await it.import({ file, dryRun: true, run: { onlyNew: true } });
      return [applied.summary.state, applied.summary.job, summary.plan];
    };
    const before = await answers();
    expect(before).toMatchObject(['already_applied', first.summary.job, { create: 3, skipped: 6 }]);
    await run(it, ['DELETE FROM row_hashes', 'DELETE FROM claims', 'UPDATE jobs SET hashed_to = 0']);
    expect(await answers()).toEqual(before);
  });

  test('nothing is sent if the hashes of a pruned job were deleted, because they cannot be computed again', async () => {
    await using it = await openImport();
    const first = await send(it, toys(6));
    await pruneJobs(it.ledger, { now: Date.now() + 2 * KEPT_MS });
    expect((await send(it, toys(7), { onlyNew: true })).summary.rows).toMatchObject({
      created: 1,
      skipped: 6,
    });
    await run(it, ['DELETE FROM row_hashes', 'DELETE FROM claims', 'UPDATE jobs SET hashed_to = 0']);
    await expect(send(it, toys(8), { onlyNew: true })).rejects.toMatchObject({
      code: 'rows_sent_before',
      message: expect.stringContaining(`job ${first.summary.job}`) as string,
    });
    expect(alive(it)).toEqual(namesOf(7));
    expect((await send(it, toys(8), { allRows: true })).summary.rows).toMatchObject({ created: 8 });
  });

  describe('the rows of an upsert', () => {
    const upsert = async (it: OpenImport, rows: string[][], run: RunOptions = {}) =>
      it.import({
        file: await it.file('toys.csv', csv(HEADERS, rows)),
        mode: 'upsert',
        match: ['name'],
        run: { skipInvalid: true, ...run },
      });
    const planned = async (it: OpenImport, rows: string[][]) =>
      (
        await it.import({
          file: await it.file('other.csv', csv(HEADERS, rows)),
          dryRun: true,
          run: { onlyNew: true },
        })
      ).summary.plan;

    test('are hashed once, after it has ended', async () => {
      await using it = await openImport();
      await upsert(it, toys(3));
      const { job } = (await upsert(it, toys(3))).summary;
      const cancelled = (await upsert(it, toys(5), { first: 1 })).summary.job;
      await it.run((deps) => cancelJob(cancelled, deps));
      expect(await planned(it, toys(6))).toMatchObject({ create: 2, skipped: 4 });
      const read: string[] = [];
      const ledger = overriding(it.ledger, {
        rows: overriding(it.ledger.rows, {
          list: (...asked: Parameters<typeof it.ledger.rows.list>) => {
            // Rows that are asked for by number are no second hashing.
            if (asked[1].ordinals === undefined) read.push(asked[0]);
            return it.ledger.rows.list(...asked);
          },
        }),
      });
      const file = await it.file('other.csv', csv(HEADERS, toys(7)));
      await it.import({ file, dryRun: true, run: { onlyNew: true } }, { ledger });
      expect(read).not.toContain(job);
      expect(read).not.toContain(cancelled);
    });

    test('are recognised if it was cancelled and continued, but not after its undo', async () => {
      await using it = await openImport();
      const { job } = (await upsert(it, toys(5), { first: 2 })).summary;
      expect(await planned(it, toys(5))).toMatchObject({ create: 0, skipped: 5 });
      await it.run((deps) => cancelJob(job, deps));
      expect(await planned(it, toys(5))).toMatchObject({ create: 3, skipped: 2 });
      await it.run((deps) => applyJob(job, deps));
      expect(await planned(it, toys(6))).toMatchObject({ create: 1, skipped: 5 });
      await undo(it, job);
      expect(await planned(it, toys(5))).toMatchObject({ create: 5, skipped: 0 });
    });

    test('are recognised once they are mended', async () => {
      await using it = await openImport();
      const rows = [...toys(2), ['Toy 3', 'Kenner', 'about 1984 or so']];
      const { job } = (await upsert(it, rows)).summary;
      expect(await planned(it, toys(3))).toMatchObject({ create: 1, skipped: 2 });
      const changes = [{ type: 'cell', row: 4, column: 'release_year', text: '1984' }] as const;
      await it.run((deps) => correctAndReport(job, { changes }, deps));
      await it.resume(job);
      expect(alive(it)).toEqual(namesOf(3));
      expect(await planned(it, toys(3))).toMatchObject({ create: 0, skipped: 3 });
    });
  });

  describe('a file that was applied except for some rows', () => {
    test('still ends with exit code 3 because of a refused row, which --only-new sends again', async () => {
      await using it = await openImport();
      const file = await it.file('toys.csv', csv(HEADERS, toys(12)));
      const first = await it.import(
        { file },
        {
          wrap: (client) =>
            overriding(client, {
              createItem: (...[body, options]: Parameters<ApiClient['createItem']>) =>
                client.createItem(
                  body.name === 'Toy 5' ? { ...body, collection_id: randomUUID() } : body,
                  options,
                ),
            }),
        },
      );
      expect([first.exitCode, first.summary.rows]).toMatchObject([3, { created: 11, refused: 1 }]);
      for (const run of [{}, { yes: true }] as const) {
        const again = await send(it, toys(12), run);
        expect([again.exitCode, again.summary.state]).toEqual([3, 'already_applied']);
        expect(again.summary.rows).toMatchObject({
          read: 12,
          created: 0,
          skipped: 11,
          refused: 1,
          pending: 0,
        });
        expect(nextText(again, {})).toContain('--only-new');
        expect(nextText(again, {})).not.toContain('--force');
      }
      const rest = await send(it, toys(12), { onlyNew: true });
      expect([rest.exitCode, rest.summary.rows]).toMatchObject([0, { created: 1, skipped: 11, refused: 0 }]);
      expect(alive(it)).toEqual(namesOf(12));
      expect(await send(it, toys(12))).toMatchObject({ exitCode: 0, summary: { state: 'already_applied' } });
    });

    test('does not count as applied while a stopped job has not sent its rows, or has had them refused', async () => {
      await using it = await openImport();
      const first = (await send(it, toys(6), { first: 4 })).summary.job;
      for (const created of [1, 0]) {
        const longer = await send(it, toys(7), { onlyNew: true });
        expect(longer).toMatchObject({
          exitCode: 3,
          summary: {
            state: 'done',
            rows: { created, skipped: 7 - created },
            unsentElsewhere: { rows: 2, jobs: [first] },
          },
          actions: [{ do: 'show', job: first }],
        });
      }
      const resumed = await it.resume(
        first,
        {},
        {
          wrap: (client) =>
            overriding(client, {
              createItem: (...[body, options]: Parameters<ApiClient['createItem']>) =>
                client.createItem(
                  body.name === 'Toy 6' ? { ...body, collection_id: randomUUID() } : body,
                  options,
                ),
            }),
        },
      );
      expect(resumed.summary.rows).toMatchObject({ created: 5, refused: 1 });
      const rest = await send(it, toys(7), { onlyNew: true });
      expect([rest.exitCode, rest.summary.rows]).toMatchObject([0, { created: 1, skipped: 6 }]);
      expect(alive(it)).toEqual(namesOf(7));
      expect(await send(it, toys(7))).toMatchObject({ exitCode: 0, summary: { state: 'already_applied' } });
    });

    test('does not count as applied if the job that was to send some of its rows no longer exists', async () => {
      await using it = await openImport();
      const first = (await send(it, toys(6), { first: 4 })).summary.job;
      const { job } = (await send(it, toys(7), { onlyNew: true })).summary;
      await run(it, [
        `DELETE FROM rows WHERE job = (SELECT number FROM jobs WHERE id = '${first}')`,
        `DELETE FROM row_hashes WHERE job = (SELECT number FROM jobs WHERE id = '${first}')`,
        `DELETE FROM claims WHERE job = (SELECT number FROM jobs WHERE id = '${first}')`,
        `DELETE FROM jobs WHERE id = '${first}'`,
      ]);
      const shown = await it.run((deps) => showJob(job, deps));
      expect(shown).toMatchObject({ exitCode: 3, summary: { unsentElsewhere: { rows: 6 } } });
      expect((await send(it, toys(7), { onlyNew: true })).summary.rows).toMatchObject({ created: 6 });
    });

    test('still ends with exit code 3 because of a held row, which no import sends', async () => {
      await using it = await openImport();
      const first = await sendDoubtful(it, 3);
      expect([first.exitCode, first.summary.rows]).toMatchObject([3, { held: 1 }]);
      const again = await send(it, toys(3));
      expect([again.exitCode, again.summary.state]).toEqual([3, 'already_applied']);
      expect(again.summary.rows).toMatchObject({ read: 3, skipped: 2, held: 1 });
      expect(nextText(again, {})).toContain(`shelflift jobs show ${first.summary.job}`);
      const items = it.items().length;
      const onlyNew = await send(it, toys(3), { onlyNew: true });
      expect([onlyNew.exitCode, onlyNew.summary.state]).toEqual([3, 'already_applied']);
      const longer = await send(it, toys(4), { onlyNew: true });
      expect([longer.exitCode, longer.summary.rows]).toMatchObject([3, { created: 1, skipped: 2, held: 1 }]);
      expect(it.items()).toHaveLength(items + 1);
    });
  });

  describe('a job that somebody resumes while its undo starts', () => {
    /** Undoes the job, and resumes it in between: once the undo has its rows, and before it sends. */
    async function undoAmid(it: OpenImport, job: string, resume: () => Promise<unknown>) {
      let resumed: Promise<unknown> | undefined;
      return it.run((deps) => undoJob(job, deps, { run: { quietPeriodMs: QUIET_MS } }), {
        wrap: (client) =>
          overriding(client, {
            getItem: async (...request: Parameters<ApiClient['getItem']>) => {
              await (resumed ??= resume());
              return client.getItem(...request);
            },
          }),
      });
    }

    test('is undone with the rows that it sent meanwhile', async () => {
      await using it = await openImport();
      const { job } = (await send(it, toys(9), { first: 4 })).summary;
      const undone = await undoAmid(it, job, () => it.resume(job, { first: 3 }));
      expect(it.items()).toHaveLength(7);
      expect(alive(it)).toEqual([]);
      expect([undone.exitCode, undone.summary.rows]).toMatchObject([0, { read: 7, updated: 7 }]);
      expect((await it.ledger.jobs.find(job)).state).toBe('cancelled');
    });

    test('is stopped first if it is still sending', async () => {
      await using it = await openImport({ latencyMs: 5 });
      const { job } = (await send(it, toys(300), { first: 4 })).summary;
      let running: Promise<unknown> | undefined;
      const undone = await undoAmid(it, job, async () => {
        running = it.resume(job);
        while (it.items().length < 20) await systemClock.sleep(2);
      });
      expect(await running).toMatchObject({ exitCode: 3, summary: { state: 'cancelled' } });
      expect(it.items().length).toBeLessThan(300);
      expect(alive(it)).toEqual([]);
      expect(undone.summary.rows).toMatchObject({ updated: it.items().length, held: 0, pending: 0 });
    });

    test('is undone by an undo that was planned before, once a person confirms the additional rows', async () => {
      await using it = await openImport();
      const { job } = (await send(it, toys(9), { first: 4 })).summary;
      const dry = await it.run((deps) => undoJob(job, deps, { dryRun: true }));
      expect(dry.summary.plan).toMatchObject({ update: 4 });
      await it.resume(job);
      // However often: only an answer ends the question.
      for (const run of [{}, {}, { first: 6 }]) {
        const asked = await it.apply(dry.summary.job, run);
        expect([asked.exitCode, asked.summary.error?.code]).toEqual([2, 'undo_grew']);
        expect(alive(it)).toHaveLength(9);
      }
      // Rows of the plan that was reviewed need no other answer.
      expect((await it.apply(dry.summary.job, { first: 2 })).summary.rows).toMatchObject({ updated: 2 });
      const some = await it.apply(dry.summary.job, { first: 3, yes: true });
      expect(some.summary.rows).toMatchObject({ updated: 5 });
      expect((await it.resume(dry.summary.job)).summary.error?.code).toBe('undo_grew');
      const applied = await it.resume(dry.summary.job, { yes: true });
      expect([applied.exitCode, applied.summary.rows]).toMatchObject([0, { read: 9, updated: 9 }]);
      expect(alive(it)).toEqual([]);
    });

    test('is asked about once by an undo if a person agrees', async () => {
      await using it = await openImport();
      const { job } = (await send(it, toys(9), { first: 4 })).summary;
      const { summary } = await it.run((deps) => undoJob(job, deps, { dryRun: true }));
      await it.resume(job);
      expect((await it.apply(summary.job)).summary.error?.code).toBe('undo_grew');
      const asked: string[] = [];
      const confirm = async (question: string) => asked.push(question) > 0;
      const some = await it.apply(summary.job, { first: 2 }, { confirm });
      expect(some.summary.rows).toMatchObject({ updated: 2 });
      const rest = await it.apply(summary.job, {}, { confirm });
      expect([rest.exitCode, rest.summary.rows]).toMatchObject([0, { updated: 9 }]);
      expect(asked.filter((question) => question.includes('since'))).toHaveLength(1);
    });

    test('is asked about once by an undo that first sends some rows', async () => {
      await using it = await openImport();
      const { job } = (await send(it, toys(9), { first: 4 })).summary;
      const { summary } = await it.run((deps) => undoJob(job, deps, { dryRun: true }));
      await it.resume(job);
      const asked: string[] = [];
      const confirm = async (question: string) => asked.push(question) > 0;
      const some = await it.apply(summary.job, { first: 6 }, { confirm });
      expect(some.summary.rows).toMatchObject({ updated: 6 });
      expect(asked).toEqual([expect.stringContaining('4 items'), expect.stringContaining('2 more rows')]);
    });

    test.each([
      ['stopped', (it: OpenImport, id: string) => it.ledger.jobs.find(id)],
      // As a kill leaves it between the new rows and their number.
      ['killed', (it: OpenImport, id: string) => it.ledger.jobs.update(id, { sheetRows: 4 })],
    ])('is undone by an undo that is %s before it has planned the new rows', async (_, leave) => {
      await using it = await openImport();
      const { job } = (await send(it, toys(9), { first: 4 })).summary;
      const { summary } = await it.run((deps) => undoJob(job, deps, { dryRun: true }));
      await it.resume(job, { first: 2 });
      const controller = new AbortController();
      const stopped = await it.apply(
        summary.job,
        { yes: true },
        {
          signal: controller.signal,
          wrap: (client) =>
            overriding(client, {
              getItem: async (...request: Parameters<ApiClient['getItem']>) => {
                const { planned } = await it.ledger.rows.counts(summary.job);
                if (planned > 4) controller.abort();
                return client.getItem(...request);
              },
            }),
        },
      );
      expect(stopped.summary).toMatchObject({ state: 'interrupted', rows: { pending: 6, updated: 0 } });
      await leave(it, summary.job);
      const resumed = await it.resume(summary.job, { yes: true });
      expect([resumed.exitCode, resumed.summary.rows]).toMatchObject([0, { read: 6, updated: 6 }]);
      expect(resumed.summary.sheetRows).toBe(6);
      expect(alive(it)).toEqual([]);
    });
  });

  test('a job that is cancelled while it sends records every answer that arrives', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', csv(HEADERS, toys(60)));
    let answers = 0;
    const { summary } = await it.import(
      { file },
      {
        wrap: (client) =>
          overriding(client, {
            createItem: async (...request: Parameters<ApiClient['createItem']>) => {
              const answer = await client.createItem(...request);
              if ((answers += 1) === 10)
                await it.ledger.jobs.update((await it.ledger.jobs.find('last')).id, { state: 'cancelled' });
              return answer;
            },
          }),
      },
    );
    const counts = await it.ledger.rows.counts(summary.job);
    expect(counts).toMatchObject({ sending: 0, unknown: 0, created: it.items().length });
    expect(summary).toMatchObject({ state: 'cancelled', rows: { created: it.items().length } });
  });

  test('a job that is mended after it has sent rows still knows all of its collections', async () => {
    await using it = await openImport();
    const names = ['Cars', 'Trains', 'Robots', 'Dolls', 'Blocks'];
    for (const name of names) it.sandbox.control.addCollection(name);
    const headers = ['name', 'release_year', 'collection'];
    const rows = (count: number, year: string) =>
      Array.from({ length: count }, (_, index) => [
        `Toy ${index + 1}`,
        index === 3 ? year : '1984',
        names[index % 5] ?? '',
      ]);
    const file = await it.file('toys.csv', csv(headers, rows(15, 'soon')));
    const first = await it.import({ file, skipInvalid: true });
    expect(first.summary.rows).toMatchObject({ created: 14, invalid: 1 });
    const { job } = first.summary;
    const changes = [{ type: 'cell', row: 5, column: 'release_year', text: '1990' }] as const;
    await it.run((deps) => correctAndReport(job, { changes }, deps));
    expect((await it.resume(job)).summary.rows).toMatchObject({ created: 15, invalid: 0 });

    await it.file('toys.csv', csv(headers, rows(16, '1990')));
    const next = await it.import({ file, run: { onlyNew: true } });
    expect(next.summary.rows).toMatchObject({ created: 1, skipped: 15 });
    expect((await undo(it, job)).summary.rows).toMatchObject({ read: 15, updated: 15, held: 0 });
    expect(alive(it)).toEqual(['Toy 16']);
  });

  describe('a relative change', () => {
    const items = [
      { name: 'A', brand: 'Kenner', status: 'sell', estimated_value: 10 },
      { name: 'B', brand: 'Kenner', status: 'sell', estimated_value: 20 },
      { name: 'C', brand: 'Kenner', status: 'sell', estimated_value: 30 },
    ] as const;
    const worth = (it: OpenImport) =>
      it
        .items()
        .map(({ estimated_value: value }) => value)
        .sort((a, b) => (a ?? 0) - (b ?? 0));
    const raise = (it: OpenImport, request: Omit<SetRequest, 'changes'>, change = 'estimated_value*=1.1') =>
      it.run((deps) => setItems({ outDir: it.folder, ...request, changes: [change] }, deps));

    test('is recognised as repeated however its items are selected and its factor is written', async () => {
      await using it = await openImport();
      const ids = it.sandbox.control.insertItems(items);
      const list = await it.file('ids.txt', ids.join('\n'));
      const first = await raise(it, { where: 'brand=Kenner' });
      expect(worth(it)).toEqual([11, 22, 33]);
      const again = {
        code: 'repeated_change',
        message: expect.stringContaining(first.summary.job) as string,
      };
      await expect(raise(it, { where: 'brand=kenner' })).rejects.toMatchObject(again);
      await expect(raise(it, { status: ['sell'] }, 'estimated_value*=1.10')).rejects.toMatchObject(again);
      await expect(raise(it, { idsFrom: list })).rejects.toMatchObject(again);
      await it.file('ids.txt', ids.join('\r\n'));
      await expect(raise(it, { idsFrom: list })).rejects.toMatchObject(again);
      const sheet = await it.file(
        'raise.csv',
        csv(
          ['id', 'by'],
          ids.map((id) => [id, '1.1']),
        ),
      );
      await expect(raise(it, { from: sheet }, 'estimated_value*=@by')).rejects.toMatchObject(again);
      expect(worth(it)).toEqual([11, 22, 33]);
      // Another change is none of it, nor are other items.
      it.sandbox.control.insertItems([{ name: 'D', brand: 'Lego', estimated_value: 100 }]);
      expect((await raise(it, { where: 'brand=Lego' })).summary.rows).toMatchObject({ updated: 1 });
      expect((await raise(it, { where: 'brand=Kenner' }, 'estimated_value+=1')).summary.rows).toMatchObject({
        updated: 3,
      });
    });

    test('whose undo was stopped needs confirmation for the items that still have it', async () => {
      await using it = await openImport();
      it.sandbox.control.insertItems(items);
      const first = await raise(it, { where: 'brand=Kenner' });
      await undo(it, first.summary.job, { first: 1 });
      await expect(raise(it, { where: 'brand=Kenner' })).rejects.toMatchObject({
        code: 'repeated_change',
        message: expect.stringMatching(/^Job \S+ \(.+\) made the same change to 2 of 3 items\./) as string,
      });
      await it.resume('last');
      expect(worth(it)).toEqual([10, 20, 30]);
      expect((await raise(it, { where: 'brand=Kenner' })).summary.rows).toMatchObject({ updated: 3 });
      expect(worth(it)).toEqual([11, 22, 33]);
    });

    test('whose undo left one field unchanged counts as repeated for that field', async () => {
      await using it = await openImport();
      it.sandbox.control.insertItems([{ name: 'A', estimated_value: 10, custom_fields: { count: 1 } }]);
      const changes = ['estimated_value*=2', 'custom_fields.count+=1'];
      const both = () => it.run((deps) => setItems({ outDir: it.folder, collection: 'Main', changes }, deps));
      const first = await both();
      const [item] = it.items();
      await it.run(({ client }) => client.updateItem(item?.id ?? '', { estimated_value: 21 }));
      expect((await undo(it, first.summary.job)).summary.rows).toMatchObject({ held: 1 });
      expect(it.items()[0]).toMatchObject({ estimated_value: 21, custom_fields: { count: 1 } });
      await expect(both()).rejects.toMatchObject({ code: 'repeated_change' });
      await raise(it, { collection: 'Main' }, 'custom_fields.count+=1');
      expect(it.items()[0]?.custom_fields).toEqual({ count: 2 });
    });

    test('needs confirmation when it is sent if the same change was made after it was planned', async () => {
      await using it = await openImport();
      it.sandbox.control.insertItems(items);
      const dry = await raise(it, { where: 'brand=Kenner', dryRun: true });
      await raise(it, { where: 'brand=Kenner' });
      const asked = await it.apply(dry.summary.job);
      expect([asked.exitCode, asked.summary.error?.code]).toEqual([2, 'repeated_change']);
      expect(worth(it)).toEqual([11, 22, 33]);
    });
  });
}
