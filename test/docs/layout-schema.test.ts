import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { layoutSchema } from '../../docs/make-layout-schema.ts';
import { Layout } from '../../src/export/layout/layout.ts';

const templates = resolve(import.meta.dirname, '../../templates');
const shipped = readdirSync(join(templates, 'export'));
const ID = 'https://example.com/export.schema.json';

beforeAll(() => registerSchema(JSON.parse(layoutSchema()), ID));
afterAll(() => unregisterSchema(ID));

test('templates/export.schema.json is up to date with npm run docs:schema', () => {
  expect(readFileSync(join(templates, 'export.schema.json'), 'utf8')).toBe(layoutSchema());
});

test.each(shipped)('%s names the schema, and is valid against it', async (name) => {
  const text = readFileSync(join(templates, 'export', name), 'utf8');
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../export.schema.json');
  expect((await validate(ID, parse(text))).valid).toBe(true);
});

test.each([
  ['an unknown key', { name: 'x', columns: ['id'], colums: [] }],
  ['an unknown option', { name: 'x', columns: [{ feild: 'id' }] }],
  ['an unknown format', { name: 'x', columns: [{ field: 'id', format: 'hex' }] }],
  ['no columns', { name: 'x', columns: [] }],
])('an editor and the loader both refuse %s', async (_, layout) => {
  expect((await validate(ID, layout as never)).valid).toBe(false);
  expect(Layout.safeParse(layout).success).toBe(false);
});
