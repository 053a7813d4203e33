/** `--out` replaces only files that shelflift wrote and that nobody has edited since. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { KeyValues } from '../ledger/key-values.ts';
import { byHand, message } from '../messages/message.ts';
import type { ActionOptions } from '../messages/params.ts';

export interface OutFlags {
  out?: string;
  overwrite?: boolean;
}

/** Absolute path → SHA-256 of the content written there, or WRITING during the write. */
const SPACE = 'written-files';
const WRITING = 'writing';

/**
 * Writes the file of `--out`, and stores its checksum.
 *
 * @throws UsageError `not_our_file` before anything is written, or if another command writes the file meanwhile
 */
export async function writeOut<T>(
  { out, overwrite = false }: OutFlags,
  values: KeyValues,
  write: () => Promise<T>,
): Promise<T> {
  if (out === undefined || out === '-' || (await isFile(out)) === false) return write();
  const file = resolve(out);
  const before = await values.get(SPACE, file);
  if (!overwrite && before !== WRITING) await checkReplaced(file, before);
  // A kill between the file and its checksum leaves a file that is ours.
  await values.put(SPACE, [{ key: file, value: WRITING }]);
  try {
    const written = await write();
    const sha256 = await hashOf(file);
    if (sha256 === undefined) await values.remove(SPACE, [file]);
    else await values.put(SPACE, [{ key: file, value: sha256 }]);
    return written;
  } catch (error) {
    // Another command that replaced the file has recorded its own checksum. Otherwise, an older file is as it was.
    if ((await values.get(SPACE, file)) !== WRITING) throw error;
    if (before === undefined) await values.remove(SPACE, [file]);
    else await values.put(SPACE, [{ key: file, value: before }]);
    throw error;
  }
}

async function checkReplaced(file: string, before: string | undefined): Promise<void> {
  const found = await hashOf(file);
  if (found === undefined || found === before) return;
  const exported = await exportedAs(file);
  if (found === exported) return;
  const code = before === undefined && exported === undefined ? 'file_not_ours' : 'file_edited';
  throw new UsageError('not_our_file', message(code, { file }), {
    actions: [
      byHand('choose_other_name', {}),
      { do: 'setOption', option: 'overwrite', label: message('to_replace_it', {}) },
    ],
  });
}

/** Checksum in the manifest of an export. */
async function exportedAs(file: string): Promise<string | undefined> {
  const { readManifest } = await import('../export/verify/verify.ts');
  try {
    return (await readManifest(file)).sha256;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

async function hashOf(file: string): Promise<string | undefined> {
  const { hashFile } = await import('../sheets/hash-file.ts');
  return (await isFile(file)) === true ? hashFile(file) : undefined;
}

/** undefined if nothing exists there; false for a pipe, a device or a folder. */
async function isFile(file: string): Promise<boolean | undefined> {
  return (await stat(file).catch(() => undefined))?.isFile();
}

/** The error for a command without an output. @param command its words @param options the missing options */
export function noOutput(command: string, options: ActionOptions): UsageError {
  return new UsageError('no_out', message('no_output_file', {}), {
    actions: [{ do: 'run', command, options, label: message('to_name_output', {}) }],
  });
}
