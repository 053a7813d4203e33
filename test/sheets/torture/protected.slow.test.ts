import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile as readBytes, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBook, readFile } from '../support/files.ts';
import { label, number } from '../support/make-xls.ts';
import { protectAgile, protectStandard, protectXls, type XlsCipher } from '../support/protect.ts';
import { office, python, runPython } from './programs.ts';

const PASSWORD = 'sésame öffne dich';
const answer = (_: string, wrong: boolean) => Promise.resolve(wrong ? undefined : PASSWORD);
const cell = (reference: string, text: string) => `<c r="${reference}" t="str"><v>${text}</v></c>`;
const BOOK = makeBook({
  sheets: `<sheetData><row>${cell('A1', 'Name')}${cell('B1', 'Year')}</row>${Array.from({ length: 2000 }, (_, index) => `<row>${cell(`A${index + 2}`, `Robot ${(index * 7919) % 2003}`)}<c><v>${index}</v></c></row>`).join('')}</sheetData>`,
});

let folder = '';
const made = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'torture-protected-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const has = (module: string) =>
  python !== undefined && spawnSync(python, ['-c', `import ${module}`]).status === 0;

describe.skipIf(office === undefined || !has('uno'))('a workbook protected by LibreOffice', () => {
  // Excel 97 has 15 characters.
  it.each(['locked.xlsx', 'locked.xls'])(
    'is read with the same cells as the unprotected workbook: %s',
    async (name) => {
      await runPython('make-awkward.py', folder);
      const password = PASSWORD.slice(0, 15);
      await runPython(
        'protect-workbook.py',
        'protect',
        made('awkward.xlsx'),
        made(name),
        password,
        office ?? '',
      );
      const { table, rows } = await readFile(made(name), {
        password: (_, wrong) => Promise.resolve(wrong ? undefined : password),
        sheet: 'Toys & Bären',
      });
      expect(table.file).toBe(made(name));
      expect(rows).toHaveLength(3000);
      expect(rows[1]?.cells.slice(0, 2)).toEqual(['日本のロボット 1', 1901]);
    },
  );
});

describe.skipIf(!has('msoffcrypto'))(
  'a workbook that shelflift protects can be opened by msoffcrypto',
  () => {
    it.each<XlsCipher>(['rc4', 'cryptoapi-40', 'cryptoapi-128'])('from .xls, %s', async (kind) => {
      const records = [label(0, 0, 'Name'), label(0, 1, 'Year'), label(1, 0, 'Falcon'), number(1, 1, 1979)];
      const password = PASSWORD.slice(0, 15);
      await writeFile(made('ours.xls'), protectXls({ sheets: [{ name: 'Toys', records }] }, password, kind));
      await runPython('protect-workbook.py', 'unlock', made('ours.xls'), made('open.xls'), password);
      expect((await readFile(made('open.xls'))).cells).toEqual([['Falcon', 1979]]);
    });

    it.each([
      ['agile, SHA-512', protectAgile(BOOK, { password: PASSWORD, spins: 100_000 })],
      ['agile, SHA-1', protectAgile(BOOK, { password: PASSWORD, hashName: 'sha1', keyBits: 128 })],
      ['standard', protectStandard(BOOK, PASSWORD)],
    ])('%s', async (_, content) => {
      await writeFile(made('ours.xlsx'), content);
      await runPython('protect-workbook.py', 'unlock', made('ours.xlsx'), made('open.xlsx'), PASSWORD);
      expect((await readBytes(made('open.xlsx'))).equals(BOOK)).toBe(true);
      expect((await readFile(made('ours.xlsx'), { password: answer })).rows).toHaveLength(2000);
    });
  },
);

describe.skipIf(process.platform !== 'linux')('a protected workbook on a terminal', () => {
  it('asks for the password without echoing it, and again if it is wrong', async () => {
    await writeFile(made('toys.xlsx'), protectAgile(BOOK, { password: PASSWORD }));
    const bin = resolve(import.meta.dirname, '../../../src/cli/bin.ts');
    // util-linux's script gives the command a terminal.
    const child = spawn(
      'script',
      ['-qec', `"${process.execPath}" "${bin}" template infer toys.xlsx`, '/dev/null'],
      {
        cwd: folder,
      },
    );
    let shown = '';
    const asks = (question: string) =>
      new Promise<void>((done) => {
        const look = () => {
          if (!shown.includes(question)) return;
          child.stdout.off('data', look);
          done();
        };
        child.stdout.on('data', look);
        look();
      });
    child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    await asks('Password of toys.xlsx:');
    child.stdin.write('wrong one\r');
    await asks('That password does not open the file.');
    child.stdin.write(`${PASSWORD}\r`);
    const [code] = (await once(child, 'close')) as [number | null];
    expect(code).toBe(0);
    expect(shown).toContain('Year');
    expect(shown).not.toContain('wrong one');
    expect(shown).not.toContain(PASSWORD);
  });
});
