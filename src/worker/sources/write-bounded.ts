import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { openAtomicFile } from '../../sheets/atomic-file.ts';

/**
 * Writes arriving bytes to a file, which is either complete or absent.
 *
 * @param where name of the source, for the error
 * @returns the SHA-256 of its content as lower-case hex
 * @throws UsageError `remote_refused` after more than `maxBytes`
 */
export async function writeBounded(
  chunks: AsyncIterable<unknown>,
  to: string,
  maxBytes: number,
  where: string,
): Promise<string> {
  const written = await openAtomicFile(to, 0o600);
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      bytes += (chunk as Buffer).length;
      if (bytes > maxBytes)
        throw new UsageError(
          'remote_refused',
          message('source_too_large', { source: where, megabytes: Math.floor(maxBytes / 1024 / 1024) }),
        );
      await written.write(chunk as Buffer);
    }
    return (await written.commit()).sha256;
  } finally {
    await written.abort();
  }
}
