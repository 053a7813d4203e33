/** The rate limit over HTTP, on a clock that the test moves. */
import { expect, test } from 'vitest';
import { call, errorOf, sandboxFor } from './support.ts';

test('the rate limit counts every request of a known key, and no request of unknown keys', async () => {
  const sandbox = await sandboxFor({ rateLimit: '6/60s', now: () => 1_000_000 });
  const remaining: (string | null)[] = [];
  for (const [path, key] of [
    ['/items', sandbox.key],
    ['/items?page=0', sandbox.key],
    ['/nothing', sandbox.key],
    ['/items', 'nobody'],
    ['/items/abc', sandbox.key],
  ] as const) {
    remaining.push((await call(sandbox, 'GET', path, { key })).headers.get('ratelimit-remaining'));
  }
  const created = await call(sandbox, 'POST', '/items', { body: {} });
  const { secret } = sandbox.control.addKey(['items:read']);
  const other = await call(sandbox, 'POST', '/items', { body: {}, key: secret });
  expect([...remaining, created.headers.get('ratelimit-remaining')]).toEqual(['5', '4', '3', null, '2', '1']);
  expect(other.headers.get('ratelimit-remaining')).toBe('5');
});

test('a 429 has the usual envelope, applies nothing, and ends at the announced time', async () => {
  let now = 1_000_000;
  const sandbox = await sandboxFor({ rateLimit: '1/10s', now: () => now });
  const body = { collection_id: sandbox.teams[0]?.collections[0]?.id, name: 'x' };
  expect((await call(sandbox, 'POST', '/items', { body })).status).toBe(201);
  now += 4_500;
  const refused = await call(sandbox, 'POST', '/items', { body });
  expect(refused.status).toBe(429);
  expect(errorOf(refused).message).not.toBe('');
  expect(refused.headers.get('ratelimit-reset')).toBe('6');
  expect(sandbox.control.items()).toHaveLength(1);
  now += 5_500;
  expect((await call(sandbox, 'POST', '/items', { body })).status).toBe(201);
  expect(sandbox.control.counts().limited).toBe(1);
});

test('the limit can change, or be removed, while the sandbox runs', async () => {
  const sandbox = await sandboxFor({ rateLimit: '1/1h', headers: 'structured' });
  await call(sandbox, 'GET', '/items');
  expect((await call(sandbox, 'GET', '/items')).status).toBe(429);
  sandbox.control.setRateLimit('5/1h');
  expect((await call(sandbox, 'GET', '/items')).headers.get('ratelimit')).toMatch(/^"default";r=4;t=/);
  sandbox.control.setRateLimit(null);
  const free = await call(sandbox, 'GET', '/items');
  expect(free.headers.get('ratelimit')).toBeNull();
});

test('reset times given as an epoch follow the clock of the server', async () => {
  const sandbox = await sandboxFor({
    rateLimit: '9/10s',
    headers: 'epoch',
    now: () => 5_000_000,
    clockOffsetMs: 86_400_000,
  });
  const reply = await call(sandbox, 'GET', '/items');
  expect(reply.headers.get('ratelimit-reset')).toBe(String((5_000_000 + 86_400_000 + 10_000) / 1000));
});
