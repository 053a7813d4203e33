/**
 * A server (or a proxy) that echoes what it was sent must not bring the key into messages, logs or files. But data
 * is data: an item may be called what the key is called.
 */
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createRawServer, type Server } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { createClient, type RequestRecord } from '../../src/api/client.ts';

const KEY = 'sk-live-0123456789abcdef';
let server: Server | undefined;

afterEach(() => server?.close());

const ECHOES = [
  [
    'in error.message',
    400,
    JSON.stringify({ error: { type: 'invalid_request', message: `you sent Bearer ${KEY}` } }),
  ],
  ['in error.type', 403, JSON.stringify({ error: { type: KEY, message: 'no' } })],
  ['in an HTML page', 502, `<html>authorization: Bearer ${KEY}</html>`],
  ['in a body that is not an item', 201, JSON.stringify({ object: KEY })],
  ['in a redirect', 302, ''],
] as const;

test.each(ECHOES)('a key that the server echoes %s is redacted', async (_where, status, body) => {
  const records: RequestRecord[] = [];
  await using client = await clientOf(KEY, status, body, (record) => records.push(record));
  const error: unknown = await client
    .createItem({ collection_id: '00000000-0000-4000-8000-000000000000', name: 'x' })
    .then(
      () => undefined,
      (caught: unknown) => caught,
    );
  expect(error).toBeInstanceOf(Error);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
  expect((error as Error).stack).not.toContain(KEY);
  expect(JSON.stringify([error, records])).not.toContain(KEY);
  expect(inspect(client, { depth: 10, showHidden: true })).not.toContain(KEY);
});

const ODD_KEY = String.raw`sk"a\b/c+d&e%f<g'h=?~xyzzy0123456789`;
const BASE64 = (text: string) => Buffer.from(text).toString('base64');
const ENCODINGS: Record<string, (key: string) => string> = {
  'URL-encoded': encodeURIComponent,
  'URL-encoded in small letters': (key) =>
    encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase()),
  'URL-encoded twice': (key) => encodeURIComponent(encodeURIComponent(key)),
  'URL-encoded in each character': (key) => Buffer.from(key).toString('hex').replaceAll(/../g, '%$&'),
  'JSON-escaped': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', String.raw`\/`),
  'JSON-escaped twice': (key) => JSON.stringify(JSON.stringify(key)),
  'JSON-escaped as code units': (key) =>
    [...key].map((each) => `\\u${each.codePointAt(0)?.toString(16).padStart(4, '0')}`).join(''),
  'with HTML entities': (key) =>
    key.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll("'", '&#39;'),
  'in base64': BASE64,
  'in base64 without padding': (key) => BASE64(key).replaceAll('=', ''),
  'in base64url': (key) => Buffer.from(key).toString('base64url'),
  'in base64 with a word before it': (key) => BASE64(`Bearer ${key}`),
  'in base64 with a user before it': (key) => BASE64(`me:${key}:more`),
  'in hexadecimal': (key) => Buffer.from(key).toString('hex'),
  'in large hexadecimal': (key) => Buffer.from(key).toString('hex').toUpperCase(),
};

test.each(
  Object.entries(ENCODINGS).flatMap(([name, encode]) =>
    [KEY, ODD_KEY].map((key) => [name, key, encode] as const),
  ),
)('a key that the server echoes %s is redacted (%s)', async (_name, key, encode) => {
  const echo = encode(key);
  const body = JSON.stringify({ error: { type: 'invalid_request', message: `you sent ${echo} to us` } });
  for (const [status, sent] of [
    [400, body],
    [502, `<p>you sent ${echo} to us</p>`],
  ] as const) {
    await using client = await clientOf('x', status, sent, () => undefined, key);
    const error: unknown = await client.getItem('x').catch((caught: unknown) => caught);
    const { message } = error as Error;
    expect(message).toContain('[key]');
    expect(message).toMatch(/you sent \S{0,12}\[key\]\S{0,12} to us/);
    expect(message).not.toContain(echo.slice(4, -4));
    server?.close();
  }
});

test('the cause of an error omits a malformed answer that echoes the key', async () => {
  const raw = createRawServer((socket) =>
    socket.on('data', (sent) => socket.end(`HTTP/1.1 200 OK\r\nno header ${sent.toString()}\r\n\r\n`)),
  );
  server = raw;
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(raw.address() as AddressInfo).port}`;
  await using client = createClient({ apiUrl, key: KEY });
  const error: unknown = await client.getItem('x').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'unreachable' });
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
});

const ITEM = {
  object: 'item',
  id: '00000000-0000-4000-8000-000000000001',
  name: 'secret keep car',
  status: 'keep',
  custom_fields: { keep: 'keep "it"' },
  collection_id: '00000000-0000-4000-8000-000000000000',
  currency: 'usd',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};

test.each(['keep', 'k', '"', '0', ':'])(
  'items are returned unchanged even if they contain the key %j',
  async (key) => {
    const body = JSON.stringify(ITEM);
    await using client = await clientOf(key, 200, body);
    const answer = await client.getItem(ITEM.id);
    expect(answer.value).toEqual(ITEM);
    expect(Buffer.from(answer.body).toString()).toBe(body);
  },
);

test('an error is classified by the server’s text, and shown without the key', async () => {
  const body = JSON.stringify({ error: { type: 'limit_reached', message: 'the limit is 3' } });
  await using client = await clientOf('limit', 403, body);
  await expect(client.createItem({ collection_id: ITEM.collection_id, name: 'x' })).rejects.toMatchObject({
    code: 'limit_reached',
    serverMessage: 'the [key] is 3',
  });
});

/** A client of a server that answers everything so, with the key in two headers. */
async function clientOf(
  key: string,
  status: number,
  body: string,
  onRequest: (record: RequestRecord) => void = () => undefined,
  clientKey = key,
) {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, {
        'x-request-id': `req-${key}`,
        location: `http://${key}.example.org/?key=${key}`,
      });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return createClient({ apiUrl, key: clientKey, onRequest });
}
