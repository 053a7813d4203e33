/** The end of a dropped file: it leaves processing/ with what is to be told of it, and its job knows where to. */
import { dirname, parse } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Run } from '../queue/run.ts';
import type { Runs } from '../queue/runs.ts';
import type { RunEnd } from '../tasks/end.ts';
import { type Claimed, nameIn, putAway, type PutAwayFolder } from './put-away.ts';

/**
 * A kill anywhere in between does it again, with the same names.
 *
 * @param outputs results and rejects, where they were written
 * @returns the new paths: of the file first
 */
export async function putAwayRun(
  run: Run,
  source: Claimed,
  { which, end, outputs }: { which: PutAwayFolder; end: RunEnd; outputs: readonly string[] },
  { runs, ledger }: { runs: Runs; ledger: Ledger },
): Promise<string[]> {
  const notes = {
    ...(end.kind !== 'done' && end.error !== undefined
      ? { '.error.txt': [end.error.message, end.error.remedy ?? ''].join('\n').trim() }
      : {}),
    ...(run.warnings === undefined ? {} : { '.warnings.txt': run.warnings.join('\n') }),
  };
  const name = await nameIn(which, source, run.ending?.name);
  run.ending = { end, name };
  await runs.save(run);
  const moved = await putAway(source, which, name, outputs, notes);
  await tellJob(run.id, moved, ledger);
  return moved;
}

/** What is written about the job from now on is written beside its file (`jobs results`, `jobs resume`). */
async function tellJob(jobId: string, [file, ...others]: readonly string[], ledger: Ledger): Promise<void> {
  if (file === undefined) return;
  try {
    const job = await ledger.findJob(jobId);
    const files = Object.fromEntries(
      Object.entries(job.files).map(([kind, written]) => {
        const now = others.find((each) => each.endsWith(`.${kind}.csv`));
        return [kind, now === undefined ? written : { ...written, path: now }];
      }),
    );
    await ledger.updateJob(job.id, {
      files,
      options: { ...job.options, outDir: dirname(file), outName: parse(file).name },
    });
  } catch (error) {
    // A file that could not be read has no job.
    if (!(error instanceof UsageError) || error.code !== 'no_such_job') throw error;
  }
}
