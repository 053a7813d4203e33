import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { templateSchema } from '../../docs/make-template-schema.ts';
import { Template } from '../../src/mapping/template/template.ts';

const templates = resolve(import.meta.dirname, '../../templates');
const shipped = readdirSync(join(templates, 'import'));
const ID = 'https://example.com/import.schema.json';

beforeAll(() => registerSchema(JSON.parse(templateSchema()), ID));
afterAll(() => unregisterSchema(ID));

test('templates/import.schema.json is up to date with npm run docs:schema', () => {
  expect(readFileSync(join(templates, 'import.schema.json'), 'utf8')).toBe(templateSchema());
});

test.each(shipped)('%s names the schema, and is valid against it', async (name) => {
  const text = readFileSync(join(templates, 'import', name), 'utf8');
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../import.schema.json');
  expect((await validate(ID, parse(text))).valid).toBe(true);
});

test.each([
  ['an unknown key', { name: 'x', colums: {} }],
  ['an unknown field', { name: 'x', columns: { nmae: 'Name' } }],
  ['an unknown option', { name: 'x', columns: { name: { form: 'Name' } } }],
  ['an id that is given', { name: 'x', constants: { id: '1' } }],
  [
    'a rule that sets an unknown field',
    { name: 'x', conditions: [{ when: { from: 'A', filled: true }, set: { x: 1 } }] },
  ],
])('an editor and the loader both refuse %s', async (_, template) => {
  expect((await validate(ID, template as never)).valid).toBe(false);
  expect(Template.safeParse(template).success).toBe(false);
});
