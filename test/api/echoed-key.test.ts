/** A server (or a proxy) that echoes what it was sent must not bring the key into messages, logs or files. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  ['in a body that is no item', 201, JSON.stringify({ object: KEY })],
  ['in a redirect', 302, ''],
] as const;

test.each(ECHOES)('an echo %s is blacked out', async (_where, status, body) => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, {
        'x-request-id': `req-${KEY}`,
        location: `http://${KEY}.example.org/?key=${KEY}`,
      });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const records: RequestRecord[] = [];
  await using client = createClient({
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: KEY,
    onRequest: (record) => records.push(record),
  });
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
