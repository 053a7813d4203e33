/** Decides by hand what became of a row that could not be looked up with certainty. */
import type { ApiClient } from '../../api/client.ts';
import { NotFoundError } from '../../api/errors.ts';
import { UsageError } from '../../errors.ts';
import { ExitCode } from '../../exit-code.ts';
import type { JobRecord, Ledger, LedgerRow, RowMove } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';
import { checkAddress } from './check-team.ts';
import { confirmedPayload, wasApplied } from '../job/payload.ts';
import { isHeldByPlan, judgeOnceMore, readJudging, SKIPPED_BY_HAND } from '../job/judging.ts';
import { refuseIfRunning } from '../job/runs-elsewhere.ts';
import { type JobOutcome, summarise } from '../results/summary.ts';
import { writeResults } from '../results/results.ts';
import { rowPages } from '../job/row-pages.ts';

/** `created`: the row created this item. `retry`: there is no item, send the row. `skip`: leave the row. */
export type Resolution = { as: 'created'; itemId: string } | { as: 'retry' } | { as: 'skip' };

export interface ResolveDeps extends Pick<JobDeps, 'ledger' | 'meter' | 'emit'> {
  /** Looks up the item of `created`; the other resolutions need no API. */
  client?: ApiClient;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws UsageError `bad_resolution` */
export function parseResolution(text: string): Resolution {
  if (text === 'retry' || text === 'skip') return { as: text };
  const itemId = /^created:(.+)$/.exec(text)?.[1]?.trim() ?? '';
  if (UUID.test(itemId)) return { as: 'created', itemId: itemId.toLowerCase() };
  throw new UsageError('bad_resolution', `--as is "${text}"; expected created:ITEM_ID, retry or skip.`);
}

/**
 * Resolves one held or unknown row; nothing is sent. `jobs resume` sends a row to retry.
 *
 * @param sheetRow row as a spreadsheet program shows it
 * @throws UsageError `no_such_row` if no held or unknown row has that number; `bad_resolution` for an item that does not
 *   exist or belongs to another row, and if another process has moved the row meanwhile; nothing was changed
 * @throws OtherTargetError `unauthorized` if the item would be looked up at another address than the job's
 */
export async function resolveRow(
  reference: string,
  sheetRow: number,
  resolution: Resolution,
  deps: ResolveDeps,
  sheet?: string,
): Promise<JobOutcome> {
  const { ledger, meter } = deps;
  const job = await ledger.jobs.find(reference);
  await refuseIfRunning(job, ledger);
  const rows = await openRows(job, ledger, sheetRow, sheet);
  const [row] = rows;
  if (row.action === 'update' && resolution.as === 'created') {
    throw new UsageError('bad_resolution', 'The row changes an existing item: use retry or skip.');
  }
  if (resolution.as === 'created') await checkItem(job, resolution.itemId, deps);
  if (resolution.as === 'retry' && isHeldByPlan(row.issues)) {
    // Its items are looked up again, with those of all rows that were never sent.
    await readJudging(job, ledger);
    await judgeOnceMore(job.id, ledger);
  }
  const { contested, missed } = await ledger.rows.move(
    job.id,
    rows.map((each) => moveOf(each, resolution)),
  );
  if (missed.length > 0) {
    throw new UsageError(
      'bad_resolution',
      `Row ${sheetRow} of job ${job.id} was moved by another process meanwhile; nothing was changed.`,
      { remedy: `See what it is now: shelflift jobs show ${job.id}` },
    );
  }
  if (contested.length > 0) {
    throw new UsageError(
      'bad_resolution',
      `Another row took item ${resolution.as === 'created' ? resolution.itemId : ''} at the same moment; both rows are unknown now.`,
      { remedy: `Look them up: shelflift jobs resume ${job.id}` },
    );
  }
  const { planned, unknown } = await ledger.rows.counts(job.id);
  if (job.state === 'done' && planned + unknown > 0) await ledger.jobs.update(job.id, { state: 'paused' });
  const settled = await ledger.jobs.find(job.id);
  // The files show the new state of the row.
  const files = await writeResults(settled, ledger, deps.emit);
  const summary = await summarise(settled, ledger, { requests: meter.totals, files });
  const remedy = planned > 0 ? { remedy: `To send the remaining rows: shelflift jobs resume ${job.id}` } : {};
  return { summary, exitCode: ExitCode.ok, ...remedy };
}

/** The item must exist, and belong to no other row, before anything is written. */
async function checkItem(job: JobRecord, itemId: string, { client, ledger }: ResolveDeps): Promise<void> {
  if (client === undefined) throw new Error('an item cannot be looked up without a client');
  checkAddress(job, { client });
  if ((await ledger.items.owned(job.apiUrl, [itemId])).has(itemId)) {
    throw new UsageError(
      'bad_resolution',
      `Item ${itemId} already belongs to another row of this store; nothing was changed.`,
      { remedy: "Look up the item that this row created; the row's _error lists candidates." },
    );
  }
  try {
    await client.getItem(itemId);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new UsageError('bad_resolution', `There is no item ${itemId}; nothing was changed.`, {
      remedy: `If the row made no item: shelflift jobs resolve ${job.id} --row N --as retry`,
    });
  }
}

function moveOf(row: LedgerRow, resolution: Resolution): RowMove {
  const { ordinal, attempts } = row;
  // A process that resumes the job at this moment may have sent the row since.
  const asRead = { ordinal, from: row.state, attempts };
  switch (resolution.as) {
    case 'created':
      return { ...asRead, to: 'done', itemId: resolution.itemId, issues: [] };
    case 'retry': {
      const move: RowMove = { ...asRead, to: 'planned', issues: [] };
      // A person has decided: changes to the item since the plan are overwritten.
      if (row.action === 'update' && !isHeldByPlan(row.issues))
        move.payload = JSON.stringify(confirmedPayload(row));
      return move;
    }
    default:
      // The server has applied a part: the row was not skipped, and an undo takes it back.
      if (wasApplied(row)) return { ...asRead, to: 'done', issues: [] };
      return {
        ...asRead,
        to: 'skipped',
        issues: [{ code: 'skipped_by_rule', message: SKIPPED_BY_HAND }],
      };
  }
}

/**
 * The first held or unknown row with that number; copies of a quantity are resolved one after another, but for those
 * that the plan holds because of each other.
 */
async function openRows(
  job: JobRecord,
  ledger: Ledger,
  sheetRow: number,
  sheet: string | undefined,
): Promise<[LedgerRow, ...LedgerRow[]]> {
  const open = new Set<number>();
  const found: LedgerRow[] = [];
  for await (const rows of rowPages(ledger, job.id, { states: ['held', 'unknown'] })) {
    for (const row of rows) {
      open.add(row.sheetRow);
      if (row.sheetRow === sheetRow && (sheet === undefined || row.sheet === sheet)) found.push(row);
    }
  }
  const sheets = [...new Set(found.map((row) => row.sheet ?? ''))];
  if (sheets.length > 1) {
    throw new UsageError(
      'bad_resolution',
      `Row ${sheetRow} is held or unknown in ${sheets.length} sheets: ${sheets.join(', ')}.`,
      {
        remedy: 'Say which one with --sheet NAME.',
      },
    );
  }
  const [first, ...others] = found;
  if (first !== undefined)
    return [first, ...(isHeldByPlan(first.issues) ? others.filter((row) => isHeldByPlan(row.issues)) : [])];
  const list = [...open].slice(0, 20).join(', ');
  throw new UsageError('no_such_row', `No row ${sheetRow} of job ${job.id} is held or unknown.`, {
    remedy:
      open.size === 0
        ? 'No row of the job needs a decision.'
        : `Rows that need a decision: ${list}${open.size > 20 ? ', …' : ''}`,
  });
}
