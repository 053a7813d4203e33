/**
 * Judges only the rows whose cells a step corrects. This keeps correcting one cell fast in a file of a million rows.
 *
 * If the correction could change how other rows are judged, or the plan has to be made again, all rows are judged
 * instead.
 */
import type { JobRecord, Ledger, LedgerRow } from '../../ledger/ledger.ts';
import { currencyReader } from '../../mapping/casts/read-currency.ts';
import type { Correction } from '../../mapping/template/change.ts';
import { CorrectedCells, type Judging, type CorrectionStep } from '../job/judging.ts';
import { beginPass } from '../stage/judge-row.ts';
import { amountsOf } from '../stage/source-tables.ts';
import type { Judge } from './judge.ts';
import { judgedAgain, type RejudgedRow, rowsOfFile } from './judge-again.ts';
import { findRows, type RowPlace } from './find-rows.ts';

/** Looking up more rows than this one by one costs more than judging all rows. */
const MAX_ROWS = 5000;

/**
 * @param steps all steps after the correction; `judging` has the earlier ones
 * @returns the rows after the correction, for `ledger.rows.rejudge`; undefined if all rows have to be judged
 */
export async function judgeSome(
  job: JobRecord,
  judging: Judging,
  steps: readonly CorrectionStep[],
  judge: Judge,
  ledger: Ledger,
): Promise<RejudgedRow[] | undefined> {
  const changes = changedBetween(judging.steps, steps);
  if (!changes.every(isOfRow) || !isAlone(job, judging, judge)) return undefined;
  const { plan, collections } = job;
  const { amounts } = plan;
  const decimals = stylesOf(judge);
  const found = await findRows(job.id, judging, changes, ledger);
  if (found.length > MAX_ROWS || (await hasAddedCopies(job, judging, ledger))) return undefined;
  beginPass(judge.tables);
  const mended: RejudgedRow[] = [];
  for await (const rows of rowsOfFile([found], judging.rows)) {
    const [first] = rows;
    if (first === undefined) continue;
    const verdict = judge.judge(first);
    const { row, copies, isAmbiguous } = verdict;
    if (isAmbiguous || copies > rows.length || rows.some(isOfThePlan)) return undefined;
    // A collection that no row has named before has to be looked up.
    if (row.state === 'planned' && !Object.hasOwn(collections, row.collection ?? '')) return undefined;
    mended.push(...judgedAgain(rows, verdict));
  }
  // A row may be the first to show the column's decimal mark or currency.
  judge.resolveDecimals();
  if (stylesOf(judge) !== decimals) return undefined;
  if (amounts === undefined && amountsOf(judge.tables) !== undefined) return undefined;
  if (amounts !== undefined && showsCurrency(amounts, mended, judging, steps)) return undefined;
  return mended;
}

export function changedBetween(
  before: readonly CorrectionStep[],
  after: readonly CorrectionStep[],
): Correction[] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return [...before.slice(same), ...after.slice(same)].flatMap((step) => step.changes);
}

type RowChange = Extract<Correction, RowPlace>;

export function isOfRow(change: Correction): change is RowChange {
  return ['cell', 'omit', 'accept', 'item'].includes(change.type);
}

/** Whether rows of a job can be judged one by one, because no other job knows them yet. */
function isAlone(job: JobRecord, judging: Judging, judge: Judge): boolean {
  return (
    job.mode === 'create' &&
    job.firstSentAt === undefined &&
    job.ownedAt === undefined &&
    job.fingerprint !== undefined &&
    job.request.checkSimilar !== true &&
    !judging.pending &&
    judge.tables.every(({ mapping }) => mapping.filler() === undefined)
  );
}

async function hasAddedCopies({ id }: JobRecord, { rows }: Judging, ledger: Ledger): Promise<boolean> {
  return (await ledger.rows.list(id, { after: rows, limit: 1 })).length > 0;
}

/** Problems that the plan has found, not the judge. */
function isOfThePlan({ issues }: LedgerRow): boolean {
  return issues.some(({ code }) => OF_THE_PLAN.has(code));
}

const OF_THE_PLAN: ReadonlySet<string> = new Set([
  'wrong_currency',
  'unclear_currency',
  'unknown_collection',
  'ambiguous_collection',
  'ambiguous_number',
  'similar',
]);

function stylesOf({ tables }: Judge): string {
  return JSON.stringify(tables.map(({ mapping }) => [...mapping.decimals()]));
}

/** Whether a row has an amount whose currency the plan has to compare. */
function showsCurrency(
  amounts: NonNullable<JobRecord['plan']['amounts']>,
  mended: readonly RejudgedRow[],
  judging: Judging,
  steps: readonly CorrectionStep[],
): boolean {
  const { index, joined = [index], pattern, group, expected, foreign } = amounts;
  const before = new CorrectedCells(judging);
  const after = new CorrectedCells({ ...judging, steps });
  const read = currencyReader(pattern, group);
  return mended.some(({ before: row }) => {
    const [was, is] = [before.texts(row), after.texts(row)];
    return joined.some((column) => {
      const text = is[column]?.trim() ?? '';
      return (
        text !== (was[column]?.trim() ?? '') &&
        ((expected ?? foreign) !== undefined || (read(text)?.length ?? 0) > 0)
      );
    });
  });
}
