/** A person's word on a row that could not be settled with certainty. */
import { UsageError } from '../../errors.ts';
import { ExitCode } from '../../exit-code.ts';
import type { JobRecord, Ledger, LedgerRow, RowMove } from '../../ledger/ledger.ts';
import type { ImportDeps } from '../deps.ts';
import { confirmedPayload } from '../write/payload.ts';
import { runsElsewhere } from '../write/send.ts';
import { type JobOutcome, summarise } from '../results/summary.ts';
import { writeResults } from '../results/results.ts';
import { rowPages } from '../results/row-pages.ts';

/** `created`: this item is the row's. `retry`: it is not there, send it. `skip`: leave it. */
export type Resolution = { as: 'created'; itemId: string } | { as: 'retry' } | { as: 'skip' };

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
 * @throws UsageError `no_such_row` where no held or unknown row has that number
 */
export async function resolveRow(
  reference: string,
  sheetRow: number,
  resolution: Resolution,
  deps: Pick<ImportDeps, 'ledger' | 'meter' | 'emit'>,
  sheet?: string,
): Promise<JobOutcome> {
  const { ledger, meter } = deps;
  const job = await ledger.findJob(reference);
  const runner = await ledger.runner(job.id);
  if (runner !== undefined) throw runsElsewhere(job, runner);
  const row = await openRow(job, ledger, sheetRow, sheet);
  if (row.action === 'update' && resolution.as === 'created') {
    throw new UsageError(
      'bad_resolution',
      'the row changes an item that is there: it is settled as retry or skip',
    );
  }
  const { contested } = await ledger.move(job.id, [moveOf(row, resolution)]);
  if (contested.length > 0) {
    throw new UsageError(
      'bad_resolution',
      `item ${resolution.as === 'created' ? resolution.itemId : ''} belongs to another row already: both are unknown now`,
      {
        remedy: `shelflift jobs resume ${job.id} looks them up.`,
      },
    );
  }
  const { planned, unknown } = await ledger.counts(job.id);
  if (job.state === 'done' && planned + unknown > 0) await ledger.updateJob(job.id, { state: 'paused' });
  const settled = await ledger.findJob(job.id);
  // The files say what the row is now.
  const files = await writeResults(settled, ledger, deps.emit);
  const summary = await summarise(settled, ledger, { requests: meter.totals, files });
  const remedy = planned > 0 ? { remedy: `To send what waits: shelflift jobs resume ${job.id}` } : {};
  return { summary, exitCode: ExitCode.ok, ...remedy };
}

function moveOf(row: LedgerRow, resolution: Resolution): RowMove {
  const { ordinal } = row;
  switch (resolution.as) {
    case 'created':
      return { ordinal, to: 'done', itemId: resolution.itemId, issues: [] };
    case 'retry': {
      const move: RowMove = { ordinal, to: 'planned', issues: [] };
      // A person has looked: whoever changed the item since the plan is overwritten.
      if (row.action === 'update') move.payload = JSON.stringify(confirmedPayload(row));
      return move;
    }
    default:
      return { ordinal, to: 'skipped', issues: [{ code: 'skipped_by_rule', message: 'left out by hand' }] };
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
