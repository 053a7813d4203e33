/**
 * Every message in both languages, with example parameters, in one file for a person to read: a new wording changes one
 * line of it. `npx vitest run test/messages -u` writes it anew.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { german } from '../../src/messages/german.ts';
import { english } from '../../src/messages/message.ts';
import type { Params } from '../../src/messages/params/kinds.ts';
import { type MessageCode, type Kind, type Kinds, type Message, PARAMS } from '../../src/messages/params.ts';
import { ROW_CODES } from '../../src/messages/row-codes.ts';

const EXAMPLES: { [K in Kind]: (name: string, count: number) => Kinds[K] } = {
  count: (_, count) => count,
  number: () => 1.5,
  ms: () => 90_000,
  time: () => Date.UTC(2026, 10, 24, 12),
  text: (name) => name.toUpperCase(),
  foreign: (name) => name.toUpperCase(),
  texts: (name) => [`${name.toUpperCase()} 1`, `${name.toUpperCase()} 2`],
  field: () => 'estimated_value',
  message: () => ({ code: 'amounts', params: {} }),
  messages: () => [
    { code: 'amounts', params: {} },
    { code: 'years', params: {} },
  ],
  yes: () => true,
};

function example(code: MessageCode, count: number): Message {
  const kinds = Object.entries(PARAMS[code] as Record<string, Kind>);
  const params = Object.fromEntries(
    kinds.map(([name, kind]) => [name, EXAMPLES[kind.replace('?', '') as Kind](name, count)]),
  );
  return { code, params };
}

test('every message is in the golden file in English and German', async () => {
  const lines = (Object.keys(PARAMS) as MessageCode[]).flatMap((code) => {
    const isCounted = Object.values(PARAMS[code] as Record<string, Kind>).includes('count');
    const counts = isCounted ? [1, 1234] : [1];
    return [
      code,
      ...counts.flatMap((count) => [
        `  en  ${english(example(code, count))}`,
        `  de  ${german(example(code, count))}`,
      ]),
    ];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('messages.golden.txt');
});

test('no text names a command or a flag, because commands and flags are actions', () => {
  for (const code of Object.keys(PARAMS) as MessageCode[])
    for (const text of [english(example(code, 2)), german(example(code, 2))])
      expect(text).not.toMatch(
        /\bshelflift (?:diff|doctor|dupes|export|import|jobs|profile|report|schedule|set|store|template|ui|why|worker)\b|(?:^|\s)--[a-z]/,
      );
});

test('no text begins with "Or", because the action before it may be left out', () => {
  for (const code of Object.keys(PARAMS) as MessageCode[])
    for (const text of [english(example(code, 2)), german(example(code, 2))])
      expect(text).not.toMatch(/^(?:Or|Oder)\b/);
});

test('a parameter that explains something is a message, or in the words of another program', () => {
  const why = { failed: { why: 'message', detail: 'foreign' } } satisfies Params;
  // @ts-expect-error A plain text would be a sentence in one language.
  const wrong = { failed: { why: 'text' } } satisfies Params;
  expect(Object.keys(why)).toEqual(Object.keys(wrong));
});

test('each message code is in only one area', () => {
  const folder = new URL('../../src/messages/params/', import.meta.url);
  const written = readdirSync(folder).flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/^ {2}(\w+): (?:\{|[A-Z_]+,)/gm)].map(
      ([, code]) => code,
    ),
  );
  const codes = [...written, ...ROW_CODES.map((code) => `row_${code}`)];
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  expect(new Set(codes)).toEqual(new Set(Object.keys(PARAMS)));
});

test('every message is used in the sources', () => {
  const src = new URL('../../src/', import.meta.url);
  const files = globSync('**/*.ts', { cwd: src }).filter(
    (file) => !/^messages\/(?:params|en|de)\//.test(file),
  );
  const code = files.map((file) => readFileSync(new URL(file, src), 'utf8')).join('\n');
  // `state_${state}`
  const made = [...code.matchAll(/`([a-z]+_(?:[a-z]+_)*)\$\{/g)].map(([, prefix = '']) => prefix);
  const silent = Object.keys(PARAMS).filter(
    (each) => !code.includes(`'${each}'`) && !made.some((prefix) => each.startsWith(prefix)),
  );
  expect(silent).toEqual([]);
});
