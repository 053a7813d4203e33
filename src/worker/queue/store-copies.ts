/** Copies and backups of a store, with the files in its spool that queued runs need. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { isPostgresLocation } from '../../ledger/postgres/location.ts';
import { type BackupReport, backupStore } from '../../ledger/upkeep/backup-store.ts';
import { type CopyReport, copyStore } from '../../ledger/upkeep/copy-store.ts';
import type { Run } from './run.ts';
import { Runs } from './runs.ts';
import { Spool, spoolFolderOf, SPOOLED } from './spool.ts';

interface WithFiles {
  /** Submitted files that wait for their import, and exports that wait for their delivery. */
  waiting_files: number;
}

/** @throws the errors of copyStore, and file errors */
export async function copyWithSpool(from: string, to: string): Promise<CopyReport & WithFiles> {
  const report = await copyStore(from, to, { whileRunning: false });
  return { ...report, waiting_files: await copySpool(from, to) };
}

/** @throws the errors of backupStore, and file errors */
export async function backupWithSpool(location: string, file: string): Promise<BackupReport & WithFiles> {
  // A run that waits now may have ended, and its file be gone, when the store has been copied; the copy still needs it.
  const first = !isPostgresLocation(location) && existsSync(location) && !existsSync(file);
  if (first) await copySpool(location, file, location);
  try {
    const report = await backupStore(location, file);
    return { ...report, waiting_files: await copySpool(location, file) };
  } catch (error) {
    if (first) await rm(spoolFolderOf(file), { recursive: true, force: true });
    throw error;
  }
}

/** @param listed the store whose runs name the waiting files; default the copy, a snapshot */
async function copySpool(from: string, to: string, listed = to): Promise<number> {
  await using ledger = await openLedger(listed);
  if (isPostgresLocation(from) && isPostgresLocation(to)) return (await ledger.values.spaces(SPOOLED)).length;
  const fetched = await mkdtemp(join(tmpdir(), 'shelflift-'));
  try {
    const inStore = new Spool(fetched, ledger.values);
    // The pieces of files in a database were copied with everything else.
    const source = isPostgresLocation(from) ? inStore : new Spool(spoolFolderOf(from));
    const target = isPostgresLocation(to) ? inStore : new Spool(spoolFolderOf(to));
    let count = 0;
    for await (const run of new Runs(ledger).each()) {
      for (const name of namesOf(run)) {
        const file = (await wholeIn(target, run.id, name)) ?? (await wholeIn(source, run.id, name));
        if (file === undefined) continue;
        await target.put(run.id, file, name);
        count += 1;
      }
      // From now on the files beside the copy are read.
      if (source === inStore) await inStore.remove(run.id);
    }
    return count;
  } finally {
    await rm(fetched, { recursive: true, force: true });
  }
}

/**
 * The path of an undamaged file. A damaged file counts as missing: in both cases the run that needs it
 * fails.
 */
async function wholeIn(spool: Spool, runId: string, name: string): Promise<string | undefined> {
  return spool.fetch(runId, name).catch((error: unknown) => {
    if (error instanceof UsageError && error.code === 'spool_damaged') return undefined;
    throw error;
  });
}

/** All files that a run needs, even if the spool has lost them. */
function namesOf({ work, artefact, fetched }: Run): string[] {
  const source = work.kind === 'import' && 'spool' in work.source ? work.source : undefined;
  const names = [source?.name, source?.template, fetched?.name, ...(artefact?.files ?? [])];
  return names.filter((name) => name !== undefined);
}
