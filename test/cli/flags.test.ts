import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { flagsFile } from '../../docs/make-flags.ts';
import type { FlagSpec } from '../../src/cli/flags.ts';
import { FLAGS, GLOBAL_FLAGS } from '../../src/cli/flags.generated.ts';
import { GlobalOptions } from '../../src/cli/options.ts';
import { readImport, readOptions, readRun } from '../../src/cli/read-options.ts';
import { SetOptions } from '../../src/import/job/options.ts';

test('src/cli/flags.generated.ts is up to date with npm run docs:flags', () => {
  const file = resolve(import.meta.dirname, '../../src/cli/flags.generated.ts');
  expect(readFileSync(file, 'utf8')).toBe(flagsFile());
});

test('the description of every flag is a sentence', () => {
  const all: Record<string, FlagSpec>[] = [GLOBAL_FLAGS, ...Object.values(FLAGS)];
  for (const flags of all)
    for (const [name, { describe }] of Object.entries(flags))
      expect(describe, `--${name}`).toMatch(/^(?:[A-Z].*|[a-z_]+[.:].*)[.…]$/);
});

test('flags become the options of the library', () => {
  const flags = {
    timeout: '30s',
    map: ['name=Titel', 'estimated_value=F'],
    default: 'brand=A=B',
    match: 'name, brand',
    mode: 'update',
    'no-settle': true,
    'keep-unknown': false,
    'header-row': 3,
    recheck: 'never',
    wait: '5m',
    yes: true,
  } as const;
  expect(readImport(flags)).toEqual({
    map: { name: 'Titel', estimated_value: 'F' },
    defaults: { brand: 'A=B' },
    match: ['name', 'brand'],
    mode: 'update',
    noSettle: true,
    headerRow: 3,
    run: { recheckMs: Number.POSITIVE_INFINITY, waitMs: 300_000, yes: true },
  });
});

test.each([
  [{ first: 0 }, 'bad_number', '--first is 0; expected a whole number of at least 1.'],
  [{ first: 1.5 }, 'bad_number', '--first is 1.5; expected a whole number of at least 1.'],
  [{ first: Number.NaN }, 'bad_number', '--first is not a number; expected a whole number of at least 1.'],
  [{ wait: 'soon' }, 'bad_duration', '--wait is "soon"; expected a number with a unit'],
  [{ recheck: 'soon' }, 'bad_duration', '--recheck is "soon"; expected never or a number with a unit'],
  [
    { 'only-new': true, 'all-rows': true },
    'bad_choice',
    '--only-new and --all-rows cannot be used together.',
  ],
  [{ plan: ['a.html', 'b.html'] }, 'usage', '--plan was given 2 times.'],
])('the options %o are refused: %s', (flags, code, message) => {
  expect(() => readRun({ timeout: '30s', ...flags })).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

test.each([
  [{ map: 'name' }, 'bad_pair', '--map is "name"; expected FIELD=COLUMN.'],
  [{ match: 'id' }, 'match_without_mode', '--match needs --mode'],
])('the import options %o are refused: %s', (flags, code, message) => {
  expect(() => readImport({ timeout: '30s', ...flags })).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});

test.each([['colour=red'], [['brand=Siku', 'colour=red']]])(
  'for --where %o, the error names the expression that cannot be read',
  (where) => {
    expect(() => readOptions(SetOptions, { where })).toThrow(
      expect.objectContaining({ code: 'bad_where', message: expect.stringContaining('"colour=red"') }),
    );
  },
);

test('a rate must be a number above 0', () => {
  expect(() => readOptions(GlobalOptions, { 'max-rate': 0 })).toThrow(
    expect.objectContaining({ code: 'bad_number', message: '--max-rate is 0; expected a number above 0.' }),
  );
});
