import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { workerSchema } from '../../docs/make-worker-schema.ts';
import { EXAMPLE } from '../worker/example-config.ts';

const ID = 'https://example.com/shelflift.schema.json';

test('docs/shelflift.schema.json is up to date with npm run docs:schema', () => {
  const file = resolve(import.meta.dirname, '../../docs/shelflift.schema.json');
  expect(readFileSync(file, 'utf8')).toBe(workerSchema());
});

test('the schema accepts a valid file and rejects an invalid one', async () => {
  registerSchema(JSON.parse(workerSchema()), ID);
  try {
    expect((await validate(ID, parse(EXAMPLE))).valid).toBe(true);
    expect((await validate(ID, parse(EXAMPLE.replace('catchUp: once', 'catchUp: twice')))).valid).toBe(false);
    expect((await validate(ID, parse(EXAMPLE.replace('profile: main', 'profil: main')))).valid).toBe(false);
  } finally {
    unregisterSchema(ID);
  }
});
