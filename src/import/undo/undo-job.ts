/**
 * `jobs undo`: takes back what a job has written. It is a job itself, with a plan, a dry run, results and a ledger.
 *
 * settle what may have been written → a row for each item that the job wrote → plan → write, as any update
 */
import { basename, dirname, extname, join, resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { JobRecord, Ledger, LedgerRow, NewRow } from '../../ledger/ledger.ts';
import { fieldChanges } from '../changes/field-changes.ts';
import { checkTeam } from '../jobs/check-team.ts';
import type { ImportDeps } from '../deps.ts';
import { interruptedOr } from '../interrupted.ts';
import { newJobId } from '../jobs/job-id.ts';
import type { RunOptions } from '../options.ts';
import { outlast } from '../write/outlast.ts';
import { createBody, updatePayload, wasApplied } from '../write/payload.ts';
import { checkFolder } from '../request-checks.ts';
import { checkPlanFile } from '../review/write-plan.ts';
import { rowPages } from '../results/row-pages.ts';
import { runStaged } from '../run-staged.ts';
import { runsElsewhere, sendJob } from '../write/send.ts';
import type { JobOutcome } from '../results/summary.ts';
import type { UndoWish } from './undo-wish.ts';
import type { JobOptions } from '../../ledger/job-options.ts';

export interface UndoRequest {
  /** Only make the plan; `applyJob` sends it. */
  dryRun?: boolean;
  /** Folder for results and the list of items to delete; that of the job otherwise. */
  outDir?: string;
  run?: RunOptions;
}

/**
 * @param reference id of the job to take back, unique beginning of one, or `last`
 * @throws UsageError `cannot_undo` for a job that has sent nothing or whose before-images were pruned
 */
export async function undoJob(
  reference: string,
  deps: ImportDeps,
  request: UndoRequest = {},
): Promise<JobOutcome> {
  const { ledger, signal } = deps;
  const run = request.run ?? {};
  if (run.plan !== undefined) checkPlanFile(run.plan);
  const job = await ledger.jobs.find(reference);
  await checkUndoable(job, ledger);
  const runner = await ledger.lanes.runner(job.id);
  if (runner !== undefined) throw runsElsewhere(job, runner);
  try {
    await outlast(deps, run, () => checkTeam(job, deps));
    await settle(job, deps, run);
    const staged = await stageUndo(job, deps, request);
    return await runStaged(staged, deps, run);
  } catch (error) {
    throw interruptedOr(error, signal);
  }
}

async function checkUndoable(job: JobRecord, ledger: Ledger): Promise<void> {
  const { prunedAt } = job.options;
  if (job.firstSentAt === undefined) {
    // Whoever says `last` after a run that changed nothing means the one before it.
    const sent = (await ledger.jobs.list()).find((each) => each.firstSentAt !== undefined);
    throw new UsageError(
      'cannot_undo',
      `job ${job.id} has sent nothing: there is nothing to take back`,
      sent === undefined
        ? {}
        : {
            remedy: `The newest job that has sent anything is of ${sent.source.file}: shelflift jobs undo ${sent.id}`,
          },
    );
  }
  if (prunedAt !== undefined) {
    const when = new Date(prunedAt).toISOString().slice(0, 10);
    throw new UsageError('cannot_undo', `what the items of job ${job.id} were before was pruned on ${when}`);
  }
}

/** What may or may not have been applied is looked up first; nothing else of the job is sent. */
async function settle(job: JobRecord, deps: ImportDeps, run: RunOptions): Promise<void> {
  const counts = await deps.ledger.rows.counts(job.id);
  if (counts.unknown + counts.sending === 0) return;
  const { facts } = await sendJob(job, deps, { ...run, first: 0 });
  if (facts.error !== undefined) throw facts.error;
}

async function stageUndo(job: JobRecord, deps: ImportDeps, request: UndoRequest): Promise<JobRecord> {
  const { ledger, client } = deps;
  const of = job.options;
  const outDir = resolve(request.outDir ?? of.outDir);
  await checkFolder(outDir);
  const options: JobOptions = {
    match: ['id'],
    noCollectionColumn: true,
    skipInvalid: false,
    force: false,
    ownExport: false,
    noSettle: of.noSettle,
    outDir,
    mappingHash: '',
    escapedSource: false,
    request: `undo ${job.id}`,
    undoes: job.id,
    ...(request.run?.onDrift === undefined ? {} : { onDrift: request.run.onDrift }),
  };
  const id = newJobId();
  await ledger.jobs.create({
    id,
    kind: 'undo',
    mode: 'update',
    dryRun: request.dryRun === true,
    apiUrl: client.target,
    source: {
      file: undoFile(job),
      format: 'none',
      headers: ['id', 'taken_back'],
      letters: ['A', 'B'],
      sha256: job.id,
    },
    options,
    collections: {},
    sheetRows: 0,
  });
  try {
    let ordinal = 0;
    for await (const rows of rowPages(ledger, job.id, { states: ['done', 'held', 'skipped'] })) {
      const staged = rows.flatMap((row): NewRow[] => {
        const wish = wishOf(job, row, of);
        if (wish === undefined) return [];
        ordinal += 1;
        return [undoRow(ordinal, row, wish)];
      });
      await ledger.rows.stage(id, staged);
    }
    await ledger.jobs.finishStaging(id, { sheetRows: ordinal });
  } catch (error) {
    await ledger.jobs.discard(id);
    throw error;
  }
  return ledger.jobs.find(id);
}

/** How to take a row back; undefined where it has written nothing. */
function wishOf(job: JobRecord, row: LedgerRow, { stamp, learned }: JobOptions): UndoWish | undefined {
  if (row.itemId === null) return undefined;
  if (row.state !== 'done' && !wasApplied(row)) return undefined;
  if (row.action === 'create') {
    const body = createBody(job, row, stamp);
    const origin = `created by job ${job.id}, row ${row.sheetRow}`;
    return {
      kind: 'create',
      itemId: row.itemId,
      origin,
      body,
      ...(learned === undefined ? {} : { learned }),
    };
  }
  const changes = fieldChanges(updatePayload(row)).map(({ field, from, to }) => ({
    field,
    from: to,
    to: from,
  }));
  return { kind: 'update', itemId: row.itemId, changes };
}

function undoRow(ordinal: number, row: LedgerRow, wish: UndoWish): NewRow {
  const what = wish.kind === 'create' ? 'created' : wish.changes.map(({ field }) => field).join(', ');
  return {
    ordinal,
    sheetRow: row.sheetRow,
    copy: row.copy,
    state: 'planned',
    action: 'update',
    payload: JSON.stringify(wish),
    collection: null,
    itemId: null,
    source: JSON.stringify([wish.itemId, what]),
    issues: [],
    ...(row.sheet === undefined ? {} : { sheet: row.sheet }),
  };
}

/** No file: what the results are called, beside those of the job. */
function undoFile({ source: { file } }: JobRecord): string {
  return join(dirname(file), `${basename(file, extname(file))}.undo.csv`);
}
