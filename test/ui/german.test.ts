/** What the engine says about files is said in German on the German page: nothing of the samples stays English. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CATALOGUE } from '../../src/error-catalogue.ts';
import { inferFile } from '../../src/mapping/infer/infer-file.ts';
import { GERMAN_ERRORS } from '../../src/ui/engine/errors.ts';
import { germanNote } from '../../src/ui/engine/notes.ts';
import { previewFile } from '../../src/ui/screens/file/preview.ts';
import { newFile } from '../sheets/support/files.ts';

const samples = join(import.meta.dirname, '../../samples');
const FILES = (readdirSync(samples, { recursive: true }) as string[])
  .filter((name) => /\.(csv|tsv|txt|xlsx|xls|ods|ndjson)$/.test(name))
  .map((name) => join(samples, name));

/** Names that are the same in both languages: formats, letters, delimiters. */
const SAME = /^(?:XLSX?|ODS|NDJSON|UTF-\d\w*(?: .*)?|Windows-\d+|[,;|]|[\w-]+\d[\w-]*)$/;

function untranslated(english: readonly string[]): string[] {
  const parts = english.flatMap((text) => text.split(' · '));
  return [...new Set(parts)].filter((part) => germanNote(part) === undefined && !SAME.test(part));
}

async function saidOf(file: string): Promise<string[]> {
  const { detected, doubts } = await previewFile(file, {}, async () => undefined);
  return [detected, ...doubts];
}

test('how the samples are read', async () => {
  const said = (await Promise.all(FILES.map(saidOf))).flat().filter((text) => text !== '');
  expect(said.length).toBeGreaterThan(FILES.length / 2);
  expect(untranslated(said)).toEqual([]);
});

test('why their columns are what they are', async () => {
  const reasons: string[] = [];
  for (const file of FILES) {
    const inferred = await inferFile(file, {}).catch(() => undefined);
    reasons.push(...(inferred?.inference.columns ?? []).map(({ reason }) => reason));
  }
  expect(reasons.length).toBeGreaterThan(50);
  expect(untranslated(reasons)).toEqual([]);
});

test.each([
  ['two rows of column names, a blank one, and one twice', 'a,,b,b\n1,2,3,4\n5,6,7,8\n'],
  ['odd quotes', 'name,note\n"Robot, big",5" tall\nCar,"a "b" c"\n'],
  ['accents of one of two encodings', Buffer.from('name;note\nB\xe4r;sch\xf6n\nPuppe;gro\xdf\n', 'latin1')],
  [
    'yes and no, cents, ranges and dates',
    'Title,Boxed,Price (cents),Bought,Year,Done\nA,yes,1250,2020-01-02,1985,x\nB,no,900,2021-03-04,1990,\nC,yes,2000,2019-05-06,c. 1970,x\n',
  ],
])('of a file with %s', async (_, content) => {
  const file = await newFile(content);
  const inferred = await inferFile(file, {}).catch(() => undefined);
  const reasons = (inferred?.inference.columns ?? []).map(({ reason }) => reason);
  expect(untranslated([...(await saidOf(file)), ...reasons].filter((text) => text !== ''))).toEqual([]);
});

test('errors have a German text by their code, and none is said twice', () => {
  for (const [code, text] of Object.entries(GERMAN_ERRORS)) {
    expect(Object.hasOwn(ERROR_CATALOGUE, code), code).toBe(true);
    expect(text, code).toMatch(/[.?]$|https:\/\/$|>=50$/);
  }
});
