/** Archives the file of an ended run with its results, and records the new paths in its job. */
import { existsSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { issuesOf } from '../../import/results/issues.ts';
import { writeAgain } from '../../import/results/results.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { english, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { describeReason } from '../../mapping/issue-reasons.ts';
import { findEither } from '../queue/find-either.ts';
import { addWarning, type Run } from '../queue/run.ts';
import type { Runs } from '../queue/runs.ts';
import { adviceLines } from '../notify/advice.ts';
import { type RunEnd, type RunError, withName } from '../tasks/end.ts';
import { type Claimed, hasGrown } from './claimed.ts';
import { nameIn, archiveFile, type ArchiveFolder, targetOf } from './archive-file.ts';
import { templateAdvice } from '../../mapping/issue-actions.ts';

/**
 * Moves the file of a run to its archive folder. After a kill, the move is repeated with the same names.
 *
 * A file that has grown since it was read goes back to its folder, to be taken again: only its new rows are then sent.
 *
 * @param outDir the folder of the run's results
 * @param copy where the file was copied to be read; if absent, the file is archived even if it has changed since
 * @returns the end with the new paths; the file's path comes first if it was archived
 */
export async function archiveRun<End extends RunEnd>(
  run: Run,
  source: Claimed,
  { which, end, outDir, copy }: { which: ArchiveFolder; end: End; outDir: string; copy?: string },
  { runs, ledger }: { runs: Runs; ledger: Ledger },
): Promise<End & { files: string[] }> {
  const name = await nameIn(which, source, run.ending?.name);
  run.ending = { end, name };
  const applied = end.kind === 'done' && end.error?.code === 'already_applied';
  const job = applied ? undefined : await jobOf(run, end, ledger);
  const again = copy !== undefined && (await hasGrown(source, copy, job?.source.sha256));
  if (again) addWarning(run, message('file_grew', {}));
  await runs.save(run);
  const written = 'files' in end ? (end.files ?? []) : [];
  const outputs =
    job === undefined ? written : await resultsOf(job, [outDir, join(source.folder, which)], ledger);
  const error =
    end.error &&
    outputs.reduce<RunError>(
      (renamed, output) => withName(renamed, output, targetOf(output, source, which, name)),
      end.error,
    );
  const notes = {
    ...(end.kind !== 'done' && error !== undefined
      ? { '.error.txt': noteOf(error, await problemsOf(job, ledger), againFrom(source, error, job)) }
      : {}),
    ...(run.warnings === undefined ? {} : { '.warnings.txt': run.warnings.map(english).join('\n') }),
  };
  const files = await archiveFile(source, which, name, outputs, notes, again);
  if (job !== undefined) await tellJob(job, files, ledger);
  return { ...end, ...(error === undefined ? {} : { error }), files: again ? files.slice(1) : files };
}

/** Maximum number of reasons that a note names; the rejects file has all reasons. */
const REASONS_TOLD = 10;

/** The problems of rows that cannot be sent, and the template options that would solve them. */
async function problemsOf(job: JobRecord | undefined, ledger: Ledger): Promise<string[]> {
  const reasons = job === undefined ? [] : await issuesOf(job.id, ledger);
  return reasons.slice(0, REASONS_TOLD).flatMap((reason) => {
    const line = english(describeReason(reason).line);
    return [`- ${line}`, ...templateAdvice(reason).map(({ label }) => `  ${english(label)}`)];
  });
}

/**
 * The note next to a file. It suggests actions as sentences or keys of shelflift.yaml, because its reader
 * types no commands.
 */
function noteOf({ message: text, actions, remedy }: RunError, problems: string[], again?: Message): string {
  // `again` is about the whole file.
  const others = actions?.filter(({ label }) => !['correct_rows', 'correct_source'].includes(label.code));
  const advice = others === undefined ? [remedy ?? ''] : adviceLines(others, english);
  const lines = [text, ...problems, ...advice, again === undefined ? '' : english(again)];
  return lines.filter((line) => line !== '').join('\n');
}

/**
 * How the file can be imported from its folder. The unchanged file of a cancelled job is not imported again. Undefined
 * if only its rejects are left, which the error names.
 */
function againFrom(
  { folder }: Claimed,
  { code, actions = [] }: RunError,
  own?: JobRecord,
): Message | undefined {
  if (code === 'mostly_rejected') return undefined;
  const [earlier] = actions.flatMap((action) => (action.do === 'apply' ? [action.job] : []));
  const job = own?.state === 'cancelled' ? own.id : code === 'cancelled' ? earlier : undefined;
  return job === undefined
    ? message('to_import_from_folder', { folder })
    : message('to_import_rest_from_folder', { folder, job });
}

/** The job of the run; a file that could not be read has none. */
async function jobOf(run: Run, end: RunEnd, ledger: Ledger): Promise<JobRecord | undefined> {
  const { job } = await findEither(run.id, ledger);
  return 'job' in end && end.job !== undefined ? ledger.jobs.find(end.job) : job;
}

/**
 * Results and rejects, written now if a kill or an error prevented it.
 * @param folders the folder to write to, and the folder to which a killed run may have archived them
 */
async function resultsOf(job: JobRecord, folders: readonly string[], ledger: Ledger): Promise<string[]> {
  const written = ['results', 'rejects'].flatMap((kind) => job.files[kind]?.path ?? []);
  const isThere = (path: string) => folders.includes(dirname(path)) && existsSync(path);
  if (job.files['results'] !== undefined && written.every(isThere)) return written;
  return Object.values(await writeAgain(job, ledger, () => undefined, { outDir: folders[0] }));
}

/** Makes `jobs results` and `jobs resume` write beside the archived file. */
async function tellJob(
  { id }: JobRecord,
  [file = '', ...others]: readonly string[],
  ledger: Ledger,
): Promise<void> {
  const { files, request } = await ledger.jobs.find(id);
  const moved = Object.fromEntries(
    Object.entries(files).map(([kind, written]) => {
      const path = others.find((each) => each.endsWith(`.${kind}.csv`));
      return [kind, path === undefined ? written : { ...written, path }];
    }),
  );
  const where = { outDir: dirname(file), outName: parse(file).name };
  await ledger.jobs.update(id, { files: moved, request: { ...request, ...where } });
}
