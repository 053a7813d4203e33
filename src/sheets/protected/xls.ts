/**
 * .xls workbooks that a password protects (MS-OFFCRYPTO 2.3.5 and 2.3.6; MS-XLS 2.2.10): the data of their records is
 * encrypted by RC4, which OpenSSL no longer has. Excel 95's obfuscation by XOR is not read.
 */
import { hash } from 'node:crypto';
import { unknownProtection } from './protection.ts';

/** Decrypts data of records where it is, by its place in the stream. */
export interface RecordCipher {
  decrypt(position: number, bytes: Uint8Array): void;
}

export interface XlsProtection {
  /** The cipher of the stream; undefined if the password is wrong. */
  unlock(password: string): Promise<RecordCipher | undefined>;
}

/** Each block of this size has its own key. */
const BLOCK_BYTES = 1024;
const RC4 = 1;
const VERIFIER_BYTES = 16;
/** Excel 97 cuts longer passwords. */
const PASSWORD_CHARACTERS = 15;

/**
 * @param data of the record FilePass
 * @throws SheetError `unknown_protection`; RangeError for a record that is too short
 */
export function readXlsProtection(file: string, data: Buffer): XlsProtection {
  if (data.length < 6 || data.readUInt16LE(0) !== RC4) {
    throw unknownProtection(file, 'Excel 95');
  }
  const [major, minor] = [data.readUInt16LE(2), data.readUInt16LE(4)];
  if (major === 1 && minor === 1) return readOffice97(data.subarray(6));
  if ([2, 3, 4].includes(major) && minor === 2) return readCryptoApi(data.subarray(6));
  throw unknownProtection(file, `${major}.${minor}`);
}

function readOffice97(data: Buffer): XlsProtection {
  const salt = take(data, 0, VERIFIER_BYTES);
  const verifier = take(data, 16, VERIFIER_BYTES);
  const expected = take(data, 32, VERIFIER_BYTES);
  return protection(verifier, expected, 'md5', (password) => {
    const short = digest('md5', utf16(password.slice(0, PASSWORD_CHARACTERS))).subarray(0, 5);
    const salted = digest('md5', ...Array.from({ length: 16 }, () => [short, salt]).flat()).subarray(0, 5);
    return (block) => digest('md5', salted, uint32(block));
  });
}

/** Reads the CryptoAPI protection, an option of Excel 2002 and newer. */
function readCryptoApi(data: Buffer): XlsProtection {
  const header = take(data, 8, data.readUInt32LE(4));
  const keyBytes = (header.readUInt32LE(16) || 40) / 8;
  const rest = data.subarray(8 + header.length);
  const salt = take(rest, 4, VERIFIER_BYTES);
  const verifier = take(rest, 20, VERIFIER_BYTES);
  const expected = take(rest, 40, 20);
  return protection(verifier, expected, 'sha1', (password) => {
    const base = digest('sha1', salt, utf16(password));
    return (block) => {
      const key = digest('sha1', base, uint32(block)).subarray(0, keyBytes);
      // A key of 40 bits is filled up to 128.
      return keyBytes === 5 ? Buffer.concat([key, Buffer.alloc(11)]) : key;
    };
  });
}

function protection(
  verifier: Buffer,
  expected: Buffer,
  name: 'md5' | 'sha1',
  keysOf: (password: string) => (block: number) => Buffer,
): XlsProtection {
  return {
    unlock(password) {
      const keyOf = keysOf(password);
      const plain = Buffer.concat([verifier, expected]);
      xor(plain, rc4(keyOf(0), plain.length), 0);
      const isRight = digest(name, plain.subarray(0, VERIFIER_BYTES)).equals(plain.subarray(VERIFIER_BYTES));
      return Promise.resolve(isRight ? new BlockCipher(keyOf) : undefined);
    },
  };
}

class BlockCipher implements RecordCipher {
  private readonly keyOf: (block: number) => Buffer;
  private block = -1;
  /** The key stream that is combined with the bytes of the block. */
  private stream: Uint8Array = Buffer.alloc(0);

  constructor(keyOf: (block: number) => Buffer) {
    this.keyOf = keyOf;
  }

  decrypt(position: number, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const block = Math.floor((position + at) / BLOCK_BYTES);
      const within = (position + at) % BLOCK_BYTES;
      if (block !== this.block) {
        this.stream = rc4(this.keyOf(block), BLOCK_BYTES);
        this.block = block;
      }
      const piece = bytes.subarray(at, at + BLOCK_BYTES - within);
      xor(piece, this.stream, within);
      at += piece.length;
    }
  }
}

function xor(bytes: Uint8Array, stream: Uint8Array, from: number): void {
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (bytes[at] ?? 0) ^ (stream[from + at] ?? 0);
}

/** The first bytes of RC4's key stream (RFC 6229 has examples). */
function rc4(key: Uint8Array, length: number): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number) => {
    const kept = state[a] ?? 0;
    state[a] = state[b] ?? 0;
    state[b] = kept;
  };
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  const stream = Buffer.alloc(length);
  for (let at = 0, i = 0, j = 0; at < length; at += 1) {
    i = (i + 1) & 255;
    j = (j + (state[i] ?? 0)) & 255;
    swap(i, j);
    stream[at] = state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0;
  }
  return stream;
}

function take(data: Buffer, at: number, length: number): Buffer {
  if (at + length > data.length)
    throw Object.assign(new RangeError('too short'), { code: 'ERR_OUT_OF_RANGE' });
  return data.subarray(at, at + length);
}

function digest(name: 'md5' | 'sha1', ...parts: Uint8Array[]): Buffer {
  return hash(name, Buffer.concat(parts), 'buffer');
}

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
