/** What the upkeep of every kind of store must do. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { english } from '../../src/messages/message.ts';
import { STORED_TEXTS } from '../../src/import/stored-texts.ts';
import { KEPT_MS, pruneJobs } from '../../src/import/jobs/prune-jobs.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { backupStore } from '../../src/ledger/upkeep/backup-store.ts';
import { checkStore } from '../../src/ledger/upkeep/check-store.ts';
import { compactStore } from '../../src/ledger/upkeep/compact-store.ts';
import { copyStore } from '../../src/ledger/upkeep/copy-store.ts';
import { TABLES } from '../../src/ledger/upkeep/tables.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { jobRecord, newRow } from './contract.ts';

const API = 'https://api.example.test';
const ODD = 'a\0b\u{10fffd}0 \u{1f916} \'"\\';
export const COPY = { whileRunning: false };

/** Something in every table, and rows in most states. */
export async function fill(location: string): Promise<void> {
  await using ledger = await openLedger(location);
  await ledger.jobs.create(jobRecord('first'));
  await ledger.rows.stage(
    'first',
    Array.from({ length: 1200 }, (_, index) =>
      newRow(index + 1, index === 7 ? { collection: ODD, sheet: ODD, source: JSON.stringify([ODD]) } : {}),
    ),
  );
  await ledger.jobs.finishStaging('first', { sheetRows: 1200 });
  await ledger.rows.move(
    'first',
    [1, 2, 3, 4].map((ordinal) => ({ ordinal, to: 'sending', mark: 77 })),
    { claim: { fingerprint: 'f', force: false } },
  );
  await ledger.rows.move('first', [
    { ordinal: 1, to: 'done', itemId: 'item-1', requestId: 'r' },
    { ordinal: 2, to: 'refused', issues: [{ code: 'invalid_request', message: 'm' }] },
    { ordinal: 3, to: 'unknown' },
  ]);
  await ledger.items.noteSeen(API, ['item-0', 'item-1']);
  await ledger.jobs.noteFile('hash', 'first');
  await ledger.known.note('first', [{ hash: 'h', ordinal: 1 }], 1200);
  await ledger.known.own('first', 5);
  await ledger.values.put('s', [{ key: 'k', value: ODD }]);
  // A file that is being read at this moment is no job yet.
  await ledger.jobs.create(jobRecord('reading'));
}

async function contentOf(location: string): Promise<unknown> {
  await using ledger = await openLedger(location);
  return {
    jobs: await ledger.jobs.list(),
    rows: await ledger.rows.list('first', { limit: 9999 }),
    claimant: await ledger.jobs.claimant('f'),
    seen: await ledger.items.seenAt(API, ['item-0', 'item-1', 'none']),
    file: await ledger.jobs.fileWriter('hash'),
    known: await ledger.known.find(API, ['h'], 'none'),
    value: await ledger.values.get('s', 'k'),
  };
}

/** The upkeep of one kind of store; `damage` runs SQL on it, whatever is in its way. */
export function upkeep(
  newStore: () => Promise<string>,
  damage: (store: string, statement: string) => Promise<void>,
): void {
  it('is copied completely to a store of either kind and back, and continues its own numbering', async () => {
    const store = await newStore();
    await fill(store);
    const folder = await temporaryFolder();
    const there = await copyStore(store, join(folder, 'there.db'), COPY);
    const again = await newStore();
    const back = await copyStore(join(folder, 'there.db'), again, COPY);
    expect(there).toMatchObject({ jobs: 1, rows: 1200, sha256: back.sha256 });
    expect(await contentOf(again)).toEqual(await contentOf(store));
    expect(await checkStore(again)).toMatchObject({ ok: true, jobs: 1, rows: 1200, problems: [] });
    await using ledger = await openLedger(again);
    await ledger.jobs.create(jobRecord('second'));
    await ledger.rows.stage('second', [newRow(1)]);
    await ledger.jobs.finishStaging('second', {});
    await ledger.rows.move('second', [{ ordinal: 1, to: 'sending' }]);
    expect((await ledger.jobs.find('last')).id).toBe('second');
    expect((await ledger.rows.list('second', { limit: 1 }))[0]?.sequence).toBe(5);
  });

  it('is not copied into a store with jobs, or while a job runs', async () => {
    const [store, other] = [await newStore(), await newStore()];
    await fill(store);
    await fill(other);
    await expect(copyStore(store, other, COPY)).rejects.toMatchObject({
      code: 'store_not_empty',
      exitCode: 2,
    });
    const target = join(await temporaryFolder(), 'target.db');
    await using ledger = await openLedger(store);
    const lease = await ledger.lanes.acquire('lane', 'first');
    expect(await ledger.lanes.holders()).toMatchObject([{ job: 'first', pid: process.pid }]);
    await expect(copyStore(store, target, COPY)).rejects.toMatchObject({ code: 'store_in_use', exitCode: 2 });
    // A backup may be taken all the same.
    const file = join(await temporaryFolder(), 'backup.db');
    expect(await backupStore(store, file)).toMatchObject({ jobs: 1, rows: 1200 });
    await expect(backupStore(store, file)).rejects.toMatchObject({ code: 'backup_exists' });
    expect(await contentOf(file)).toEqual(await contentOf(store));
    if ('release' in lease) await lease.release();
    expect(await ledger.lanes.holders()).toEqual([]);
    await copyStore(store, target, COPY);
  });

  it('passes its check if it is intact; otherwise the check names each problem', async () => {
    const store = await newStore();
    await fill(store);
    expect(await checkStore(store, STORED_TEXTS)).toMatchObject({ ok: true });
    const damages: [string, RegExp][] = [
      ['UPDATE rows SET item_id = NULL WHERE ordinal = 1', /row 1 .* is done without an item/],
      ["UPDATE rows SET state = 'lost' WHERE ordinal = 5", /row 5 .* is in the state lost/],
      ["UPDATE rows SET action = 'delete' WHERE ordinal = 6", /row 6 .* has the action delete/],
      ["UPDATE rows SET input = '{' WHERE ordinal = 7", /input of row 7 .* cannot be read/],
      ['DELETE FROM rows WHERE ordinal = 9', /job first has 1,199 rows, and the last is number 1200/],
      ['UPDATE rows SET sequence = NULL WHERE ordinal = 3', /row 3 .* is unknown but was never sent/],
      ['UPDATE rows SET sequence = 1 WHERE ordinal = 4', /intent number 1 of .* was assigned twice/],
      ['UPDATE targets SET sequence = 1', /intent number 2 of .* is greater than the last/],
      ['UPDATE jobs SET first_sent_at = NULL', /job first has rows that were sent .* before the job began/],
      // JSON, and nothing that a job would have written.
      [`UPDATE rows SET input = '{"kind":"create"}' WHERE ordinal = 10`, /input of row 10 .* cannot be read/],
      ["UPDATE rows SET operation = '{}' WHERE ordinal = 11", /operation of row 11 .* cannot be read/],
      ["UPDATE rows SET issues = '[{}]' WHERE ordinal = 12", /issues of row 12 .* cannot be read/],
      ["UPDATE rows SET source = '[1]' WHERE ordinal = 13", /source of row 13 .* cannot be read/],
      ["UPDATE key_values SET space = 'judging', value = '{}'", /the judging of k cannot be read/],
      ["UPDATE jobs SET record = '{}' WHERE id = 'first'", /record of job first cannot be read/],
    ];
    await damage(store, damages.map(([statement]) => statement).join(';'));
    const { ok, problems: found } = await checkStore(store, STORED_TEXTS);
    const problems = found.map(english);
    expect(ok).toBe(false);
    for (const [, problem] of damages) expect(problems).toContainEqual(expect.stringMatching(problem));
    expect(problems).toHaveLength(damages.length);
    await damage(store, "UPDATE jobs SET state = 'gone'");
    const gone = { code: 'stored_job_state', params: { job: 'first', state: 'gone' } };
    expect((await checkStore(store)).problems).toContainEqual(gone);
  });

  it('forgets only the contents of finished jobs', async () => {
    const store = await newStore();
    await using ledger = await openLedger(store);
    const end = async (id: string, last: 'done' | 'unknown') => {
      await ledger.jobs.create(jobRecord(id));
      await ledger.rows.stage(id, [newRow(1), newRow(2, { state: 'skipped' })]);
      await ledger.jobs.finishStaging(id, {});
      await ledger.rows.move(id, [{ ordinal: 1, to: 'sending' }]);
      await ledger.rows.move(id, [{ ordinal: 1, to: last, itemId: `item of ${id}` }]);
      await ledger.jobs.update(id, { state: last === 'done' ? 'done' : 'cancelled' });
    };
    await end('old', 'done');
    await end('unclear', 'unknown');
    expect((await pruneJobs(ledger, { now: Date.now() })).jobs).toEqual([]);
    const { jobs } = await pruneJobs(ledger, { now: Date.now() + KEPT_MS + 1000 });
    expect(jobs).toEqual(['unclear', 'old']);
    expect(await heldBy(ledger, 'old')).toEqual([
      ['done', 'item of old', null, null, null],
      ['skipped', null, null, null, null],
    ]);
    // What may still have to be looked up keeps what it held.
    expect((await heldBy(ledger, 'unclear'))[0]?.[2]).not.toBeNull();
    expect((await compactStore(store)).freedBytes).toBeGreaterThanOrEqual(0);
    expect(await checkStore(store)).toMatchObject({ ok: true });
  });
}

async function heldBy(ledger: Ledger, job: string): Promise<unknown[][]> {
  const rows = await ledger.rows.list(job, { limit: 9 });
  return rows.map(({ state, itemId, input, operation, source }) => [state, itemId, input, operation, source]);
}

/** Tables and columns that a copy would forget. */
export function unknownTo(columns: readonly { table: string; column: string }[]): string[] {
  const ofProcesses = [
    'lanes',
    'commits',
    'store',
    'jobs.owner_pid',
    'jobs.owner_started',
    'jobs.owner_machine',
    'jobs.owner_beat',
    'jobs.owner_token',
  ];
  return columns
    .filter(
      ({ table, column }) => !ofProcesses.includes(table) && !ofProcesses.includes(`${table}.${column}`),
    )
    .filter(
      ({ table, column }) => !TABLES.some((each) => each.name === table && each.columns.includes(column)),
    )
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => name !== 'key_values.put' && name !== 'runs.put');
}
