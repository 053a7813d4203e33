/**
 * Rows of other unfinished imports that create items with keys of an upsert. Neither may create an item that the other
 * is about to create, whatever their API keys: an upsert that runs beside such an import waits for it, and holds rows
 * that a stopped import still has to send. In the other direction, the import recognises the rows of the upsert as sent
 * before.
 */
import { type JobRecord, JobCancelledError, type RowMove } from '../../ledger/ledger.ts';
import type { Item } from '../../api/schemas.ts';
import { keyRule } from '../changes/match-key.ts';
import { fieldOf } from '../engine/field-changes.ts';
import { fieldsOfCreate } from '../engine/input.ts';
import { createsWith, keyedCreates, keysOfCreates } from '../items/creates-by-key.ts';
import { JOB_STATES } from '../../ledger/states.ts';
import { message } from '../../messages/message.ts';
import type { JobDeps } from '../job/deps.ts';
import { isLeftOut } from '../job/judging.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { noteOf } from '../job/events.ts';
import { rowPages } from '../job/row-pages.ts';

/** An import that owns its rows may not have taken its lanes yet. */
const BEFORE_ITS_LANES_MS = 10_000;
const POLL_MS = 1_000;
const OPEN = JOB_STATES.filter((state) => state !== 'done' && state !== 'cancelled');

export interface RowElsewhere {
  jobId: string;
  sheetRow: number;
  /**
   * It was sent, and waits for a person or for an answer, or a person left it out: its item may exist in a form that
   * the key does not find.
   */
  isSent?: 'held' | 'lost' | 'left';
}

/** By key: create rows of other unfinished imports, and create rows of any job that may have created an item. */
export async function rowsElsewhere(job: JobRecord, deps: JobDeps): Promise<Map<string, RowElsewhere>> {
  const { ledger } = deps;
  const keys = await keysOfCreates(job, ledger);
  const found = await heldElsewhere(job, keys, deps);
  if (keys.size === 0) return found;
  for (const other of await ledger.jobs.list(undefined, { apiUrl: job.apiUrl, states: OPEN })) {
    if (other.ownedAt === undefined || other.mode !== 'create' || other.dryRun) continue;
    const open = { states: ['planned', 'sending', 'unknown'], actions: ['create'] } as const;
    for await (const rows of rowPages(ledger, other.id, open)) {
      const creates = rows.map((row) => ({ row }));
      for (const { key, row } of createsWith(keys, creates, job))
        found.set(key, { jobId: other.id, sheetRow: row.sheetRow });
    }
  }
  return found;
}

/** By key: creates of other jobs that were sent, and wait for a person or were left out by one. */
async function heldElsewhere(
  job: JobRecord,
  keys: ReadonlyMap<string, unknown>,
  { ledger }: JobDeps,
): Promise<Map<string, RowElsewhere>> {
  const found = new Map<string, RowElsewhere>();
  const held = keys.size === 0 ? [] : await ledger.items.heldCreates(job.apiUrl);
  for (const { jobId, row, key } of createsWith(keys, held, job)) {
    if (jobId === job.id || (row.state === 'skipped' && !isLeftOut(row))) continue;
    found.set(key, { jobId, sheetRow: row.sheetRow, isSent: row.state === 'held' ? 'held' : 'left' });
  }
  return found;
}

/**
 * Holds the rows of an upsert whose keys belong to rows of another job that lost their answers, or were held, after the
 * plan was made. Their keys were looked up after its quiet period, and no item has them. This proves something only if
 * the server keeps such keys as they are sent.
 */
export async function holdLostElsewhere(job: JobRecord, deps: JobDeps): Promise<void> {
  const rule = keyRule(job);
  const keys = await keysOfCreates(job, deps.ledger);
  const lost = await heldElsewhere(job, keys, deps);
  // Nobody can decide about a row that was left out; a person who releases a row with its key has looked for its item.
  for (const [key, { isSent }] of lost) if (isSent === 'left') lost.delete(key);
  const open = keys.size === 0 ? [] : await deps.ledger.items.openCreates(job.apiUrl);
  for (const { jobId, row, key } of createsWith(keys, open, job)) {
    if (jobId === job.id) continue;
    const { server } = (await deps.ledger.jobs.find(jobId)).learned;
    const fields = fieldsOfCreate(row);
    if (rule.match.every((field) => isKept(fieldOf(fields as Item, field), server?.kept[field]))) continue;
    lost.set(key, { jobId, sheetRow: row.sheetRow, isSent: 'lost' });
  }
  if (lost.size > 0) await holdElsewhere(job, lost, deps);
}

/** @param longest texts of about this length were kept: whether the server cuts or escapes depends on the text */
function isKept(value: unknown, longest: number | undefined): boolean {
  if (longest === undefined) return false;
  return typeof value !== 'string' || (value.length < Math.max(1, longest) * 2 && /^[\w .-]*$/.test(value));
}

/** Waits until a job has ended, or has stopped. */
export async function waitForJob(jobId: string, job: JobRecord, deps: JobDeps): Promise<void> {
  const { ledger, clock, signal, emit } = deps;
  emit(noteOf(message('waits_for_job', { job: jobId })));
  const begun = clock.monotonic();
  for (let hasRun = false; ; ) {
    const runner = await ledger.lanes.runner(jobId);
    hasRun ||= runner !== undefined;
    const { planned, sending, unknown } = await ledger.rows.counts(jobId);
    if (planned + sending + unknown === 0) return;
    if (runner === undefined && (hasRun || clock.monotonic() - begun >= BEFORE_ITS_LANES_MS)) return;
    await clock.sleep(POLL_MS, signal);
    if ((await ledger.jobs.find(job.id)).state === 'cancelled') throw new JobCancelledError(job.id);
  }
}

/** Holds the rows of the upsert that other imports have yet to send. */
export async function holdElsewhere(
  job: JobRecord,
  elsewhere: ReadonlyMap<string, RowElsewhere>,
  { ledger }: JobDeps,
): Promise<void> {
  for await (const creates of keyedCreates(job, ledger)) {
    const moves = creates.flatMap(({ key, row: { ordinal } }): RowMove[] => {
      const other = elsewhere.get(key);
      if (other === undefined) return [];
      const said = message(`key_${other.isSent ?? 'unsent'}_elsewhere`, {
        row: other.sheetRow,
        job: other.jobId,
      });
      return [{ ordinal, from: 'planned', to: 'held', issues: [issueOf('sent_before', said)] }];
    });
    if (moves.length > 0) await ledger.rows.move(job.id, moves);
  }
}
