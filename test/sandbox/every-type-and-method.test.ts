/** What is easily forgotten one by one, as whole tables: every field by every type, every path by every method. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_PREFIX } from '../../src/api/schemas.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { call, collectionOf, errorOf } from './support.ts';

let sandbox: Sandbox;
let collection: string;
let item: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  collection = collectionOf(sandbox);
  item = sandbox.control.insertItems([{ name: 'Changed often' }])[0] ?? '';
});
afterAll(() => sandbox.close());

const TYPES = {
  null: null,
  boolean: true,
  integer: 1999,
  fraction: 1999.5,
  text: 'x',
  array: [],
  object: {},
};
type TypeName = keyof typeof TYPES;

/** api-v1 §4: the types that each field takes. Text is `x`, which is no value of the enums and no UUID. */
const TAKES: Record<string, TypeName[]> = {
  collection_id: [],
  name: ['text'],
  brand: ['text', 'null'],
  series: ['text', 'null'],
  release_year: ['integer', 'null'],
  condition: ['null'],
  packaging: ['null'],
  status: [],
  tags: ['array'],
  custom_fields: ['object'],
  estimated_value: ['integer', 'fraction', 'null'],
};

describe('every field with every type of value', () => {
  const rows = Object.entries(TAKES).flatMap(([field, takes]) =>
    (Object.keys(TYPES) as TypeName[]).map((type) => ({ field, type, taken: takes.includes(type) })),
  );
  test.each(rows)('$field, $type: $taken', async ({ field, type, taken }) => {
    const fields = { [field]: TYPES[type] };
    const created = await call(sandbox, 'POST', '/items', {
      body: { collection_id: collection, name: 'Racer', ...fields },
    });
    const changed = await call(sandbox, 'PATCH', `/items/${item}`, { body: fields });
    expect([created.status, changed.status]).toEqual(taken ? [201, 200] : [400, 400]);
    for (const reply of [created, changed]) {
      if (taken) expect(reply.json?.[field]).toEqual(TYPES[type]);
      else
        expect(errorOf(reply)).toMatchObject({
          type: 'invalid_request',
          message: expect.stringMatching(`^${field}:`),
        });
    }
  });
});

describe('every path with every method', () => {
  const OPERATIONS = [
    'GET /items',
    'POST /items',
    'GET /items/{id}',
    'PATCH /items/{id}',
    'GET /collections',
    'GET /marketplace/listings',
    'GET /sales/summary',
  ];
  const PATHS = ['/items', '/items/{id}', '/collections', '/marketplace/listings', '/sales/summary'];
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const rows = PATHS.flatMap((path) =>
    METHODS.map((method) => ({ method, path, known: OPERATIONS.includes(`${method} ${path}`) })),
  );
  test.each(rows)('$method $path: $known', async ({ method, path, known }) => {
    const sent = ['POST', 'PUT', 'PATCH'].includes(method)
      ? { body: method === 'POST' ? { collection_id: collection, name: 'x' } : { name: 'x' } }
      : {};
    const before = sandbox.control.items();
    const reply = await call(sandbox, method, path.replace('{id}', item), sent);
    if (known) {
      expect([200, 201]).toContain(reply.status);
      return;
    }
    expect(reply.status).toBe(404);
    if (method === 'HEAD') expect(reply.text).toBe('');
    else expect(errorOf(reply).type).toBe('not_found');
    expect(sandbox.control.items()).toEqual(before);
  });
});

describe('incomplete writes', () => {
  test('an update with only unknown properties names each of them', async () => {
    const reply = await call(sandbox, 'PATCH', `/items/${item}`, {
      body: { updated_at: 'x', colour: 'red' },
    });
    expect(reply.status).toBe(400);
    expect(errorOf(reply).message).toMatch(/^updated_at: unknown property; colour: unknown property/);
  });

  test.each(['POST', 'PATCH'])('a %s without a content type is refused', async (method) => {
    const path = method === 'POST' ? '/items' : `/items/${item}`;
    const answer = await fetch(`${sandbox.url}${API_PREFIX}${path}`, {
      method,
      headers: { authorization: `Bearer ${sandbox.key}` },
      // Bytes, because fetch gives text a type.
      // oxlint-disable-next-line unicorn/no-invalid-fetch-options -- the rule takes the variable for a GET
      body: new TextEncoder().encode(JSON.stringify({ collection_id: collection, name: 'x' })),
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(await answer.json()).toMatchObject({
      error: { type: 'invalid_request', message: 'Content-Type: expected application/json, got none' },
    });
  });

  test('an update of 10 MB is refused, and changes nothing', async () => {
    const before = sandbox.control.items();
    const reply = await call(sandbox, 'PATCH', `/items/${item}`, { body: { brand: 'x'.repeat(10_000_000) } });
    expect(reply.status).toBe(400);
    expect(errorOf(reply).type).toBe('invalid_request');
    expect(sandbox.control.items()).toEqual(before);
  });

  test('a key without scopes gets 403 from every path', async () => {
    const key = sandbox.control.addKey([]).secret;
    for (const path of [
      '/items',
      `/items/${item}`,
      '/collections',
      '/marketplace/listings',
      '/sales/summary',
    ]) {
      expect((await call(sandbox, 'GET', path, { key })).status).toBe(403);
    }
    expect((await call(sandbox, 'POST', '/items', { key, body: {} })).status).toBe(403);
    expect((await call(sandbox, 'PATCH', `/items/${item}`, { key, body: {} })).status).toBe(403);
  });
});
