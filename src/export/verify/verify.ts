/** Holds an export against the manifest beside it. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SheetError, UsageError } from '../../errors.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { openTables } from '../../sheets/open-table.ts';
import { Manifest, manifestPath } from './manifest.ts';
import { counted } from '../../counted.ts';

export interface Verification {
  /** Absolute paths. */
  file: string;
  manifest: string;
  /** True where the file is byte for byte what was written, with as many rows. */
  verified: boolean;
  /** What does not agree, a sentence each. */
  problems: string[];
  /** As found now; rows are null where the file cannot be read as a table any more. */
  sha256: string;
  bytes: number;
  rows: number | null;
  /** What the manifest says of the export. */
  expected: Manifest;
}

/**
 * Recomputes size, hash and number of rows.
 * @throws UsageError `no_manifest`, `bad_manifest`; SheetError where the file cannot be read
 */
export async function verifyExport(file: string): Promise<Verification> {
  const path = resolve(file);
  const sha256 = await hashFile(path);
  const expected = await readManifest(path);
  const { size: bytes } = await stat(path);
  const found = await countRows(path, expected);
  const rows = found === null ? null : found - (expected.totalsRows ?? 0);
  const problems: string[] = [];
  if (bytes !== expected.bytes) problems.push(`The file has ${bytes} bytes; ${expected.bytes} were written.`);
  if (sha256 !== expected.sha256) {
    problems.push(`The file was changed: its SHA-256 is ${sha256}, and was ${expected.sha256}.`);
  }
  if (rows === null) problems.push('The file cannot be read as a table.');
  else if (rows !== expected.rows)
    problems.push(`The file has ${counted(rows, 'row')}; the manifest says ${expected.rows}.`);
  return {
    file: path,
    manifest: manifestPath(path),
    verified: problems.length === 0,
    problems,
    sha256,
    bytes,
    rows,
    expected,
  };
}

/** @throws UsageError `no_manifest`, `bad_manifest` */
export async function readManifest(file: string): Promise<Manifest> {
  const path = manifestPath(file);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new UsageError('no_manifest', `There is no manifest ${path}.`, {
      cause,
      position: { file: path },
      remedy: 'Keep the manifest beside its file; without it there is nothing to hold the file against.',
    });
  }
  const parsed = Manifest.safeParse(asJson(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UsageError(
    'bad_manifest',
    `${path} is no manifest of an export: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
    { position: { file: path } },
  );
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Rows as a reader of tables finds them; null where it finds no table. */
async function countRows(file: string, { format, delimiter }: Manifest): Promise<number | null> {
  if (format === 'ndjson') return countLines(file);
  let rows = 0;
  try {
    const options =
      format === 'csv'
        ? { headerRow: 1, ...(delimiter === undefined ? {} : { delimiter }) }
        : { headerRow: 1, sheet: 'all' };
    for (const table of await openTables(file, options)) {
      for await (const batch of table.batches) rows += batch.length;
      // Ours are all data, whatever they look like to an import.
      rows += table.skipped.blank + table.skipped.repeatedHeader + table.skipped.totals;
    }
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    return error.code === 'no_rows' ? 0 : null;
  }
  return rows;
}

async function countLines(file: string): Promise<number> {
  let lines = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 0x0a) lines += 1;
  }
  return lines;
}
