/**
 * `set`: the same change to many items, without a spreadsheet. The items are those whose ids a file lists, or
 * those of a status or collection. From here on it is an update like any other.
 */
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { ITEM_STATUSES } from '../../api/schemas.ts';
import { untilProven } from '../../listing/every-item.ts';
import { UsageError } from '../../errors.ts';
import type { JobRecord, JobSource, NewJob } from '../../ledger/ledger.ts';
import { ReadTimes } from '../plan/read-times.ts';
import type { ImportDeps } from '../deps.ts';
import { interruptedOr } from '../interrupted.ts';
import { newJobId } from '../jobs/job-id.ts';
import type { RunOptions } from '../options.ts';
import { outlast } from '../write/outlast.ts';
import { checkFolder } from '../request-checks.ts';
import { checkPlanFile } from '../review/write-plan.ts';
import { runStaged } from '../run-staged.ts';
import type { JobOutcome } from '../results/summary.ts';
import { type Assignments, parseAssignments } from './assignments.ts';
import { openIds, stageIds } from './stage-ids.ts';
import { type Selection, stageSelected } from './stage-selected.ts';
import type { ItemLookup, JobOptions } from '../../ledger/job-options.ts';

/** The request of `shelflift set`, as the library takes it. */
export interface SetRequest extends Selection {
  /** `FIELD=VALUE`; `<clear>` empties; `tags+=VALUE` and `tags-=VALUE` add and take away. */
  changes: readonly string[];
  /** CSV, XLSX or plain list of item ids. */
  idsFrom?: string;
  /** Only make the plan; `applyJob` sends it. */
  dryRun?: boolean;
  /** Folder for results and rejects; beside the list of ids, or the working folder. */
  outDir?: string;
  run?: RunOptions;
}

/**
 * Changes items, only where they differ from what is asked for.
 *
 * @throws UsageError, SheetError when nothing was sent and no job was made
 */
export async function setItems(request: SetRequest, given: ImportDeps): Promise<JobOutcome> {
  const deps = { readTimes: new ReadTimes(), ...given };
  const { ledger, client, signal } = deps;
  const assignments = parseAssignments(request.changes);
  checkChoice(request);
  if (request.run?.plan !== undefined) checkPlanFile(request.run.plan, request.idsFrom);
  const folder = request.idsFrom === undefined ? '.' : dirname(resolve(request.idsFrom));
  const outDir = resolve(request.outDir ?? folder);
  const run = request.run ?? {};
  let job: JobRecord;
  try {
    await checkFolder(outDir);
    const { idsFrom } = request;
    if (idsFrom === undefined) {
      // Each try of reading the list is a job of its own: half a list leaves nothing behind.
      job = await untilProven(() =>
        outlast(deps, run, () =>
          staged(newSet(request, assignments, outDir, client.target), deps, (jobId) =>
            stageSelected(jobId, request, assignments, deps),
          ),
        ),
      );
    } else {
      const ids = await openIds(idsFrom, signal);
      const list = newSet(request, assignments, outDir, client.target, ids.source);
      job = await staged(list, deps, async (jobId) => ({
        rows: await stageIds(jobId, ids, assignments, deps),
      }));
    }
  } catch (error) {
    throw interruptedOr(error, signal);
  }
  if (job.sheetRows === 0)
    deps.emit({ type: 'warning', message: 'no item fits: there is nothing to change' });
  return runStaged(await ledger.jobs.find(job.id), deps, run);
}

interface Staged {
  rows: number;
  /** Ids of collections that items were seen in, where they were. */
  teamCollections?: string[];
  reading?: ItemLookup;
}

async function staged(
  job: NewJob,
  deps: ImportDeps,
  stage: (jobId: string) => Promise<Staged>,
): Promise<JobRecord> {
  const { ledger } = deps;
  await ledger.jobs.create(job);
  try {
    const { rows, ...seen } = await stage(job.id);
    await ledger.jobs.finishStaging(job.id, { sheetRows: rows, options: { ...job.options, ...seen } });
  } catch (error) {
    await ledger.jobs.discard(job.id);
    throw error;
  }
  return ledger.jobs.find(job.id);
}

function newSet(
  request: SetRequest,
  assignments: Assignments,
  outDir: string,
  apiUrl: string,
  source: JobSource = {
    // No file: what the results file is called.
    file: resolve(outDir, 'set.csv'),
    format: 'none',
    headers: ['id', 'name'],
    letters: ['A', 'B'],
    sha256: '',
  },
): NewJob {
  const options: JobOptions = {
    match: ['id'],
    noCollectionColumn: true,
    skipInvalid: request.run?.skipInvalid === true,
    force: false,
    ownExport: false,
    noSettle: false,
    outDir,
    mappingHash: createHash('sha256').update(JSON.stringify(assignments)).digest('hex'),
    escapedSource: false,
    request: requestText(request),
  };
  return {
    id: newJobId(),
    kind: 'set',
    mode: 'update',
    dryRun: request.dryRun === true,
    apiUrl,
    source,
    options,
    collections: {},
    sheetRows: 0,
  };
}

/** What was asked for, in the words of the command line. */
function requestText({ changes, idsFrom, status, collection }: SetRequest): string {
  const choice = [
    ...(idsFrom === undefined ? [] : [`--ids-from ${idsFrom}`]),
    ...(status ?? []).map((each) => `--status ${each}`),
    ...(collection === undefined ? [] : [`--collection ${collection}`]),
  ];
  return [...changes, ...choice].join(' ');
}

function checkChoice({ idsFrom, status = [], collection, changes }: SetRequest): void {
  if (changes.length === 0) {
    throw new UsageError('bad_pair', 'nothing is to be changed', { remedy: 'For example: status=sold' });
  }
  const unknown = status.find((each) => !ITEM_STATUSES.includes(each));
  if (unknown !== undefined) {
    throw new UsageError('unknown_status', `--status ${unknown}: expected ${ITEM_STATUSES.join(', ')}`);
  }
  const chosen = status.length > 0 || collection !== undefined;
  if (idsFrom !== undefined && chosen) {
    throw new UsageError(
      'bad_choice',
      '--ids-from names the items already: --status and --collection do not go with it',
    );
  }
  if (idsFrom === undefined && !chosen) {
    throw new UsageError('bad_choice', 'no items are named: every item of the team would be changed', {
      remedy: 'Name them: --ids-from FILE, or --status STATUS, or --collection NAME.',
    });
  }
}
