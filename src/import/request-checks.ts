/** What a request says beyond its file, looked at before a row is read. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { UsageError } from '../errors.ts';
import { makeFolder } from '../make-folder.ts';
import type { OpenOptions } from '../sheets/table.ts';
import type { ImportRequest } from './options.ts';

/** Where the results will go, looked at before anything is sent that they would have to report. */
export async function checkFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder);
    await access(folder, constants.W_OK);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError('out_dir_unwritable', `the results cannot be written to ${folder}: ${why}`, {
      cause,
      remedy: 'Nothing was sent. Name a folder that you may write to: --out-dir DIR',
    });
  }
}

/** How the file is to be read. */
export function openOptions(request: ImportRequest, signal: AbortSignal): OpenOptions {
  const options: OpenOptions = { signal };
  if (request.sheet !== undefined) options.sheet = request.sheet;
  if (request.delimiter !== undefined) options.delimiter = request.delimiter;
  if (request.encoding !== undefined) options.encoding = request.encoding;
  if (request.decimal !== undefined) options.decimal = request.decimal;
  if (request.headerRow !== undefined) options.headerRow = request.headerRow;
  return options;
}

/** The custom field of `--stamp`, without its prefix. */
export function stampField(stamp: string): string {
  if (!stamp.startsWith('custom_fields.') || stamp.length === 'custom_fields.'.length) {
    throw new UsageError('bad_stamp', `--stamp is "${stamp}", expected custom_fields.NAME`);
  }
  return stamp.slice('custom_fields.'.length);
}
