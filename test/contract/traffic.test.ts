/**
 * Recorded traffic of a live sandbox, each request and each answer, against the hand-written description. Both
 * ways: what the sandbox accepts is right by the description, and what it refuses with 400 is wrong by it.
 */
import * as fc from '../support/fast-check.ts';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { API_PREFIX, type ItemCreate, SCOPES, type Scope } from '../../src/api/schemas.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { HEADER_STYLES } from '../../src/sandbox/settings.ts';
import { closed, type Conformance, createConformance, type Verdict } from './conformance.ts';
import { child, children, contractDescription, operationsOf } from './description.ts';
import { type Exchange, type Recorder, startRecorder } from './recorder.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
/** Refusals that the contract's lines of these two operations do not list; §7 has them for any bad parameter. */
const UNLISTED = ['listCollections 400', 'listListings 400'];

let sandbox: Sandbox;
let recorder: Recorder;
let conformance: Conformance;
let collection: string;
let item: string;
let theirs: { item: string; collection: string };
/** By secret. */
const scopes = new Map<string, readonly Scope[]>();
/** `operation status` of every answer that was checked. */
const seen = new Set<string>();

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 3, seedItems: 250 });
  recorder = await startRecorder(sandbox.url);
  conformance = createConformance(closed(contractDescription()), scopes);
  scopes.set(sandbox.key, SCOPES);
  collection = sandbox.teams[0]?.collections[0]?.id ?? '';
  item = sandbox.control.insertItems([{ name: 'Changed often' }])[0] ?? '';
  const other = sandbox.control.addTeam();
  theirs = {
    item: sandbox.control.insertItems([{}], other.id)[0] ?? '',
    collection: other.collections[0]?.id ?? '',
  };
});

afterAll(async () => {
  conformance[Symbol.dispose]();
  await recorder[Symbol.asyncDispose]();
  await sandbox.close();
});

interface Call {
  /** A string goes out as it is, anything else as JSON. */
  body?: unknown;
  key?: string | null;
  headers?: Record<string, string>;
}

/** Sends a request through the recorder, and gives back what it recorded. */
async function send(method: string, path: string, call: Call = {}): Promise<Exchange> {
  const { body, key = sandbox.key, headers = {} } = call;
  const before = recorder.exchanges.length;
  const answer = await request(`${recorder.url}${API_PREFIX}${path}`, {
    method: method as 'GET',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  await answer.body.dump();
  const exchange = recorder.exchanges[before];
  if (exchange === undefined) throw new Error(`${method} ${path} was not recorded.`);
  return exchange;
}

/** The verdict; its answer is right, unless it is one of those that the contract does not list. */
async function judged(exchange: Exchange): Promise<Verdict> {
  const verdict = await conformance.check(exchange);
  const answered = `${verdict.operation} ${exchange.status}`;
  seen.add(answered);
  if (!UNLISTED.includes(answered)) expect(verdict.answer).toEqual([]);
  return verdict;
}

function addKey(...granted: Scope[]): string {
  const { secret } = sandbox.control.addKey(granted);
  scopes.set(secret, granted);
  return secret;
}

const create = (fields: object): object => ({ collection_id: collection, name: 'Racer', ...fields });

describe('accepted requests are valid according to the description', () => {
  const calls: [what: string, method: string, path: () => string, call: () => Call][] = [
    ['a list without parameters', 'GET', () => '/items', () => ({})],
    ['a list with all parameters', 'GET', () => '/items?page=2&per_page=100&status=keep', () => ({})],
    ['the smallest page', 'GET', () => '/items?per_page=1&page=1', () => ({})],
    ['a page beyond the end', 'GET', () => '/items?page=1000000', () => ({})],
    ...['keep', 'sell', 'trade', 'sold', 'archived'].map((status): (typeof calls)[number] => [
      `items: ${status}`,
      'GET',
      () => `/items?status=${status}`,
      () => ({}),
    ]),
    ['collections', 'GET', () => '/collections?per_page=2', () => ({})],
    ['listings', 'GET', () => '/marketplace/listings?per_page=100', () => ({})],
    ['the summary', 'GET', () => '/sales/summary', () => ({})],
    ['an item', 'GET', () => `/items/${item}`, () => ({})],
    ['an item in capitals', 'GET', () => `/items/${item.toUpperCase()}`, () => ({})],
    ['a minimal create', 'POST', () => '/items', () => ({ body: create({}) })],
    [
      'a full create',
      'POST',
      () => '/items',
      () => ({
        body: create({
          name: '😀'.repeat(255),
          brand: '',
          series: 'x',
          release_year: 1968,
          condition: 'damaged',
          packaging: 'custom',
          status: 'archived',
          tags: ['a', ''],
          custom_fields: { a: [{ b: null }], '': 1 },
          estimated_value: 0,
        }),
      }),
    ],
    [
      'a create with nulls',
      'POST',
      () => '/items',
      () => ({
        body: create({
          brand: null,
          series: null,
          release_year: null,
          condition: null,
          packaging: null,
          estimated_value: null,
        }),
      }),
    ],
    [
      'a create with a charset',
      'POST',
      () => '/items',
      () => ({ body: create({}), headers: { 'content-type': 'application/json; charset=utf-8' } }),
    ],
    ['an update of one field', 'PATCH', () => `/items/${item}`, () => ({ body: { release_year: 2100 } })],
    ['an update to null', 'PATCH', () => `/items/${item}`, () => ({ body: { condition: null } })],
    [
      'a move',
      'PATCH',
      () => `/items/${item}`,
      () => ({ body: { collection_id: collection.toUpperCase(), tags: [] } }),
    ],
  ];
  test.each(calls)('%s', async (_what, method, path, call) => {
    const exchange = await send(method, path(), call());
    expect(exchange.status).toBe(method === 'POST' ? 201 : 200);
    expect((await judged(exchange)).request).toEqual([]);
  });
});

describe('requests that are refused with 400 are invalid according to the description', () => {
  const bodies: [what: string, body: unknown][] = [
    ['an empty name', { name: '' }],
    ['a name of 256 characters', { name: 'x'.repeat(256) }],
    ['256 emoji', { name: '😀'.repeat(256) }],
    ['a name that is null', { name: null }],
    ['the year 1967', { release_year: 1967 }],
    ['the year 2101', { release_year: 2101 }],
    ['a fractional year', { release_year: 1999.5 }],
    ['a year given as text', { release_year: '1999' }],
    ['a value below 0', { estimated_value: -0.01 }],
    ['an unknown condition', { condition: 'MOC' }],
    ['unknown packaging', { packaging: 'boxed' }],
    ['an unknown status', { status: 'lost' }],
    ['a status that is null', { status: null }],
    ['tags that are null', { tags: null }],
    ['a tag that is not text', { tags: [5] }],
    ['custom fields that are null', { custom_fields: null }],
    ['custom fields in an array', { custom_fields: [] }],
    ['a collection that is not a UUID', { collection_id: 'Main' }],
    ['an unknown property', { nmae: 'x' }],
    ['a read-only property', { currency: 'usd' }],
  ];
  test.each(bodies)('%s', async (_what, fields) => {
    for (const [method, path, body] of [
      ['POST', '/items', create(fields as object)],
      ['PATCH', `/items/${item}`, fields],
    ] as const) {
      const exchange = await send(method, path, { body });
      expect(exchange.status).toBe(400);
      expect((await judged(exchange)).request).not.toEqual([]);
    }
  });

  test.each(['{', '', 'null', '[]', '5', '"x"', 'name=x'])('the body %j', async (body) => {
    for (const [method, path] of [
      ['POST', '/items'],
      ['PATCH', `/items/${item}`],
    ] as const) {
      const exchange = await send(method, path, { body });
      expect(exchange.status).toBe(400);
      expect((await judged(exchange)).request).not.toEqual([]);
    }
  });

  test('an empty update and an incomplete create', async () => {
    for (const exchange of [
      await send('PATCH', `/items/${item}`, { body: {} }),
      await send('POST', '/items', { body: { name: 'x' } }),
      await send('POST', '/items', { body: { collection_id: collection } }),
      await send('POST', '/items', { body: create({}), headers: { 'content-type': 'text/plain' } }),
    ]) {
      expect(exchange.status).toBe(400);
      expect((await judged(exchange)).request).not.toEqual([]);
    }
  });

  const lists = ['/items', '/collections', '/marketplace/listings'];
  const queries = [
    'per_page=0',
    'per_page=101',
    'per_page=1.5',
    'per_page=abc',
    'per_page=',
    'page=0',
    'page=-1',
  ];
  test.each(lists.flatMap((path) => queries.map((query) => `${path}?${query}`)))('%s', async (path) => {
    const exchange = await send('GET', path);
    expect(exchange.status).toBe(400);
    expect((await judged(exchange)).request).not.toEqual([]);
  });
  test('GET /items?status=lost', async () => {
    const exchange = await send('GET', '/items?status=lost');
    expect(exchange.status).toBe(400);
    expect((await judged(exchange)).request).not.toEqual([]);
  });

  const beyond: [what: string, call: () => Promise<Exchange>][] = [
    [
      "another team's collection",
      () => send('POST', '/items', { body: create({ collection_id: theirs.collection }) }),
    ],
    [
      'a collection that does not exist',
      () => send('PATCH', `/items/${item}`, { body: { collection_id: NOBODY } }),
    ],
    ['a body of 10 MB', () => send('POST', '/items', { body: create({ brand: 'x'.repeat(10_000_000) }) })],
    ['a page number too large for a double', () => send('GET', '/items?page=99999999999999999999')],
    [
      'a value too large for a double',
      () =>
        send('POST', '/items', {
          body: `{"collection_id":"${collection}","name":"x","estimated_value":1e999}`,
        }),
    ],
  ];
  test.each(beyond)(
    'except %s, which is refused for a reason that a description cannot express',
    async (_what, call) => {
      const exchange = await call();
      expect(exchange.status).toBe(400);
      expect((await judged(exchange)).request).toEqual([]);
    },
  );
});

describe('requests that are refused for reasons other than 400', () => {
  const calls: [operation: string, scope: Scope, method: string, path: () => string, body?: () => object][] =
    [
      ['listItems', 'items:read', 'GET', () => '/items'],
      ['createItem', 'items:write', 'POST', () => '/items', () => create({})],
      ['getItem', 'items:read', 'GET', () => `/items/${item}`],
      ['updateItem', 'items:write', 'PATCH', () => `/items/${item}`, () => ({ name: 'x' })],
      ['listCollections', 'collections:read', 'GET', () => '/collections'],
      ['listListings', 'marketplace:read', 'GET', () => '/marketplace/listings'],
      ['getSalesSummary', 'analytics:read', 'GET', () => '/sales/summary'],
    ];

  test.each(calls)(
    '%s needs exactly the scope in the description',
    async (_operation, scope, method, path, body) => {
      const sent = body === undefined ? {} : { body: body() };
      const accepted = await send(method, path(), { ...sent, key: addKey(scope) });
      expect(accepted.status).toBeLessThan(300);
      expect((await judged(accepted)).request).toEqual([]);
      const refused = await send(method, path(), {
        ...sent,
        key: addKey(...SCOPES.filter((known) => known !== scope)),
      });
      expect(refused.status).toBe(403);
      expect((await judged(refused)).request).toEqual([`security: the key lacks ${scope}`]);
    },
  );

  test.each(calls)(
    '%s is valid according to the description even without a key, or with a wrong key',
    async (_operation, _scope, method, path, body) => {
      const sent = body === undefined ? {} : { body: body() };
      for (const key of [null, 'nobody']) {
        const exchange = await send(method, path(), { ...sent, key });
        expect(exchange.status).toBe(401);
        expect((await judged(exchange)).request).toEqual(['security: no valid key']);
      }
    },
  );

  test.each(calls)(
    '%s is valid according to the description even beyond the rate limit',
    async (_operation, scope, method, path, body) => {
      const key = addKey(scope);
      const sent = body === undefined ? {} : { body: body() };
      sandbox.control.setRateLimit('1/1h');
      try {
        expect((await send(method, path(), { ...sent, key })).status).toBeLessThan(300);
        const exchange = await send(method, path(), { ...sent, key });
        expect(exchange.status).toBe(429);
        expect((await judged(exchange)).request).toEqual([]);
        // api-v1 §8 gives no more of these names than their beginning.
        expect(
          Object.keys(exchange.answerHeaders).filter((name) => name.startsWith('ratelimit-')),
        ).not.toEqual([]);
      } finally {
        sandbox.control.setRateLimit(null);
      }
    },
  );

  test('requests for unknown items are valid according to the description', async () => {
    for (const id of [NOBODY, theirs.item]) {
      for (const exchange of [
        await send('GET', `/items/${id}`),
        await send('PATCH', `/items/${id}`, { body: { name: 'x' } }),
      ]) {
        expect(exchange.status).toBe(404);
        expect((await judged(exchange)).request).toEqual([]);
      }
    }
    const noUuid = await send('GET', '/items/12');
    expect(noUuid.status).toBe(404);
    expect((await judged(noUuid)).request).not.toEqual([]);
  });

  test('creates beyond the plan limit are valid according to the description', async () => {
    sandbox.control.setPlanLimit(0);
    const exchange = await send('POST', '/items', { body: create({}) });
    sandbox.control.setPlanLimit(null);
    expect(exchange.status).toBe(403);
    expect(JSON.parse(exchange.answer)).toMatchObject({ error: { type: 'limit_reached' } });
    expect((await judged(exchange)).request).toEqual([]);
  });

  test.each(['HEAD', 'OPTIONS', 'DELETE', 'PUT'])(
    '%s is not in the description, and has a request id',
    async (method) => {
      const exchange = await send(method, '/items');
      expect((await conformance.check(exchange)).operation).toBeUndefined();
      expect(exchange.status).toBe(404);
      expect(exchange.answerHeaders['x-request-id']).toMatch(/^req_/);
    },
  );
});

test('the tests produce every answer in the description of every operation', () => {
  const description = contractDescription();
  const described = operationsOf(description).flatMap(({ place }) =>
    children(description, child(description, place, 'responses')).map(
      ([status]) => `${(place.value as { operationId: string }).operationId} ${status}`,
    ),
  );
  expect(described).toHaveLength(33);
  expect([...seen].sort()).toEqual([...described, ...UNLISTED].sort());
});

test.each(HEADER_STYLES)('rate limits in the form %s do not change the answers', async (headers) => {
  await using limited = await startSandbox({ headers, rateLimit: '1/1h' });
  await using other = await startRecorder(limited.url);
  const address = `${other.url}${API_PREFIX}/items`;
  for (const status of [200, 429]) {
    const answer = await request(address, { headers: { authorization: `Bearer ${limited.key}` } });
    await answer.body.dump();
    expect(answer.statusCode).toBe(status);
  }
  for (const exchange of other.exchanges) {
    expect(await conformance.check(exchange)).toEqual({ operation: 'listItems', request: [], answer: [] });
  }
});

test.each([
  ['error500', 'status 500: not described'],
  ['html502', 'status 502: not described'],
] as const)('a faulty server (%s) is detected', async (fault, problem) => {
  sandbox.control.failNext(fault, 'listItems');
  expect((await conformance.check(await send('GET', '/items'))).answer).toEqual([problem]);
});

/** Values about every bound and type of every field; most rows have most of them right. */
const anything = fc.oneof(
  fc.constantFrom(null, true, '', 'x', 0, -1, 0.5, [], {}, [1], ['t'], { a: null }),
  fc.constantFrom('keep', 'sold', 'damaged', 'loose', 'opened', 'custom', 'KEEP'),
  fc.constantFrom(1967, 1968, 2100, 2101, 1e300, -0.0001, Number.MAX_SAFE_INTEGER),
  fc.integer({ min: 250, max: 260 }).map((length) => '😀'.repeat(length)),
  fc.jsonValue(),
);
const likely = {
  name: fc.string({ unit: fc.anyCodePoint, minLength: 0, maxLength: 300 }),
  brand: fc.option(fc.string()),
  series: fc.option(fc.string()),
  release_year: fc.option(fc.integer({ min: 1960, max: 2110 })),
  condition: fc.constantFrom('mint_on_card', 'loose_mint', 'loose_good', 'loose_fair', 'damaged', null),
  packaging: fc.constantFrom('in_package', 'opened', 'loose', 'custom', null),
  status: fc.constantFrom('keep', 'sell', 'trade', 'sold', 'archived'),
  tags: fc.array(fc.string(), { maxLength: 3 }),
  custom_fields: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
  estimated_value: fc.option(fc.double({ min: -1, max: 1e6, noNaN: true })),
};
const fields = fc.record(
  Object.fromEntries(
    Object.entries(likely).map(([name, value]) => [
      name,
      fc.oneof({ weight: 12, arbitrary: value as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: anything }),
    ]),
  ),
  { requiredKeys: [] },
);

test('server and description agree on every request', async () => {
  const outcomes = { accepted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fields, fc.boolean(), async (write, creates) => {
      const exchange = creates
        ? await send('POST', '/items', { body: { collection_id: collection, ...write } })
        : await send('PATCH', `/items/${item}`, { body: write });
      const { request: problems, answer } = await conformance.check(exchange);
      expect(answer).toEqual([]);
      expect(problems.length === 0 ? 'right' : problems).toEqual(
        exchange.status < 300 ? 'right' : expect.any(Array),
      );
      outcomes[problems.length === 0 ? 'accepted' : 'refused'] += 1;
    }),
    { numRuns: 400 },
  );
  expect(Math.min(outcomes.accepted, outcomes.refused)).toBeGreaterThan(10);
});

describe('the client’s traffic', () => {
  test('contains only data that the contract describes, in all seven operations and the iterators', async () => {
    const from = recorder.exchanges.length;
    await using client = createClient({ apiUrl: recorder.url, key: sandbox.key });
    const count = async (items: AsyncIterable<unknown>): Promise<number> => {
      let found = 0;
      for await (const _ of items) found += 1;
      return found;
    };
    const total = sandbox.control.items().length;
    expect(await count(client.items())).toBe(total);
    expect(await count(client.items({ status: 'sell' }))).toBeGreaterThan(0);
    expect(await count(client.collections())).toBe(sandbox.teams[0]?.collections.length);
    expect(await count(client.listings())).toBeGreaterThan(0);
    const { value } = await client.createItem({
      collection_id: collection,
      name: 'Of the client',
      tags: ['a'],
      custom_fields: { a: 1 },
      estimated_value: 1.5,
    });
    expect((await client.getItem(value.id)).value).toEqual(value);
    await client.updateItem(value.id, { status: 'sold', condition: null });
    await client.listItems();
    await client.listItems({ page: 2, perPage: 1, status: 'keep' });
    await client.listCollections({ perPage: 1 });
    await client.listListings({ page: 3 });
    await client.getSalesSummary();

    const own = recorder.exchanges.slice(from);
    const operations = new Map<string | undefined, number>();
    for (const exchange of own) {
      const verdict = await conformance.check(exchange);
      expect(verdict).toEqual({ operation: verdict.operation, request: [], answer: [] });
      operations.set(verdict.operation, (operations.get(verdict.operation) ?? 0) + 1);
    }
    expect(operations.size).toBe(7);
    expect(operations.get('listItems')).toBeGreaterThanOrEqual(Math.ceil(total / 100) + 3);
  });

  test('conforms to the description even if requests are refused', async () => {
    const from = recorder.exchanges.length;
    await using client = createClient({ apiUrl: recorder.url, key: sandbox.key });
    await using poor = createClient({ apiUrl: recorder.url, key: addKey('collections:read') });
    await using stranger = createClient({ apiUrl: recorder.url, key: 'nobody' });
    const row: ItemCreate = { collection_id: collection, name: 'x' };
    await expect(client.getItem(NOBODY)).rejects.toMatchObject({ code: 'not_found' });
    await expect(client.createItem({ ...row, collection_id: NOBODY })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(client.createItem({ ...row, name: '' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(poor.createItem(row)).rejects.toMatchObject({ code: 'missing_scope' });
    await expect(stranger.getSalesSummary()).rejects.toMatchObject({ code: 'unauthorized' });
    sandbox.control.setPlanLimit(0);
    await expect(client.createItem(row)).rejects.toMatchObject({ code: 'limit_reached' });
    sandbox.control.setPlanLimit(null);
    const verdicts: Verdict[] = [];
    for (const exchange of recorder.exchanges.slice(from)) verdicts.push(await conformance.check(exchange));
    expect(verdicts.flatMap(({ answer }) => answer)).toEqual([]);
    expect(verdicts.map(({ request: problems }) => problems)).toEqual([
      [],
      [],
      [expect.stringMatching(/^body#\/name: breaks .*minLength$/)],
      ['security: the key lacks items:write'],
      ['security: no valid key'],
      [],
    ]);
  });
});
