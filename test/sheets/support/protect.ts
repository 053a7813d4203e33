/** Workbooks protected by a password (MS-OFFCRYPTO), in both ways that Excel has. */
import { createCipheriv, createHmac, hash } from 'node:crypto';
import { makeCompound } from './make-compound.ts';
import { u16, u32 } from './make-xls.ts';

type HashName = 'sha1' | 'sha256' | 'sha384' | 'sha512';

export interface AgileOptions {
  password?: string;
  spins?: number;
  hashName?: HashName;
  keyBits?: 128 | 192 | 256;
  /** Changes the description of the encryption. */
  info?: (xml: string) => string;
  /** Changes the encrypted package. */
  package?: (bytes: Buffer) => Buffer;
}

const random = (length: number, seed: number) =>
  Buffer.from(Array.from({ length }, (_, at) => (at * 101 + seed * 57 + 13) % 256));

function encrypt(key: Buffer, vector: Buffer | null, bytes: Buffer): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-${vector === null ? 'ecb' : 'cbc'}`, key, vector);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]);
}

function fitted(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(length, 0x36)]).subarray(0, length);
}

function spin(name: HashName, salt: Buffer, password: string, spins: number): Buffer {
  let digest = hash(name, Buffer.concat([salt, Buffer.from(password, 'utf16le')]), 'buffer');
  for (let round = 0; round < spins; round += 1)
    digest = hash(name, Buffer.concat([u32(round), digest]), 'buffer');
  return digest;
}

function withSize(content: Buffer, encrypted: Buffer): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(content.length));
  return Buffer.concat([size, encrypted]);
}

/** Agile encryption, as Excel 2010 and newer write it. Few spins, so that tests are fast. */
export function protectAgile(content: Buffer, options: AgileOptions = {}): Buffer {
  const { password = 'sésame', spins = 20, hashName = 'sha512', keyBits = 256 } = options;
  const purpose = (hex: string) => Buffer.from(hex, 'hex');
  const h = (...parts: Buffer[]) => hash(hashName, Buffer.concat(parts), 'buffer');
  const dataSalt = random(16, 1);
  const lockSalt = random(16, 2);
  const key = random(keyBits / 8, 3);
  const spun = spin(hashName, lockSalt, password, spins);
  const locked = (hex: string, value: Buffer) =>
    encrypt(fitted(h(spun, purpose(hex)), keyBits / 8), lockSalt, padded(value)).toString('base64');
  const inData = (block: Buffer, value: Buffer) =>
    encrypt(key, fitted(h(dataSalt, block), 16), padded(value));
  const segments: Buffer[] = [];
  for (let at = 0; at < content.length; at += 4096) {
    segments.push(inData(u32(at / 4096), content.subarray(at, at + 4096)));
  }
  const encrypted = withSize(content, Buffer.concat(segments));
  const verifier = random(16, 4);
  const hmacKey = random(h().length, 5);
  const hmac = createHmac(hashName, hmacKey).update(encrypted).digest();
  const parameters = `saltSize="16" blockSize="16" keyBits="${keyBits}" hashSize="${h().length}" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="${hashName.toUpperCase()}"`;
  const xml = [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    '<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password">',
    `<keyData ${parameters} saltValue="${dataSalt.toString('base64')}"/>`,
    `<dataIntegrity encryptedHmacKey="${inData(purpose('5fb2ad010cb9e1f6'), hmacKey).toString('base64')}"`,
    ` encryptedHmacValue="${inData(purpose('a0677f02b22c8433'), hmac).toString('base64')}"/>`,
    '<keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password">',
    `<p:encryptedKey spinCount="${spins}" ${parameters} saltValue="${lockSalt.toString('base64')}"`,
    ` encryptedVerifierHashInput="${locked('fea7d2763b4b9e79', verifier)}"`,
    ` encryptedVerifierHashValue="${locked('d7aa0f6d3061344e', h(verifier))}"`,
    ` encryptedKeyValue="${locked('146e0be7abacd0d6', key)}"/>`,
    '</keyEncryptor></keyEncryptors></encryption>',
  ].join('');
  return makeCompound({
    EncryptionInfo: Buffer.concat([u16(4, 4), u32(0x40), Buffer.from((options.info ?? String)(xml))]),
    EncryptedPackage: (options.package ?? ((bytes) => bytes))(encrypted),
  });
}

/** Standard encryption, as Excel 2007 writes it. */
export function protectStandard(content: Buffer, password = 'sésame', algorithm = 0x660e): Buffer {
  const salt = random(16, 6);
  const digest = hash(
    'sha1',
    Buffer.concat([spin('sha1', salt, password, 50_000), Buffer.alloc(4)]),
    'buffer',
  );
  const half = (fill: number) => {
    const block = Buffer.alloc(64, fill);
    digest.forEach((byte, at) => block.writeUInt8(byte ^ fill, at));
    return hash('sha1', block, 'buffer');
  };
  const keyBytes = { 0x660e: 16, 0x660f: 24, 0x6610: 32 }[algorithm] ?? 16;
  const key = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, keyBytes);
  const verifier = random(16, 7);
  const provider = Buffer.from('Microsoft Enhanced RSA and AES Cryptographic Provider\0', 'utf16le');
  const header = Buffer.concat([u32(0x24, 0, algorithm, 0x8004, keyBytes * 8, 0x18, 0, 0), provider]);
  const info = Buffer.concat([
    u16(3, 2),
    u32(0x24, header.length),
    header,
    u32(16),
    salt,
    encrypt(key, null, verifier),
    u32(20),
    encrypt(key, null, padded(hash('sha1', verifier, 'buffer'))),
  ]);
  return makeCompound({
    EncryptionInfo: info,
    EncryptedPackage: withSize(content, encrypt(key, null, padded(content))),
  });
}
