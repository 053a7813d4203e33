/**
 * The zip around a workbook (OPC package, ECMA-376 part 2): parts by name, read as streams.
 *
 * The central directory is read first, so that shared strings and styles are known before a sheet is, and so that
 * a bomb is refused by its declared size before a byte of it is unpacked (yauzl holds each part to that size).
 */
import { Readable } from 'node:stream';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  openPromise,
  type RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { SheetError } from '../../base/errors.ts';
import { fileError, systemCode } from '../file-error.ts';
import { limitError, limits } from '../limits.ts';
import { byHand, message } from '../../messages/message.ts';

export interface Package {
  file: string;
  /** Part names as written, without a leading slash. */
  names: string[];
  has(name: string): boolean;
  /** The part's bytes. Names are compared without regard to case, as the format asks. */
  open(name: string): Promise<Readable>;
  close(): void;
  /** Opens a closed package again, without reading its directory again, which takes longer than reading a small part. */
  reopen: () => Promise<Package>;
}

/** Parts of a package by lower-case name, as its central directory lists them. */
type PackageDirectory = ReadonlyMap<string, { name: string; entry: Entry }>;

/** The bytes of a zip that is not simply a file. */
export interface PackageBytes {
  sizeBytes: number;
  /** A reader for one opening, which closes it. */
  reader(): RandomAccessReader;
}

/** The location of a package: its file, and its bytes if they are encrypted in that file. */
export interface PackageSource {
  file: string;
  bytes?: PackageBytes;
}

/** @throws SheetError for a zip that is cut off or damaged, and for part names that leave the package
 */
export function openPackage(source: PackageSource): Promise<Package> {
  return openWith(source, undefined);
}

async function openWith(source: PackageSource, known: PackageDirectory | undefined): Promise<Package> {
  const { file } = source;
  const zip = await openZip(source);
  try {
    const entries = known ?? (await readEntries(file, zip));
    return {
      file,
      names: [...entries.values()].map((part) => part.name),
      has: (name) => entries.has(key(name)),
      open: (name) => openPart(file, zip, entries.get(key(name))?.entry, name),
      close: () => zip.close(),
      reopen: () => openWith(source, entries),
    };
  } catch (cause) {
    zip.close();
    throw packageError(file, cause);
  }
}

function key(name: string): string {
  return name.toLowerCase();
}

async function openZip({ file, bytes }: PackageSource): Promise<ZipFile> {
  const reader = bytes?.reader();
  try {
    // Names are decoded here: yauzl refuses a whole file for a leading slash, which some programs write.
    const options = { autoClose: false, decodeStrings: false };
    if (bytes === undefined || reader === undefined) return await openPromise(file, options);
    return await fromRandomAccessReaderPromise(reader, bytes.sizeBytes, options);
  } catch (cause) {
    // yauzl closes the reader of a zip only once it has found a zip there.
    reader?.close(() => undefined);
    throw packageError(file, cause);
  }
}

async function readEntries(file: string, zip: ZipFile): Promise<Map<string, { name: string; entry: Entry }>> {
  if (zip.entryCount > limits.zipEntries) {
    throw tooManyParts(file);
  }
  const entries = new Map<string, { name: string; entry: Entry }>();
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileNameRaw.toString().replaceAll('\\', '/').replace(/^\/+/u, '');
    if (name.split('/').includes('..')) {
      throw new SheetError('bad_part_name', message('part_outside', { name }), {
        position: { file },
        actions: [byHand('do_not_open', {})],
      });
    }
    entries.set(key(name), { name, entry });
    if (entries.size > limits.zipEntries) {
      throw tooManyParts(file);
    }
  }
  return entries;
}

function tooManyParts(file: string): SheetError {
  return limitError('zip_entries', message('too_many_parts_in_zip', { most: limits.zipEntries }), file);
}

async function openPart(
  file: string,
  zip: ZipFile,
  entry: Entry | undefined,
  name: string,
): Promise<Readable> {
  if (entry === undefined) {
    throw new SheetError('not_a_workbook', message('part_missing', { name }), {
      position: { file },
      actions: [byHand('let_program_repair', {})],
    });
  }
  if (entry.isEncrypted()) {
    throw protectedZip(file);
  }
  checkSize(file, entry, name);
  try {
    return await zip.openReadStreamPromise(entry);
  } catch (cause) {
    throw packageError(file, cause);
  }
}

function checkSize(file: string, entry: Entry, name: string): void {
  const { uncompressedSize, compressedSize } = entry;
  if (uncompressedSize > limits.partBytes) {
    throw limitError(
      'part_size',
      message('part_too_large', {
        part: name,
        bytes: uncompressedSize,
        gigabytes: limits.partBytes / 1024 ** 3,
      }),
      file,
    );
  }
  if (uncompressedSize > limits.inflationFrom && uncompressedSize > compressedSize * limits.inflationRatio) {
    const ratio = Math.round(uncompressedSize / Math.max(1, compressedSize));
    throw limitError(
      'inflation',
      message('part_inflates', {
        part: name,
        times: ratio,
        bytes: uncompressedSize,
        most: limits.inflationRatio,
      }),
      file,
    );
  }
}

/**
 * Explains errors of yauzl, zlib and the system; errors of shelflift pass unchanged. yauzl throws plain errors without
 * codes, zlib errors with codes `Z_…`: both mean damage. A TypeError and the like would be a defect of shelflift.
 */
export function packageError(file: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || cause.name !== 'Error') return cause;
  const known = fileError(file, cause);
  if (known !== cause) return known;
  if (/encrypt/iu.test(cause.message)) return protectedZip(file, cause);
  const code = systemCode(cause);
  if (code !== undefined && !code.startsWith('Z_')) return cause;
  return new SheetError('truncated', message('zip_damaged', { file }), {
    cause,
    position: { file },
    actions: [byHand('download_again', {})],
  });
}

function protectedZip(file: string, cause?: unknown): SheetError {
  return new SheetError('password_protected', message('zip_has_password', { file }), {
    cause,
    position: { file },
    actions: [byHand('save_without_password', {})],
  });
}
