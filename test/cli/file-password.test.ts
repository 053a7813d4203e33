import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filePasswords } from '../../src/sheets/file-password.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { makeBook } from '../sheets/support/make-book.ts';
import { protectAgile } from '../sheets/support/protect.ts';
import { english } from '../../src/messages/message.ts';
import { newPlace } from './run-shelflift.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const PASSWORD = 'open sésame 42';
const cell = (reference: string, text: string) => `<c r="${reference}" t="str"><v>${text}</v></c>`;
const BOOK = makeBook({
  sheets: `<sheetData><row r="1">${cell('A1', 'Name')}${cell('B1', 'Year')}</row><row r="2">${cell('A2', 'Robot')}<c><v>1985</v></c></row></sheetData>`,
});

function place() {
  const at = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'l.db',
  });
  writeFileSync(join(at.folder, 'toys.xlsx'), protectAgile(BOOK, { password: PASSWORD }));
  return at;
}

describe('a protected workbook on the command line', () => {
  const IMPORT = ['import', 'toys.xlsx', '--collection', 'Main', '--json', '--log-file', 'log.jsonl'];

  it('opens with SHELFLIFT_FILE_PASSWORD, which is never stored or printed', async () => {
    const at = place();
    const run = await at.call(IMPORT, { SHELFLIFT_FILE_PASSWORD: PASSWORD });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ state: 'done', rows: { created: 1 } });
    expect(run.stdout + run.stderr).not.toContain(PASSWORD);
    const files = readdirSync(at.folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(at.folder, name))
      .filter((path) => statSync(path).isFile());
    expect(files.length).toBeGreaterThan(3);
    const holding = files.filter((path) => readFileSync(path).includes(PASSWORD));
    expect(holding).toEqual([]);
  });

  it('is refused without a password, and with a wrong password', async () => {
    const at = place();
    const none = await at.call(IMPORT);
    expect(none.code).toBe(2);
    expect(JSON.parse(none.stdout)).toMatchObject({ error: { code: 'password_protected' } });
    expect(none.stderr).toContain('SHELFLIFT_FILE_PASSWORD');
    const wrong = await at.call(IMPORT, { SHELFLIFT_FILE_PASSWORD: 'open sesame' });
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ error: { code: 'wrong_password' } });
    expect(wrong.stdout + wrong.stderr).not.toContain('open sesame');
  });

  it('is read by template infer and template check', async () => {
    const at = place();
    const environment = { SHELFLIFT_FILE_PASSWORD: PASSWORD };
    expect((await at.call(['template', 'infer', 'toys.xlsx'], environment)).code).toBe(0);
    const check = ['template', 'check', 'toys.xlsx', '--template', 'generic'];
    expect((await at.call(check, environment)).code).toBe(0);
    expect((await at.call(check)).code).toBe(2);
  });
});

describe('the password of a file', () => {
  it('comes from the environment variable first, then from answers, which are remembered for each file', async () => {
    const asked: string[] = [];
    const answers = ['first', 'second', ''];
    const password = filePasswords({ SHELFLIFT_FILE_PASSWORD: 'given' }, (question) => {
      asked.push(english(question));
      return Promise.resolve(answers.shift() ?? '');
    });
    expect(await password('/a/toys.xlsx', false)).toBe('given');
    expect(await password('/a/toys.xlsx', true)).toBe('first');
    expect(await password('/a/toys.xlsx', true)).toBe('second');
    expect(await password('/a/toys.xlsx', false)).toBe('second');
    expect(await password('/a/others.xlsx', false)).toBe('given');
    expect(await password('/a/others.xlsx', true)).toBeUndefined();
    expect(asked[0]).toBe('That password does not open the file. Password of toys.xlsx:');
  });

  it('is undefined if nobody provides a password', async () => {
    expect(await filePasswords({})('/a/toys.xlsx', false)).toBeUndefined();
    expect(await filePasswords({ SHELFLIFT_FILE_PASSWORD: '' })('/a/toys.xlsx', false)).toBeUndefined();
  });
});
