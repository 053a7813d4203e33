/** What the contract leaves open, by switch: storing, custom fields, clocks, latency, seeded data, the record. */
import { describe, expect, test } from 'vitest';
import { Item, ITEM_STATUSES, ItemCreate, WRITABLE_FIELDS } from '../../src/api/schemas.ts';
import { noSales, readSales, seededSales } from '../../src/sandbox/sales.ts';
import type { RequestRecord } from '../../src/sandbox/settings.ts';
import { call, collectionOf, names, sandboxFor } from './support.ts';

describe('the sandbox stores values according to its options', () => {
  const odd = {
    name: '  Cafe\u0301  ',
    brand: ' B ',
    series: 'S ',
    tags: ['z', 'a ', 'e\u0301'],
    estimated_value: 12.3456,
    custom_fields: { note: 'a long & winding text' },
  };
  test.each([
    [{}, odd],
    [{ trimNames: true }, { ...odd, name: 'Cafe\u0301', brand: 'B', series: 'S' }],
    [{ roundValues: true }, { ...odd, estimated_value: 12.35 }],
    [{ sortTags: true }, { ...odd, tags: ['a ', 'e\u0301', 'z'] }],
    [{ normaliseUnicode: true }, { ...odd, name: '  Café  ', tags: ['z', 'a ', 'é'] }],
    [{ cutCustomFields: true }, { ...odd, custom_fields: { note: 'a long & w' } }],
    [{ dropCustomFields: true }, { ...odd, custom_fields: {} }],
    [{ addCustomField: true }, { custom_fields: { ...odd.custom_fields, checked: expect.any(String) } }],
    [{ escapeTexts: true }, { ...odd, custom_fields: { note: 'a long &amp; winding text' } }],
    [{ raiseBrands: true }, { ...odd, brand: ' B ' }],
  ])('%j', async (storing, expected) => {
    const sandbox = await sandboxFor({ storing });
    const made = await call(sandbox, 'POST', '/items', {
      body: { ...odd, collection_id: collectionOf(sandbox) },
    });
    expect(made.json).toMatchObject(expected);
    const id = String(made.json?.['id']);
    expect((await call(sandbox, 'PATCH', `/items/${id}`, { body: odd })).json).toMatchObject(expected);
  });
});

test('lists show a new item late, but a request for its id finds it at once', async () => {
  let now = Date.UTC(2026, 4, 4);
  const sandbox = await sandboxFor({ listLagMs: 5_000, now: () => now });
  sandbox.control.insertItems([{ name: 'Old', created_at: '2026-01-01T00:00:00.000Z' }]);
  const body = { collection_id: collectionOf(sandbox), name: 'New' };
  const made = await call(sandbox, 'POST', '/items', { body });
  expect((await call(sandbox, 'GET', `/items/${String(made.json?.['id'])}`)).status).toBe(200);
  expect(names(await call(sandbox, 'GET', '/items'))).toEqual(['Old']);
  now += 5_000;
  expect(names(await call(sandbox, 'GET', '/items'))).toEqual(['New', 'Old']);
});

test.each([
  ['replace', { b: 2, c: null }],
  ['merge', { a: 1, b: 2, c: null }],
] as const)('a PATCH of custom fields: %s', async (customFields, expected) => {
  const sandbox = await sandboxFor({ customFields });
  const [id] = sandbox.control.insertItems([{ custom_fields: { a: 1, b: 1 } }]);
  const changed = await call(sandbox, 'PATCH', `/items/${id}`, {
    body: { custom_fields: { b: 2, c: null } },
  });
  expect(changed.json?.['custom_fields']).toEqual(expected);
});

test('timestamps follow the clock of the server, however wrong it is', async () => {
  const sandbox = await sandboxFor({ clockOffsetMs: -3 * 86_400_000, now: () => Date.UTC(2026, 4, 4) });
  const made = await call(sandbox, 'POST', '/items', {
    body: { collection_id: collectionOf(sandbox), name: 'x' },
  });
  expect(made.json?.['created_at']).toBe('2026-05-01T00:00:00.000Z');
});

test('latency delays answers, and can be changed while the sandbox runs', async () => {
  const sandbox = await sandboxFor({ latencyMs: 600_000 });
  let answered = false;
  const held = call(sandbox, 'GET', '/items').then(
    () => (answered = true),
    () => undefined,
  );
  while (sandbox.control.counts().requests === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  sandbox.control.setLatency(20);
  expect((await call(sandbox, 'GET', '/items')).status).toBe(200);
  expect(answered).toBe(false);
  await sandbox.close();
  await held;
  expect(answered).toBe(false);
});

describe('seeded data', () => {
  test('are the same toys for the same seed, and different toys for another seed', async () => {
    const [a, b, c] = [
      await sandboxFor({ seed: 7, seedItems: 60 }),
      await sandboxFor({ seed: 7, seedItems: 60 }),
      await sandboxFor({ seed: 8, seedItems: 60 }),
    ];
    expect(a.control.items()).toEqual(b.control.items());
    expect(a.teams).toEqual(b.teams);
    expect(a.control.items()).not.toEqual(c.control.items());
  });

  test('are valid API items of every kind', async () => {
    const sandbox = await sandboxFor({ seed: 1 });
    const items = sandbox.control.items();
    expect(items).toHaveLength(500);
    const types = new Set<string>();
    for (const item of items) {
      expect(Item.safeParse(item).success).toBe(true);
      const writable = Object.fromEntries(WRITABLE_FIELDS.map((field) => [field, item[field]]));
      expect(ItemCreate.safeParse(writable).error).toBeUndefined();
      expect(item.updated_at >= item.created_at).toBe(true);
      for (const value of Object.values(item.custom_fields ?? {})) {
        types.add(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
      }
    }
    expect([...types].sort()).toEqual(['array', 'boolean', 'null', 'number', 'object', 'string']);
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(ITEM_STATUSES));
    expect(new Set(items.map(({ collection_id: id }) => id)).size).toBe(sandbox.teams[0]?.collections.length);
    expect(items.map(({ created_at: time }) => time)).toEqual(
      items
        .map(({ created_at: time }) => time)
        .sort()
        .reverse(),
    );
  });

  test('are listed after new items', async () => {
    const sandbox = await sandboxFor({ seed: 1, seedItems: 3 });
    await call(sandbox, 'POST', '/items', { body: { collection_id: collectionOf(sandbox), name: 'New' } });
    expect(names(await call(sandbox, 'GET', '/items?per_page=1'))).toEqual(['New']);
  });
});

describe('sales in the sandbox', () => {
  test('change with each reading and over time, in the same way for the same seed', () => {
    const steps = (seed: number) => {
      const first = readSales(seededSales(seed), 1_000_000);
      const second = readSales(first, 1_000_000);
      return [first, second, readSales(second, 1_000_000 + 5 * 60_000)];
    };
    expect(steps(4)).toEqual(steps(4));
    expect(steps(4)).not.toEqual(steps(5));
    expect(steps(4).map(({ step }) => step)).toEqual([121, 122, 128]);
    for (const { summary } of steps(4)) {
      const { gross_cents: gross, fee_cents: fee, refunded_cents: refunded = 0 } = summary;
      expect(summary.net_payout_cents).toBe(gross - fee - refunded);
    }
  });

  test('a refund without a sale lowers the net payout', () => {
    let state = seededSales(2);
    const nets: number[] = [];
    for (let reading = 0; reading < 200; reading += 1) {
      state = readSales(state, 1);
      nets.push(state.summary.net_payout_cents);
    }
    expect(nets.some((net, index) => net < (nets[index - 1] ?? 0))).toBe(true);
    expect(nets.at(-1)).toBeGreaterThan(nets[0] ?? 0);
  });

  test('are zero without a seed', async () => {
    const { json } = await call(await sandboxFor(), 'GET', '/sales/summary');
    expect(json).toEqual(noSales().summary);
  });
});

test('the record of a request has both request and response', async () => {
  const records: RequestRecord[] = [];
  const sandbox = await sandboxFor({ onRequest: (record) => records.push(record) });
  const body = { collection_id: collectionOf(sandbox), name: 'x' };
  const made = await call(sandbox, 'POST', '/items', { body });
  await call(sandbox, 'GET', '/items?page=2&per_page=5');
  sandbox.control.failNext('dropBefore');
  await expect(call(sandbox, 'GET', '/items')).rejects.toThrow();
  expect(records).toMatchObject([
    {
      operation: 'createItem',
      method: 'POST',
      path: '/api/public/v1/items',
      query: '',
      status: 201,
      answer: made.text,
      body: JSON.stringify(body),
      requestId: made.headers.get('x-request-id'),
      fault: undefined,
    },
    { operation: 'listItems', query: 'page=2&per_page=5', status: 200, body: '' },
    { operation: 'listItems', status: undefined, answer: '', fault: 'dropBefore' },
  ]);
});
