/** What no HTTP library sends: unreadable requests are answered too, with the envelope and a request id. */
import { connect } from 'node:net';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { collectionOf } from './support.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** Everything that comes back until the connection ends. */
function raw(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(sandbox.port, '127.0.0.1');
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
    socket.write(bytes);
  });
}

const head = (line: string, ...headers: string[]): string =>
  `${[line, 'Connection: close', `Authorization: Bearer ${sandbox.key}`, ...headers].join('\r\n')}\r\n\r\n`;

describe('unreadable requests', () => {
  const cases: [what: string, request: () => string, status: number][] = [
    ['no HTTP', () => 'HELLO\r\n\r\n', 400],
    ['a header without a colon', () => head('GET /api/public/v1/items HTTP/1.1', 'Host: a', 'nonsense'), 400],
    ['headers of 100 kB', () => head('GET / HTTP/1.1', 'Host: a', `X-A: ${'x'.repeat(100_000)}`), 400],
    ['no Host', () => head('GET /api/public/v1/items HTTP/1.1'), 400],
    [
      'two lengths',
      () => head('POST /api/public/v1/items HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 2'),
      400,
    ],
    ['CONNECT', () => head('CONNECT example.org:443 HTTP/1.1', 'Host: a'), 404],
    ['TRACE', () => head('TRACE /api/public/v1/items HTTP/1.1', 'Host: a'), 404],
    [
      'an unknown expectation',
      () => head('GET /api/public/v1/items HTTP/1.1', 'Host: a', 'Expect: tea'),
      200,
    ],
    [
      'a GET with a body',
      () => `${head('GET /api/public/v1/items HTTP/1.1', 'Host: a', 'Content-Length: 5')}hello`,
      200,
    ],
  ];
  test.each(cases)('%s', async (_what, request, status) => {
    const text = await raw(request());
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toMatch(/\r\nX-Request-Id: req_/i);
    const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as object;
    expect(body).toHaveProperty(status === 200 ? 'object' : 'error.type');
  });

  test('a body that is not UTF-8 is refused', async () => {
    const body = Buffer.concat([
      Buffer.from(`{"collection_id":"${collectionOf(sandbox)}","name":"`),
      Buffer.from([0xe9]),
      Buffer.from('"}'),
    ]);
    const request = head(
      'POST /api/public/v1/items HTTP/1.1',
      'Host: a',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    );
    expect(await raw(Buffer.concat([Buffer.from(request), body]))).toMatch(/^HTTP\/1\.1 400 .*UTF-8/s);
  });

  test('a request whose body ends too early changes nothing', async () => {
    const before = sandbox.control.items().length;
    const socket = connect(sandbox.port, '127.0.0.1');
    const body = JSON.stringify({ collection_id: collectionOf(sandbox), name: 'x' });
    const type = 'Content-Type: application/json';
    socket.write(
      head('POST /api/public/v1/items HTTP/1.1', 'Host: a', type, `Content-Length: ${body.length + 1}`) +
        body,
    );
    const sent = sandbox.control.counts().requests;
    while (sandbox.control.counts().requests === sent) await new Promise((resolve) => setTimeout(resolve, 2));
    socket.destroy();
    while ((sandbox.control.counts().byOperation.createItem?.dropped ?? 0) === 0) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(sandbox.control.items()).toHaveLength(before);
  });
});
