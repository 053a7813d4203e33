/**
 * The pass that judges again all rows of a job that were never sent. Its use of memory does not depend on their number.
 */
import { sameJson } from '../../base/equal-json.ts';
import type { JobRecord, Lease, LedgerRow, NewRow } from '../../ledger/ledger.ts';
import { placeOf } from '../../ledger/row-name.ts';
import type { JobDeps } from '../job/deps.ts';
import type { Judging } from '../job/judging.ts';
import { message } from '../../messages/message.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { rowPages } from '../job/row-pages.ts';
import { rowTotals } from '../job/row-totals.ts';
import { beginPass, type Judged, judgedRow } from '../stage/judge-row.ts';
import { isJudgedAgain, type Judge, type Validation } from './judge.ts';

/** Rows per transaction. */
const BATCH = 5000;
/** Rows between two progress reports. */
const REPORTED = 500;

/** A row before and after it was judged again. */
export interface RejudgedRow {
  before: LedgerRow;
  after: NewRow;
}

/** Judges the rows again, committing each batch. After a kill, it starts over. */
export async function judgeAgain(
  job: JobRecord,
  judging: Judging,
  judge: Judge,
  deps: JobDeps,
  lease: Lease,
): Promise<void> {
  const sawAmbiguous = await pass(job, judging, judge, deps, lease);
  // The whole file may show how ambiguous numbers are meant.
  if (judge.resolveDecimals() && sawAmbiguous) await pass(job, judging, judge, deps, lease);
}

/** @returns true if a row had ambiguous numbers */
async function pass(
  { id }: JobRecord,
  { rows: total }: Judging,
  judge: Judge,
  { ledger, signal, emit }: JobDeps,
  lease: Lease,
): Promise<boolean> {
  let last = rowTotals(await ledger.rows.counts(id)).read;
  const added = last === total ? new Map<string, LedgerRow[]>() : await addedCopies(id, total, ledger);
  let sawAmbiguous = false;
  let batch: NewRow[] = [];
  let done = 0;
  const commit = async () => {
    if (batch.length > 0) await ledger.rows.rejudge(id, batch, lease);
    batch = [];
  };
  beginPass(judge.tables);
  for await (const copies of rowsOfFile(rowPages(ledger, id), total)) {
    const [first] = copies;
    if (first === undefined) continue;
    const validation = judge.judge(first);
    sawAmbiguous ||= validation.isAmbiguous;
    done += copies.length;
    const others = added.get(placeOf(first)) ?? [];
    for (const row of others) row.source = first.source;
    for (const { after } of judgedAgain([...copies, ...others], validation)) batch.push(after);
    // A line of a results file has the quantity of its row, but stands for one item that exists already.
    const wanted = [...copies, ...others].some(isJudgedAgain) ? validation.copies : 0;
    for (let copy = copies.length + others.length; copy < wanted; copy += 1) {
      last += 1;
      batch.push(judgedRow({ ...first, ordinal: last, copy }, validation.row));
    }
    if (batch.length >= BATCH) await commit();
    if (done % REPORTED >= copies.length) continue;
    signal.throwIfAborted();
    emit({ type: 'judging', done, total });
  }
  await commit();
  emit({ type: 'judging', done, total });
  return sawAmbiguous;
}

/**
 * The rows of the file in order, each with the rows of the job that were made for it when the file was read.
 *
 * @param total rows of the job when the file was read: rows after these are copies that were added when a quantity was
 *   corrected
 */
export async function* rowsOfFile(
  pages: AsyncIterable<LedgerRow[]> | Iterable<LedgerRow[]>,
  total: number,
): AsyncGenerator<LedgerRow[], void> {
  let copies: LedgerRow[] = [];
  for await (const page of pages) {
    for (const row of page) {
      if (row.ordinal > total) break;
      if (row.copy === 0 && copies.length > 0) {
        yield copies;
        copies = [];
      }
      copies.push(row);
    }
    if ((page.at(-1)?.ordinal ?? 0) >= total) break;
  }
  if (copies.length > 0) yield copies;
}

/**
 * Copies that a corrected quantity added, by row. There are few, because most quantities are known when the file is
 * read.
 */
async function addedCopies(
  jobId: string,
  total: number,
  ledger: JobDeps['ledger'],
): Promise<Map<string, LedgerRow[]>> {
  const added: LedgerRow[] = [];
  for await (const page of rowPages(ledger, jobId, { after: total }))
    added.push(...page.map((row) => ({ ...row, source: null })));
  return Map.groupBy(added, placeOf);
}

export function judgedAgain(copies: readonly LedgerRow[], validation: Validation): RejudgedRow[] {
  return copies.flatMap((before) => {
    const judged =
      before.copy < validation.copies || validation.row.state !== 'planned'
        ? validation.row
        : surplus(validation);
    if (!isJudgedAgain(before) || isSame(before, judged)) return [];
    return [{ before, after: judgedRow(before, judged) }];
  });
}

/** A copy that a reduced quantity no longer needs: it stays in the ledger, and is not sent. */
function surplus({ row, copies }: Validation): Judged {
  const said = message('left_out_of_quantity', { quantity: copies });
  return { ...row, state: 'skipped', input: null, issues: [issueOf('skipped_by_rule', said)] };
}

/** An unchanged row does not have to be written. */
function isSame(row: LedgerRow, judged: Judged): boolean {
  return (
    row.state === judged.state &&
    row.action === judged.action &&
    row.input === judged.input &&
    row.collection === judged.collection &&
    row.itemId === null &&
    sameJson(row.issues, judged.issues) &&
    sameJson(row.notes ?? [], judged.notes ?? [])
  );
}
