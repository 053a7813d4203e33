/** Fetches the file of a scheduled import from its configured source. */
import { posix } from 'node:path';
import { PassThrough } from 'node:stream';
import { z } from 'zod';
import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { SftpFile } from '../config/remotes.ts';
import type { SourceImport } from '../config/import-options.ts';
import { caOf, describeAddress, openHttps, urlOf } from '../remote/https.ts';
import type { ConnectionContext } from '../remote/connection-context.ts';
import { rclone, rcloneOutput } from '../remote/rclone.ts';
import { withSftp } from '../remote/sftp.ts';
import { type Download, download } from './download.ts';
import { writeBounded } from './write-bounded.ts';

/** Larger than any table that people exchange: a million rows of CSV take about a fifth of this. */
const LARGEST_BYTES = 512 * 1024 * 1024;
const MAX_MS = 600_000;

/**
 * @param to path of the file to write
 * @param etag ETag of the known version
 * @returns undefined if the file has not changed
 * @throws ShelfliftError `remote_away` and errors of connections (outages), `remote_missing`, `remote_refused`
 */
export async function fetchSource(
  source: SourceImport,
  to: string,
  { etag, context, signal }: { etag: string | undefined; context: ConnectionContext; signal: AbortSignal },
): Promise<Download | undefined> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
  try {
    return await fetchFrom(source, to, etag, context, bounded);
  } catch (cause) {
    if (!bounded.aborted || signal.aborted) throw cause;
    const said = message('source_too_slow', { source: describeSource(source), minutes: MAX_MS / 60_000 });
    throw new ShelfliftError('remote_away', said, { cause });
  }
}

async function fetchFrom(
  source: SourceImport,
  to: string,
  etag: string | undefined,
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<Download | undefined> {
  if (source.sftp !== undefined) return { sha256: await fetchBySftp(source.sftp, to, context, signal) };
  if (source.rclone !== undefined) return { sha256: await fetchByRclone(source.rclone, to, context, signal) };
  const url = urlOf(source, context);
  const agent = openHttps({
    allowPrivate: source.allowPrivate === true,
    ...caOf(source, context),
  });
  try {
    const { redirects = [] } = source;
    return await download(url, to, { agent, redirects, etag, maxBytes: LARGEST_BYTES, signal });
  } finally {
    await agent.destroy();
  }
}

/** For people and logs. */
export function describeSource(source: SourceImport): string {
  if (source.sftp !== undefined) return `sftp ${posix.join(source.sftp.host, source.sftp.file)}`;
  if (source.rclone !== undefined) return `rclone ${source.rclone}`;
  return describeAddress(source);
}

async function fetchByRclone(
  from: string,
  to: string,
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<string> {
  const around = { context, signal };
  // `cat` would read all files of a folder, one after the other.
  if (isFolder(await rclone('lsjson', ['--stat'], [from], around), from))
    throw new UsageError('remote_refused', message('source_is_folder', { source: from }));
  return writeBounded(rcloneOutput('cat', [], [from], around), to, LARGEST_BYTES, from);
}

const Stat = z.looseObject({ IsDir: z.boolean().optional() }).nullable();

/**
 * @param told the output of `rclone lsjson --stat`
 * @throws UsageError `remote_refused`
 */
export function isFolder(told: string, from: string): boolean {
  let stat: unknown;
  try {
    stat = JSON.parse(told);
  } catch {
    // Handled below, like other JSON that describes no file.
  }
  const parsed = Stat.safeParse(stat);
  if (!parsed.success) throw new UsageError('remote_refused', message('source_unknown', { source: from }));
  return parsed.data?.IsDir === true;
}

async function fetchBySftp(
  server: SftpFile,
  to: string,
  context: ConnectionContext,
  signal: AbortSignal,
): Promise<string> {
  const where = `${server.host}:${server.file}`;
  return withSftp(server, context, signal, async (client) => {
    const kind = await client.exists(server.file);
    if (kind === false)
      throw new ShelfliftError('remote_missing', message('source_missing', { source: where }));
    if (kind === 'd') throw new UsageError('remote_refused', message('source_is_folder', { source: where }));
    const through = new PassThrough();
    const [sha256] = await Promise.all([
      writeBounded(through, to, LARGEST_BYTES, where),
      client.get(server.file, through).catch((error: unknown) => {
        through.destroy(error as Error);
        throw error;
      }),
    ]);
    return sha256;
  });
}
