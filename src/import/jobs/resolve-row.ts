/** A person's word on a row that could not be settled with certainty. */
import type { ApiClient } from '../../api/client.ts';
import { NotFoundError } from '../../api/errors.ts';
import { UsageError } from '../../errors.ts';
import { ExitCode } from '../../exit-code.ts';
import type { JobRecord, Ledger, LedgerRow, RowMove } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';
import { checkAddress } from './check-team.ts';
import { confirmedPayload, wasApplied } from '../job/payload.ts';
import { refuseIfRunning } from '../job/runs-elsewhere.ts';
import { type JobOutcome, summarise } from '../results/summary.ts';
import { writeResults } from '../results/results.ts';
import { rowPages } from '../job/row-pages.ts';

/** `created`: this item is the row's. `retry`: it is not there, send it. `skip`: leave it. */
export type Resolution = { as: 'created'; itemId: string } | { as: 'retry' } | { as: 'skip' };

export interface ResolveDeps extends Pick<JobDeps, 'ledger' | 'meter' | 'emit'> {
  /** Looks the item of `created` up; the others ask the API nothing. */
  client?: ApiClient;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws UsageError `bad_resolution` */
export function parseResolution(text: string): Resolution {
  if (text === 'retry' || text === 'skip') return { as: text };
  const itemId = /^created:(.+)$/.exec(text)?.[1]?.trim() ?? '';
  if (UUID.test(itemId)) return { as: 'created', itemId: itemId.toLowerCase() };
  throw new UsageError('bad_resolution', `--as is "${text}", expected created:ITEM_ID, retry or skip`);
}

/**
 * Settles one held or unknown row by hand; nothing is sent. A row to retry leaves with `jobs resume`.
 *
 * @param sheetRow row as a spreadsheet program shows it
 * @throws UsageError `no_such_row` where no held or unknown row has that number; `bad_resolution` for an item that is
 *   not there or belongs to another row, and where another process has moved the row meanwhile; nothing was changed
 * @throws OtherTargetError `unauthorized` where the item would be looked up at another address than the job's
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
  const row = await openRow(job, ledger, sheetRow, sheet);
  if (row.action === 'update' && resolution.as === 'created') {
    throw new UsageError(
      'bad_resolution',
      'the row changes an item that is there: it is settled as retry or skip',
    );
  }
  if (resolution.as === 'created') await checkItem(job, resolution.itemId, deps);
  const { contested, missed } = await ledger.rows.move(job.id, [moveOf(row, resolution)]);
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
  // The files say what the row is now.
  const files = await writeResults(settled, ledger, deps.emit);
  const summary = await summarise(settled, ledger, { requests: meter.totals, files });
  const remedy = planned > 0 ? { remedy: `To send what waits: shelflift jobs resume ${job.id}` } : {};
  return { summary, exitCode: ExitCode.ok, ...remedy };
}

/** The item must be there, and be no other row's, before anything is written. */
async function checkItem(job: JobRecord, itemId: string, { client, ledger }: ResolveDeps): Promise<void> {
  if (client === undefined) throw new Error('an item cannot be looked up without a client');
  checkAddress(job, { client });
  if ((await ledger.items.owned(job.apiUrl, [itemId])).has(itemId)) {
    throw new UsageError(
      'bad_resolution',
      `Item ${itemId} already belongs to another row of this store; nothing was changed.`,
      { remedy: "Look up the item that this row has made; candidates stand in the row's _error." },
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
  // Whoever resumes the job at this moment may have sent the row since it was read.
  const asRead = { ordinal, from: row.state, attempts };
  switch (resolution.as) {
    case 'created':
      return { ...asRead, to: 'done', itemId: resolution.itemId, issues: [] };
    case 'retry': {
      const move: RowMove = { ...asRead, to: 'planned', issues: [] };
      // A person has looked: whoever changed the item since the plan is overwritten.
      if (row.action === 'update') move.payload = JSON.stringify(confirmedPayload(row));
      return move;
    }
    default:
      // What the server has applied was not left out: an undo takes it back.
      if (wasApplied(row)) return { ...asRead, to: 'done', issues: [] };
      return {
        ...asRead,
        to: 'skipped',
        issues: [{ code: 'skipped_by_rule', message: 'left out by hand' }],
      };
  }
}

/** The first row of that number that waits for a person; copies of a quantity are settled one after another. */
async function openRow(
  job: JobRecord,
  ledger: Ledger,
  sheetRow: number,
  sheet: string | undefined,
): Promise<LedgerRow> {
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
      `row ${sheetRow} waits in ${sheets.length} sheets: ${sheets.join(', ')}`,
      {
        remedy: 'Say which one with --sheet NAME.',
      },
    );
  }
  const [first] = found;
  if (first !== undefined) return first;
  const list = [...open].slice(0, 20).join(', ');
  throw new UsageError('no_such_row', `no row ${sheetRow} of job ${job.id} is held or unknown`, {
    remedy:
      open.size === 0
        ? 'No row waits for a person.'
        : `Those that wait: ${list}${open.size > 20 ? ', …' : ''}`,
  });
}
