/** What every ledger must do, whatever database stands behind it. `open` is called again for a second connection. */
import { message } from '../../src/messages/message.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import {
  AlreadyClaimedError,
  JobCancelledError,
  type JobFilter,
  type JobRecord,
  type Lease,
  LeaseLostError,
  type Ledger,
  type LedgerOptions,
  type NewRow,
  type RowMove,
  type RowQuery,
} from '../../src/ledger/ledger.ts';
import type { Processes } from '../../src/ledger/process-identity.ts';
import type { JobRequest } from '../../src/ledger/job-parts.ts';
import type { RunQuery, RunRecord } from '../../src/ledger/run-records.ts';
import { ROW_MOVES, ROW_STATES, type RowState } from '../../src/ledger/states.ts';
import { issueOf } from '../../src/import/engine/stored-issue.ts';
import { initialNormalisation } from '../../src/import/job/server-normalisation.ts';
import { OF_JOBS } from '../../src/ledger/key-values.ts';
import { HASHED_WHOLE } from '../../src/ledger/known-rows.ts';

const readAs20 = message('read_as', { field: 'estimated_value', text: '20-25', value: '20', isRange: true });

const jobRequest = (request: Partial<JobRequest>): JobRequest => ({
  match: [],
  skipInvalid: false,
  force: false,
  noSettle: false,
  outDir: '',
  mappingHash: '',
  ...request,
});

export interface StoreUnderTest {
  /** A connection of its own to the same store. The test closes it. */
  open(options?: LedgerOptions): Promise<Ledger>;
  /** Makes the heartbeat of every lane one of the day after tomorrow. */
  beatAhead(): Promise<void>;
  /** Source text of a module that opens the same store as `ledger`: for child processes. */
  childSource: string;
}

const API = 'https://api.example.test';
const ITEM = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export function jobRecord(id: string, over: Partial<JobRecord> = {}) {
  return {
    id,
    kind: 'import' as const,
    mode: 'create' as const,
    dryRun: false,
    apiUrl: API,
    source: { file: '/a.csv', format: 'csv' as const, headers: ['name'], letters: ['A'], sha256: 'x' },
    request: jobRequest({}),
    plan: { noCollectionColumn: false, ownExport: false },
    collections: {},
    sheetRows: 0,
    ...over,
  };
}

export function newRow(ordinal: number, over: Partial<NewRow> = {}): NewRow {
  return {
    ordinal,
    sheetRow: ordinal + 1,
    copy: 0,
    state: 'planned',
    action: 'create',
    input: JSON.stringify({ kind: 'create', fields: { name: `Toy ${ordinal}` } }),
    operation: null,
    collection: null,
    itemId: null,
    source: JSON.stringify([`Toy ${ordinal}`]),
    issues: [],
    ...over,
  };
}

async function staged(ledger: Ledger, id: string, rows: NewRow[], over: Partial<JobRecord> = {}) {
  await ledger.jobs.create(jobRecord(id, over));
  await ledger.rows.stage(id, rows);
  await ledger.jobs.finishStaging(id, { sheetRows: rows.length });
}

/** A path of allowed moves from `planned` to a state. */
const WAY: Record<RowState, RowState[]> = {
  planned: [],
  invalid: ['invalid'],
  unchanged: ['unchanged'],
  skipped: ['skipped'],
  sending: ['sending'],
  done: ['sending', 'done'],
  refused: ['sending', 'refused'],
  unknown: ['sending', 'unknown'],
  held: ['sending', 'unknown', 'held'],
};

export function ledgerContract(prepare: () => Promise<StoreUnderTest>): void {
  const using = async (work: (ledger: Ledger, store: StoreUnderTest) => Promise<void>) => {
    const store = await prepare();
    await using ledger = await store.open();
    await work(ledger, store);
  };

  it('counts the intents of a target, and returns the items of open intents', () =>
    using(async (ledger) => {
      const none = { committed: 0, open: new Map() };
      expect(await ledger.items.intents(API)).toEqual(none);
      const update = (ordinal: number, item: number): NewRow =>
        newRow(ordinal, { action: 'update', itemId: ITEM(item) });
      await staged(ledger, 'a', [newRow(1), update(2, 2), update(3, 3)]);
      await staged(ledger, 'b', [update(1, 2)]);
      await ledger.rows.move(
        'a',
        [1, 2, 3].map((ordinal) => ({ ordinal, to: 'sending' })),
      );
      const open = new Map([
        [ITEM(2), 2],
        [ITEM(3), 3],
      ]);
      expect(await ledger.items.intents(API)).toEqual({ committed: 3, open });
      await ledger.rows.move('a', [
        { ordinal: 1, to: 'unknown' },
        { ordinal: 2, to: 'unknown' },
        { ordinal: 3, to: 'done' },
      ]);
      await ledger.rows.move('b', [{ ordinal: 1, to: 'sending' }]);
      expect(await ledger.items.intents(API)).toEqual({ committed: 4, open: new Map([[ITEM(2), 2]]) });
      expect(await ledger.items.intents('https://other.example.test')).toEqual(none);
    }));

  describe('a lane whose holder on another machine died with its clock two days ahead', () => {
    const machine = (name: string): Processes => ({
      current: () => ({ host: name, pid: 1, started: 's', machine: name }),
      mayStillRun: () => true,
    });
    const abandoned = async (store: StoreUnderTest) => {
      const first = await store.open({ processes: machine('m1') });
      await first.lanes.acquire('lane', 'theirs');
      await first.close();
      await store.beatAhead();
    };

    it('is taken over once its heartbeat has not changed for the length of a lease', () =>
      using(async (_, store) => {
        await abandoned(store);
        let late = 0;
        const clock = { ...systemClock, monotonic: () => performance.now() + late };
        await using ledger = await store.open({ processes: machine('m2'), clock });
        expect(await ledger.lanes.acquire('lane', 'ours')).toMatchObject({ job: 'theirs' });
        late = 49_000;
        expect(await ledger.lanes.acquire('lane', 'ours')).toMatchObject({ job: 'theirs' });
        late = 60_000;
        expect(await ledger.lanes.acquire('lane', 'ours')).toMatchObject({
          lastHolder: { job: 'theirs', certainlyGone: false },
        });
      }));

    it('is taken over at once if a person says so, but not from a process on the same machine', () =>
      using(async (_, store) => {
        await abandoned(store);
        await using same = await store.open({ processes: machine('m1') });
        expect(await same.lanes.acquire('lane', 'ours', true)).toMatchObject({ job: 'theirs' });
        expect(await same.lanes.runner('theirs', true)).toMatchObject({ host: 'm1' });
        await using other = await store.open({ processes: machine('m2') });
        expect(await other.lanes.runner('theirs')).toMatchObject({ host: 'm1' });
        expect(await other.lanes.runner('theirs', true)).toBeUndefined();
        // What was said is said of one job: another one on this lane may live.
        expect(await other.lanes.acquire('lane', 'ours', true)).toMatchObject({ job: 'theirs' });
        expect(await other.lanes.acquire('lane', 'theirs', true)).toMatchObject({
          lastHolder: { job: 'theirs', certainlyGone: false },
        });
      }));
  });

  it('commits no intent that uses values from before another row changed the item', () =>
    using(async (ledger) => {
      const update = (ordinal: number, item: number) =>
        newRow(ordinal, { action: 'update', itemId: ITEM(item) });
      await staged(ledger, 'a', [update(1, 1), update(2, 2)]);
      await staged(ledger, 'b', [update(1, 1), update(2, 3)]);
      const { committed: accounted } = await ledger.items.intents(API);
      const send = (job: string, ordinal: number, since: number) =>
        ledger.rows.move(job, [{ ordinal, from: 'planned', to: 'sending', accounted: since, quietMs: 50 }]);
      expect(await send('a', 1, accounted)).toMatchObject({ stale: [] });
      // The same item; an item that nobody has changed may be sent on the same reading.
      expect(await send('b', 1, accounted)).toMatchObject({ missed: [], stale: [1] });
      expect((await ledger.jobs.find('b')).firstSentAt).toBeUndefined();
      expect(await send('b', 2, accounted)).toMatchObject({ stale: [] });
      expect((await ledger.rows.list('b', { limit: 9 })).map(({ state }) => state)).toEqual([
        'planned',
        'sending',
      ]);
      const { committed, open } = await ledger.items.openUpdates(API, [ITEM(1)]);
      expect(open).toMatchObject([{ jobId: 'a', ordinal: 1, state: 'sending', sequence: 1, quietMs: 50 }]);
      await ledger.rows.move('a', [{ ordinal: 1, to: 'done' }]);
      expect(await send('b', 1, committed)).toMatchObject({ stale: [] });
      expect((await ledger.items.openUpdates(API, [ITEM(2)])).open).toEqual([]);
      // Its own earlier attempt is no other row's.
      await ledger.rows.move('b', [{ ordinal: 2, to: 'planned' }]);
      expect(await send('b', 2, accounted)).toMatchObject({ stale: [] });
    }));

  it('commits no intent that relies on another item if a row has changed that item since it was read', () =>
    using(async (ledger) => {
      const update = (ordinal: number, item: number) =>
        newRow(ordinal, { action: 'update', itemId: ITEM(item) });
      await staged(ledger, 'a', [update(1, 1)]);
      await staged(ledger, 'b', [update(1, 2), update(2, 3)]);
      const { committed: accounted } = await ledger.items.openUpdates(API, [ITEM(1), ITEM(2)]);
      const send = (job: string, ordinal: number, reliesOn?: string[], since = accounted) => {
        const relied = reliesOn === undefined ? {} : { reliesOn };
        return ledger.rows.move(job, [{ ordinal, to: 'sending', accounted: since, quietMs: 50, ...relied }]);
      };
      expect(await send('a', 1, [ITEM(2)])).toMatchObject({ stale: [] });
      expect(await send('b', 1, [ITEM(9), ITEM(1)])).toMatchObject({ stale: [1] });
      expect(await send('b', 2, [ITEM(9)])).toMatchObject({ stale: [] });
      const { committed, open } = await ledger.items.openUpdates(API, [ITEM(2), ITEM(1), ITEM(3)]);
      expect(open.map(({ jobId }) => jobId).sort()).toEqual(['a', 'b']);
      expect(await send('b', 1, [ITEM(9), ITEM(1)], committed)).toMatchObject({ stale: [] });
    }));

  it('returns the updates that were sent for given items, newest first', () =>
    using(async (ledger) => {
      const update = (id: number): NewRow => ({
        ...newRow(1),
        action: 'update',
        itemId: ITEM(id),
        operation: `{"set":{"name":"${id}"},"before":{}}`,
      });
      for (const id of ['a', 'b', 'c']) await staged(ledger, id, [update(1)]);
      await staged(ledger, 'd', [update(2)]);
      await ledger.rows.move('b', [{ ordinal: 1, to: 'sending' }]);
      await ledger.rows.move('a', [{ ordinal: 1, to: 'sending', operation: '{"set":{},"before":{}}' }]);
      await ledger.rows.move('a', [{ ordinal: 1, to: 'done' }]);
      await ledger.rows.move('d', [{ ordinal: 1, to: 'sending' }]);
      const sent = await ledger.items.sentUpdates(API, [ITEM(1), ITEM(3)]);
      expect(sent.map(({ itemId }) => itemId)).toEqual([ITEM(1), ITEM(1)]);
      expect(sent[1]?.operation).toBe('{"set":{"name":"1"},"before":{}}');
      await ledger.rows.forget('a');
      expect(await ledger.items.sentUpdates(API, [ITEM(1)])).toMatchObject([{ operation: null }, {}]);
    }));

  it('returns the items that acknowledged creates made, until they are forgotten', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1), newRow(2), newRow(3), newRow(4, { action: 'update' })]);
      const ordinals = [1, 2, 3, 4];
      await ledger.rows.move(
        'a',
        ordinals.map((ordinal) => ({ ordinal, to: 'sending', mark: ordinal === 1 ? null : ordinal * 100 })),
      );
      await ledger.rows.move(
        'a',
        ordinals.map((ordinal) => ({ ordinal, to: 'done', itemId: ITEM(ordinal) })),
      );
      const ids = async (since: number | null) =>
        (await ledger.items.acknowledged(API, since)).map(({ itemId }) => itemId).sort();
      expect(await ids(null)).toEqual([ITEM(1), ITEM(2), ITEM(3)]);
      expect(await ids(300)).toEqual([ITEM(3)]);
      await ledger.items.forgetAcknowledged(API, [ITEM(2)]);
      expect(await ids(null)).toEqual([ITEM(1), ITEM(3)]);
    }));

  it('returns every row of an item, sent or not, and held creates that may have made the item', () =>
    using(async (ledger) => {
      const update = (ordinal: number, item: number) =>
        newRow(ordinal, { action: 'update', itemId: ITEM(item) });
      await staged(ledger, 'a', [newRow(1), newRow(2), newRow(3)]);
      await staged(ledger, 'b', [update(1, 1), update(2, 2), update(3, 1)]);
      await staged(ledger, 'c', [update(1, 1)], { apiUrl: 'https://other.example.test' });
      await ledger.rows.move('a', [
        { ordinal: 1, to: 'sending' },
        { ordinal: 2, to: 'sending' },
      ]);
      const issues = [{ code: 'sent_before' as const, message: `candidates: ${ITEM(1)}` }];
      await ledger.rows.move('a', [
        { ordinal: 1, to: 'done', itemId: ITEM(1) },
        { ordinal: 2, to: 'held', issues },
      ]);
      expect(await ledger.items.heldCreates(API)).toMatchObject([
        { jobId: 'a', row: { ordinal: 2, state: 'held', attempts: 1 } },
      ]);
      const [made, ...none] = await ledger.items.creates(API, [ITEM(1), ITEM(2)]);
      expect([made, none]).toMatchObject([{ itemId: ITEM(1), input: newRow(1).input, issues: [] }, []]);
      await ledger.rows.move('b', [{ ordinal: 3, to: 'unchanged' }]);
      // Still being read: no job yet.
      await ledger.jobs.create(jobRecord('d'));
      await ledger.rows.stage('d', [update(1, 1)]);
      const places = async (api: string | undefined, id: string) =>
        (await ledger.items.rowsOf(api, id)).map(({ job, row }) => `${job.id}${row.ordinal} ${row.state}`);
      const mine = ['a1 done', 'a2 held', 'b1 planned', 'b3 unchanged'];
      expect(await places(API, ITEM(1))).toEqual(mine);
      expect(await places(undefined, ITEM(1))).toEqual([...mine, 'c1 planned']);
      expect(await places(API, ITEM(3))).toEqual([]);
      expect(await places(API, ITEM(1).slice(0, 12))).toEqual([...mine.slice(0, 3), 'b2 planned', mine[3]]);
      expect((await ledger.items.rowsOf(API, ITEM(2)))[0]?.job).toMatchObject({
        apiUrl: API,
        kind: 'import',
      });
      // Nobody runs it: its process was killed.
      await ledger.jobs.update('b', { state: 'running' });
      expect((await ledger.items.rowsOf(API, ITEM(2)))[0]?.job.state).toBe('interrupted');
      // Left by a person, it may have made an item all the same; it is not sent again.
      await ledger.rows.move('a', [{ ordinal: 2, to: 'skipped', issues }]);
      expect(await ledger.items.heldCreates(API)).toMatchObject([
        { jobId: 'a', row: { ordinal: 2, state: 'skipped', attempts: 1 } },
      ]);
    }));

  it('lets only the holder of the lane validate unsent rows again and add copies', () =>
    using(async (ledger) => {
      const kinds = { kinds: 'n', notes: [readAs20] };
      await staged(ledger, 'a', [newRow(1, { ...kinds, state: 'invalid' }), newRow(2), newRow(3)]);
      await ledger.rows.move('a', [{ ordinal: 3, to: 'sending' }]);
      const lease = await ledger.lanes.acquire('job a', 'a');
      if (!('token' in lease)) throw new Error('taken');
      const issue = { code: 'required', message: 'a\u0000b', letter: 'A' } as const;
      await ledger.rows.rejudge(
        'a',
        [newRow(1, { input: '{"name":"x"}' }), newRow(2, { state: 'invalid', issues: [issue] }), newRow(4)],
        lease,
      );
      const rows = await ledger.rows.list('a', { limit: 9 });
      expect(rows.map(({ state }) => state)).toEqual(['planned', 'invalid', 'sending', 'planned']);
      expect(rows[0]).toMatchObject({ input: '{"name":"x"}', kinds: 'n' });
      expect(rows[0]?.notes).toBeUndefined();
      const ordinals = async (query: Omit<RowQuery, 'limit'>) =>
        (await ledger.rows.list('a', { ...query, limit: 9 })).map(({ ordinal }) => ordinal);
      expect(await ordinals({ sheetRows: [2, 5] })).toEqual([1, 4]);
      // One row that was sent: nothing of the batch is changed.
      await expect(
        ledger.rows.rejudge('a', [newRow(1, { state: 'invalid' }), newRow(3)], lease),
      ).rejects.toThrow('were sent meanwhile');
      expect((await ledger.rows.list('a', { limit: 1 }))[0]?.state).toBe('planned');
      await lease.release();
      await expect(ledger.rows.rejudge('a', [newRow(2)], lease)).rejects.toThrow(LeaseLostError);
    }));

  it('keeps a cancelled job in the list, and ignores a second discard', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1)]);
      await ledger.jobs.update('a', { state: 'cancelled' });
      await ledger.jobs.discard('a');
      expect(await ledger.jobs.find('a')).toMatchObject({ state: 'cancelled' });
      await staged(ledger, 'b', [newRow(1)]);
      await ledger.jobs.discard('b');
      await ledger.jobs.discard('b');
      expect((await ledger.jobs.list()).map(({ id }) => id)).toEqual(['a']);
    }));

  it('keeps a cancel even if many processes write to the job at the same moment', () =>
    using(async (ledger, store) => {
      await staged(ledger, 'a', [newRow(1)]);
      await using other = await store.open();
      const error = { code: 'unreachable', message: 'away' };
      const states = await Promise.all([
        ...Array.from({ length: 5 }, (_, sheetRows) =>
          ledger.jobs.update('a', { state: 'running', sheetRows }),
        ),
        other.jobs.update('a', { state: 'cancelled' }),
        ...Array.from({ length: 5 }, () => ledger.jobs.update('a', { state: 'parked_unreachable', error })),
      ]);
      expect(states).toContain('cancelled');
      expect((await ledger.jobs.find('a')).state).toBe('cancelled');
    }));

  it('adds what one process has learned of a job to what others have', () =>
    using(async (ledger, store) => {
      await staged(ledger, 'a', [newRow(1)]);
      await using other = await store.open();
      await Promise.all([
        ledger.jobs.update('a', { learned: { wrongAmounts: ['x'] } }),
        other.jobs.update('a', { learned: { loses: true } }),
        other.jobs.update('a', { learned: { wrongAmounts: ['y'] } }),
      ]);
      await ledger.jobs.update('a', { learned: { doubles: ['z'] } });
      const { wrongAmounts = [], ...learned } = (await ledger.jobs.find('a')).learned;
      expect([learned, wrongAmounts.sort()]).toEqual([{ loses: true, doubles: ['z'] }, ['x', 'y']]);
    }));

  it('keeps what each of two processes has learned of the server', () =>
    using(async (ledger, store) => {
      await staged(ledger, 'a', [newRow(1)]);
      await using other = await store.open();
      const nothing = { ...initialNormalisation(), acknowledged: true };
      const one: typeof nothing = {
        ...nothing,
        changes: ['trim'],
        defaults: { status: 'keep', brand: 'A' },
        kept: { name: 8, 'custom_fields.code': 4 },
        touchedMs: 5,
        timesOrder: 'no',
      };
      const two: typeof nothing = {
        ...nothing,
        changes: ['round2'],
        defaults: { status: 'keep', brand: 'B' },
        opaque: ['custom_fields.code'],
        unlike: ['custom_fields.code'],
        kept: { name: 4, series: 2 },
        timesOrder: 'yes',
      };
      await Promise.all([
        ledger.jobs.update('a', { learned: { server: one } }),
        other.jobs.update('a', { learned: { server: two } }),
      ]);
      const { server } = (await ledger.jobs.find('a')).learned;
      expect({ ...server, changes: server?.changes.sort(), opaque: server?.opaque.sort() }).toMatchObject({
        changes: ['round2', 'trim'],
        defaults: { status: 'keep' },
        // A default that differs is none.
        opaque: ['brand', 'custom_fields.code'],
        unlike: ['custom_fields.code'],
        kept: { name: 8, series: 2 },
        touchedMs: 5,
        timesOrder: 'no',
      });
      expect(server?.kept).not.toHaveProperty('custom_fields.code');
    }));

  it('keeps a cancelled job cancelled, and refuses its intents, until the job is reopened', () =>
    using(async (ledger, store) => {
      await staged(ledger, 'a', [newRow(1), newRow(2)]);
      await ledger.rows.move('a', [{ ordinal: 1, to: 'sending' }]);
      await using other = await store.open();
      expect(await other.jobs.update('a', { state: 'cancelled' })).toBe('cancelled');
      const error = { code: 'unreachable', message: 'away' };
      expect(await ledger.jobs.update('a', { state: 'running', error, sheetRows: 7 })).toBe('cancelled');
      expect(await ledger.jobs.find('a')).toMatchObject({ state: 'cancelled', sheetRows: 7 });
      expect(await ledger.jobs.find('a')).not.toHaveProperty('error');
      await expect(ledger.rows.move('a', [{ ordinal: 2, to: 'sending' }])).rejects.toThrow(JobCancelledError);
      // What has left is answered all the same.
      await ledger.rows.move('a', [{ ordinal: 1, to: 'done', itemId: ITEM(1) }]);
      expect(await ledger.rows.counts('a')).toMatchObject({ planned: 1, done: 1 });
      expect(await ledger.jobs.update('a', { state: 'planned', reopen: true })).toBe('planned');
      await ledger.rows.move('a', [{ ordinal: 2, to: 'sending' }]);
    }));

  it('keeps jobs and rows unchanged, even for the next connection', () =>
    using(async (ledger, store) => {
      const request = jobRequest({ match: ['id'] });
      const plan = { noCollectionColumn: true, ownExport: false, similar: { rows: 1, items: [] } };
      await staged(
        ledger,
        'job-a',
        [
          newRow(1),
          newRow(2, { state: 'invalid', issues: [{ code: 'required', message: 'm', column: 'Year' }] }),
        ],
        { request, plan },
      );
      await using again = await store.open();
      expect(await again.jobs.find('job-a')).toMatchObject({
        id: 'job-a',
        state: 'planned',
        dryRun: false,
        apiUrl: API,
        request,
        plan,
        sheetRows: 2,
        files: {},
      });
      const rows = await again.rows.list('job-a', { limit: 10 });
      expect(rows[0]).toEqual({
        ...newRow(1),
        requestId: null,
        mark: null,
        sequence: null,
        attempts: 0,
        quietMs: null,
      });
      expect(rows[1]).toMatchObject({
        state: 'invalid',
        issues: [{ code: 'required', message: 'm', column: 'Year' }],
      });
      expect(await again.rows.counts('job-a')).toMatchObject({
        planned: 1,
        invalid: 1,
        done: 0,
        plannedUpdates: 0,
      });
    }));

  it('shows a job only once its whole file is read, and can discard it completely before', () =>
    using(async (ledger) => {
      await ledger.jobs.create(jobRecord('reading'));
      await ledger.rows.stage('reading', [newRow(1)]);
      expect(await ledger.jobs.list()).toEqual([]);
      await expect(ledger.jobs.find('reading')).rejects.toMatchObject({ code: 'no_such_job' });
      await ledger.jobs.discard('reading');
      await ledger.jobs.create(jobRecord('reading'));
      expect(await ledger.rows.list('reading', { limit: 5 })).toEqual([]);
    }));

  it('deletes the contents of finished rows, and keeps their outcomes', () =>
    using(async (ledger) => {
      await staged(ledger, 'old', [newRow(1), newRow(2), newRow(3, { state: 'unchanged', itemId: ITEM(3) })]);
      await ledger.rows.move('old', [{ ordinal: 1, to: 'sending' }]);
      await ledger.rows.move('old', [{ ordinal: 1, to: 'done', itemId: ITEM(1), requestId: 'r' }]);
      await ledger.rows.forget('old');
      const [done, planned, unchanged] = await ledger.rows.list('old', { limit: 5 });
      expect(done).toMatchObject({
        state: 'done',
        itemId: ITEM(1),
        requestId: 'r',
        input: null,
        source: null,
      });
      expect(unchanged).toMatchObject({ state: 'unchanged', itemId: ITEM(3), input: null });
      expect(planned).toMatchObject({
        state: 'planned',
        input: newRow(2).input,
        source: newRow(2).source,
      });
      expect(await ledger.items.owned(API, [ITEM(1)])).toEqual(new Set([ITEM(1)]));
    }));

  it('keeps the input of a row if the server stores its key in another form', () =>
    using(async (ledger) => {
      await staged(ledger, 'old', [newRow(1)]);
      await ledger.rows.move('old', [{ ordinal: 1, to: 'sending' }]);
      const issues = [{ code: 'key_not_kept' as const, message: 'M', column: 'name', found: 'Cut' }];
      await ledger.rows.move('old', [{ ordinal: 1, to: 'done', itemId: ITEM(1), issues }]);
      await ledger.rows.forget('old');
      const { input } = newRow(1);
      expect(await ledger.rows.list('old', { limit: 1 })).toMatchObject([{ input, source: null }]);
      expect(await ledger.items.creates(API, [ITEM(1)])).toMatchObject([{ input }]);
    }));

  it('finds jobs by id, by a unique beginning of the id, and by "last", which skips dry runs', () =>
    using(async (ledger) => {
      await expect(ledger.jobs.find('last')).rejects.toMatchObject({ code: 'no_such_job' });
      await staged(ledger, 'aa-1', []);
      await staged(ledger, 'aa-2', []);
      await staged(ledger, 'aa-3', [], { dryRun: true });
      expect((await ledger.jobs.find('last')).id).toBe('aa-2');
      expect((await ledger.jobs.find('aa-3')).id).toBe('aa-3');
      await expect(ledger.jobs.find('aa')).rejects.toMatchObject({ code: 'ambiguous_job' });
      await expect(ledger.jobs.find('')).rejects.toMatchObject({ code: 'no_such_job' });
      expect((await ledger.jobs.list()).map((job) => job.id)).toEqual(['aa-3', 'aa-2', 'aa-1']);
      expect((await ledger.jobs.list(2)).map((job) => job.id)).toEqual(['aa-3', 'aa-2']);
      const listed = async (filter: JobFilter) => (await ledger.jobs.list(9, filter)).map((job) => job.id);
      await ledger.jobs.update('aa-1', { state: 'running' });
      // Its process is gone, as far as anybody knows.
      expect(await listed({ states: ['interrupted'] })).toEqual(['aa-1']);
      expect(await listed({ states: ['planned', 'running'] })).toEqual(['aa-3', 'aa-2']);
      expect(await listed({ since: Date.now() + 60_000 })).toEqual([]);
      expect(await listed({ since: Date.now() - 60_000 })).toHaveLength(3);
      // Ages are measured to fractions of a millisecond.
      expect(
        await listed({ since: Date.now() - 60_000.5, updatedSince: Date.now() - 60_000.5 }),
      ).toHaveLength(3);
      await ledger.jobs.update('aa-3', { dryRun: false });
      expect((await ledger.jobs.find('last')).id).toBe('aa-3');
    }));

  it('finds the previous job as "last" while a file is being read, and asks for a new import if the reader has died', () =>
    using(async (ledger, store) => {
      await staged(ledger, 'older', []);
      const child = await childThat(
        store,
        `await ledger.jobs.create(${JSON.stringify(jobRecord('reading'))}); await ledger.rows.stage('reading', []);`,
      );
      expect((await ledger.jobs.find('last')).id).toBe('older');
      await child.kill();
      const error: unknown = await ledger.jobs.find('last').catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'no_such_job' });
      expect((error as { remedy: string }).remedy).toContain('Run that command again');
      expect((await ledger.jobs.find('older')).id).toBe('older');
      // The next import clears the leftovers away, and is the last one then.
      await staged(ledger, 'newer', []);
      expect((await ledger.jobs.find('last')).id).toBe('newer');
    }));

  it('replaces a job whose file is still being read if the job is started again, and stops the first reader', () =>
    using(async (first, store) => {
      await using second = await store.open();
      await first.jobs.create(jobRecord('run'));
      await first.rows.stage('run', [newRow(1), newRow(2)]);
      await first.values.put(OF_JOBS, [{ key: 'run', value: 'of the first' }]);
      await second.jobs.create(jobRecord('run'));
      expect(await second.values.get(OF_JOBS, 'run')).toBeUndefined();
      await expect(first.rows.stage('run', [newRow(3)])).rejects.toMatchObject({ code: 'lease_lost' });
      await expect(first.jobs.finishStaging('run', { sheetRows: 3 })).rejects.toMatchObject({
        code: 'lease_lost',
      });
      await second.rows.stage('run', [newRow(1)]);
      await first.jobs.discard('run');
      await second.jobs.finishStaging('run', { sheetRows: 1 });
      expect(await second.rows.counts('run')).toMatchObject({ planned: 1 });
    }));

  it('updates only the given properties of a job, and removes an error if it is null', () =>
    using(async (ledger) => {
      await staged(ledger, 'j', []);
      await ledger.jobs.update('j', { state: 'parked_limit', error: { code: 'c', message: 'm' } });
      await ledger.jobs.update('j', { fingerprint: 'f', files: { results: { path: '/r', sha256: 'h' } } });
      expect(await ledger.jobs.find('j')).toMatchObject({
        state: 'parked_limit',
        error: { code: 'c', message: 'm' },
        fingerprint: 'f',
        files: { results: { path: '/r', sha256: 'h' } },
      });
      await ledger.jobs.update('j', { error: null });
      expect((await ledger.jobs.find('j')).error).toBeUndefined();
    }));

  it('takes over and discards nothing of an unknown job', () =>
    using(async (ledger) => {
      expect(await ledger.rows.takeOver('gone')).toBe(0);
      await ledger.jobs.discard('gone');
    }));

  it('does not discard a job that has sent rows', () =>
    using(async (ledger) => {
      await staged(ledger, 'j', [newRow(1)]);
      await ledger.rows.move('j', [{ ordinal: 1, to: 'sending' }]);
      expect((await ledger.jobs.find('j')).firstSentAt).toBeTypeOf('number');
      await ledger.jobs.discard('j');
      expect(await ledger.jobs.find('j')).toMatchObject({ id: 'j' });
    }));

  it('allows only the moves of the state machine', () =>
    using(async (ledger) => {
      let ordinal = 0;
      const rows: NewRow[] = [];
      const cases: { ordinal: number; from: RowState; to: RowState }[] = [];
      for (const from of ROW_STATES)
        for (const to of ROW_STATES) {
          ordinal += 1;
          rows.push(newRow(ordinal));
          cases.push({ ordinal, from, to });
        }
      await staged(ledger, 'j', rows);
      for (const { ordinal: row, from, to } of cases) {
        for (const step of WAY[from]) await ledger.rows.move('j', [{ ordinal: row, to: step }]);
        const moved = ledger.rows.move('j', [{ ordinal: row, to }]);
        if (ROW_MOVES[from].includes(to)) await moved;
        else await expect(moved, `${from} → ${to}`).rejects.toThrow(/may not become/);
        const [now] = await ledger.rows.list('j', { after: row - 1, limit: 1 });
        expect(now?.state).toBe(ROW_MOVES[from].includes(to) ? to : from);
      }
    }));

  it('lists the jobs, rows and columns that an import compares', () =>
    using(async (ledger) => {
      const source = (headers: string[], sha256: string) => ({ ...jobRecord('').source, headers, sha256 });
      const [a, b] = [source(['name'], 'a'.repeat(64)), source(['name', 'no\0te', 'n'], 'b'.repeat(64))];
      const plan = { ...jobRecord('').plan, quantityColumn: 2 };
      await staged(ledger, 'first', [newRow(1)], { source: a });
      await staged(ledger, 'second', [newRow(1), newRow(2)], { source: b, plan });
      await staged(ledger, 'third', [newRow(1)], { source: b, plan });
      const changed = newRow(1, { action: 'update', state: 'unchanged', itemId: ITEM(1), issues: [] });
      await staged(ledger, 'set', [changed], { kind: 'set', mode: 'update' });
      const undone = newRow(1, { action: 'update', itemId: ITEM(1) });
      await staged(ledger, 'undo', [undone], { kind: 'undo', mode: 'update', apiUrl: API });
      await ledger.jobs.create(jobRecord('elsewhere', { apiUrl: 'https://other.example.test' }));
      await ledger.jobs.finishStaging('elsewhere', {});
      for (const id of ['first', 'second', 'third'])
        await ledger.rows.move(id, [{ ordinal: 1, to: 'sending' }]);
      await ledger.known.note('first', [], HASHED_WHOLE);
      const listed = async (filter: JobFilter) =>
        (await ledger.jobs.list(undefined, filter)).map((job) => job.id);
      expect(await listed({ ids: ['undo', 'first', 'none'] })).toEqual(['undo', 'first']);
      expect(await listed({ kind: 'undo' })).toEqual(['undo']);
      expect(await listed({ apiUrl: 'https://other.example.test' })).toEqual(['elsewhere']);
      expect(await listed({ sha256: 'b'.repeat(64) })).toEqual(['third', 'second']);
      expect(await listed({ apiUrl: API, unhashed: true })).toEqual(['third', 'second']);
      const [newer, older, ...others] = await ledger.known.columns(API);
      expect(newer).toMatchObject({ plan: { quantityColumn: 2 } });
      expect(newer?.source.headers).toHaveLength(3);
      expect(older).toEqual({ source: { headers: ['name'] }, plan: {} });
      expect(others).toEqual([]);
      expect(await ledger.known.columns('https://other.example.test')).toEqual([]);

      const overtaken = async (since: number) =>
        (await ledger.rows.list('set', { states: ['unchanged'], overtakenSince: since, limit: 9 })).length;
      expect(await overtaken(0)).toBe(0);
      const { committed } = await ledger.items.intents(API);
      await ledger.rows.move('undo', [{ ordinal: 1, to: 'sending' }]);
      expect([await overtaken(committed), await overtaken(committed + 1)]).toEqual([1, 0]);
      const issues = [issueOf('drifted', message('item_has_all', {}))];
      await ledger.rows.move('second', [{ ordinal: 2, to: 'held', issues }]);
      const withIssues = await ledger.rows.list('second', { withIssues: true, limit: 9 });
      expect(withIssues.map(({ ordinal }) => ordinal)).toEqual([2]);
    }));

  it('moves all rows of a batch or none', () =>
    using(async (ledger) => {
      await staged(ledger, 'j', [newRow(1), newRow(2)]);
      const moves: RowMove[] = [
        { ordinal: 1, to: 'sending' },
        { ordinal: 2, to: 'done' },
      ];
      await expect(ledger.rows.move('j', moves)).rejects.toThrow();
      await expect(ledger.rows.move('j', [{ ordinal: 9, to: 'sending' }])).rejects.toThrow(/not there/);
      expect(await ledger.rows.counts('j')).toMatchObject({ planned: 2, sending: 0 });
      expect((await ledger.jobs.find('j')).firstSentAt).toBeUndefined();
    }));

  it('numbers intents across jobs, keeps marks, and counts attempts', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1), newRow(2)]);
      await staged(ledger, 'b', [newRow(1)]);
      await ledger.rows.move('a', [{ ordinal: 2, to: 'sending', mark: 77 }]);
      await ledger.rows.move('b', [{ ordinal: 1, to: 'sending', mark: null }]);
      await ledger.rows.move('a', [{ ordinal: 2, to: 'planned' }]);
      await ledger.rows.move('a', [{ ordinal: 2, to: 'sending', mark: 78 }]);
      const [, second] = await ledger.rows.list('a', { limit: 5 });
      expect(second).toMatchObject({ sequence: 3, mark: 78, attempts: 2 });
      const [other] = await ledger.rows.list('b', { limit: 5 });
      expect(other).toMatchObject({ sequence: 2, mark: null, attempts: 1 });
    }));

  it('finds rows by state, action and ordinal, in order', () =>
    using(async (ledger) => {
      await staged(ledger, 'j', [
        newRow(3),
        newRow(1),
        newRow(2, { action: 'update', itemId: ITEM(1) }),
        newRow(4, { state: 'skipped' }),
      ]);
      const ordinals = async (query: RowQuery) =>
        (await ledger.rows.list('j', query)).map((row) => row.ordinal);
      expect(await ordinals({ limit: 10 })).toEqual([1, 2, 3, 4]);
      expect(await ordinals({ limit: 2 })).toEqual([1, 2]);
      expect(await ordinals({ after: 2, limit: 10 })).toEqual([3, 4]);
      expect(await ordinals({ states: ['planned'], actions: ['create'], limit: 10 })).toEqual([1, 3]);
      expect(await ledger.rows.counts('j')).toMatchObject({ planned: 3, plannedUpdates: 1, skipped: 1 });
      await staged(ledger, 'k', [newRow(1)]);
      const counts = await ledger.rows.countsOf(['j', 'k', 'gone']);
      expect([...counts.keys()].sort()).toEqual(['j', 'k']);
      expect(counts.get('j')).toEqual(await ledger.rows.counts('j'));
    }));

  it('counts the current states of rows, even if another connection has moved them', () =>
    using(async (first, store) => {
      await using second = await store.open();
      await staged(first, 'j', [newRow(1), newRow(2), newRow(3)]);
      const planned = async (ledger: Ledger) => (await ledger.rows.counts('j')).planned;
      expect([await planned(first), await planned(second)]).toEqual([3, 3]);
      await second.rows.move('j', [{ ordinal: 1, to: 'sending' }]);
      expect([await planned(first), await planned(second)]).toEqual([2, 2]);
      const failed: RowMove[] = [
        { ordinal: 2, to: 'sending' },
        { ordinal: 3, to: 'done' },
      ];
      await expect(first.rows.move('j', failed)).rejects.toThrow();
      expect([await planned(first), await planned(second)]).toEqual([2, 2]);
      await first.rows.move('j', [{ ordinal: 2, to: 'sending' }]);
      // What a caller does with its counts is its own.
      (await first.rows.counts('j')).planned = 0;
      expect([await planned(first), await planned(second)]).toEqual([1, 1]);
      await staged(first, 'k', [newRow(1)]);
      expect((await first.rows.counts('k')).planned).toBe(1);
    }));

  it('lists the collection references of planned rows', () =>
    using(async (ledger) => {
      await staged(ledger, 'j', [
        newRow(1),
        newRow(2, { collection: 'Cars' }),
        newRow(3, { collection: 'Cars' }),
        newRow(4, { collection: 'Gone', state: 'invalid' }),
      ]);
      expect(new Set(await ledger.rows.collectionReferences('j'))).toEqual(new Set([null, 'Cars']));
    }));

  it('marks rows that a dead holder left in flight as unknown, in that job only', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1), newRow(2)]);
      await staged(ledger, 'b', [newRow(1)]);
      await ledger.rows.move('a', [{ ordinal: 1, to: 'sending', quietMs: 60_000 }]);
      await ledger.rows.move('b', [{ ordinal: 1, to: 'sending' }]);
      expect(await ledger.rows.takeOver('a', 30_000)).toBe(1);
      expect(await ledger.rows.takeOver('a', 30_000)).toBe(0);
      expect(await ledger.rows.list('a', { limit: 1 })).toMatchObject([{ quietMs: 90_000 }]);
      expect(await ledger.rows.counts('a')).toMatchObject({ unknown: 1, planned: 1 });
      expect(await ledger.rows.counts('b')).toMatchObject({ sending: 1 });
    }));

  it('lets one import claim a fingerprint, in the same transaction as its intents', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1)]);
      await staged(ledger, 'b', [newRow(1)]);
      const send = (job: string, force: boolean) =>
        ledger.rows.move(job, [{ ordinal: 1, to: 'sending' }], { claim: { fingerprint: 'f', force } });
      expect(await ledger.jobs.claimant('f')).toBeUndefined();
      await send('a', false);
      expect(await ledger.jobs.claimant('f')).toBe('a');
      const error: unknown = await send('b', false).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AlreadyClaimedError);
      expect((error as AlreadyClaimedError).jobId).toBe('a');
      expect(await ledger.rows.counts('b')).toMatchObject({ planned: 1 });
      expect((await ledger.jobs.find('b')).firstSentAt).toBeUndefined();
      await send('b', true);
      expect(await ledger.jobs.claimant('f')).toBe('b');
    }));

  it('releases a claim when its job is discarded', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1)]);
      await ledger.jobs.discard('a');
      expect(await ledger.jobs.claimant('f')).toBeUndefined();
    }));

  it('marks both rows as unknown if two creates claim the same item', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1)]);
      await staged(ledger, 'b', [newRow(1), newRow(2, { action: 'update', itemId: ITEM(7) })]);
      await ledger.rows.move('a', [{ ordinal: 1, to: 'sending' }]);
      await ledger.rows.move('b', [{ ordinal: 1, to: 'sending' }]);
      expect(await ledger.rows.move('a', [{ ordinal: 1, to: 'done', itemId: ITEM(7) }])).toMatchObject({
        contested: [],
      });
      expect(await ledger.items.owned(API, [ITEM(7), ITEM(8)])).toEqual(new Set([ITEM(7)]));
      // An update owns nothing.
      await ledger.rows.move('b', [{ ordinal: 2, to: 'sending' }]);
      expect(await ledger.rows.move('b', [{ ordinal: 2, to: 'done', itemId: ITEM(7) }])).toMatchObject({
        contested: [],
      });
      expect(await ledger.rows.move('b', [{ ordinal: 1, to: 'done', itemId: ITEM(7) }])).toMatchObject({
        contested: [1],
      });
      expect(await ledger.items.owned(API, [ITEM(7)])).toEqual(new Set());
      const unknown = await ledger.items.openCreates(API);
      expect(unknown.map(({ jobId, row }) => [jobId, row.ordinal])).toEqual([
        ['a', 1],
        ['b', 1],
      ]);
    }));

  it('lists the unknown creates of one address with their collections', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1, { collection: 'Cars' }), newRow(2)]);
      await ledger.jobs.update('a', { collections: { Cars: ITEM(1), '': ITEM(2) } });
      await staged(ledger, 'b', [newRow(1)], { apiUrl: 'https://other.example.test' });
      for (const [job, ordinal] of [
        ['a', 1],
        ['a', 2],
        ['b', 1],
      ] as const) {
        await ledger.rows.move(job, [{ ordinal, to: 'sending' }]);
        await ledger.rows.move(job, [{ ordinal, to: 'unknown' }]);
      }
      const unknown = await ledger.items.openCreates(API);
      expect(unknown.map(({ collectionId }) => collectionId)).toEqual([ITEM(1), ITEM(2)]);
    }));

  it('lists creates in flight together with unknown creates', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1), newRow(2), newRow(3, { action: 'update', itemId: ITEM(7) })]);
      for (const ordinal of [1, 2, 3])
        await ledger.rows.move('a', [{ ordinal, to: 'sending', quietMs: 60_000 }]);
      await ledger.rows.move('a', [{ ordinal: 2, to: 'unknown', quietMs: 10_000 }]);
      const open = await ledger.items.openCreates(API);
      expect(open.map(({ row }) => [row.ordinal, row.state, row.quietMs])).toEqual([
        [1, 'sending', 60_000],
        [2, 'unknown', 10_000],
      ]);
      // What a kill leaves keeps what its intent said.
      await ledger.rows.takeOver('a');
      expect((await ledger.items.openCreates(API)).map(({ row }) => [row.state, row.quietMs])).toEqual([
        ['unknown', 60_000],
        ['unknown', 10_000],
      ]);
    }));

  it('lets a job complete an unknown row of another job, but change nothing else', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1)]);
      await staged(ledger, 'b', [newRow(1)]);
      const by = { by: 'b' };
      await ledger.rows.move('a', [{ ordinal: 1, to: 'sending' }]);
      const done = { ordinal: 1, from: 'unknown', to: 'done', itemId: ITEM(1) } as const;
      expect(await ledger.rows.move('a', [done], by)).toMatchObject({ missed: [1], stale: [] });
      await ledger.rows.move('a', [{ ordinal: 1, to: 'unknown' }]);
      for (const to of ['planned', 'held', 'skipped'] as const)
        await expect(ledger.rows.move('a', [{ ordinal: 1, from: 'unknown', to }], by)).rejects.toThrow(
          'another job',
        );
      const { from: _, ...unguarded } = done;
      await expect(ledger.rows.move('a', [unguarded], by)).rejects.toThrow('another job');
      expect(await ledger.rows.move('a', [done], by)).toEqual({ contested: [], missed: [], stale: [] });
      expect((await ledger.rows.counts('a')).created).toBe(1);
      // Its own rows are its own.
      await ledger.rows.move('b', [{ ordinal: 1, to: 'skipped' }], by);
    }));

  it('does not move a row that was sent again since it was read, and records that it was resent', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1), newRow(2)]);
      const lose = async () => {
        await ledger.rows.move('a', [{ ordinal: 1, to: 'sending' }]);
        await ledger.rows.move('a', [{ ordinal: 1, to: 'unknown' }]);
      };
      const resent = async () =>
        (await ledger.rows.list('a', { resent: true, limit: 9 })).map(({ ordinal }) => ordinal);
      await lose();
      // Certainly not applied is not resent.
      await ledger.rows.move('a', [{ ordinal: 2, to: 'sending' }]);
      await ledger.rows.move('a', [{ ordinal: 2, from: 'sending', to: 'planned' }]);
      expect(await resent()).toEqual([]);
      const free = { ordinal: 1, from: 'unknown', attempts: 1, to: 'planned' } as const;
      expect(await ledger.rows.move('a', [free])).toMatchObject({ missed: [] });
      expect(await resent()).toEqual([1]);
      await lose();
      // Unknown again, but another request: this word was about the first.
      expect(await ledger.rows.move('a', [free])).toMatchObject({ missed: [1], stale: [] });
      expect((await ledger.rows.counts('a')).unknown).toBe(1);
    }));

  it('keeps the record of listed items for addresses where rows may still be sent or looked up', () =>
    using(async (ledger) => {
      await staged(ledger, 'j', [newRow(1), newRow(2, { state: 'skipped' })]);
      await ledger.jobs.create(jobRecord('elsewhere', { apiUrl: 'https://other.example.test' }));
      const ids = [ITEM(1), ITEM(2), ITEM(3)];
      await ledger.items.noteSeen(API, ids);
      await ledger.items.noteSeen('https://other.example.test', ids);
      expect(await ledger.items.forgetSeen(2)).toBe(2);
      expect(await ledger.items.forgetSeen(2)).toBe(1);
      expect(await ledger.items.forgetSeen(2)).toBe(0);
      const seen = async () => (await ledger.items.seenAt(API, ids)).size;
      expect(await seen()).toBe(3);
      await ledger.rows.move('j', [{ ordinal: 1, to: 'sending' }]);
      expect(await ledger.items.forgetSeen(9)).toBe(0);
      await ledger.rows.move('j', [{ ordinal: 1, to: 'done', itemId: ITEM(4) }]);
      expect(await ledger.items.forgetSeen(9)).toBe(3);
      expect(await seen()).toBe(0);
      expect(await ledger.rows.forget('j')).toBeGreaterThan(0);
      expect(await ledger.rows.forget('j')).toBe(0);
    }));

  it('records how many intents preceded the first listing of an id', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1), newRow(2)]);
      await ledger.items.noteSeen(API, [ITEM(1)]);
      await ledger.rows.move('a', [{ ordinal: 1, to: 'sending' }]);
      await ledger.items.noteSeen(API, [ITEM(1), ITEM(2)]);
      const seen = await ledger.items.seenAt(API, [ITEM(1), ITEM(2), ITEM(3)]);
      expect(seen).toEqual(
        new Map([
          [ITEM(1), 0],
          [ITEM(2), 1],
        ]),
      );
      expect(await ledger.items.seenAt('https://other.example.test', [ITEM(1)])).toEqual(new Map());
    }));

  it('stores texts by space and key, lists them page by page in key order, and removes them', () =>
    using(async ({ values }, store) => {
      const entry = (key: string) => ({ key, value: JSON.stringify({ key, quote: "it's \u0000-free" }) });
      await values.put('pages:a', [entry('b'), entry('a'), entry('\u{1f916}'), entry('a/1'), entry('a/2')]);
      await values.put('pages:b', [entry('z')]);
      await values.put('other', [entry('z')]);
      await using again = await store.open();
      expect(await again.values.get('pages:a', 'a/1')).toBe(entry('a/1').value);
      expect(await values.get('pages:a', 'none')).toBeUndefined();
      const keys = async (page: Parameters<typeof values.list>[1]) =>
        (await values.list('pages:a', page)).map(({ key }) => key);
      expect(await keys({ limit: 9 })).toEqual(['a', 'a/1', 'a/2', 'b', '\u{1f916}']);
      expect(await keys({ limit: 2, after: 'a' })).toEqual(['a/1', 'a/2']);
      expect(await keys({ limit: 9, prefix: 'a/' })).toEqual(['a/1', 'a/2']);
      expect(await keys({ limit: 2, descending: true })).toEqual(['\u{1f916}', 'b']);
      expect(await keys({ limit: 9, descending: true, after: 'a/2', prefix: 'a' })).toEqual(['a/1', 'a']);
      expect(await values.spaces('pages:')).toEqual(['pages:a', 'pages:b']);
      await values.put('pages:a', [{ key: 'a', value: 'new' }]);
      expect(await values.get('pages:a', 'a')).toBe('new');
      await values.remove('pages:a', ['a', 'b', 'none']);
      expect(await keys({ limit: 9 })).toEqual(['a/1', 'a/2', '\u{1f916}']);
      await values.remove('pages:a');
      expect(await values.spaces('')).toEqual(['other', 'pages:b']);
    }));

  it('stores runs: one of two concurrent writers wins, and the database pages, filters and counts runs', () =>
    using(async ({ runs }, store) => {
      await using other = await store.open();
      const run = (id: string, over: Partial<RunRecord> = {}): RunRecord => ({
        id,
        state: 'queued',
        schedule: null,
        createdAt: 10,
        endedAt: null,
        text: `{"id":"${id}","note":"\\u0000 \u{10fffd}"}`,
        ...over,
      });
      const adds = await Promise.all([runs.add(run('b')), other.runs.add(run('b', { text: '{}' }))]);
      expect(adds.filter(Boolean)).toHaveLength(1);
      const [text = ''] = [await runs.get('b')];
      const ended = run('b', { state: 'done', schedule: 's', endedAt: 30 });
      const moves = await Promise.all([
        runs.replace(text, { ...ended, text: '{"by":1}' }),
        other.runs.replace(text, { ...ended, text: '{"by":2}' }),
      ]);
      expect(moves.filter(Boolean)).toHaveLength(1);
      expect(await runs.get('gone')).toBeUndefined();
      await runs.add(run('a'));
      await runs.add(run('c', { createdAt: 20, state: 'failed', schedule: 's', endedAt: 50 }));
      await runs.add(run('d', { createdAt: 30, state: 'done', schedule: 's', endedAt: 40 }));
      expect(await runs.get('a')).toBe(run('a').text);

      const ids = async (query: Partial<RunQuery>) =>
        (await other.runs.list({ limit: 9, ...query })).map(({ id }) => id);
      expect(await ids({})).toEqual(['d', 'c', 'b', 'a']);
      expect(await ids({ limit: 2 })).toEqual(['d', 'c']);
      expect(await ids({ after: { id: 'b', createdAt: 10 } })).toEqual(['a']);
      expect(await ids({ states: ['done', 'queued'], since: 10 })).toEqual(['d', 'b', 'a']);
      expect(await ids({ since: 20 })).toEqual(['d', 'c']);
      expect((await runs.list({ limit: 1 }))[0]).toEqual(
        run('d', { createdAt: 30, state: 'done', schedule: 's', endedAt: 40 }),
      );
      expect(await runs.newest(['s', 'other'])).toEqual(new Map([['s', run('d').text]]));
      expect(await runs.counts()).toEqual(
        new Map([
          ['done', 2],
          ['failed', 1],
          ['queued', 1],
        ]),
      );
      expect(await runs.lastEnded(['s', 'other'], 'done')).toEqual(new Map([['s', 40]]));
      expect(await runs.existing(['a', 'x'])).toEqual(new Set(['a']));
      expect(await runs.prune(45, 1)).toBe(1);
      expect(await runs.prune(45, 9)).toBe(1);
      expect(await ids({})).toEqual(['c', 'a']);
    }));

  it('lets one of two writers win if both put the same key or replace the same value', () =>
    using(async ({ values }, store) => {
      await using other = await store.open();
      const won = await Promise.all([
        values.putIfAbsent('s', 'k', '1'),
        other.values.putIfAbsent('s', 'k', '2'),
      ]);
      expect(won.filter(Boolean)).toHaveLength(1);
      const first = (await values.get('s', 'k')) ?? '';
      expect(await other.values.putIfAbsent('s', 'k', '3')).toBe(false);
      expect(await other.values.replace('s', 'k', first, '4')).toBe(true);
      expect(await values.replace('s', 'k', first, '5')).toBe(false);
      expect(await values.get('s', 'k')).toBe('4');
    }));

  it('adds missing values, and keeps existing ones', () =>
    using(async ({ values }, store) => {
      await using other = await store.open();
      await values.put('s', [{ key: 'b', value: 'mine' }]);
      const entries = ['c', 'b', 'a', 'ü'].map((key) => ({ key, value: `new ${key}` }));
      await Promise.all([values, other.values].map((each) => each.putMissing('s', entries)));
      expect(await values.list('s', { limit: 9 })).toMatchObject([
        { key: 'a', value: 'new a' },
        { key: 'b', value: 'mine' },
        { key: 'c', value: 'new c' },
        { key: 'ü', value: 'new ü' },
      ]);
    }));

  it('shows a value to other connections before it is on disk, if it may be written later', () =>
    using(async ({ values }, store) => {
      await using other = await store.open();
      expect(await values.putIfAbsent('s', 'k', '1', 'soon')).toBe(true);
      expect(await other.values.putIfAbsent('s', 'k', '2', 'soon')).toBe(false);
      expect(await other.values.replace('s', 'k', '1', '3', 'soon')).toBe(true);
      expect(await values.replace('s', 'k', '1', '4', 'soon')).toBe(false);
      await values.put('s', [{ key: 'l', value: '5' }], 'soon');
      expect(await other.values.list('s', { limit: 9 })).toMatchObject([{ value: '3' }, { value: '5' }]);
      await other.values.remove('s', undefined, 'soon');
      expect(await values.spaces('s')).toEqual([]);
    }));

  it('remembers which job wrote a file', () =>
    using(async (ledger) => {
      expect(await ledger.jobs.fileWriter('h')).toBeUndefined();
      await ledger.jobs.noteFile('h', 'first');
      await ledger.jobs.noteFile('h', 'second');
      expect(await ledger.jobs.fileWriter('h')).toBe('second');
    }));

  it('gives a lane to one holder at a time, and names the holder', () =>
    using(async (ledger, store) => {
      const lease = asLease(await ledger.lanes.acquire('lane', 'a'));
      await using other = await store.open();
      expect(await other.lanes.acquire('lane', 'b')).toMatchObject({ pid: process.pid, job: 'a' });
      asLease(await other.lanes.acquire('another lane', 'b'));
      await lease.release();
      const second = asLease(await other.lanes.acquire('lane', 'b'));
      expect(second.lastHolder).toBeUndefined();
      await staged(ledger, 'a', [newRow(1)]);
      await expect(ledger.rows.move('a', [{ ordinal: 1, to: 'sending' }], { lease })).rejects.toBeInstanceOf(
        LeaseLostError,
      );
      expect(await ledger.rows.counts('a')).toMatchObject({ planned: 1 });
    }));

  it('knows without a query whether a lease may have expired, and renews only a lease that is still held', () =>
    using(async (ledger, store) => {
      const lease = asLease(await ledger.lanes.acquire('lane', 'a'));
      expect(lease.isFresh()).toBe(true);
      await lease.renew();
      await lease.release();
      await using other = await store.open();
      asLease(await other.lanes.acquire('lane', 'b'));
      await expect(lease.renew()).rejects.toBeInstanceOf(LeaseLostError);
    }));

  it('skips a row that is no longer in the expected state, and moves the others', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1), newRow(2)]);
      await ledger.rows.move('a', [
        { ordinal: 1, to: 'sending' },
        { ordinal: 2, to: 'sending' },
      ]);
      await ledger.rows.takeOver('a');
      await ledger.rows.move('a', [{ ordinal: 1, to: 'done', itemId: ITEM(1) }]);
      const moves: RowMove[] = [1, 2].map((ordinal) => ({ ordinal, from: 'unknown', to: 'held' }));
      expect(await ledger.rows.move('a', moves)).toEqual({ contested: [], missed: [1], stale: [] });
      expect(await ledger.rows.counts('a')).toMatchObject({ done: 1, held: 1 });
    }));

  it('takes a lane over at once from a killed process, but never from a living one', () =>
    using(async (ledger, store) => {
      const child = await childThat(store, `await ledger.lanes.acquire('lane', 'theirs');`);
      expect(await ledger.lanes.acquire('lane', 'mine')).toMatchObject({ pid: child.pid, job: 'theirs' });
      await child.kill();
      const lease = asLease(await ledger.lanes.acquire('lane', 'mine'));
      expect(lease.lastHolder).toEqual({ job: 'theirs', certainlyGone: true });
    }));

  it('finds rows that were sent, or may still be sent, by their hashes', () =>
    using(async (ledger) => {
      const found = async (...hashes: string[]) =>
        (await ledger.known.find(API, hashes, 'new')).map((row) => `${row.hash} ${row.jobId} ${row.ordinal}`);
      await staged(
        ledger,
        'a',
        [1, 2, 3, 4, 5].map((ordinal) => newRow(ordinal, { collection: 'Main' })),
      );
      await staged(ledger, 'elsewhere', [newRow(1)], { apiUrl: 'https://other.example.test' });
      const hashes = [1, 2, 3, 4, 5].map((ordinal) => ({
        hash: ordinal < 3 ? 'same' : `h${ordinal}`,
        ordinal,
      }));
      await ledger.known.note('a', hashes, 5);
      await ledger.known.note('a', hashes, 3);
      await ledger.known.note('elsewhere', [{ hash: 'same', ordinal: 1 }], 1);
      expect((await ledger.jobs.find('a')).hashedTo).toBe(5);

      // Planned rows count once they are the job's own, and no longer once it is cancelled.
      expect(await found('same', 'h3')).toEqual([]);
      await ledger.known.own('a', 7);
      expect((await ledger.jobs.find('a')).ownedAt).toBe(7);
      expect(await found('same', 'h3', 'none')).toEqual(['same a 1', 'same a 2', 'h3 a 3']);
      expect(await ledger.known.find(API, ['same'], 'a')).toEqual([]);
      await ledger.jobs.update('a', { state: 'cancelled' });
      expect(await found('same', 'h3')).toEqual([]);

      await ledger.jobs.update('a', { state: 'planned', reopen: true });
      await ledger.rows.move(
        'a',
        [1, 2, 3, 4].map((ordinal) => ({ ordinal, to: 'sending' as const })),
        { claim: { fingerprint: 'f', force: false } },
      );
      await ledger.rows.move('a', [
        { ordinal: 1, to: 'done', itemId: ITEM(1) },
        { ordinal: 3, to: 'unknown' },
        { ordinal: 4, to: 'refused' },
        { ordinal: 5, to: 'skipped' },
      ]);
      expect(await found('same', 'h3', 'h4', 'h5')).toEqual(
        expect.arrayContaining(['same a 1', 'same a 2', 'h3 a 3']),
      );
      expect(await found('h4', 'h5')).toEqual([]);
      expect((await ledger.known.find(API, ['same'], 'new'))[0]).toEqual({
        hash: 'same',
        jobId: 'a',
        ordinal: 1,
        sheetRow: 2,
        sheet: null,
        state: 'done',
        attempts: 1,
        itemId: ITEM(1),
        collection: 'Main',
      });
      // A person has left it, not a rule of another kind: that counts.
      const left = { code: 'skipped_by_rule' as const, message: 'left' };
      await ledger.rows.move('a', [{ ordinal: 3, to: 'skipped', issues: [left] }]);
      expect(await found('h3', 'h4', 'h5')).toEqual(['h3 a 3']);

      // Reopened, its planned rows are its own only once it says so again.
      await ledger.jobs.update('a', { state: 'planned', reopen: true });
      expect((await ledger.jobs.find('a')).ownedAt).toBeUndefined();

      // Pruned, the job is known all the same.
      await ledger.rows.forget('a');
      expect(await found('same')).toEqual(['same a 1', 'same a 2']);

      expect(await ledger.jobs.claimant('f')).toBe('a');
      await ledger.jobs.unclaim('a');
      expect(await ledger.jobs.claimant('f')).toBeUndefined();
    }));

  it('refuses to replace a row that was sent', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1), newRow(2)]);
      await ledger.rows.move('a', [{ ordinal: 2, to: 'sending' }]);
      const over = [newRow(1, { input: '{}' }), newRow(2, { input: '{}' })];
      await expect(ledger.rows.stage('a', over)).rejects.toThrow(/Rows of job a were sent meanwhile/);
      const rows = await ledger.rows.list('a', { limit: 9 });
      expect(rows.map(({ input }) => input)).toEqual([newRow(1).input, newRow(2).input]);
    }));

  it('finds the rows of undos by the rows that they undo, and rows by their ordinals', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1), newRow(2), newRow(3)]);
      const reverts = { job: 'a', ordinal: 2 };
      const request = jobRequest({ undoes: 'a' });
      await staged(ledger, 'u', [newRow(1), newRow(2, { reverts })], { kind: 'undo', request });
      await staged(ledger, 'v', [newRow(1, { reverts }), newRow(2, { reverts: { job: 'u', ordinal: 2 } })]);
      const found = async (...ordinals: number[]) =>
        (await ledger.rows.reverting(ordinals.map((ordinal) => ({ job: 'a', ordinal })))).map(
          ({ job, row, reverts: of }) => [job, row.ordinal, of],
        );
      expect(await found(1, 2, 3)).toEqual([
        ['u', 2, reverts],
        ['v', 1, reverts],
      ]);
      expect(await found(1)).toEqual([]);
      expect(await found()).toEqual([]);
      const rows = await ledger.rows.list('u', { ordinals: [2, 7], limit: 9 });
      expect(rows.map((row) => row.reverts)).toEqual([reverts]);
    }));

  it('forgets the hashes of a discarded job', () =>
    using(async (ledger) => {
      await staged(ledger, 'a', [newRow(1)]);
      await ledger.known.note('a', [{ hash: 'h', ordinal: 1 }], 1);
      await ledger.jobs.discard('a');
      // SQLite gives the job's number to the next one.
      await staged(ledger, 'b', [newRow(1)]);
      await ledger.known.own('b', 1);
      expect(await ledger.known.find(API, ['h'], 'new')).toEqual([]);
    }));

  it('serves two connections at once', () =>
    using(async (ledger, store) => {
      await using other = await store.open();
      const rows = Array.from({ length: 40 }, (_, index) => newRow(index + 1));
      await staged(ledger, 'a', rows);
      await staged(other, 'b', rows);
      await Promise.all(
        rows.flatMap(({ ordinal }) => [
          ledger.rows.move('a', [{ ordinal, to: 'sending' }]),
          other.rows.move('b', [{ ordinal, to: 'sending' }]),
        ]),
      );
      const sequences = [
        ...(await ledger.rows.list('a', { limit: 99 })),
        ...(await ledger.rows.list('b', { limit: 99 })),
      ].map((row) => row.sequence);
      expect(new Set(sequences).size).toBe(80);
    }));
}

function asLease(taken: unknown): Lease {
  expect(taken).toHaveProperty('token');
  return taken as Lease;
}

/** A child process that does something with the same store, and then waits to be killed. */
async function childThat(
  store: StoreUnderTest,
  work: string,
): Promise<{ pid: number | undefined; kill(): Promise<void> }> {
  const source = `${store.childSource}\n${work}\nconsole.log('ready'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => {
      throw new Error('the child ended early');
    }),
  ]);
  return {
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
