/**
 * Agile encryption, that of Excel 2010 and newer (MS-OFFCRYPTO 2.3.4.10 to 2.3.4.15): AES in CBC mode, a key that the
 * password unlocks, and an HMAC over the package.
 */
import { createDecipheriv, createHmac, hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { damaged, type StreamPlace, StreamReader } from '../compound-file.ts';
import { readXml } from '../workbook/xml.ts';
import {
  checkSpins,
  type HashName,
  type PackageCipher,
  type Protection,
  spinHash,
  unknownProtection,
} from './protection.ts';

const VOCABULARY = new Map([
  ['http://schemas.microsoft.com/office/2006/encryption', 'e'],
  ['http://schemas.microsoft.com/office/2006/keyEncryptor/password', 'p'],
]);

/** Spellings that MS-OFFCRYPTO names and programs write. */
const HASHES: Record<string, HashName> = {
  SHA1: 'sha1',
  'SHA-1': 'sha1',
  SHA256: 'sha256',
  'SHA-256': 'sha256',
  SHA384: 'sha384',
  'SHA-384': 'sha384',
  SHA512: 'sha512',
  'SHA-512': 'sha512',
};
const BLOCK_BYTES = 16;
/** Added to a hash, so that each has a key or vector of its own (2.3.4.11 to 2.3.4.14). */
const PURPOSE = {
  verifierInput: Buffer.from('fea7d2763b4b9e79', 'hex'),
  verifierValue: Buffer.from('d7aa0f6d3061344e', 'hex'),
  key: Buffer.from('146e0be7abacd0d6', 'hex'),
  hmacKey: Buffer.from('5fb2ad010cb9e1f6', 'hex'),
  hmacValue: Buffer.from('a0677f02b22c8433', 'hex'),
};
const HMAC_PIECE_BYTES = 256 * 1024;

/** Attributes of `keyData` and of `encryptedKey`. */
interface Parameters {
  hash: HashName;
  hashBytes: number;
  keyBytes: number;
  salt: Buffer;
}

/** @throws SheetError `unknown_protection`, `damaged_workbook`, `limit_spin_count`, and those of XML */
export async function readAgile(file: string, xml: Buffer): Promise<Protection> {
  const elements = new Map<string, Record<string, string>>();
  const handlers = {
    open(name: string, attributes: Record<string, string>) {
      if (!elements.has(name)) elements.set(name, attributes);
    },
    close() {},
    text() {},
  };
  await readXml(Readable.from([xml]), { file, part: 'EncryptionInfo' }, handlers, VOCABULARY);
  const attribute = (element: string, name: string): string => {
    const value = elements.get(element)?.[name];
    if (value !== undefined) return value;
    if (element === 'p:encryptedKey' && !elements.has(element)) {
      throw unknownProtection(file, 'X.509');
    }
    throw damaged(file, `its description of the encryption lacks ${name}`);
  };
  const bytes = (element: string, name: string, multiple = 1): Buffer => {
    const value = Buffer.from(attribute(element, name), 'base64');
    if (value.length > 0 && value.length % multiple === 0) return value;
    throw damaged(file, `${name} of its encryption has a wrong length`);
  };
  const parameters = (element: string): Parameters => {
    const cipher = attribute(element, 'cipherAlgorithm');
    const chaining = attribute(element, 'cipherChaining');
    const keyBits = attribute(element, 'keyBits');
    const hashWord = attribute(element, 'hashAlgorithm');
    const hashName = HASHES[hashWord.toUpperCase()];
    if (cipher !== 'AES' || chaining !== 'ChainingModeCBC' || !['128', '192', '256'].includes(keyBits)) {
      throw unknownProtection(file, `${cipher} ${keyBits}, ${chaining}`.slice(0, 100));
    }
    if (hashName === undefined) throw unknownProtection(file, hashWord.slice(0, 100));
    const salt = bytes(element, 'saltValue');
    const hashBytes = hash(hashName, '', 'buffer').length;
    return { hash: hashName, hashBytes, keyBytes: Number(keyBits) / 8, salt };
  };
  const data = parameters('e:keyData');
  const lock = parameters('p:encryptedKey');
  const spins = Number(attribute('p:encryptedKey', 'spinCount'));
  if (!Number.isInteger(spins) || spins < 0) throw damaged(file, 'spinCount of its encryption is no number');
  checkSpins(spins, file);
  const verifierInput = bytes('p:encryptedKey', 'encryptedVerifierHashInput', BLOCK_BYTES);
  const verifierValue = bytes('p:encryptedKey', 'encryptedVerifierHashValue', BLOCK_BYTES);
  const keyValue = bytes('p:encryptedKey', 'encryptedKeyValue', BLOCK_BYTES);
  const hmacKey = bytes('e:dataIntegrity', 'encryptedHmacKey', BLOCK_BYTES);
  const hmacValue = bytes('e:dataIntegrity', 'encryptedHmacValue', BLOCK_BYTES);

  return {
    async unlock(password) {
      const spun = await spinHash(lock.hash, lock.salt, password, spins);
      const open = (purpose: Buffer, value: Buffer) => {
        const key = fitted(hash(lock.hash, Buffer.concat([spun, purpose]), 'buffer'), lock.keyBytes);
        return decrypt(key, fitted(lock.salt, BLOCK_BYTES), value);
      };
      const input = open(PURPOSE.verifierInput, verifierInput).subarray(0, lock.salt.length);
      const expected = open(PURPOSE.verifierValue, verifierValue).subarray(0, lock.hashBytes);
      if (!hash(lock.hash, input, 'buffer').equals(expected)) return undefined;
      const key = open(PURPOSE.key, keyValue).subarray(0, data.keyBytes);
      if (key.length < data.keyBytes) throw damaged(file, 'its key is too short');
      return cipherOf(data, key, { key: hmacKey, value: hmacValue });
    },
  };
}

function cipherOf(data: Parameters, key: Buffer, hmac: { key: Buffer; value: Buffer }): PackageCipher {
  const vector = (purpose: Buffer) =>
    fitted(hash(data.hash, Buffer.concat([data.salt, purpose]), 'buffer'), BLOCK_BYTES);
  return {
    decrypt(index, bytes) {
      const number = Buffer.alloc(4);
      number.writeUInt32LE(index);
      return decrypt(key, vector(number), bytes);
    },
    async isIntact(encrypted: StreamPlace) {
      const open = (purpose: Buffer, value: Buffer) =>
        decrypt(key, vector(purpose), value).subarray(0, data.hashBytes);
      const sum = createHmac(data.hash, open(PURPOSE.hmacKey, hmac.key));
      const reader = await StreamReader.open(encrypted);
      try {
        const piece = Buffer.alloc(Math.min(HMAC_PIECE_BYTES, encrypted.sizeBytes));
        for (let at = 0; at < encrypted.sizeBytes; ) {
          const length = await reader.read(piece, at);
          sum.update(piece.subarray(0, length));
          at += length;
        }
      } finally {
        await reader.close();
      }
      return sum.digest().equals(open(PURPOSE.hmacValue, hmac.value));
    },
  };
}

function decrypt(key: Buffer, vector: Buffer, bytes: Uint8Array): Buffer {
  const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, vector);
  decipher.setAutoPadding(false);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

/** Cut to a length, or filled up with 0x36 (2.3.4.12). */
function fitted(bytes: Buffer, length: number): Buffer {
  const whole = Buffer.alloc(length, 0x36);
  bytes.copy(whole);
  return whole;
}
