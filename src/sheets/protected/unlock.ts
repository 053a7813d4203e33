/**
 * Workbooks that a password protects (MS-OFFCRYPTO 2.3.4): a zip, encrypted in a stream of a compound file.
 *
 * It is decrypted piece by piece while it is read; the decrypted content is never on the disk.
 */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { callbackify, promisify } from 'node:util';
import { RandomAccessReader } from 'yauzl';
import { SheetError } from '../../base/errors.ts';
import {
  type CompoundFile,
  damaged,
  readWholeStream,
  type StreamPlace,
  StreamReader,
} from '../compound-file.ts';
import type { FilePassword } from '../table.ts';
import type { PackageBytes } from '../workbook/package.ts';
import { readAgile } from './agile.ts';
import {
  type PackageCipher,
  type Protection,
  SEGMENT_BYTES,
  SIZE_BYTES,
  unknownProtection,
} from './protection.ts';
import { readStandard } from './standard.ts';
import { byHand, message } from '../../messages/message.ts';

/** The description of the encryption is a few kB; a certificate in it makes it larger. */
const INFO_BYTES = 1024 * 1024;
/**
 * Excel opens a file that is encrypted with this password without asking (MS-OFFCRYPTO 2.4.2.3): such a file is merely
 * marked as read-only.
 */
const DEFAULT_PASSWORD = 'VelvetSweatshop';
/** Encrypted data is padded to whole blocks. */
const BLOCK_BYTES = 16;
/** The last record of a zip, without its comment. */
const ZIP_END_BYTES = 22;
/** Segments that are read and decrypted together. */
const PIECE_SEGMENTS = 16;

/**
 * The zip inside.
 *
 * @param ask undefined if nobody can be asked
 * @throws SheetError `password_protected` without a password, `wrong_password`, `unknown_protection`,
 *   `damaged_workbook`, `limit_spin_count`
 */
export async function unlockPackage(
  file: string,
  compound: CompoundFile,
  encrypted: StreamPlace,
  ask: FilePassword | undefined,
): Promise<PackageBytes> {
  const protection = await readProtection(file, compound);
  const cipher = await unlock(file, protection, ask);
  const head = Buffer.alloc(SIZE_BYTES);
  const reader = await StreamReader.open(encrypted);
  try {
    await reader.read(head, 0);
  } finally {
    await reader.close();
  }
  const sizeBytes = Number(head.readBigUInt64LE());
  // A stream that is longer than its package was filled up after it was signed.
  const signed = Math.min(encrypted.sizeBytes, SIZE_BYTES + Math.ceil(sizeBytes / BLOCK_BYTES) * BLOCK_BYTES);
  const isIntact =
    (await cipher.isIntact(encrypted)) || (await cipher.isIntact({ ...encrypted, sizeBytes: signed }));
  if (!isIntact) throw damaged(file, 'some of its bytes were changed after it was protected');
  const opened = () => new DecryptingReader(encrypted, cipher);
  if (sizeBytes <= encrypted.sizeBytes - SIZE_BYTES) return { sizeBytes, reader: opened };
  return { sizeBytes: await zipBytes(opened(), encrypted), reader: opened };
}

/** The end of a zip whose stated size is wrong: after its last record (APPNOTE.TXT 4.3.16), which a comment may follow. */
async function zipBytes(source: DecryptingReader, { file, sizeBytes }: StreamPlace): Promise<number> {
  const end = sizeBytes - SIZE_BYTES;
  const start = Math.max(0, end - ZIP_END_BYTES - 0xffff - BLOCK_BYTES);
  let tail: Buffer;
  try {
    tail = await buffer(source._readStreamForRange(start, end));
  } finally {
    await promisify(source.close.bind(source))();
  }
  const at = tail.lastIndexOf('PK\x05\x06');
  if (at < 0 || at + ZIP_END_BYTES > tail.length) throw damaged(file, 'it holds less than it says');
  return start + at + ZIP_END_BYTES + tail.readUInt16LE(at + ZIP_END_BYTES - 2);
}

/**
 * The cipher that a password opens: the password that Excel tries first, or one that a person enters.
 *
 * @param ask undefined if nobody can be asked
 * @throws SheetError `password_protected` without a password, `wrong_password`
 */
export async function unlock<Cipher>(
  file: string,
  protection: { unlock(password: string): Promise<Cipher | undefined> },
  ask: FilePassword | undefined,
): Promise<Cipher> {
  const open = await protection.unlock(DEFAULT_PASSWORD);
  if (open !== undefined) return open;
  for (let wrong = false; ; wrong = true) {
    const password = await ask?.(file, wrong);
    if (password === undefined) throw wrong ? wrongPassword(file) : noPassword(file);
    const cipher = await protection.unlock(password);
    if (cipher !== undefined) return cipher;
  }
}

async function readProtection(file: string, compound: CompoundFile): Promise<Protection> {
  const place = compound.find('EncryptionInfo');
  if (place === undefined) throw damaged(file, 'nothing in it says how it is encrypted');
  const info = await readWholeStream(place, INFO_BYTES);
  if (info.length < 8) throw damaged(file, 'its description of the encryption is cut off');
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)];
  if (major === 4 && minor === 4) return readAgile(file, info.subarray(8));
  if ([2, 3, 4].includes(major) && minor === 2) return readStandard(file, info.subarray(4));
  throw unknownProtection(file, `${major}.${minor}`);
}

/** The reader through which yauzl reads an encrypted zip. */
class DecryptingReader extends RandomAccessReader {
  private readonly encrypted: StreamPlace;
  private readonly cipher: PackageCipher;
  private source: Promise<StreamReader> | undefined;

  constructor(encrypted: StreamPlace, cipher: PackageCipher) {
    super();
    this.encrypted = encrypted;
    this.cipher = cipher;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.range(start, end), { objectMode: false });
  }

  override close(done: (error: Error | null) => void): void {
    callbackify(async () => (await this.source)?.close())(done);
  }

  private async *range(start: number, end: number): AsyncGenerator<Buffer, void, undefined> {
    this.source ??= StreamReader.open(this.encrypted);
    const source = await this.source;
    const bytes = Buffer.alloc(PIECE_SEGMENTS * SEGMENT_BYTES);
    for (let at = start; at < end; ) {
      const first = Math.floor(at / SEGMENT_BYTES);
      const wanted = Math.min(bytes.length, (Math.ceil(end / SEGMENT_BYTES) - first) * SEGMENT_BYTES);
      const length = await source.read(bytes.subarray(0, wanted), SIZE_BYTES + first * SEGMENT_BYTES);
      const plain: Buffer[] = [];
      for (let from = 0; from < length; from += SEGMENT_BYTES) {
        // Whole blocks only, because an incomplete block at the end cannot be decrypted.
        const to = Math.min(length, from + SEGMENT_BYTES);
        plain.push(
          this.cipher.decrypt(first + from / SEGMENT_BYTES, bytes.subarray(from, to - ((to - from) % 16))),
        );
      }
      const piece = Buffer.concat(plain).subarray(at - first * SEGMENT_BYTES, end - first * SEGMENT_BYTES);
      if (piece.length === 0) throw damaged(this.encrypted.file, 'it holds less than it says');
      yield piece;
      at += piece.length;
    }
  }
}

function noPassword(file: string): SheetError {
  return new SheetError('password_protected', message('workbook_has_password', { file }), {
    position: { file },
    actions: [byHand('give_password', {})],
  });
}

function wrongPassword(file: string): SheetError {
  return new SheetError('wrong_password', message('wrong_password', { file }), {
    position: { file },
    actions: [byHand('check_password', {})],
  });
}
