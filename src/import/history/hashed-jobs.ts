/** The jobs that a new import is compared with, and the hashes of their rows. */
import { basename } from 'node:path';
import { HASHED_WHOLE, type RowHash } from '../../ledger/known-rows.ts';
import type { JobRecord, LedgerRow } from '../../ledger/ledger.ts';
import { message } from '../../messages/message.ts';
import { noteOf } from '../job/events.ts';
import { type JobDeps, UnwantedError } from '../job/deps.ts';
import { isLeftOut } from '../job/judging.ts';
import { rowPages } from '../job/row-pages.ts';
import { Lines } from './lines.ts';
import {
  cellsHash,
  type Columns,
  columnsOf,
  identifiersOf,
  lineHash,
  nameOfRow,
  payloadHash,
  rewrittenHashes,
  valuesHash,
} from './row-hashes.ts';

/** Hashes per transaction: smaller transactions rewrite the pages of their table more often. */
const BATCH = 200_000;
/** Hashing this many rows takes long enough to report it. */
const MANY_ROWS = 100_000;
/** Rows in these states never become items. Of the skipped rows, those that a person left out count. */
const NEVER_SENT: ReadonlySet<string> = new Set(['invalid', 'unchanged']);

/** True for an import, in any mode, that has created items or may create some. */
export function isEarlier({ mode, ownedAt, firstSentAt }: JobRecord): boolean {
  return mode !== 'update' && (ownedAt !== undefined || firstSentAt !== undefined);
}

/**
 * True if a new import is compared with this job of the same target. An earlier attempt at the same import that has
 * sent nothing, from this store or another, is not compared: the claim on the file lets only one attempt send, so
 * neither needs to wait for the other.
 */
export function isCompared(each: JobRecord, job: JobRecord): boolean {
  const isOtherTry =
    each.mode === 'create' &&
    each.fingerprint === job.fingerprint &&
    each.firstSentAt === undefined &&
    each.learned.isSentElsewhere !== true;
  return each.id !== job.id && isEarlier(each) && !isOtherTry;
}

/**
 * Stores the hashes of a job's rows, once. The rows of an upsert that has not ended are hashed each time, because the
 * plan may still turn an update into a create.
 *
 * @param job the current record in the store
 * @throws UnwantedError `rows_sent_before` if the job was pruned and its hashes are lost
 */
export async function fillHashes(
  job: JobRecord,
  { ledger, emit, signal }: Pick<JobDeps, 'ledger'> & Partial<Pick<JobDeps, 'signal' | 'emit'>>,
): Promise<void> {
  const { id, mode, state, source, prunedAt, hashedTo = 0 } = job;
  if (hashedTo === HASHED_WHOLE) return;
  if (prunedAt !== undefined)
    throw new UnwantedError(
      'rows_sent_before',
      message(
        'hashes_lost',
        { job: id, file: basename(source.file) },
        { do: 'byHand', label: message('restore_backup', {}) },
        { do: 'setOption', option: 'all-rows', label: message('if_none_was_sent', {}) },
      ),
    );
  if (hashedTo === 0 && job.sheetRows > MANY_ROWS) emit?.(noteOf(message('indexing_rows', { job: id })));
  const columns = columnsOf(job);
  const lines = new Lines(ledger);
  await lines.readEarlier(job);
  let hashes: RowHash[] = [];
  const after = mode === 'create' ? hashedTo : 0;
  for await (const rows of rowPages(ledger, id, { actions: ['create'], after })) {
    signal?.throwIfAborted();
    for (const row of rows) {
      if (NEVER_SENT.has(row.state) || (row.state === 'skipped' && !isLeftOut(row))) continue;
      const named = [...lines.standing(job, row).as].filter(([other]) => other !== id);
      const all = [...hashesOf(row, columns), ...named.map(([other, line]) => lineHash(other, line))];
      for (const hash of all) hashes.push({ hash, ordinal: row.ordinal });
    }
    if (hashes.length < BATCH) continue;
    await ledger.known.note(id, hashes, rows.at(-1)?.ordinal ?? 0);
    hashes = [];
  }
  const isFixed = mode === 'create' || state === 'done' || state === 'cancelled';
  if (isFixed || hashes.length > 0) await ledger.known.note(id, hashes, isFixed ? HASHED_WHOLE : 1);
}

function hashesOf(row: LedgerRow, columns: Columns): string[] {
  const own = [payloadHash(row), cellsHash(row, columns), valuesHash(row), nameOfRow(row)?.hash].filter(
    (each) => each !== undefined,
  );
  const identifiers = identifiersOf(row);
  return [...own, ...identifiers.map((identifier) => identifier.hash), ...rewrittenHashes(identifiers)];
}
