/** An upsert's plan is looked at again before it is sent: keys that have an item by now are no creates. */
import { describe, expect, it } from 'vitest';
import type { ImportRequest } from '../../src/import/job/options.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { undoJob } from '../../src/import/run.ts';
import { systemClock } from '../../src/base/clock.ts';
import { overriding } from '../support/overriding.ts';
import { csv } from '../support/csv.ts';
import { beforeTurn } from '../support/before-turn.ts';
import { type OpenImport, openImport, type RunSetting } from '../support/open-import.ts';

async function upsert(
  open: OpenImport,
  over: Partial<ImportRequest> = {},
  setting: RunSetting = {},
): Promise<JobOutcome> {
  const rows = ['A', 'B', 'C', 'D'].map((sku) => [`Toy ${sku}`, 'sell', 'old; red', sku]);
  const file = await open.file('toys.csv', csv(['name', 'status', 'tags', 'custom_fields.sku'], rows));
  return open.import({ file, mode: 'upsert', match: ['custom_fields.sku'], ...over }, setting);
}

async function plan(open: OpenImport): Promise<string> {
  const { summary } = await upsert(open, { dryRun: true });
  expect(summary.plan).toMatchObject({ create: 4, update: 0 });
  return summary.job;
}

const undo = (open: OpenImport, job: string) =>
  open.run((deps) => undoJob(job, deps, { run: { yes: true } }));

const statuses = (open: OpenImport) =>
  open
    .items()
    .map(({ status }) => status)
    .toSorted();

const item = (sku: string, over: object = {}) => ({
  name: `Toy ${sku}`,
  status: 'sell' as const,
  tags: ['old', 'red'],
  custom_fields: { sku: ` ${sku.toLowerCase()} ` },
  ...over,
});

describe('items that somebody has created with the keys of the file since the plan', () => {
  const created = [item('A'), item('B', { status: 'keep' }), item('C', { tags: [] })];

  it('are left alone if nothing differs, completed where they are blank, and otherwise held', async () => {
    await using open = await openImport();
    const job = await plan(open);
    open.sandbox.control.insertItems(created);
    const notes: string[] = [];
    const { summary, exitCode } = await open.apply(
      job,
      { recheckMs: 0 },
      { onEvent: (event) => (event.type === 'note' ? notes.push(event.message) : undefined) },
    );
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 1, updated: 1, unchanged: 1, held: 1 }]);
    expect(statuses(open)).toEqual(['keep', 'sell', 'sell', 'sell']);
    expect(notes).toContain(
      '3 rows that were planned as new items now have an item: 1 unchanged, 1 to update, 0 invalid, 1 held.',
    );
    const [held] = await open.ledger.rows.list(job, { states: ['held'], limit: 2 });
    expect(held).toMatchObject({
      sheetRow: 3,
      issues: [
        {
          code: 'drifted',
          column: 'status',
          message:
            'status is now "keep"; in the file it is "sell": no item had this key when the plan was made',
        },
      ],
    });
  });

  it('stay as they are however often the plan is applied', async () => {
    await using open = await openImport();
    const job = await plan(open);
    open.sandbox.control.insertItems(created);
    const codes = [];
    codes.push((await open.apply(job, { recheckMs: 0 })).exitCode);
    codes.push((await open.apply(job, { recheckMs: 0 })).exitCode);
    codes.push((await open.resume(job, { recheckMs: 0 })).exitCode);
    expect(codes).toEqual([3, 3, 3]);
    expect(statuses(open)).toEqual(['keep', 'sell', 'sell', 'sell']);
  });

  it.for([
    ['overwrite', 0, { updated: 2, held: 0, skipped: 0 }, 'sell'],
    ['skip', 3, { updated: 1, held: 0, skipped: 1 }, 'keep'],
  ] as const)('are treated as --on-drift %s says', async ([onDrift, code, rows, status]) => {
    await using open = await openImport();
    const job = await plan(open);
    open.sandbox.control.insertItems(created);
    const { exitCode, summary } = await open.apply(job, { recheckMs: 0, onDrift });
    expect([exitCode, summary.rows]).toMatchObject([code, rows]);
    expect(statuses(open)[0]).toBe(status);
    await undo(open, job);
    expect(statuses(open).filter((each) => each === 'keep')).toHaveLength(1);
  });

  it.for([
    ['mine', 'sell'],
    ['theirs', 'keep'],
  ] as const)('are decided with --as %s, and an undo restores what they had', async ([as, status]) => {
    await using open = await openImport();
    const job = await plan(open);
    open.sandbox.control.insertItems(created);
    await open.apply(job, { recheckMs: 0 });
    await open.run((deps) => resolveRow(job, 3, { as }, deps));
    const { exitCode } = await open.resume(job, { recheckMs: Number.POSITIVE_INFINITY });
    expect([exitCode, statuses(open)[0]]).toEqual([0, status]);
    await undo(open, job);
    expect(statuses(open).filter((each) => each === 'keep')).toHaveLength(1);
  });

  it('are left alone by a job that had sent one row only', async () => {
    await using open = await openImport();
    const { summary } = await upsert(open, { run: { first: 1 } });
    open.sandbox.control.insertItems([item('B', { status: 'keep' })]);
    const { exitCode, summary: rest } = await open.resume(summary.job, { recheckMs: 0 });
    expect([exitCode, rest.rows]).toMatchObject([3, { created: 3, held: 1 }]);
  });
});

it('if a key has come to match two items since the plan, the import stops, as it would when planning', async () => {
  await using open = await openImport();
  const job = await plan(open);
  open.sandbox.control.insertItems([item('A'), item('A')]);
  const { summary, exitCode } = await open.apply(job, { recheckMs: 0 });
  expect([exitCode, summary.state]).toEqual([3, 'planned']);
  expect(summary.rows).toMatchObject({ invalid: 1, pending: 3, created: 0 });
  const sent = await open.apply(job, { skipInvalid: true });
  expect(sent.summary.rows).toMatchObject({ invalid: 1, created: 3 });
});

describe('a plan that has grown since it was confirmed', () => {
  /** Twelve creates and an update of one item, which a person has agreed to. */
  async function agreed(open: OpenImport): Promise<string> {
    const skus = Array.from({ length: 12 }, (_, index) => `S${index}`);
    open.sandbox.control.insertItems([{ ...item('OLD'), brand: 'Acme' }]);
    const rows = ['OLD', ...skus].map((sku) => [`Toy ${sku}`, '<clear>', sku]);
    const file = await open.file('toys.csv', csv(['name', 'brand', 'custom_fields.sku'], rows));
    const { summary } = await open.import({
      file,
      mode: 'upsert',
      match: ['custom_fields.sku'],
      dryRun: true,
    });
    expect(summary.plan).toMatchObject({ create: 12, update: 1 });
    return summary.job;
  }

  /** What the creates would make is there by the time that the job has its turn. */
  const made = (open: OpenImport): RunSetting => ({
    ledger: beforeTurn(open.ledger, async () => {
      open.sandbox.control.insertItems(
        Array.from({ length: 12 }, (_, index) => ({ ...item(`S${index}`), brand: 'Acme' })),
      );
    }),
  });

  it('asks again about creates that have become updates', async () => {
    await using open = await openImport();
    const job = await agreed(open);
    const { exitCode, summary } = await open.apply(
      job,
      { recheckMs: 0, maxChanges: 5, onDrift: 'overwrite' },
      made(open),
    );
    expect([exitCode, summary.error?.code, summary.rows.updated]).toEqual([2, 'too_many_changes', 0]);
    expect(
      (await open.apply(job, { maxChanges: 5, yes: true, onDrift: 'overwrite' })).summary.rows.updated,
    ).toBe(13);
  });

  it('asks again about fields that would be emptied', async () => {
    await using open = await openImport();
    const job = await agreed(open);
    const questions: string[] = [];
    const { exitCode, summary } = await open.apply(
      job,
      { recheckMs: 0, onDrift: 'overwrite' },
      {
        ...made(open),
        confirm: async (question) => {
          questions.push(question);
          return false;
        },
      },
    );
    expect([exitCode, summary.error?.code, summary.rows.updated]).toEqual([2, 'field_emptied', 0]);
    expect(questions).toEqual(['brand would be emptied in 13 items. Continue?']);
  });
});

it('a confirmed job does not ask again if fewer changes remain', async () => {
  await using open = await openImport();
  const ids = open.sandbox.control.insertItems(['A', 'B', 'C', 'D'].map((sku) => item(sku)));
  const lines = ids.map((id) => [id, 'keep']);
  const file = await open.file('u.csv', csv(['id', 'status'], lines));
  const stop = new AbortController();
  const questions: string[] = [];
  const { summary } = await open.import(
    { file, mode: 'update', run: { maxChanges: 1 } },
    {
      client: {
        maxConcurrency: 1,
        onRequest: ({ method }) => (method === 'PATCH' ? stop.abort() : undefined),
      },
      signal: stop.signal,
      confirm: async (question) => {
        questions.push(question);
        return true;
      },
    },
  );
  expect(questions).toEqual(['4 items would be changed, more than 1. Continue?']);
  expect(summary).toMatchObject({ state: 'interrupted' });
  expect(summary.rows.pending).toBeGreaterThan(1);
  const rest = await open.resume(summary.job, { maxChanges: 1 });
  expect(rest.summary.rows).toMatchObject({ updated: 4 });
});

it('changes beyond --max-changes need confirmation even if they were confirmed as creates', async () => {
  await using open = await openImport();
  const job = await plan(open);
  open.sandbox.control.insertItems([item('A', { status: 'keep' }), item('B', { status: 'keep' })]);
  const { exitCode } = await open.apply(job, { recheckMs: 0, maxChanges: 1, onDrift: 'overwrite' });
  expect(exitCode).toBe(2);
  expect(open.sandbox.control.counts().byOperation.createItem).toBeUndefined();
  expect(open.sandbox.control.counts().byOperation.updateItem).toBeUndefined();
});

it('each run of a job reads the list once', async () => {
  await using open = await openImport();
  open.sandbox.control.insertItems(Array.from({ length: 950 }, (_, index) => ({ name: `Old ${index}` })));
  const reads = () => open.sandbox.control.counts().byOperation.listItems?.['200'] ?? 0;
  const first = await upsert(open, { dryRun: true });
  const once = reads();
  // The dry run tells what sending it takes: the head of the list twice, for its length and for the first mark.
  expect(first.summary.changes?.requests).toEqual({ write: 4, read: 2 + once, recheck: 0 });
  const { summary } = await upsert(open, { run: { first: 1 } });
  // The head reaches over ten pages here: all of these items may later seem to be new.
  expect(reads()).toBe(2 * once + 10);
  await open.resume(summary.job, { first: 1 });
  // Ten pages at least.
  expect(reads()).toBeGreaterThan(2 * once + 20);
});

describe('an upsert that runs longer than its look-up of keys is valid', () => {
  /** Eleven minutes pass while the first request is under way. */
  function slow(then: () => void): RunSetting {
    let ahead = 0;
    const pass = async <T>(answer: Promise<T>): Promise<T> => {
      const value = await answer;
      if (ahead === 0) then();
      ahead = 660_000;
      return value;
    };
    return {
      clock: {
        ...systemClock,
        now: () => Date.now() + ahead,
        monotonic: () => performance.now() + ahead,
      },
      client: { maxConcurrency: 1 },
      wrap: (client) =>
        overriding(client, {
          createItem: (...args) => pass(client.createItem(...args)),
          updateItem: (...args) => pass(client.updateItem(...args)),
        }),
    };
  }

  it.for([60_000, Number.POSITIVE_INFINITY])(
    'creates no second item if somebody else has created it meanwhile, with --recheck %i',
    async (recheckMs) => {
      await using open = await openImport();
      const made = () => open.sandbox.control.insertItems([item('D')]);
      const { summary, exitCode } = await upsert(open, { run: { recheckMs } }, slow(made));
      expect([exitCode, summary.rows]).toMatchObject([0, { created: 3, unchanged: 1 }]);
      expect(open.items()).toHaveLength(4);
    },
  );

  it('sends no more rows than --first says if its plan changes meanwhile', async () => {
    await using open = await openImport();
    const made = () => open.sandbox.control.insertItems([item('D', { tags: [] })]);
    const { summary } = await upsert(open, { run: { first: 2 } }, slow(made));
    expect(summary.rows).toMatchObject({ created: 2, pending: 2 });
    expect(summary.canary).toHaveLength(2);
    expect((await open.resume(summary.job)).summary.rows).toMatchObject({ created: 3, updated: 1 });
  });

  it('sends the remaining updates after the last create', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems(['B', 'C', 'D'].map((sku) => item(sku, { status: 'keep' })));
    const { summary, exitCode } = await upsert(
      open,
      {},
      slow(() => undefined),
    );
    expect([exitCode, summary.rows]).toMatchObject([0, { created: 1, updated: 3 }]);
  });
});
