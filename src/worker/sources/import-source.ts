/**
 * A scheduled import: fetches its file, and imports it if its content is new.
 *
 *   fetch ──▶ the same as last time: nothing new
 *     └─────▶ the run's file, in the spool ──▶ import, whose job has the run's id ──▶ remembered once it is done
 *
 * The file is kept with the run before its import begins: a run that is killed or retried goes on with the same file.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import type { Ledger } from '../../ledger/ledger.ts';
import { ExitCode } from '../../base/exit-code.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { message } from '../../messages/message.ts';
import { importOptionsOf, type SourceImport } from '../config/import-options.ts';
import { copyWhole } from '../copy-file.ts';
import { openTargetFolder } from '../delivery/target-folder.ts';
import { type ExecuteImportDeps, importFor } from '../execute-import.ts';
import type { QueueLease } from '../queue/queue.ts';
import type { Run } from '../queue/run.ts';
import type { Spool } from '../queue/spool.ts';
import { urlOf } from '../remote/https.ts';
import type { ConnectionContext } from '../remote/connection-context.ts';
import { fillPattern } from '../schedule/file-pattern.ts';
import { type RunEnd, runError } from '../tasks/end.ts';
import { isThere, requestOf } from '../tasks/run-import.ts';
import { describeSource, fetchSource } from './fetch-source.ts';
import { knownContent, rememberContent, settingsOf } from './known-content.ts';

/** Share of invalid rows from which an import counts as failed, unless the configuration sets one. */
const ALERT_SHARE = 0.5;
const ENDINGS = ['.csv', '.tsv', '.txt', '.xlsx', '.xls', '.ods', '.ndjson'];

interface Scheduled {
  schedule: string;
  source: SourceImport;
  /** ms since the epoch. */
  fire: number;
  timeZone: string;
  context: ConnectionContext;
}

/** @throws ShelfliftError as fetchSource, and errors of connections, the disk and the store */
export async function importSource(
  run: Run,
  scheduled: Scheduled,
  lease: QueueLease,
  stop: AbortSignal,
  deps: ExecuteImportDeps,
): Promise<RunEnd> {
  const { ledger, spool } = deps;
  const { source, schedule, context } = scheduled;
  let { fetched } = run;
  let kept = await keptOf(run, spool);
  // Once an import has read its file, it needs only the name.
  if (kept === undefined && (fetched === undefined || !(await isThere(ledger, run.id)))) {
    fetched = await fetchNew(run, scheduled, stop, deps);
    kept = await keptOf(run, spool);
  }
  if (fetched === undefined) {
    const error = runError('nothing_new', message('nothing_new', { source: describeSource(source) }));
    return { kind: 'done', exitCode: ExitCode.ok, rows: 0, files: [], error };
  }
  const outDir =
    (await openOutDir(source, context, ledger)) ?? dirname(join(spool.folder(run.id), fetched.name));
  const file = join(outDir, basename(fetched.name));
  makeFolder(outDir);
  if (kept !== undefined && kept !== file) await copyWhole(kept, file, stop);
  const end = await importFor(
    run,
    {
      ...requestOf(importOptionsOf(source), context.configFolder),
      jobId: run.id,
      file,
      knownAs: file,
      outDir,
      alertShare: source.alertShare ?? ALERT_SHARE,
      correction: message('correct_at_source', { source: describeSource(source) }),
    },
    lease,
    stop,
    deps,
  );
  if (end.kind === 'done') await rememberContent(ledger, schedule, fetched);
  return end;
}

async function openOutDir(
  { outDir }: SourceImport,
  { configFolder }: ConnectionContext,
  { values }: Ledger,
): Promise<string | undefined> {
  return outDir === undefined ? undefined : openTargetFolder({ folder: outDir }, configFolder, values);
}

async function keptOf({ id, fetched }: Run, spool: Spool): Promise<string | undefined> {
  return fetched === undefined ? undefined : spool.fetch(id, fetched.name);
}

/** @returns undefined if the content is not new */
async function fetchNew(
  run: Run,
  { schedule, source, fire, timeZone, context }: Scheduled,
  stop: AbortSignal,
  { ledger, spool, runs }: ExecuteImportDeps,
): Promise<Run['fetched']> {
  delete run.fetched;
  const settings = await settingsOf({ source, configFolder: context.configFolder }, ledger);
  const known = await knownContent(ledger, schedule, settings);
  const time = fillPattern('{{period.end:yyyy-MM-dd-HHmm}}', { start: fire, end: fire, timeZone });
  const ending = endingOf(source, context);
  const outDir = source.outDir === undefined ? undefined : resolve(context.configFolder, source.outDir);
  const isTaken = (name: string) => outDir !== undefined && existsSync(join(outDir, name));
  let wanted = `${schedule}-${time}${ending}`;
  // Another run of this minute keeps its file and results.
  for (let count = 2; isTaken(wanted); count += 1) wanted = `${schedule}-${time}-${count}${ending}`;
  const file = join(await spool.folderOfTry(run.id), wanted);
  const content = await fetchSource(source, file, { etag: known?.etag, context, signal: stop });
  if (content === undefined || content.sha256 === known?.sha256) return undefined;
  // While the folder is away, nobody knows its files.
  await openOutDir(source, context, ledger);
  const name = await spool.put(run.id, file);
  run.fetched = { name, ...content, settings };
  await runs.save(run);
  return run.fetched;
}

function endingOf(source: SourceImport, context: ConnectionContext): string {
  const path = source.sftp?.file ?? source.rclone ?? urlOf(source, context).pathname;
  const ending = extname(path).toLowerCase();
  return ENDINGS.includes(ending) ? ending : '';
}
