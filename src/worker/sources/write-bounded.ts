import { UsageError } from '../../errors.ts';
import { openAtomicFile } from '../../sheets/atomic-file.ts';

/**
 * Writes what arrives to a file, which is whole or not there.
 *
 * @param where what is read, for the error
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
          `${where} has more than ${Math.floor(maxBytes / 1024 / 1024)} MB.`,
        );
      await written.write(chunk as Buffer);
    }
    return (await written.commit()).sha256;
  } finally {
    await written.abort();
  }
}
