/**
 * Input that can be read only once, such as standard input, is kept in a private file while it is used,
 * because a table is examined before it is read. Once an import has staged its rows, the file is not
 * needed any more.
 */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ShelfliftError, UsageError } from '../base/errors.ts';
import { limits } from './limits.ts';
import { removeStaleTempFiles, temporaryName } from './stale-temp-files.ts';
import { byHand, message } from '../messages/message.ts';

/**
 * Gives `work` the path of a copy, which is removed afterwards. Errors then have `name` instead of the path.
 *
 * @param source.name of the input; its last part begins the name of the copy
 * @throws UsageError `limit_stdin_size`
 */
export async function withCopy<T>(
  input: Readable | AsyncIterable<Uint8Array>,
  source: { name: string; signal?: AbortSignal },
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = tmpdir();
  const stem = basename(source.name);
  await removeStaleTempFiles(folder, stem);
  const path = join(folder, temporaryName(stem));
  try {
    await copy(input, path, source);
    return await work(path);
  } catch (error) {
    throw named(error, path, source.name);
  } finally {
    await rm(path, { force: true });
  }
}

async function copy(
  input: Readable | AsyncIterable<Uint8Array>,
  path: string,
  { name, signal }: { name: string; signal?: AbortSignal },
): Promise<void> {
  let bytes = 0;
  await pipeline(
    input,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > limits.stdinBytes) throw tooLong(name);
        yield chunk;
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    ...(signal === undefined ? [] : [{ signal }]),
  );
}

function tooLong(file: string): UsageError {
  const said = message('input_too_long', { file, gigabytes: limits.stdinBytes / 1024 ** 3 });
  return new UsageError('limit_stdin_size', said, { actions: [byHand('save_input_as_file', {})] });
}

/** The error with `name` in place of the path; an error that is not of shelflift unchanged. */
function named(error: unknown, path: string, name: string): unknown {
  if (!(error instanceof ShelfliftError)) return error;
  const renamed = (text: string) => text.replaceAll(path, name);
  const { code, said, cause, position, actions } = error;
  const Same = error.constructor as typeof ShelfliftError;
  return new Same(code, inside(said, renamed), {
    cause,
    ...(position === undefined ? {} : { position: inside(position, renamed) }),
    // A command reads standard input by its name there.
    actions: inside(actions, (text) => (text === path ? '-' : renamed(text))),
  });
}

/** The same data, with other texts. */
function inside<T>(data: T, renamed: (text: string) => string): T {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' ? renamed(value) : value,
  ) as T;
}
