/** What is decided by a sentence changes with its wording: codes decide. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SRC = new URL('../../src/', import.meta.url);

/** Texts of other programs, which give no code; and the form of HTML. */
const OTHERS = new Set(['cli/mistakes.ts', 'worker/schedule/fire-times.ts', 'sheets/file-kind.ts']);

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
/** A text that is searched or replaced, or a pattern that is tested, with two words in a row. */
const WORDS = '[^\'"`/\\n]*\\p{L}{2,} \\p{L}{2,}[^\'"`/\\n]*';
const SEARCH = new RegExp(
  `\\.(?:includes|startsWith|endsWith|indexOf|match|matchAll|replace|replaceAll|search|split)\\(\\s*['"\`/]${WORDS}['"\`/]` +
    `|/${WORDS}/[a-z]*\\.(?:test|exec)\\(`,
  'u',
);

test('nothing is decided by an English sentence', () => {
  const found = globSync('**/*.ts', { cwd: SRC })
    .filter((file) => !OTHERS.has(file))
    .flatMap((file) =>
      readFileSync(new URL(file, SRC), 'utf8')
        .replaceAll(COMMENT, '')
        .split('\n')
        .filter((line) => SEARCH.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

test.each([
  ["if (message.includes('add up')) return;", true],
  ['text.replace(/has no rows/, other)', true],
  ['/cannot be read/u.test(text)', true],
  ["to.startsWith('folder ')", false],
])('%s counts as such: %s', (line, isFound) => {
  expect(SEARCH.test(line)).toBe(isFound);
});
