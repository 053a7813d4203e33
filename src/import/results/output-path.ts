/** Where results and rejects may be written without taking anything away from anybody. */
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import type { Emit } from '../events.ts';

/**
 * The path for a file of this name.
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
): Promise<string> {
  const wanted = join(folder, `${name}.csv`);
  for (let count = 1; ; count += 1) {
    const path = count === 1 ? wanted : join(folder, `${name}-${count}.csv`);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return told(path, wanted, emit);
    if (found.isFile()) {
      const writer = await ledger.fileWriter(await hashFile(path));
      if (writer !== undefined && !(kind === 'results' && (await tellsMore(writer, job, ledger)))) {
        return told(path, wanted, emit);
      }
      if (kind === 'results') {
        const aside = join(
          folder,
          `${name}.kept-${found.mtime.toISOString().slice(0, 23).replaceAll(/[:T.]/g, '-')}.csv`,
        );
        await rename(path, aside);
        emit({ type: 'note', message: `${path} is not this job's, or was changed: it is kept as ${aside}` });
        return path;
      }
    }
  }
}

/** True for the results of a job that has sent rows, where this one has sent none. */
async function tellsMore(writer: string, job: JobRecord, ledger: Ledger): Promise<boolean> {
  if (writer === job.id || (await hasSent(job.id, ledger))) return false;
  return hasSent(writer, ledger);
}

async function hasSent(jobId: string, ledger: Ledger): Promise<boolean> {
  const job = (await ledger.listJobs()).find((each) => each.id === jobId);
  return job?.firstSentAt !== undefined;
}

function told(path: string, wanted: string, emit: Emit): string {
  if (path !== wanted) {
    emit({
      type: 'note',
      message: `${wanted} was changed by somebody, or written with another store, and stays as it is; this goes to ${path}`,
    });
  }
  return path;
}
