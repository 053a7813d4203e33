/** Two packages are used beyond their documentation (decision 28): each is pinned, and what is used of it is checked here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Parser } from 'csv-parse';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const { devDependencies } = packageAt('.');

test.each(['csv-parse', 'graphile-worker'])('%s is pinned to the installed version', (name) => {
  expect(devDependencies[name]).toBe(packageAt(`node_modules/${name}`).version);
});

test('csv-parse restores an opening quote only if text follows the closing one', () => {
  const told: string[] = [];
  for (const text of ['"a"b,c\n', '"a",c\n', 'a"b,c\n']) {
    const parser = new Parser({ relax_quotes: true }) as unknown as {
      state: { field: { prepend(quote: Buffer): void } };
      api: { parse(bytes: Buffer, end: boolean, push: () => void, close: () => void): unknown };
    };
    parser.state.field.prepend = () => void told.push(text);
    parser.api.parse(
      Buffer.from(text),
      true,
      () => undefined,
      () => undefined,
    );
  }
  expect(told).toEqual(['"a"b,c\n']);
});

test('graphile-worker keeps jobs in the table whose columns the queue names', () => {
  const folder = join(ROOT, 'node_modules/graphile-worker/sql');
  const made = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  expect(readdirSync(folder).at(-1)).toMatch(/^0000\d\d\.sql$/);
  for (const name of ['_private_jobs', 'is_available', 'flags']) expect(made).toContain(name);
});

function packageAt(folder: string): { version: string; devDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}
