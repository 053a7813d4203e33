/** Each line of the contract (api-v1), at, below and above each bound. Every answer must fit its own schema. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CollectionList,
  ErrorEnvelope,
  Item,
  ItemList,
  SalesSummary,
  SCOPES,
} from '../../src/api/schemas.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { OperationName, RequestRecord } from '../../src/sandbox/settings.ts';
import { call, collectionOf, errorOf, names } from './support.ts';

const NO_ITEM = '00000000-0000-4000-8000-000000000000';
const ANSWERS = {
  listItems: ItemList,
  createItem: Item,
  getItem: Item,
  updateItem: Item,
  listCollections: CollectionList,
  listListings: ItemList,
  getSalesSummary: SalesSummary,
} as const;
/** Per operation, what its line in §4 lists. */
const STATUSES: Record<OperationName, number[]> = {
  listItems: [200, 400, 401, 403, 429],
  createItem: [201, 400, 401, 403, 429],
  getItem: [200, 401, 403, 404, 429],
  updateItem: [200, 400, 401, 403, 404, 429],
  listCollections: [200, 400, 401, 403, 429],
  listListings: [200, 400, 401, 403, 429],
  getSalesSummary: [200, 401, 403, 429],
};

let sandbox: Sandbox;
let collection: string;
let item: string;
const seen: RequestRecord[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ onRequest: (record) => seen.push(record) });
  collection = collectionOf(sandbox);
  const [id] = sandbox.control.insertItems([{ name: 'Changed often' }]);
  item = id ?? '';
});

afterAll(async () => {
  await sandbox.close();
  for (const { operation, status, answer, method } of seen) {
    if (method === 'HEAD') continue;
    const schema =
      operation !== undefined && status !== undefined && status < 300 ? ANSWERS[operation] : ErrorEnvelope;
    expect(schema.safeParse(JSON.parse(answer)).error).toBeUndefined();
    if (operation !== undefined) expect(STATUSES[operation]).toContain(status);
  }
});

const long = 'x'.repeat(255);
/** Field, values that a write accepts, values that it refuses. */
const FIELDS: [field: string, good: unknown[], bad: unknown[]][] = [
  [
    'name',
    ['x', long, '😀'.repeat(255), ' ', '=1+1', 'a\u0000b'],
    ['', `${long}x`, '😀'.repeat(256), null, 5, true, []],
  ],
  ['brand', [null, '', 'Kestrel', 'x'.repeat(2000)], [5, false, {}, ['x']]],
  ['series', [null, '', '"Wave" 1'], [5, false, {}, ['x']]],
  ['release_year', [null, 1968, 2100, 1999, 2000.0], [1967, 2101, 1999.5, '1999', true, -1]],
  [
    'condition',
    [null, 'mint_on_card', 'loose_mint', 'loose_good', 'loose_fair', 'damaged'],
    ['MOC', '', 'Mint_On_Card', 5],
  ],
  ['packaging', [null, 'in_package', 'opened', 'loose', 'custom'], ['boxed', '', 5]],
  ['status', ['keep', 'sell', 'trade', 'sold', 'archived'], [null, '', 'lost', 'KEEP', 5]],
  ['tags', [[], ['a', 'a', ''], ['é']], [null, 'a', [5], [null], {}]],
  ['custom_fields', [{}, { a: 1, b: null, c: [{}], d: 'x' }], [null, [], 'x', 5]],
  ['estimated_value', [null, 0, 0.01, 1e15], [-0.01, -1, '5', true]],
];

describe('fields of a write', () => {
  for (const [field, good, bad] of FIELDS) {
    test.each(good.map((value) => [value]))(`${field} accepts %j`, async (value) => {
      const created = await call(sandbox, 'POST', '/items', {
        body: { collection_id: collection, name: 'Racer', [field]: value },
      });
      expect(created.status).toBe(201);
      expect(created.json?.[field]).toEqual(value);
      const changed = await call(sandbox, 'PATCH', `/items/${item}`, { body: { [field]: value } });
      expect(changed.status).toBe(200);
      expect(changed.json?.[field]).toEqual(value);
    });
    test.each(bad.map((value) => [value]))(`${field} refuses %j`, async (value) => {
      const created = await call(sandbox, 'POST', '/items', {
        body: { collection_id: collection, name: 'Racer', [field]: value },
      });
      const changed = await call(sandbox, 'PATCH', `/items/${item}`, { body: { [field]: value } });
      for (const reply of [created, changed]) {
        expect(reply.status).toBe(400);
        expect(errorOf(reply).type).toBe('invalid_request');
        expect(errorOf(reply).message).toMatch(new RegExp(`^${field}[.:]`));
      }
    });
  }

  test('the sandbox refuses 1e999 as a number', async () => {
    const body = `{"collection_id":"${collection}","name":"x","estimated_value":1e999}`;
    const reply = await call(sandbox, 'POST', '/items', { body });
    expect(reply.status).toBe(400);
    expect(errorOf(reply).message).toMatch(/^estimated_value/);
  });

  test.each([
    ['collection_id', {}, 'name'],
    ['name', { name: undefined, collection_id: NO_ITEM }, 'name'],
    ['collection_id that is not a UUID', { collection_id: 'Main', name: 'x' }, 'collection_id'],
    ['unknown collection_id', { collection_id: NO_ITEM, name: 'x' }, 'collection_id'],
    ['null collection_id', { collection_id: null, name: 'x' }, 'collection_id'],
  ])('a create without a valid %s is refused', async (_what, body, field) => {
    const reply = await call(sandbox, 'POST', '/items', { body });
    expect(reply.status).toBe(400);
    expect(errorOf(reply).message).toContain(`${field}:`);
  });

  test.each(['id', 'object', 'currency', 'created_at', 'nmae', '__proto__', 'constructor'])(
    'the property %s is unknown in a write',
    async (property) => {
      const extra = `"${property}":"x"`;
      const created = await call(sandbox, 'POST', '/items', {
        body: `{"collection_id":"${collection}","name":"x",${extra}}`,
      });
      const changed = await call(sandbox, 'PATCH', `/items/${item}`, { body: `{"name":"x",${extra}}` });
      for (const reply of [created, changed]) {
        expect(reply.status).toBe(400);
        expect(errorOf(reply).message).toContain(`${property}: unknown property`);
      }
    },
  );

  test('a created item has every field of the contract, with its defaults', async () => {
    const reply = await call(sandbox, 'POST', '/items', {
      body: { collection_id: collection, name: 'Bare' },
    });
    expect(reply.status).toBe(201);
    expect(reply.json).toMatchObject({
      object: 'item',
      name: 'Bare',
      brand: null,
      series: null,
      release_year: null,
      condition: null,
      packaging: null,
      status: 'keep',
      tags: [],
      custom_fields: {},
      collection_id: collection,
      estimated_value: null,
      currency: 'usd',
    });
    expect(reply.json?.['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(reply.json?.['updated_at']).toBe(reply.json?.['created_at']);
    const read = await call(sandbox, 'GET', `/items/${String(reply.json?.['id'])}`);
    expect(read.text).toBe(reply.text);
  });

  test('custom fields keep every key and value', async () => {
    const text = '{"__proto__":{"a":1},"10":1,"2":"5","ä\\ud800":[null,{"x":false}],"":""}';
    const reply = await call(sandbox, 'POST', '/items', {
      body: `{"collection_id":"${collection}","name":"x","custom_fields":${text}}`,
    });
    expect(reply.status).toBe(201);
    expect(reply.text).toContain('"__proto__":{"a":1}');
    expect(reply.text).toContain('"ä\\ud800":[null,{"x":false}]');
  });
});

describe('an update in the sandbox', () => {
  test('changes only fields that are sent', async () => {
    const made = await call(sandbox, 'POST', '/items', {
      body: { collection_id: collection, name: 'Whole', brand: 'B', tags: ['t'], custom_fields: { a: 1 } },
    });
    const changed = await call(sandbox, 'PATCH', `/items/${String(made.json?.['id'])}`, {
      body: { status: 'sold' },
    });
    const { updated_at: _, ...rest } = made.json ?? {};
    expect(changed.json).toMatchObject({ ...rest, status: 'sold' });
  });

  test('without fields is refused', async () => {
    const reply = await call(sandbox, 'PATCH', `/items/${item}`, { body: {} });
    expect(reply.status).toBe(400);
    expect(errorOf(reply).message).toContain('at least one property');
  });

  test('is validated before the item is looked up', async () => {
    expect((await call(sandbox, 'PATCH', `/items/${NO_ITEM}`, { body: { name: '' } })).status).toBe(400);
    expect((await call(sandbox, 'PATCH', `/items/${NO_ITEM}`, { body: { name: 'x' } })).status).toBe(404);
    expect(
      (await call(sandbox, 'PATCH', `/items/${item}`, { body: { collection_id: NO_ITEM } })).status,
    ).toBe(400);
  });
});

describe('ids in requests', () => {
  test('UUIDs in capitals are treated as the same UUIDs', async () => {
    const read = await call(sandbox, 'GET', `/items/${item.toUpperCase()}`);
    expect(read.json?.['id']).toBe(item);
    const made = await call(sandbox, 'POST', '/items', {
      body: { collection_id: collection.toUpperCase(), name: 'x' },
    });
    expect(made.json?.['collection_id']).toBe(collection);
    const changed = await call(sandbox, 'PATCH', `/items/${item.toUpperCase()}`, {
      body: { collection_id: collection.toUpperCase() },
    });
    expect(changed.json?.['collection_id']).toBe(collection);
  });

  test.each([NO_ITEM, 'abc', '%20', '0', `${NO_ITEM}0`, '..%2f', '%F0%9F%A7%B8', "';--"])(
    'the id %s finds no item',
    async (id) => {
      const read = await call(sandbox, 'GET', `/items/${id}`);
      const changed = await call(sandbox, 'PATCH', `/items/${id}`, { body: { name: 'x' } });
      for (const reply of [read, changed]) {
        expect(reply.status).toBe(404);
        expect(errorOf(reply).type).toBe('not_found');
      }
    },
  );
});

describe('queries of lists', () => {
  const lists = ['/items', '/collections', '/marketplace/listings'];
  for (const path of lists) {
    test.each(['1.5', 'abc', '0', '-1', '', '+1', '1e1', ' 1', '0x1', '101', '99999999999999999999'])(
      `${path} refuses per_page=%s`,
      async (value) => {
        const reply = await call(sandbox, 'GET', `${path}?per_page=${encodeURIComponent(value)}`);
        expect(reply.status).toBe(400);
        expect(errorOf(reply)).toMatchObject({
          type: 'invalid_request',
          message: expect.stringMatching(/^per_page:/),
        });
      },
    );
    test.each(['1.5', 'abc', '0', '-1', '', '99999999999999999999'])(
      `${path} refuses page=%s`,
      async (value) => {
        const reply = await call(sandbox, 'GET', `${path}?page=${value}`);
        expect(reply.status).toBe(400);
        expect(errorOf(reply).message).toMatch(/^page:/);
      },
    );
    test.each([
      ['', { page: 1, per_page: 20 }],
      ['?per_page=1', { page: 1, per_page: 1 }],
      ['?per_page=100', { page: 1, per_page: 100 }],
      ['?page=1&per_page=99', { page: 1, per_page: 99 }],
      ['?unknown=1', { page: 1, per_page: 20 }],
    ])(`${path}%s is served`, async (query, pagination) => {
      const reply = await call(sandbox, 'GET', path + query);
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({ object: 'list', pagination });
    });
    test.each(['1000000', '9007199254740991'])(`${path} is empty at page %s`, async (page) => {
      const reply = await call(sandbox, 'GET', `${path}?page=${page}`);
      expect(reply.json).toEqual({
        object: 'list',
        data: [],
        pagination: { page: Number(page), per_page: 20, has_more: false },
      });
    });
    test(`${path} refuses a repeated parameter`, async () => {
      expect((await call(sandbox, 'GET', `${path}?page=1&page=2`)).status).toBe(400);
    });
  }

  test.each(['', 'KEEP', 'lost', 'keep,sell', 'all', 'listed'])('items refuses status=%s', async (status) => {
    const reply = await call(sandbox, 'GET', `/items?status=${status}`);
    expect(reply.status).toBe(400);
    expect(errorOf(reply).message).toMatch(/^status:/);
  });

  test('each status can be used as a filter, and listings contain items with the status sell or trade', async () => {
    await using other = await startSandbox();
    other.control.insertItems(
      ['keep', 'sell', 'trade', 'sold', 'archived', 'sell'].map((status, index) => ({
        name: `${status} ${index}`,
        status: status as 'keep',
      })),
    );
    expect(names(await call(other, 'GET', '/items?status=sell'))).toEqual(['sell 5', 'sell 1']);
    expect(names(await call(other, 'GET', '/items?status=archived'))).toEqual(['archived 4']);
    expect(names(await call(other, 'GET', '/marketplace/listings'))).toEqual(['sell 5', 'trade 2', 'sell 1']);
    const { json } = await call(other, 'GET', '/marketplace/listings?per_page=2');
    expect(json?.['pagination']).toEqual({ page: 1, per_page: 2, has_more: true });
  });
});

const OPERATIONS: [OperationName, string, string, string, unknown?][] = [
  ['listItems', 'items:read', 'GET', '/items'],
  ['createItem', 'items:write', 'POST', '/items', { name: 'x' }],
  ['getItem', 'items:read', 'GET', `/items/${NO_ITEM}`],
  ['updateItem', 'items:write', 'PATCH', `/items/${NO_ITEM}`, { name: 'x' }],
  ['listCollections', 'collections:read', 'GET', '/collections'],
  ['listListings', 'marketplace:read', 'GET', '/marketplace/listings'],
  ['getSalesSummary', 'analytics:read', 'GET', '/sales/summary'],
];

describe('keys and scopes', () => {
  test.each(OPERATIONS)('%s needs the scope %s, and no other', async (_name, scope, method, path, body) => {
    const only = sandbox.control.addKey(SCOPES.filter((known) => known === scope)).secret;
    const others = sandbox.control.addKey(SCOPES.filter((known) => known !== scope)).secret;
    const sent = body === undefined ? {} : { body };
    expect([200, 400, 404]).toContain((await call(sandbox, method, path, { key: only, ...sent })).status);
    const refused = await call(sandbox, method, path, { key: others, ...sent });
    expect(refused.status).toBe(403);
    expect(errorOf(refused).type).not.toBe('limit_reached');
    expect(errorOf(refused).message).toContain(scope);
  });

  test.each(OPERATIONS)('%s needs a key', async (_name, _scope, method, path, body) => {
    const sent = body === undefined ? {} : { body };
    for (const authorization of [
      '',
      'Bearer',
      'Bearer  ',
      'Bearer nobody',
      `Basic ${sandbox.key}`,
      sandbox.key,
    ]) {
      const headers = { authorization };
      const reply = await call(sandbox, method, path, { key: null, headers, ...sent });
      expect(reply.status).toBe(401);
      expect(reply.json).toHaveProperty('error.message');
    }
    expect((await call(sandbox, method, path, { key: null, ...sent })).status).toBe(401);
  });

  test('a revoked key is treated as unknown', async () => {
    const { secret } = sandbox.control.addKey();
    expect((await call(sandbox, 'GET', '/items', { key: secret })).status).toBe(200);
    expect(sandbox.control.revokeKey(secret)).toBe(true);
    expect((await call(sandbox, 'GET', '/items', { key: secret })).status).toBe(401);
    expect(sandbox.control.revokeKey(secret)).toBe(false);
  });

  test('the case of the authorization scheme does not matter', async () => {
    const headers = { authorization: `bearer ${sandbox.key}` };
    expect((await call(sandbox, 'GET', '/items', { key: null, headers })).status).toBe(200);
  });
});

describe('request bodies', () => {
  const good = (): string => JSON.stringify({ collection_id: collection, name: 'x' });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8'])(
    'of type %s are accepted',
    async (type) => {
      const reply = await call(sandbox, 'POST', '/items', {
        body: good(),
        headers: { 'content-type': type },
      });
      expect(reply.status).toBe(201);
    },
  );
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/merge-patch+json',
  ])('of type %s are refused', async (type) => {
    const headers = { 'content-type': type };
    for (const reply of [
      await call(sandbox, 'POST', '/items', { body: good(), headers }),
      await call(sandbox, 'PATCH', `/items/${item}`, { body: '{"name":"x"}', headers }),
    ]) {
      expect(reply.status).toBe(400);
      expect(errorOf(reply).message).toMatch(/^Content-Type:/);
    }
  });
  test.each(['{', 'name=x', '', 'null', '[]', '5', '"x"', '[{}]', '\ufeff{}', '{"name":"x",}', 'NaN'])(
    '%j is refused, because it is not an object',
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      expect((await call(sandbox, 'POST', '/items', { body, headers })).status).toBe(400);
      expect((await call(sandbox, 'PATCH', `/items/${item}`, { body, headers })).status).toBe(400);
    },
  );
  test.each([2, 10])('of %i MB are refused, and the connection stays open', async (megabytes) => {
    const body = JSON.stringify({
      collection_id: collection,
      name: 'x',
      brand: 'x'.repeat(megabytes * 1_000_000),
    });
    const reply = await call(sandbox, 'POST', '/items', { body });
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatchObject({
      type: 'invalid_request',
      message: expect.stringContaining('1000000'),
    });
    expect((await call(sandbox, 'GET', '/items')).status).toBe(200);
  });
  test('of just under a megabyte are stored', async () => {
    const body = { collection_id: collection, name: 'x', brand: 'x'.repeat(999_000) };
    expect((await call(sandbox, 'POST', '/items', { body })).status).toBe(201);
  });
  test('are refused if they are nested too deeply to be written back', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const body = `{"collection_id":"${collection}","name":"x","custom_fields":{"a":${deep}}}`;
    const reply = await call(sandbox, 'POST', '/items', { body });
    expect(reply.status).toBe(400);
    expect(errorOf(reply).message).toMatch(/^custom_fields/);
  });
});

describe('routes', () => {
  test.each([
    ['GET', '/'],
    ['GET', ''],
    ['GET', '/item'],
    ['GET', '/items/'],
    ['GET', `/items/${NO_ITEM}/`],
    ['GET', '/Items'],
    ['GET', '/sales'],
    ['GET', '/marketplace'],
    ['DELETE', `/items/${NO_ITEM}`],
    ['PUT', `/items/${NO_ITEM}`],
    ['POST', `/items/${NO_ITEM}`],
    ['PATCH', '/items'],
    ['POST', '/collections'],
    ['OPTIONS', '/items'],
    ['DELETE', '/items'],
    ['PROPFIND', '/items'],
  ])('%s %s is unknown: 404', async (method, path) => {
    const reply = await call(sandbox, method, path);
    expect(reply.status).toBe(404);
    expect(errorOf(reply).type).toBe('not_found');
    expect(reply.headers.get('x-request-id')).toMatch(/^req_/);
    expect((await call(sandbox, method, path, { key: null })).status).toBe(401);
  });

  test.each(['/items', `/items/${NO_ITEM}`, '/collections'])(
    'HEAD %s is unknown: 404, and the answer has no body',
    async (path) => {
      const reply = await call(sandbox, 'HEAD', path);
      expect(reply.status).toBe(404);
      expect(reply.text).toBe('');
      expect(reply.headers.get('x-request-id')).toMatch(/^req_/);
    },
  );

  test.each(['/', '/items', '/api/public/v2/items', '/api/public/v10/items', '/API/public/v1/items'])(
    '%s is outside the prefix: 404 without a key',
    async (path) => {
      const answer = await fetch(sandbox.url + path);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      expect(await answer.json()).toMatchObject({ error: { type: 'not_found' } });
    },
  );
});

test('every answer has a unique request id', async () => {
  const ids = new Set<string | null>();
  for (const path of ['/items', '/items', '/nothing', '/items?page=0', `/items/${NO_ITEM}`]) {
    ids.add((await call(sandbox, 'GET', path)).headers.get('x-request-id'));
  }
  expect(ids.size).toBe(5);
  expect(ids).not.toContain(null);
});

describe('the plan limit', () => {
  test('refuses creates, and only after all other checks have passed', async () => {
    await using limited = await startSandbox({ planLimit: 2 });
    const main = collectionOf(limited);
    const create = (body: object) => call(limited, 'POST', '/items', { body });
    const first = await create({ collection_id: main, name: '1' });
    expect((await create({ collection_id: main, name: '2' })).status).toBe(201);
    const refused = await create({ collection_id: main, name: '3' });
    expect(refused.status).toBe(403);
    expect(errorOf(refused).type).toBe('limit_reached');
    expect((await create({ collection_id: main, name: '' })).status).toBe(400);
    const id = String(first.json?.['id']);
    expect((await call(limited, 'PATCH', `/items/${id}`, { body: { status: 'archived' } })).status).toBe(200);
    expect((await create({ collection_id: main, name: '3' })).status).toBe(403);
    limited.control.setPlanLimit(3);
    expect((await create({ collection_id: main, name: '3' })).status).toBe(201);
    expect(limited.control.items()).toHaveLength(3);
  });

  test('counts each team separately', async () => {
    await using limited = await startSandbox({ planLimit: 1 });
    const team = limited.control.addTeam();
    const key = team.keys[0]?.secret ?? '';
    for (const [index, secret] of [limited.key, key].entries()) {
      const body = { collection_id: collectionOf(limited, index), name: 'x' };
      expect((await call(limited, 'POST', '/items', { body, key: secret })).status).toBe(201);
      expect((await call(limited, 'POST', '/items', { body, key: secret })).status).toBe(403);
    }
  });
});

describe('the order of checks', () => {
  test('is 401, then 429, 403 and 400', async () => {
    await using limited = await startSandbox({ rateLimit: '1/1h' });
    const { secret } = limited.control.addKey(['analytics:read']);
    const wrong = { body: { nonsense: true } };
    expect((await call(limited, 'POST', '/items', { ...wrong, key: secret })).status).toBe(403);
    expect((await call(limited, 'POST', '/items', { ...wrong, key: secret })).status).toBe(429);
    expect((await call(limited, 'POST', '/items', { ...wrong, key: 'nobody' })).status).toBe(401);
    expect((await call(limited, 'POST', '/items', wrong)).status).toBe(400);
    expect((await call(limited, 'GET', '/nothing')).status).toBe(429);
  });
});
