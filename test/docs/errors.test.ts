import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ERROR_GROUPS, errorsPage } from '../../docs/make-errors.ts';
import { EXIT_OF } from '../../src/base/error-codes.ts';
import { ROW_GROUPS } from '../../docs/errors/rows.ts';

const root = resolve(import.meta.dirname, '../..');
const CATALOGUES = ['src/base/error-codes.ts', 'src/messages/row-codes.ts'];

it('docs/errors.md is up to date with npm run docs:errors', () => {
  expect(readFileSync(join(root, 'docs/errors.md'), 'utf8')).toBe(errorsPage());
});

it('each code is in one table only, in snake_case, with full sentences for cause and remedy', () => {
  const all = ERROR_GROUPS.flatMap(({ codes }) => Object.keys(codes));
  expect(all.length).toBe(new Set(all).size);
  expect(all.toSorted()).toEqual(Object.keys(EXIT_OF).toSorted());
  for (const { codes } of [...ERROR_GROUPS, ...ROW_GROUPS]) {
    for (const [code, { cause, remedy }] of Object.entries(codes)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(cause, code).toMatch(/^[-A-Z].*[.)]$/s);
      expect(remedy.length, code).toBeGreaterThan(0);
    }
  }
});

it('every documented code is used', () => {
  const source = globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !CATALOGUES.includes(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const raised = (code: string) =>
    source.includes(`'${code}'`) || (code.startsWith('limit_') && source.includes(`'${code.slice(6)}'`));
  const codes = [...ERROR_GROUPS, ...ROW_GROUPS].flatMap((group) => Object.keys(group.codes));
  expect(codes.filter((code) => !raised(code))).toEqual([]);
});
