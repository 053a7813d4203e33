/**
 * Standard encryption, that of Excel 2007 (MS-OFFCRYPTO 2.3.4.5 to 2.3.4.9): AES in ECB mode, by a key made of the
 * password. It cannot detect a changed package; only the zip's own checks can.
 */
import { createDecipheriv, hash } from 'node:crypto';
import { damaged } from '../compound-file.ts';
import { type Protection, spinHash, unknownProtection } from './protection.ts';

const SPINS = 50_000;
const KEY_BYTES: Record<number, number> = { 0x660e: 16, 0x660f: 24, 0x6610: 32 };
const VERIFIER_BYTES = 16;
const HASH_BYTES = 20;
/** The hash is encrypted with 12 bytes of padding. */
const ENCRYPTED_HASH_BYTES = 32;

/** @param info the stream `EncryptionInfo` after its version */
export function readStandard(file: string, info: Buffer): Protection {
  const short = () => damaged(file, 'its description of the encryption is cut off');
  if (info.length < 8) throw short();
  // Flags, the size of the header, the header, the verifier.
  const headerBytes = info.readUInt32LE(4);
  const verifierAt = 8 + headerBytes;
  const saltAt = verifierAt + 4;
  const verifierStart = saltAt + 16;
  const hashStart = verifierStart + VERIFIER_BYTES + 4;
  if (headerBytes < 20 || hashStart + ENCRYPTED_HASH_BYTES > info.length) throw short();
  const algorithm = info.readUInt32LE(16);
  const keyBytes = KEY_BYTES[algorithm];
  if (keyBytes === undefined) {
    throw unknownProtection(file, `0x${algorithm.toString(16)}`);
  }
  if (info.readUInt32LE(verifierAt) !== 16)
    throw damaged(file, 'the salt of its password has a wrong length');
  const salt = info.subarray(saltAt, verifierStart);
  const verifier = info.subarray(verifierStart, verifierStart + VERIFIER_BYTES);
  const verifierHash = info.subarray(hashStart, hashStart + ENCRYPTED_HASH_BYTES);

  return {
    async unlock(password) {
      const spun = await spinHash('sha1', salt, password, SPINS);
      const key = keyOf(hash('sha1', Buffer.concat([spun, Buffer.alloc(4)]), 'buffer'), keyBytes);
      const expected = decrypt(key, verifierHash).subarray(0, HASH_BYTES);
      if (!hash('sha1', decrypt(key, verifier), 'buffer').equals(expected)) return undefined;
      return { decrypt: (_, bytes) => decrypt(key, bytes), isIntact: () => Promise.resolve(true) };
    },
  };
}

/** 2.3.4.7: two hashes of the hash, each spread over a block of its own. */
function keyOf(digest: Buffer, keyBytes: number): Buffer {
  const half = (fill: number) => {
    const block = Buffer.alloc(64, fill);
    digest.forEach((byte, at) => {
      block[at] = byte ^ fill;
    });
    return hash('sha1', block, 'buffer');
  };
  return Buffer.concat([half(0x36), half(0x5c)]).subarray(0, keyBytes);
}

function decrypt(key: Buffer, bytes: Uint8Array): Buffer {
  const decipher = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null);
  decipher.setAutoPadding(false);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}
