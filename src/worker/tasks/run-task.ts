/** A schedule's export or report: made once in the run's folder, and delivered from there. */
import { basename, dirname, join, resolve } from 'node:path';
import type { ApiClient } from '../../api/client.ts';
import { ExitCode } from '../../exit-code.ts';
import type { ToldChanges } from '../../export/changes/change-state.ts';
import { type ExportDeps, exportResource } from '../../export/export.ts';
import type { ExportEvent } from '../../export/read/source.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { makeFolder } from '../../make-folder.ts';
import { writeReportFile } from '../../reports/report.ts';
import type { Task } from '../config/task-options.ts';
import { fillPattern, type Period } from '../schedule/file-pattern.ts';
import { endOf, type RunEnd } from './end.ts';
import { templatePath } from './template-path.ts';

export interface TaskSurroundings {
  client: ApiClient;
  /** The run's id. */
  run: string;
  /** The store: what an interrupted export has read, what reports compare with. */
  values: KeyValues;
  signal: AbortSignal;
  period: Period;
  /** Where files are made that are delivered; undefined where `out` is the place itself. */
  workFolder: string | undefined;
  /** Where a relative `out` starts otherwise. */
  configFolder: string;
  onEvent: (event: ExportEvent) => void;
}

export interface MadeFile {
  /** As the configuration names it, dates filled in: may hold folders. */
  name: string;
  /** Absolute: the file first, then its manifest where it has one. */
  files: string[];
  sha256: string;
  rows: number;
  /** Of an export of changes: what the run settles when it ends. */
  told?: ToldChanges;
}

/** @returns what was made, or how the run ended without it */
export async function runTask(
  task: Task,
  around: TaskSurroundings,
): Promise<{ made: MadeFile } | { end: RunEnd }> {
  const { client, run, values, signal, period, workFolder, configFolder, onEvent } = around;
  const name = fillPattern(task.out ?? '', period);
  const out = workFolder === undefined ? resolve(configFolder, name) : join(workFolder, basename(name));
  try {
    makeFolder(dirname(out));
    const written = await write(task, out, configFolder, { client, run, values, signal, onEvent });
    if (written !== undefined) return { made: { name, ...written } };
    const message = 'the list moved while it was read, and requireStable keeps it from being written';
    return { end: { kind: 'error', exitCode: ExitCode.rows, error: { code: 'list_moved', message } } };
  } catch (error) {
    return { end: endOf(error, signal.aborted) };
  }
}

/** undefined where nothing was written because the list moved. */
async function write(
  task: Task,
  out: string,
  configFolder: string,
  deps: ExportDeps,
): Promise<Omit<MadeFile, 'name'> | undefined> {
  const { export: resource, report, template, ...options } = task;
  const given = {
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
    ...(template === undefined ? {} : { template: templatePath(template, configFolder) }),
    out,
  };
  if (report !== undefined) {
    const { file, rows, sha256 } = await writeReportFile({ ...given, report }, deps);
    return { files: [file], rows, sha256 };
  }
  const summary = await exportResource({ resource: resource ?? 'items', ...given }, deps);
  const { file, rows, sha256, manifest, told } = summary;
  if (sha256 === null) return undefined;
  const files = [file, ...(manifest === null ? [] : [manifest])];
  return { files, rows, sha256, ...(told === undefined ? {} : { told }) };
}
