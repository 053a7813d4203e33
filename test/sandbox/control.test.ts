/** The control surface over HTTP, and the counts. */
import { describe, expect, test } from 'vitest';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { SCOPES } from '../../src/api/schemas.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { Tally } from '../../src/sandbox/tally.ts';
import { call, collectionOf, sandboxFor } from './support.ts';

async function control(
  sandbox: Sandbox,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: Record<string, unknown>; id: string | null }> {
  const answer = await fetch(`${sandbox.url}/__sandbox${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, json, id: answer.headers.get('x-request-id') };
}

describe('control of the sandbox over HTTP', () => {
  test('the state shows requests and contents', async () => {
    const sandbox = await sandboxFor({ rateLimit: '3/1h', planLimit: 9 });
    await call(sandbox, 'POST', '/items', { body: { collection_id: collectionOf(sandbox), name: 'x' } });
    await call(sandbox, 'GET', '/items?page=0');
    await call(sandbox, 'GET', '/nothing');
    await call(sandbox, 'GET', '/items');
    const { status, json, id } = await control(sandbox, '/state');
    expect(status).toBe(200);
    expect(id).toMatch(/^req_/);
    expect(json).toMatchObject({
      requests: 4,
      limited: 1,
      byOperation: { createItem: { 201: 1 }, listItems: { 400: 1, 429: 1 }, unknown: { 404: 1 } },
      items: { 1: 1 },
      lateCommits: 0,
      rateLimit: { limit: 3, windowMs: 3_600_000 },
      planLimit: 9,
      latencyMs: 0,
      faults: {},
      teams: [{ id: 1, keys: [{ secret: sandbox.key, scopes: SCOPES }], collections: [{ name: 'Main' }] }],
    });
    expect(json['peakPerSecond']).toBeGreaterThan(0);
    expect((await control(sandbox, '/counts/reset', {})).json).toMatchObject({
      requests: 0,
      limited: 0,
      byOperation: {},
    });
  });

  test('adds collections, keys and teams, and revokes keys', async () => {
    const sandbox = await sandboxFor();
    const made = await control(sandbox, '/collections', { name: 'Attic', isPublic: true });
    expect(made.json).toMatchObject({
      object: 'collection',
      name: 'Attic',
      is_public: true,
      description: null,
    });
    const key = String((await control(sandbox, '/keys', { scopes: ['collections:read'] })).json['secret']);
    const listed = await call(sandbox, 'GET', '/collections', { key });
    expect(listed.json?.['data']).toEqual([made.json, expect.objectContaining({ name: 'Main' })]);
    expect((await call(sandbox, 'GET', '/items', { key })).status).toBe(403);
    expect((await control(sandbox, '/keys/revoke', { key })).json).toEqual({ revoked: true });
    expect((await call(sandbox, 'GET', '/collections', { key })).status).toBe(401);
    const team = await control(sandbox, '/teams', { currency: 'gbp' });
    expect(team.json).toMatchObject({ id: 2, keys: [{ scopes: SCOPES }] });
  });

  test('changes limits and faults at once, and keeps settings that are not named', async () => {
    const sandbox = await sandboxFor();
    await control(sandbox, '/limits', { rateLimit: '1/1h', planLimit: 0 });
    expect((await call(sandbox, 'GET', '/items')).headers.get('ratelimit-limit')).toBe('1');
    expect((await call(sandbox, 'GET', '/items')).status).toBe(429);
    await control(sandbox, '/limits', { rateLimit: null, latencyMs: 2 });
    const body = { collection_id: collectionOf(sandbox), name: 'x' };
    expect((await call(sandbox, 'POST', '/items', { body })).status).toBe(403);
    await control(sandbox, '/limits', { planLimit: null });
    await control(sandbox, '/faults', { error500: 1 });
    expect((await call(sandbox, 'POST', '/items', { body })).status).toBe(500);
    await control(sandbox, '/faults', {});
    expect((await call(sandbox, 'POST', '/items', { body })).status).toBe(201);
  });

  test.each([
    ['/limits', { rateLimit: 'fast' }],
    ['/limits', { planLimit: -1 }],
    ['/limits', { speed: 1 }],
    ['/faults', { stall: 2 }],
    ['/faults', { stall: 0.6, cutBody: 0.6 }],
    ['/keys', { scopes: ['items:delete'] }],
    ['/keys', { team: 7 }],
    ['/collections', {}],
    ['/collections', []],
  ])('%s refuses %j', async (path, body) => {
    const { status, json } = await control(await sandboxFor(), path, body);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: { type: 'invalid_request' } });
  });

  test('refuses requests that a web page could send', async () => {
    const sandbox = await sandboxFor();
    const page = { origin: 'https://example.org' };
    expect((await control(sandbox, '/state', undefined, page)).status).toBe(403);
    expect((await control(sandbox, '/faults', { stall: 1 }, page)).status).toBe(403);
    expect((await control(sandbox, '/faults', { stall: 1 }, { 'content-type': 'text/plain' })).status).toBe(
      400,
    );
    expect(sandbox.control.counts().requests).toBe(0);
    expect((await call(sandbox, 'GET', '/items')).status).toBe(200);
    // A name that was rebound to this machine carries itself in Host.
    expect(await rawState(sandbox.port, '127.0.0.1', 'rebound.example.org')).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('answers unknown paths with 404', async () => {
    const { status } = await control(await sandboxFor(), '/nothing');
    expect(status).toBe(404);
  });

  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  test('is not available to other machines', async ({ skip }) => {
    skip(outside === undefined, 'this machine has no network');
    const sandbox = await sandboxFor({ host: '0.0.0.0' });
    expect(await rawState(sandbox.port, outside ?? '', 'localhost')).toMatch(/^HTTP\/1\.1 404 /);
    expect(await rawState(sandbox.port, '127.0.0.1', 'localhost')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

function rawState(port: number, address: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, address);
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
    socket.write(`GET /__sandbox/state HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}

test('an item can be removed, as on the web pages', async () => {
  const sandbox = await sandboxFor();
  const ids = sandbox.control.insertItems([{ name: 'a' }, { name: 'b' }]);
  expect(sandbox.control.removeItem(ids[0] ?? '')).toBe(true);
  expect(sandbox.control.removeItem(ids[0] ?? '')).toBe(false);
  expect(sandbox.control.items().map(({ name }) => name)).toEqual(['b']);
  expect(sandbox.control.counts().items).toEqual({ 1: 1 });
});

test('inserted items may have fields that the API does not know', async () => {
  const sandbox = await sandboxFor();
  const [id] = sandbox.control.insertItems([{ name: 'a', condition: 'pristine', barcode: '400123' }]);
  const { json } = await call(sandbox, 'GET', `/items/${id}`);
  expect(json).toMatchObject({ condition: 'pristine', barcode: '400123', status: 'keep' });
  await call(sandbox, 'PATCH', `/items/${id}`, { body: { status: 'sell' } });
  expect((await call(sandbox, 'GET', `/items/${id}`)).json).toMatchObject({
    barcode: '400123',
    status: 'sell',
  });
});

describe('the peak rate', () => {
  test.each([
    ['even', [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200], 10],
    ['a burst across two seconds', [900, 950, 990, 1000, 1010, 1040, 3000], 6],
    ['a burst long after another one', [0, 0, 0, 60_000, 60_000], 3],
    ['far apart', [0, 5000, 10_000], 1],
  ])('is counted if requests are %s', (_what, times, peak) => {
    const tally = new Tally();
    for (const time of times) tally.arrived(time);
    expect(tally.counts().peakPerSecond).toBe(peak);
  });
});
