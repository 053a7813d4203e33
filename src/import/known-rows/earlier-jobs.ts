/** The jobs whose rows a new import is compared with, and the hashes of theirs that the store has not got yet. */
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import type { RowHash } from '../../ledger/known-rows.ts';
import type { JobDeps } from '../job/deps.ts';
import { rowPages } from '../job/row-pages.ts';
import { cellsHash, columnsOf, identifiersOf, payloadHash } from './row-hashes.ts';

/** Hashes of one transaction: the fewer, the more often each page of their table is written again. */
const BATCH = 200_000;
/** Rows of a job that take long enough to say so. */
const MANY_ROWS = 100_000;
/** These never become items. */
const NEVER_SENT: ReadonlySet<string> = new Set(['invalid', 'skipped', 'unchanged']);

/** An import that has created items, or may still: in any mode. */
export function isEarlier({ kind, mode, ownedAt, firstSentAt }: JobRecord): boolean {
  return kind === 'import' && mode !== 'update' && (ownedAt !== undefined || firstSentAt !== undefined);
}

/**
 * Those of the same target, the newest first. Not another try of the very same import that has sent nothing: of
 * these the claim on their file lets one send, and whoever tries again is not told to wait for the first.
 */
export async function earlierJobs(job: JobRecord, ledger: Ledger): Promise<JobRecord[]> {
  const isOtherTry = ({ fingerprint, firstSentAt, mode }: JobRecord) =>
    mode === 'create' && fingerprint === job.fingerprint && firstSentAt === undefined;
  const jobs = await ledger.jobs.list();
  return jobs.filter(
    (each) => each.id !== job.id && each.apiUrl === job.apiUrl && isEarlier(each) && !isOtherTry(each),
  );
}

/** Fills in the hashes of a job's rows, from where an earlier try of it stopped. */
export async function fillHashes(
  job: JobRecord,
  { ledger, emit, signal }: Pick<JobDeps, 'ledger'> & Partial<Pick<JobDeps, 'signal' | 'emit'>>,
): Promise<void> {
  const columns = columnsOf(job);
  // Which rows of an upsert are creates is known for good at its end: until then all of them are looked at.
  const isFixed = job.mode === 'create' || job.state === 'done';
  let hashes: RowHash[] = [];
  let last = await ledger.known.hashedTo(job.id);
  if (last === 0 && job.sheetRows > MANY_ROWS)
    emit?.({
      type: 'note',
      message: `the rows of job ${job.id} are looked through, once, to know them again`,
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
