/** Where results and rejects may be written without taking anything away from anybody. */
import { lstat, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { checkFolderOf } from '../../sheets/atomic-file.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import type { Emit } from '../job/events.ts';

/** Where a file goes, and the name that it would have where nothing stood in its way. */
export interface OutputPath {
  path: string;
  wanted: string;
}

/**
 * The path for a file of this name; `keptPath` has the last word once it is written.
 *
 * Rejects are there to be mended: one that a person has changed stays where it is, and ours gets a number.
 * Results keep their name: what stands there and is not ours, or tells of rows that another job has sent while
 * this one has sent none, is kept aside under a name of its own.
 */
export async function outputPath(
  job: JobRecord,
  folder: string,
  name: string,
  kind: 'results' | 'rejects' | 'to_delete',
  ledger: Ledger,
  emit: Emit,
): Promise<OutputPath> {
  const wanted = join(folder, `${name}.csv`);
  await checkFolderOf(wanted);
  for (let count = 1; ; count += 1) {
    const path = count === 1 ? wanted : join(folder, `${name}-${count}.csv`);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return { path, wanted };
    if (found.isFile()) {
      const writer = await ledger.jobs.fileWriter(await hashFile(path));
      if (writer !== undefined && !(kind === 'results' && (await tellsMore(writer, job, ledger)))) {
        return { path, wanted };
      }
      if (kind === 'results') {
        const aside = join(
          folder,
          `${name}.kept-${found.mtime.toISOString().slice(0, 23).replaceAll(/[:T.]/g, '-')}.csv`,
        );
        await rename(path, aside);
        emit({ type: 'note', message: `${path} is not this job's, or was changed: it is kept as ${aside}` });
        return { path, wanted };
      }
    }
  }
}

/**
 * Once every row of a file is in, the rejects that an earlier import of it left are of no use any more. One that a
 * person has changed stays; what is removed can be written again from the job that wrote it.
 */
export async function removeStale(
  job: JobRecord,
  folder: string,
  name: string,
  ledger: Ledger,
  emit: Emit,
): Promise<void> {
  for (let count = 1; ; count += 1) {
    const path = join(folder, count === 1 ? `${name}.csv` : `${name}-${count}.csv`);
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) return;
    const writer = found.isFile() ? await ledger.jobs.fileWriter(await hashFile(path)) : undefined;
    const earlier = writer === undefined ? undefined : await jobOf(writer, ledger);
    if (earlier?.source.file !== job.source.file) continue;
    await rm(path);
    const again = `To write it again: shelflift jobs results ${earlier.id}`;
    emit({ type: 'note', message: `${path} was out of date and has been removed. ${again}` });
  }
}

/** True for the results of a job that has sent rows, where this one has sent none. */
async function tellsMore(writer: string, job: JobRecord, ledger: Ledger): Promise<boolean> {
  if (writer === job.id || (await hasSent(job.id, ledger))) return false;
  return hasSent(writer, ledger);
}

async function hasSent(jobId: string, ledger: Ledger): Promise<boolean> {
  return (await jobOf(jobId, ledger))?.firstSentAt !== undefined;
}

/** undefined for a job that was pruned. */
async function jobOf(jobId: string, ledger: Ledger): Promise<JobRecord | undefined> {
  return (await ledger.jobs.list()).find((each) => each.id === jobId);
}

/**
 * The path that a written file is left at. A file of the wanted name that this store did not know is one that another
 * store wrote, where it is the same to the byte: then that one is it.
 */
export async function keptPath({ path, wanted }: OutputPath, sha256: string, emit: Emit): Promise<string> {
  if (path === wanted) return path;
  if ((await hashFile(wanted)) === sha256) {
    await rm(path);
    return wanted;
  }
  const message = `${wanted} was changed by somebody, or written with another store, and stays as it is; this goes to ${path}`;
  emit({ type: 'note', message });
  return path;
}
