import { readdir, readlink } from 'node:fs/promises';
import { inOneLine } from '../../src/messages/message.ts';
import { describe, expect, it, vi } from 'vitest';
import { openTable } from '../../src/sheets/open-table.ts';
import type { FilePassword } from '../../src/sheets/table.ts';
import { errorOf, makeBook, makeZip, newFile, readFile } from './support/files.ts';
import { makeCompound } from './support/make-compound.ts';
import { label, number, u16, u32, type XlsParts } from './support/make-xls.ts';
import { protectAgile, protectStandard, protectXls, type XlsCipher } from './support/protect.ts';

const cell = (reference: string, text: string) => `<c r="${reference}" t="str"><v>${text}</v></c>`;
const ROWS = Array.from({ length: 3000 }, (_, index) => `Robot ${(index * 7919) % 3001}`);
// Stored rows differ, so that the zip is larger than a few segments.
const BOOK = makeBook({
  sheets: `<sheetData><row r="1">${cell('A1', 'Name')}${cell('B1', 'Year')}</row>${ROWS.map(
    (name, index) => `<row r="${index + 2}">${cell(`A${index + 2}`, name)}<c><v>${index}</v></c></row>`,
  ).join('')}</sheetData>`,
});
const PASSWORD = 'sésame';
const always =
  (password: string): FilePassword =>
  (_, wrong) =>
    Promise.resolve(wrong ? undefined : password);

describe('a password-protected workbook', () => {
  it.each<[what: string, content: Buffer]>([
    ['agile, SHA-512, AES-256: Excel today', protectAgile(BOOK)],
    ['agile, SHA-1, AES-128: Excel 2010', protectAgile(BOOK, { hashName: 'sha1', keyBits: 128 })],
    ['agile, SHA-1, a key longer than the hash', protectAgile(BOOK, { hashName: 'sha1' })],
    ['agile, SHA-256, AES-192', protectAgile(BOOK, { hashName: 'sha256', keyBits: 192 })],
    ['agile, SHA-384', protectAgile(BOOK, { hashName: 'sha384' })],
    ['standard, AES-128: Excel 2007', protectStandard(BOOK)],
    ['standard, AES-256', protectStandard(BOOK, PASSWORD, 0x6610)],
  ])('is opened: %s', async (_, content) => {
    const file = await newFile(content, 'xlsx');
    const { table, cells } = await readFile(file, { password: always(PASSWORD) });
    expect(inOneLine(table.detected)).toBe('XLSX · sheet "Sheet1" · header in row 1');
    expect(cells).toEqual(ROWS.map((name, index) => [name, index]));
  });

  it('asks for the password again until it is correct', async () => {
    const answers = ['', 'Sésame', PASSWORD];
    const asked: boolean[] = [];
    const file = await newFile(protectAgile(BOOK), 'xlsx');
    await openTable(file, {
      password: (_, wrong) => {
        asked.push(wrong);
        return Promise.resolve(answers.shift());
      },
    });
    expect(asked).toEqual([false, true, true]);
  });

  it('opens without asking for a password if Excel does, too', async () => {
    const file = await newFile(protectAgile(BOOK, { password: 'VelvetSweatshop' }), 'xlsx');
    expect((await openTable(file, {})).headers).toEqual(['Name', 'Year']);
  });

  describe('is read despite a wrong size, as in other programs:', () => {
    const sized = (content: Buffer, change: (size: number) => number) => {
      const copy = Buffer.from(content);
      const entry = copy.indexOf(Buffer.from('EncryptedPackage', 'utf16le'));
      copy.writeUInt32LE(change(copy.readUInt32LE(entry + 120)), entry + 120);
      return copy;
    };
    const package4k = (at: number, value: number) => {
      const content = protectStandard(BOOK);
      // The stream is the first one that has sectors of its own.
      const entry = content.indexOf(Buffer.from('EncryptedPackage', 'utf16le'));
      content.writeUInt32LE(value, 512 * (content.readUInt32LE(entry + 116) + 1) + at);
      return content;
    };
    it.each<[what: string, content: Buffer]>([
      ['the package is shorter than its stated size', package4k(0, BOOK.length + 1000)],
      ['the upper half of its size is not zero', package4k(4, 0x2020_2020)],
      [
        'its stream has a stated size beyond its sectors',
        sized(protectStandard(BOOK), (size) => size + 5000),
      ],
      [
        'its stream has a stated size that fills its last sector',
        sized(protectAgile(BOOK), (size) => Math.ceil(size / 512) * 512),
      ],
    ])('%s', async (_, content) => {
      const { cells } = await readFile(await newFile(content, 'xlsx'), { password: always(PASSWORD) });
      expect(cells).toHaveLength(ROWS.length);
    });
  });

  it('named .xlsb is refused before it asks for a password', async () => {
    const file = await newFile(protectAgile(makeZip({ 'xl/workbook.bin': 'x' })), 'xlsb');
    const error = await errorOf(openTable(file, { password: () => Promise.reject(new Error('asked')) }));
    expect(error.code).toBe('xlsb');
  });

  describe('in the .xls format', () => {
    const rows = ROWS.slice(0, 400);
    const parts: XlsParts = {
      sheets: [
        {
          name: 'Toys',
          records: [
            label(0, 0, 'Name'),
            label(0, 1, 'Year'),
            ...rows.flatMap((name, index) => [label(index + 1, 0, name), number(index + 1, 1, index)]),
          ],
        },
      ],
    };
    const cells = rows.map((name, index) => [name, index]);

    it.each<XlsCipher>(['rc4', 'cryptoapi-40', 'cryptoapi-128'])('is opened: %s', async (kind) => {
      const file = await newFile(protectXls(parts, PASSWORD, kind), 'xls');
      expect((await readFile(file, { password: always(PASSWORD) })).cells).toEqual(cells);
      expect((await errorOf(openTable(file, {}))).code).toBe('password_protected');
      expect((await errorOf(openTable(file, { password: always('Sesame') }))).code).toBe('wrong_password');
    });

    it('opens without asking for a password if Excel does, too', async () => {
      const file = await newFile(protectXls(parts, 'VelvetSweatshop'), 'xls');
      expect((await readFile(file)).cells).toEqual(cells);
    });
  });

  const spoiled = (bytes: Buffer, at: number) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt8((copy[at] ?? 0) ^ 1, at);
    return copy;
  };
  const agile = (from: string | RegExp, to: string) =>
    protectAgile(BOOK, { info: (xml) => xml.replace(from, to) });
  it.each<[what: string, code: string, content: Buffer, password?: string]>([
    ['no password', 'password_protected', protectAgile(BOOK)],
    ['a wrong password', 'wrong_password', protectAgile(BOOK), 'Sesame'],
    ['a wrong password of Excel 2007', 'wrong_password', protectStandard(BOOK), 'Sesame'],
    [
      'a changed byte',
      'damaged_workbook',
      protectAgile(BOOK, { package: (bytes) => spoiled(bytes, 9000) }),
      PASSWORD,
    ],
    [
      'a truncated package',
      'damaged_workbook',
      protectAgile(BOOK, { package: (bytes) => bytes.subarray(0, 9000) }),
      PASSWORD,
    ],
    [
      'an empty package',
      'damaged_workbook',
      protectAgile(BOOK, { package: () => Buffer.alloc(0) }),
      PASSWORD,
    ],
    ['a huge spin count', 'limit_spin_count', agile('spinCount="20"', 'spinCount="10000000"'), PASSWORD],
    ['an invalid spin count', 'damaged_workbook', agile('spinCount="20"', 'spinCount="-1"'), PASSWORD],
    ['an unknown hash', 'unknown_protection', agile(/SHA512/gu, 'WHIRLPOOL'), PASSWORD],
    ['an unknown cipher', 'unknown_protection', agile(/"AES"/gu, '"RC2"'), PASSWORD],
    ['an unknown key size', 'unknown_protection', agile(/keyBits="256"/gu, 'keyBits="4096"'), PASSWORD],
    [
      'only a certificate',
      'unknown_protection',
      agile('p:encryptedKey', 'q:encryptedKey xmlns:q="x"'),
      PASSWORD,
    ],
    [
      'a key of a wrong length',
      'damaged_workbook',
      agile(/encryptedKeyValue="[^"]*"/u, 'encryptedKeyValue="AAAA"'),
      PASSWORD,
    ],
    [
      'a key that is too short',
      'damaged_workbook',
      agile(
        /encryptedKeyValue="[^"]{24}[^"]*"/u,
        `encryptedKeyValue="${Buffer.alloc(16).toString('base64')}"`,
      ),
      PASSWORD,
    ],
    ['no salt', 'damaged_workbook', agile(/ saltValue="[^"]*"/u, ''), PASSWORD],
    ['no HMAC', 'damaged_workbook', agile(/<dataIntegrity[^>]*>/u, ''), PASSWORD],
    ['a description that is not XML', 'broken_xml', agile('<keyData', '<<'), PASSWORD],
    [
      'extensible encryption',
      'unknown_protection',
      makeCompound({
        EncryptionInfo: Buffer.concat([u16(4, 3), u32(0, 0)]),
        EncryptedPackage: Buffer.alloc(9),
      }),
    ],
    [
      'a truncated description of Excel 2007',
      'damaged_workbook',
      makeCompound({
        EncryptionInfo: Buffer.concat([u16(3, 2), u32(0x24, 0xffff_ffff, 0)]),
        EncryptedPackage: Buffer.alloc(9),
      }),
    ],
    ['no description', 'damaged_workbook', makeCompound({ EncryptedPackage: Buffer.alloc(600) })],
    ['a package that is not a workbook', 'truncated', protectAgile(Buffer.from('no zip at all')), PASSWORD],
  ])('%s is refused with its own error code', async (_, code, content, password) => {
    const file = await newFile(content, 'xlsx');
    const error = await errorOf(
      openTable(file, password === undefined ? {} : { password: always(password) }),
    );
    expect(error.code).toBe(code);
    expect(error.remedy).toMatch(/\.$/u);
    expect(`${error.message} ${error.remedy}`).not.toContain(PASSWORD);
    if (process.platform === 'linux')
      await vi.waitFor(async () => expect(await openFiles()).not.toContain(file));
  });
});

async function openFiles(): Promise<string[]> {
  const handles = await readdir('/proc/self/fd');
  return Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')));
}
