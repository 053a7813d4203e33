/** Writes the file of a schedule's export or report, in the run's folder if it is to be delivered. */
import { basename, dirname, join, resolve } from 'node:path';
import type { ApiClient } from '../../api/client.ts';
import type { Clock } from '../../base/clock.ts';
import { ExitCode } from '../../base/exit-code.ts';
import type { ProposedChanges } from '../../export/changes/change-state.ts';
import type { ReadingPlace } from '../../export/keep/readings.ts';
import { monthBefore } from '../../export/keep/period.ts';
import { type ExportDeps, exportResource } from '../../export/export.ts';
import type { ExportEvent } from '../../export/read/source.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { message } from '../../messages/message.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { ListMovedError } from '../../listing/every-item.ts';
import { writeMonth } from '../../reports/month.ts';
import { writeReportFile } from '../../reports/report.ts';
import type { Task } from '../config/task-options.ts';
import { fillPattern, type Period } from '../schedule/file-pattern.ts';
import { endOf, type RunEnd, runError } from './end.ts';
import { templatePath } from './template-path.ts';
import { defined } from '../../base/defined.ts';

export interface TaskSurroundings {
  client: ApiClient;
  /** The run's id. */
  run: string;
  /** The store, with the pages of interrupted exports and the figures of earlier reports. */
  values: KeyValues;
  knownItems: NonNullable<ExportDeps['knownItems']>;
  isOpenRun: NonNullable<ExportDeps['isOpenRun']>;
  signal: AbortSignal;
  clock: Clock;
  period: Period;
  /** The folder for files to deliver; undefined if the file goes straight to `out`. */
  workFolder: string | undefined;
  /** The path of a file that goes straight to `out`, given the configured one. */
  placeOf: (path: string) => Promise<string>;
  /** Base of a relative `out` if there is no such folder. */
  configFolder: string;
  onEvent: (event: ExportEvent) => void;
}

export interface MadeFile {
  /** The configured name with its dates filled in; it may contain folders. */
  name: string;
  /** Absolute paths: the file first, then its manifest. */
  files: string[];
  sha256: string;
  rows: number;
  /** Rows that the export's layout left out. */
  leftOut?: number;
  /** Values that its totals lack. */
  notInTotals?: number;
  /** Cells left blank, because their texts are too long for XLSX. */
  leftBlank?: number;
  /** For an export of changes: the data that the run has to record when it ends. */
  told?: ProposedChanges;
  /** For a report that the next one is to be compared with: the same. */
  shown?: ReadingPlace;
}

/** @returns the files that were written, or the end of a run without files */
export async function runTask(
  task: Task,
  around: TaskSurroundings,
): Promise<{ made: MadeFile } | { end: RunEnd }> {
  const { period, workFolder, placeOf, configFolder, ...deps } = around;
  const name = fillPattern(task.out ?? '', period);
  try {
    const out =
      workFolder === undefined
        ? await placeOf(resolve(configFolder, name))
        : join(workFolder, basename(name));
    makeFolder(dirname(out));
    const written = await write(task, out, around, deps);
    if (written !== undefined) return { made: { name, ...written } };
    const error = runError('list_moved', message('list_moved_unwritten', {}));
    return { end: { kind: 'error', exitCode: ExitCode.rows, error } };
  } catch (error) {
    // The list may not change during the next try.
    const end = endOf(error, deps.signal.aborted);
    return {
      end: error instanceof ListMovedError && end.kind === 'failed' ? { ...end, kind: 'error' } : end,
    };
  }
}

/** @returns undefined if nothing was written because the list changed */
async function write(
  task: Task,
  out: string,
  { configFolder, period: { start, end, timeZone } }: TaskSurroundings,
  deps: ExportDeps,
): Promise<Omit<MadeFile, 'name'> | undefined> {
  const { export: resource, report, import: _source, template, period, asOf, ...options } = task;
  const filled = (pattern: string) => fillPattern(pattern, { start, end, timeZone });
  const given = {
    ...defined(options),
    ...(template === undefined ? {} : { template: templatePath(template, configFolder) }),
    out,
  };
  if (report === 'month') {
    const month = period === undefined ? monthBefore(end, timeZone) : filled(period);
    const { file, manifest, rows, sha256 } = await writeMonth({ ...given, month, timeZone }, deps);
    return { files: [file, manifest], rows, sha256 };
  }
  if (report !== undefined) {
    const when = {
      ...(period === undefined ? {} : { period: filled(period), timeZone }),
      ...(asOf === undefined ? {} : { asOf: filled(asOf), timeZone }),
    };
    const made = await writeReportFile({ ...given, ...when, report }, deps);
    const { file, manifest, rows, sha256, shown } = made;
    return { files: [file, manifest], rows, sha256, ...defined({ shown }) };
  }
  const zone = task.since === undefined ? {} : { timeZone };
  const summary = await exportResource({ resource: resource ?? 'items', ...given, ...zone }, deps);
  const { file, rows, leftOut, notInTotals, leftBlank, sha256, manifest, told } = summary;
  if (sha256 === null) return undefined;
  const files = [file, ...(manifest === null ? [] : [manifest])];
  return {
    files,
    rows,
    sha256,
    ...defined({ leftOut, notInTotals, leftBlank, told }),
  };
}
