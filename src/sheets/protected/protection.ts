/**
 * The common part of both ways to protect a workbook (MS-OFFCRYPTO 2.3.4): a password opens a cipher, which
 * decrypts the package segment by segment.
 */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { SheetError } from '../../base/errors.ts';
import type { StreamPlace } from '../compound-file.ts';
import { limitError, limits } from '../limits.ts';
import { byHand, message } from '../../messages/message.ts';

/** The package is decrypted in pieces of this size, each independently. */
export const SEGMENT_BYTES = 4096;
/** The package begins with its size. */
export const SIZE_BYTES = 8;

export interface Protection {
  /** The cipher of the package; undefined if the password is wrong. */
  unlock(password: string): Promise<PackageCipher | undefined>;
}

export interface PackageCipher {
  /** Decrypts one segment, whose length is a multiple of 16. */
  decrypt(index: number, bytes: Uint8Array): Buffer;
  /** False if the package was changed after it was encrypted; always true if the file has no check for this. */
  isIntact(encrypted: StreamPlace): Promise<boolean>;
}

export type HashName = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** Hashes before other work gets a turn: about 10 ms. */
const SPINS_AT_ONCE = 10_000;

/** Salt and password, hashed again and again with the number of the round. */
export async function spinHash(
  name: HashName,
  salt: Uint8Array,
  password: string,
  spins: number,
): Promise<Buffer> {
  let digest = hash(name, Buffer.concat([salt, Buffer.from(password, 'utf16le')]), 'buffer');
  const round = Buffer.alloc(4 + digest.length);
  for (let spin = 0; spin < spins; spin += 1) {
    round.writeUInt32LE(spin);
    digest.copy(round, 4);
    digest = hash(name, round, 'buffer');
    if (spin % SPINS_AT_ONCE === 0) await setImmediate();
  }
  return digest;
}

/** @throws SheetError `limit_spin_count` */
export function checkSpins(spins: number, file: string): void {
  if (spins <= limits.spinCount) return;
  const found = message('hashed_too_often', { file, times: spins, most: limits.spinCount });
  throw limitError('spin_count', found, file);
}

/** @param scheme the cipher, hash or version that is not supported, by its own name: `RC2 128, CBC` */
export function unknownProtection(file: string, scheme: string): SheetError {
  return new SheetError('unknown_protection', message('unknown_protection', { file, scheme }), {
    position: { file },
    actions: [byHand('save_without_password', {})],
  });
}
