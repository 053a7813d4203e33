/** The jobs that a new import is compared with, and the hashes of their rows. */
import type { JobRecord, LedgerRow } from '../../ledger/ledger.ts';
import type { RowHash } from '../../ledger/known-rows.ts';
import type { JobDeps } from '../job/deps.ts';
import { rowPages } from '../job/row-pages.ts';
import { cellsHash, columnsOf, identifiersOf, payloadHash } from './row-hashes.ts';

/** Hashes per transaction: smaller transactions rewrite the pages of their table more often. */
const BATCH = 200_000;
/** Hashing this many rows takes long enough to report it. */
const MANY_ROWS = 100_000;
/** Rows in these states never become items. */
const NEVER_SENT: ReadonlySet<string> = new Set(['invalid', 'skipped', 'unchanged']);

/** True for an import, in any mode, that has created items or may create some. */
export function isEarlier({ kind, mode, ownedAt, firstSentAt }: JobRecord): boolean {
  return kind === 'import' && mode !== 'update' && (ownedAt !== undefined || firstSentAt !== undefined);
}

/**
 * Those of the store's jobs that are compared with, the newest first: of the same target, without attempts at the same
 * import that have sent nothing. The claim on their file lets only one of them send, so nobody needs to wait for the first.
 */
export function earlierJobs(job: JobRecord, jobs: readonly JobRecord[]): JobRecord[] {
  const isOtherTry = ({ fingerprint, firstSentAt, mode }: JobRecord) =>
    mode === 'create' && fingerprint === job.fingerprint && firstSentAt === undefined;
  return jobs.filter(
    (each) => each.id !== job.id && each.apiUrl === job.apiUrl && isEarlier(each) && !isOtherTry(each),
  );
}

/** Stores the hashes of a job's rows, starting where an earlier attempt stopped. */
export async function fillHashes(
  job: JobRecord,
  { ledger, emit, signal }: Pick<JobDeps, 'ledger'> & Partial<Pick<JobDeps, 'signal' | 'emit'>>,
): Promise<void> {
  const columns = columnsOf(job);
  // Which rows of an upsert are creates is final only at its end: until then, all rows are looked at again.
  const isFixed = job.mode === 'create' || job.state === 'done';
  let hashes: RowHash[] = [];
  let last = await ledger.known.hashedTo(job.id);
  if (last === 0 && job.sheetRows > MANY_ROWS)
    emit?.({
      type: 'note',
      message: `Indexing the rows of job ${job.id}, once, to recognise them in later imports.`,
    });
  const note = async () => {
    if (hashes.length > 0 || isFixed) await ledger.known.note(job.id, hashes, isFixed ? last : 0);
    hashes = [];
  };
  const from = last;
  for await (const rows of rowPages(ledger, job.id, { actions: ['create'], after: from })) {
    signal?.throwIfAborted();
    for (const row of rows) {
      last = row.ordinal;
      if (!NEVER_SENT.has(row.state)) for (const hash of hashesOf(row)) hashes.push({ hash, ordinal: last });
    }
    if (hashes.length >= BATCH) await note();
  }
  if (last > from) await note();

  function hashesOf(row: LedgerRow): string[] {
    const own = [payloadHash(row), cellsHash(row, columns)].filter((each) => each !== undefined);
    return [...own, ...identifiersOf(row).map((identifier) => identifier.hash)];
  }
}
