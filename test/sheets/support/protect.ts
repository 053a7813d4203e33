/** Workbooks protected by a password (MS-OFFCRYPTO), in both ways that Excel has. */
import { createCipheriv, createHmac, hash } from 'node:crypto';
import { makeCompound } from './make-compound.ts';
import { record, u16, u32, type XlsParts, xlsStream } from './make-xls.ts';

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

function rc4(key: Buffer, length: number): number[] {
  const s = Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => s[index & 255] ?? 0;
  const exchange = (a: number, b: number) => void ([s[a & 255], s[b & 255]] = [at(b), at(a)]);
  let j = 0;
  for (let i = 0; i < 256; i += 1) {
    j = (j + at(i) + key.readUInt8(i % key.length)) & 255;
    exchange(i, j);
  }
  j = 0;
  return Array.from({ length }, (_, index) => {
    const i = (index + 1) & 255;
    j = (j + at(i)) & 255;
    exchange(i, j);
    return at(at(i) + at(j));
  });
}

export type XlsCipher = 'rc4' | 'cryptoapi-40' | 'cryptoapi-128';

/** An .xls whose records are encrypted: as Excel 97 does, or by a cryptographic provider of Windows. */
export function protectXls(parts: XlsParts, password = 'sésame', kind: XlsCipher = 'rc4'): Buffer {
  const salt = random(16, 8);
  const text = Buffer.from(password, 'utf16le');
  const digest = (...all: Buffer[]) => hash(kind === 'rc4' ? 'md5' : 'sha1', Buffer.concat(all), 'buffer');
  const short = (value: Buffer) => value.subarray(0, 5);
  const base =
    kind === 'rc4'
      ? short(digest(...Array.from({ length: 16 }, () => Buffer.concat([short(digest(text)), salt]))))
      : digest(salt, text);
  const keyOf = (block: number) => {
    const key = digest(base, u32(block));
    if (kind === 'rc4') return key;
    return kind === 'cryptoapi-128' ? key.subarray(0, 16) : Buffer.concat([short(key), Buffer.alloc(11)]);
  };
  const verifier = random(16, 9);
  const proof = Buffer.concat([verifier, digest(verifier)]);
  const stream = rc4(keyOf(0), proof.length);
  const locked = proof.map((byte, at) => byte ^ (stream[at] ?? 0));
  const provider = Buffer.from('Microsoft Strong Cryptographic Provider\0', 'utf16le');
  const header = Buffer.concat([
    u32(4, 0, 0x6801, 0x8004, kind === 'cryptoapi-40' ? 40 : 128, 1, 0, 0),
    provider,
  ]);
  const filePass =
    kind === 'rc4'
      ? [u16(1, 1, 1), salt, locked]
      : [
          u16(1, 2, 2),
          u32(4, header.length),
          header,
          u32(16),
          salt,
          locked.subarray(0, 16),
          u32(20),
          locked.subarray(16),
        ];
  const book = xlsStream({ ...parts, globals: [record(0x2f, ...filePass), ...(parts.globals ?? [])] });
  const keys = new Map<number, number[]>();
  let isLocked = false;
  for (let at = 0; at < book.length; at += 4 + book.readUInt16LE(at + 2)) {
    const type = book.readUInt16LE(at);
    const end = at + 4 + book.readUInt16LE(at + 2);
    const first = at + 4 + (type === 0x85 ? 4 : 0);
    const last = isLocked && type !== 0x809 ? end : first;
    for (let each = first; each < last; each += 1) {
      const block = each >> 10;
      const key = keys.get(block) ?? rc4(keyOf(block), 1024);
      keys.set(block, key);
      book.writeUInt8(book.readUInt8(each) ^ (key[each & 1023] ?? 0), each);
    }
    if (type === 0x2f) isLocked = true;
  }
  return makeCompound({ Workbook: book });
}
