/**
 * `set`: the same change to many items. The items are those that a file names by id or by another key, or those of a
 * selection. Once they are staged, it is an update like any other.
 */
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { ITEM_STATUSES } from '../../api/schemas.ts';
import { untilProven } from '../../listing/every-item.ts';
import { UsageError } from '../../errors.ts';
import type { JobRecord, JobSource, NewJob } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';
import { newJobId } from '../job/job-id.ts';
import type { ImportRequest, RunOptions, SetOptions } from '../job/options.ts';
import { retryThroughOutage } from '../job/circuit.ts';
import { checkFolder } from '../job/check-folder.ts';
import { type Assignments, parseAssignments } from './assignments.ts';
import { stageFrom } from './stage-from.ts';
import { openIds, stageIds } from './stage-ids.ts';
import { type Selection, stageSelected } from './stage-selected.ts';
import { dashed } from '../../option.ts';
import type { JobPlan, JobRequest } from '../../ledger/job-parts.ts';

/** Options that only `--from` has. */
const FILE_OPTIONS = ['match', 'sheet', 'headerRow', 'delimiter', 'encoding', 'decimal'] as const;

/** The request of `shelflift set`, as the library takes it. */
export interface SetRequest
  extends Omit<z.infer<typeof SetOptions>, 'status'>,
    Selection,
    Pick<ImportRequest, 'knownAs' | 'isStdin'> {
  /**
   * `FIELD=VALUE`; `<clear>` empties; `tags+=VALUE` and `tags-=VALUE` add and remove. With `from`, `FIELD=@COLUMN` takes
   * the values of a column.
   */
  changes: readonly string[];
  run?: RunOptions;
}

/**
 * Reads the items to change into a new job.
 *
 * @throws SheetError, UsageError: no job is left then
 */
export async function stageSet(request: SetRequest, deps: JobDeps): Promise<JobRecord> {
  const { idsFrom, from, run = {} } = request;
  const assignments = parseAssignments(request.changes, request);
  checkChoice(request);
  if (from !== undefined) {
    return stageFrom({ ...request, from }, assignments, requestText(request), deps);
  }
  const folder = idsFrom === undefined ? '.' : dirname(resolve(idsFrom));
  const outDir = resolve(request.outDir ?? folder);
  await checkFolder(outDir);
  const { target } = deps.client;
  let job: JobRecord;
  if (idsFrom === undefined) {
    const stage = (jobId: string) => stageSelected(jobId, request, assignments, deps);
    // Each attempt at the list is a job of its own: half a list leaves nothing behind.
    const attempt = () => staged(newSet(request, assignments, outDir, target), deps, stage);
    job = await untilProven(() => retryThroughOutage(deps, run, attempt));
  } else {
    const ids = await openIds(idsFrom, deps);
    job = await staged(newSet(request, assignments, outDir, target, ids.source), deps, async (jobId) => ({
      rows: await stageIds(jobId, ids, assignments, deps),
    }));
  }
  if (job.sheetRows === 0)
    deps.emit({ type: 'warning', message: 'No item matches: there is nothing to change.' });
  return job;
}

/** What the read of the list has shown of the items. */
type Staged = { rows: number } & Pick<JobPlan, 'teamCollections' | 'reading'>;

async function staged(
  job: NewJob,
  deps: JobDeps,
  stage: (jobId: string) => Promise<Staged>,
): Promise<JobRecord> {
  const { ledger } = deps;
  await ledger.jobs.create(job);
  try {
    const { rows, ...seen } = await stage(job.id);
    await ledger.jobs.finishStaging(job.id, { sheetRows: rows, plan: { ...job.plan, ...seen } });
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
    // Not a real file: it names the results.
    file: resolve(outDir, 'set.csv'),
    format: 'none',
    headers: ['id', 'name'],
    letters: ['A', 'B'],
    sha256: '',
  },
): NewJob {
  const asked: JobRequest = {
    match: ['id'],
    skipInvalid: request.run?.skipInvalid === true,
    force: false,
    noSettle: false,
    outDir,
    mappingHash: createHash('sha256').update(JSON.stringify(assignments)).digest('hex'),
    text: requestText(request),
  };
  return {
    id: newJobId(),
    kind: 'set',
    mode: 'update',
    dryRun: request.dryRun === true,
    apiUrl,
    source,
    request: asked,
    plan: { noCollectionColumn: true, ownExport: false },
    collections: {},
    sheetRows: 0,
  };
}

/** The request as written on the command line. */
function requestText(request: SetRequest): string {
  const {
    changes,
    idsFrom,
    from,
    knownAs = from,
    match,
    status,
    collection,
    where,
    round,
    currency,
  } = request;
  const choice = [
    ...(idsFrom === undefined ? [] : [`--ids-from ${idsFrom}`]),
    ...(knownAs === undefined ? [] : [`--from ${knownAs}`]),
    ...(match === undefined ? [] : [`--match ${match.join(',')}`]),
    ...(status ?? []).map((each) => `--status ${each}`),
    ...(collection === undefined ? [] : [`--collection ${collection}`]),
    ...[where ?? []].flat().map((each) => `--where '${each}'`),
    ...(round === undefined ? [] : [`--round ${round}`]),
    ...(currency === undefined ? [] : [`--currency ${currency}`]),
  ];
  return [...changes, ...choice].join(' ');
}

function checkChoice(request: SetRequest): void {
  const { idsFrom, from, status = [], collection, where, changes } = request;
  if (changes.length === 0) {
    throw new UsageError('bad_pair', 'There is nothing to change.', { remedy: 'For example: status=sold' });
  }
  const unknown = status.find((each) => !ITEM_STATUSES.includes(each));
  if (unknown !== undefined) {
    throw new UsageError('unknown_status', `--status is "${unknown}"; expected ${ITEM_STATUSES.join(', ')}.`);
  }
  const chosen = status.length > 0 || collection !== undefined || where !== undefined;
  if (idsFrom !== undefined && from !== undefined)
    throw new UsageError('bad_choice', '--ids-from and --from both name the items.', {
      remedy: 'Give one of them. To find items by id: --from FILE --match id=COLUMN',
    });
  const list = idsFrom === undefined ? '--from' : '--ids-from';
  if ((idsFrom ?? from) !== undefined && chosen) {
    throw new UsageError(
      'bad_choice',
      `${list} already names the items: it cannot be combined with --status, --collection or --where.`,
    );
  }
  const ofFile = FILE_OPTIONS.find((option) => request[option] !== undefined);
  if (from === undefined && ofFile !== undefined)
    throw new UsageError('bad_choice', `--${dashed(ofFile)} says how a file is read, and belongs to --from.`);
  if ((idsFrom ?? from) === undefined && !chosen) {
    throw new UsageError('bad_choice', 'No items are named: every item of the team would be changed.', {
      remedy:
        'Name them: --from FILE, --ids-from FILE, or --status STATUS, --collection NAME, or --where EXPRESSION.',
    });
  }
}
