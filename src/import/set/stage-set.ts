/**
 * `set`: the same change to many items. A file names the items by id or by another key, or a selection chooses them.
 * Once they are staged, the job is an ordinary update.
 */
import { message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import { warningOf } from '../job/events.ts';
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { ITEM_STATUSES } from '../../api/schemas.ts';
import { untilProven } from '../../listing/every-item.ts';
import { UsageError } from '../../base/errors.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';
import { newItemsJob, writeJob } from '../job/new-job.ts';
import { type ImportRequest, keptOf, type RunOptions, type SetOptions } from '../job/options.ts';
import { retryThroughOutage } from '../job/circuit.ts';
import { checkFolder } from '../job/check-folder.ts';
import { changeText, type FieldValue, parseAssignments } from './assignments.ts';
import { stageFrom } from './stage-from.ts';
import { openIds, stageIds } from './stage-ids.ts';
import { type Selection, stageSelected } from './stage-selected.ts';
import { dashed } from '../../base/option.ts';

/** Options that are allowed only with `--from`. */
const FILE_OPTIONS = ['match', 'sheet', 'headerRow', 'delimiter', 'encoding', 'decimal'] as const;

/** The request of `shelflift set`, as programs pass it. */
export interface SetRequest
  extends Omit<z.infer<typeof SetOptions>, 'status'>,
    Selection,
    Pick<ImportRequest, 'knownAs' | 'isStdin' | 'noFiles'> {
  /**
   * `FIELD=VALUE`; `<clear>` empties; `tags+=VALUE` and `tags-=VALUE` add and remove. With `from`, `FIELD=@COLUMN` takes
   * the values of a column.
   */
  changes: readonly (string | FieldValue)[];
  run?: RunOptions;
}

/**
 * Reads the items to change into a new job.
 *
 * @throws SheetError, UsageError: then there is no job
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
  const ids = idsFrom === undefined ? undefined : await openIds(idsFrom, deps);
  const write = () => {
    const newJob = newItemsJob(
      {
        kind: 'set',
        dryRun: request.dryRun,
        apiUrl: deps.client.target,
        source: ids?.source ?? {
          // Not a real file: it names the results.
          file: resolve(outDir, 'set.csv'),
          format: 'none',
          headers: ['id', 'name'],
          letters: ['A', 'B'],
          sha256: '',
        },
      },
      {
        skipInvalid: run.skipInvalid === true,
        noSettle: false,
        outDir,
        ...(request.noFiles === true ? { noFiles: true } : {}),
        mappingHash: createHash('sha256').update(JSON.stringify(assignments)).digest('hex'),
        text: requestText(request),
        ...keptOf(run),
      },
    );
    return writeJob(newJob, deps.ledger, async () => {
      if (ids !== undefined) return { sheetRows: await stageIds(newJob.id, ids, assignments, deps) };
      const { rows, ...seen } = await stageSelected(newJob.id, request, assignments, deps);
      return { sheetRows: rows, plan: { ...newJob.plan, ...seen } };
    });
  };
  // Each attempt at the list is a job of its own: half a list leaves nothing behind.
  const job = await (ids === undefined ? untilProven(() => retryThroughOutage(deps, run, write)) : write());
  if (job.sheetRows === 0) deps.emit(warningOf(message('no_item_matches', {})));
  return job;
}

/** The request in one line, for display. */
function requestText(request: SetRequest): string {
  const { changes, idsFrom, from, knownAs = from, match, status, collection, round, currency } = request;
  const where = [request.where ?? []].flat().map((each) => `'${each}'`);
  const options = {
    idsFrom,
    from: knownAs,
    match: match?.join(','),
    status,
    collection,
    where,
    round,
    currency,
  };
  const choice = Object.entries(options).flatMap(([option, value]) =>
    [value ?? []].flat().map((each) => `${dashed(option)} ${each}`),
  );
  return [...changes.map(changeText), ...choice].join(', ');
}

function checkChoice(request: SetRequest): void {
  const { idsFrom, from, status = [], collection, where, changes } = request;
  if (changes.length === 0) {
    const label = message('example_change', { text: 'status=sold' });
    throw new UsageError('bad_pair', message('nothing_to_change', {}, { do: 'byHand', label }));
  }
  const unknown = status.find((each) => !ITEM_STATUSES.includes(each));
  if (unknown !== undefined) {
    throw new UsageError(
      'unknown_status',
      message('unknown_status', { word: unknown, known: ITEM_STATUSES }),
    );
  }
  const chosen = status.length > 0 || collection !== undefined || where !== undefined;
  if (idsFrom !== undefined && from !== undefined)
    throw new UsageError(
      'bad_choice',
      message(
        'two_lists',
        {},
        { do: 'byHand', label: message('give_one', {}) },
        { do: 'setOption', option: 'match', value: 'id=COLUMN', label: message('to_find_by_id', {}) },
      ),
    );
  if ((idsFrom ?? from) !== undefined && chosen) {
    throw new UsageError('bad_choice', message('list_and_selection', {}));
  }
  const ofFile = FILE_OPTIONS.find((option) => request[option] !== undefined);
  if (from === undefined && ofFile !== undefined)
    throw new UsageError('bad_choice', message('option_without_file', { option: dashed(ofFile) }));
  if ((idsFrom ?? from) === undefined && !chosen) {
    const way = (option: string, value: string, label: Message): Action => ({
      do: 'setOption',
      option,
      value,
      label,
    });
    throw new UsageError(
      'bad_choice',
      message(
        'no_items_named',
        {},
        way('from', 'FILE', message('to_choose_by_file', {})),
        way('ids-from', 'FILE', message('to_choose_by_list', {})),
        way('status', 'STATUS', message('to_choose_by_status', {})),
        way('collection', 'NAME', message('to_choose_by_collection', {})),
        way('where', 'EXPRESSION', message('to_choose_by_where', {})),
      ),
    );
  }
}
