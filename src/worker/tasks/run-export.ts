/** A schedule's export: made once in the run's folder, and delivered from there. */
import { basename, dirname, join, resolve } from 'node:path';
import type { ApiClient } from '../../api/client.ts';
import { ExitCode } from '../../errors.ts';
import { exportResource } from '../../export/export.ts';
import type { ExportEvent } from '../../export/source.ts';
import type { ExportRequest } from '../../export/request.ts';
import { makeFolder } from '../../make-folder.ts';
import type { ExportTask } from '../config/task-options.ts';
import { fillPattern, type Period } from '../schedule/file-pattern.ts';
import { endOf, type RunEnd } from './end.ts';

export interface ExportSurroundings {
  client: ApiClient;
  signal: AbortSignal;
  period: Period;
  /** Where files are made that are delivered; undefined where `out` is the place itself. */
  workFolder: string | undefined;
  /** Where a relative `out` starts otherwise. */
  configFolder: string;
  onEvent: (event: ExportEvent) => void;
}

export interface MadeExport {
  /** As the configuration names it, dates filled in: may hold folders. */
  name: string;
  /** Absolute: the file first, then its manifest. */
  files: string[];
  sha256: string;
  rows: number;
}

/** @returns what was made, or how the run ended without it */
export async function runExport(
  task: ExportTask,
  around: ExportSurroundings,
): Promise<{ made: MadeExport } | { end: RunEnd }> {
  const { client, signal, period, workFolder, configFolder, onEvent } = around;
  const { export: resource = 'items', out: pattern = '', ...options } = task;
  const name = fillPattern(pattern, period);
  const out = workFolder === undefined ? resolve(configFolder, name) : join(workFolder, basename(name));
  try {
    makeFolder(dirname(out));
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const request = { resource, out, ...given } as ExportRequest;
    const summary = await exportResource(request, { client, signal, onEvent });
    if (summary.sha256 === null) {
      const error = {
        code: 'list_moved',
        message: 'the list moved while it was read, and requireStable keeps it from being written',
      };
      return { end: { kind: 'error', exitCode: ExitCode.rows, error } };
    }
    const files = [summary.file, ...(summary.manifest === null ? [] : [summary.manifest])];
    return { made: { name, files, sha256: summary.sha256, rows: summary.rows } };
  } catch (error) {
    return { end: endOf(error, signal.aborted) };
  }
}
