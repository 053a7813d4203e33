/** Chooses paths for results and rejects, so that no file of a person is overwritten. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { checkFolderOf } from '../../sheets/atomic-file.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import { type Emit, noteOf } from '../job/events.ts';
import { JOB_ID } from '../job/job-id.ts';

/** The path of a file, and its path if no other file were there. */
export interface OutputPath {
  path: string;
  wanted: string;
  /** The existing file of this name belongs to another job: a list of items to delete. */
  isOfOther?: true;
}

/**
 * The path for a file of this name; `keptPath` decides once it is written.
 *
 * People correct rejects files, so a changed rejects file stays, and the new one gets a number. Results files keep
 * their name: an existing file is renamed if shelflift did not write it, if it was changed, or if its job has sent rows
 * while this job has not.
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
  const others: Pick<OutputPath, 'isOfOther'> = {};
  for (let count = 1; ; count += 1) {
    const path = count === 1 ? wanted : join(folder, `${name}-${count}.csv`);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return { path, wanted, ...others };
    if (found.isFile()) {
      const writer = await ledger.jobs.fileWriter(await hashFile(path));
      // Each undo of a file has items of its own to delete.
      const isOfOther = kind === 'to_delete' && writer !== undefined && writer !== job.id;
      if (isOfOther) others.isOfOther = true;
      else if (writer !== undefined && !(kind === 'results' && (await tellsMore(writer, job, ledger)))) {
        return { path, wanted };
      }
      if (kind === 'results') {
        const aside = join(
          folder,
          `${name}.kept-${found.mtime.toISOString().slice(0, 23).replaceAll(/[:T.]/g, '-')}.csv`,
        );
        await rename(path, aside);
        emit(noteOf(message('results_kept_aside', { name: basename(path), aside })));
        return { path, wanted };
      }
    }
  }
}

/**
 * Removes the rejects of earlier imports of the file, once all of its rows are imported. A changed rejects file stays.
 * A removed file can be written again from its job.
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
    const again: Action = { do: 'results', job: earlier.id, label: message('to_write_it_again', {}) };
    emit(noteOf(message('rejects_removed', { path }, again)));
  }
}

/** True if the job that wrote the file has sent rows and this job has not. */
async function tellsMore(writer: string, job: JobRecord, ledger: Ledger): Promise<boolean> {
  if (writer === job.id || (await hasSent(job.id, ledger))) return false;
  return hasSent(writer, ledger);
}

async function hasSent(jobId: string, ledger: Ledger): Promise<boolean> {
  return (await jobOf(jobId, ledger))?.firstSentAt !== undefined;
}

/** Undefined if the job was pruned. */
async function jobOf(jobId: string, ledger: Ledger): Promise<JobRecord | undefined> {
  const [job] = await ledger.jobs.list(1, { ids: [jobId] });
  return job;
}

/**
 * The final path of a written file. If an existing file with the wanted name has the same content, another store wrote
 * it, and the new file replaces it.
 */
export async function keptPath({ path, wanted, isOfOther }: OutputPath, emit: Emit): Promise<string> {
  if (path === wanted) return path;
  if ((await hashWithoutJob(wanted)) === (await hashWithoutJob(path))) {
    await rename(path, wanted);
    return wanted;
  }
  emit(noteOf(message(isOfOther ? 'list_of_other_undo' : 'file_was_changed', { wanted, path })));
  return path;
}

/** Hash of a file's lines without the ids of jobs. */
async function hashWithoutJob(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const line of createInterface({ input: createReadStream(file) }))
    hash.update(`${line.replaceAll(JOB_ID, '')}\n`);
  return hash.digest('hex');
}
