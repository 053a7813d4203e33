/**
 * `-` in place of a file: what comes on standard input is kept in a private file while a command reads it, because a
 * table is looked at before it is read. Once an import has staged its rows, the file is not needed any more.
 */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { STDIN_WORD } from './flags.ts';
import { ShelfliftError, UsageError } from '../errors.ts';
import { limits } from '../sheets/limits.ts';
import { removeStaleTempFiles, temporaryName } from '../sheets/stale-temp-files.ts';

/** What files and jobs of standard input are named after. */
export const STDIN_NAME = 'stdin';
const IN_MESSAGES = 'standard input';

/** @throws UsageError for `-` more than once */
export function readsStdin(files: readonly string[]): boolean {
  const times = files.filter((file) => file === STDIN_WORD).length;
  if (times > 1) throw new UsageError('bad_choice', '- is given twice, but there is one standard input.');
  return times === 1;
}

/**
 * Gives `work` the path of the file; for `-` that of a copy of standard input, which is removed afterwards. Errors then
 * speak of standard input.
 */
export async function withInput<T>(
  file: string,
  work: (path: string) => Promise<T>,
  options: { signal?: AbortSignal; say?: (text: string) => void } = {},
): Promise<T> {
  if (file !== STDIN_WORD) return work(file);
  const folder = tmpdir();
  await removeStaleTempFiles(folder, STDIN_NAME);
  const path = join(folder, temporaryName(STDIN_NAME));
  try {
    if (process.stdin.isTTY) options.say?.(`Paste the table, then press ${endKey()} on a new line.`);
    await spool(process.stdin, path, options.signal);
    return await work(path);
  } catch (error) {
    throw inWordsOfStdin(error, path);
  } finally {
    await rm(path, { force: true });
  }
}

function endKey(): string {
  return process.platform === 'win32' ? 'Ctrl-Z and Enter' : 'Ctrl-D';
}

async function spool(input: Readable, path: string, signal: AbortSignal | undefined): Promise<void> {
  let bytes = 0;
  await pipeline(
    input,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > limits.stdinBytes) throw tooLong();
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    ...(signal === undefined ? [] : [{ signal }]),
  );
}

function tooLong(): UsageError {
  const found = `Standard input is longer than ${limits.stdinBytes / 1024 ** 3} GB.`;
  return new UsageError('limit_stdin_size', found, {
    remedy: 'Save it as a file, and give the name of the file.',
  });
}

/** The error with other words for the file; any other error as it is. */
function inWordsOfStdin(error: unknown, path: string): unknown {
  if (!(error instanceof ShelfliftError)) return error;
  const renamed = (text: string) =>
    text
      .replaceAll(path, (_, at: number) => (/shelflift [^.;]*$/u.test(text.slice(0, at)) ? '-' : IN_MESSAGES))
      .replace(/^s(?=tandard input)/u, 'S');
  const { code, message, cause, position, remedy } = error;
  const Same = error.constructor as typeof ShelfliftError;
  return new Same(code, renamed(message), {
    cause,
    ...(position === undefined
      ? {}
      : { position: { ...position, ...(position.file === path ? { file: IN_MESSAGES } : {}) } }),
    ...(remedy === undefined ? {} : { remedy: renamed(remedy) }),
  });
}
