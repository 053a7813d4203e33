import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { openYaml, plainValue } from '../src/base/yaml-file.ts';
import * as fc from './support/fast-check.ts';

const PIECES =
  `a|b: |key: |- |"x"|'it''s'|1_000|0b11|017|0o8|-0|1.|yes|NULL|~| |{|}|[|]|, |: |>-| # c|<<: |é|*/5 6 * * MON|a & b|{{period.end:yyyy}}|https://x.y/#z|2026-01-01`
    .split('|')
    .concat('\n', '\n  ', '\n    ', '---\n', '\r', '\r\n', '? ');

/** Both readers, as long as both can read it. */
function agree(text: string): void {
  const plain = plainValue(text);
  if (plain === undefined) return;
  const { value, broken } = openYaml(text);
  if (!broken) expect({ text, value: plain.value }).toEqual({ text, value });
}

const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'yes',
    'No',
    'null',
    '~',
    '1_000',
    '0x1F',
    '0o17',
    '017',
    '+.5',
    '1e3',
    '.inf',
    '2026-01-01',
    '1:30',
  ),
);
const scalar = fc.oneof(word, fc.double(), fc.integer(), fc.boolean(), fc.constant(null));

test('both YAML readers read any value in the same way', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(word, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  const style = fc.record({
    collectionStyle: fc.constantFrom('any' as const, 'block' as const, 'flow' as const),
    defaultStringType: fc.constantFrom(
      'PLAIN' as const,
      'QUOTE_DOUBLE' as const,
      'QUOTE_SINGLE' as const,
      'BLOCK_LITERAL' as const,
    ),
    indent: fc.integer({ min: 1, max: 4 }),
    lineWidth: fc.constantFrom(0, 20, 80),
  });
  fc.assert(fc.property(value, style, (given, options) => agree(stringify(given, options))));
});

test('both YAML readers read typical files in the same way', () => {
  const typed = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 });
  fc.assert(
    fc.property(typed, (pieces) => agree(pieces.join(''))),
    { numRuns: 2_000 },
  );
});

test('text that only one YAML reader supports is left to that reader', () => {
  for (const text of [
    'a: &x 1\nb: *x',
    '%YAML 1.1\n---\na: yes',
    'a: 1\na: 2',
    'a: !!str 1',
    'a:\t1',
    'a: 1\rb: 2',
    '~: 1',
    '{ : 1 }',
    '',
  ]) {
    expect(plainValue(text), text).toBeUndefined();
  }
  expect(plainValue('cron: "*/5 6 * * MON"\n<<: { a: 1 }')).toEqual({
    value: { cron: '*/5 6 * * MON', a: 1 },
  });
});
