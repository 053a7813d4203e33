import { spawnSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, createServer as createRawServer, type AddressInfo, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { ApiError } from '../../src/api/errors.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { refusingPort } from '../support/refusing-port.ts';

const KEY = 'a-secret-key-that-must-not-show';
const ITEM = { collection_id: '2f1d3c52-2a2b-4b1a-9c55-0c1f5b3f7a10', name: 'Falcon' };

async function httpServer(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return opened((server.address() as AddressInfo).port, () => {
    server.closeAllConnections();
    server.close();
  });
}

async function rawServer(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return opened((server.address() as AddressInfo).port, () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}

function opened(port: number, close: () => void) {
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: close };
}

async function failure(url: string, timeoutMs = 2000): Promise<ApiError> {
  await using client = createClient({ apiUrl: url, key: KEY, timeoutMs });
  // Awaited here, before the client is closed.
  return await client.createItem(ITEM).then(
    () => expect.unreachable('it succeeded'),
    (error: ApiError) => error,
  );
}

describe('a write that its caller stops at the last moment', () => {
  it('is neither sent nor applied, even if the connection is open', async () => {
    let written = '';
    using server = await rawServer((socket) => socket.on('data', (part) => (written += part.toString())));
    await using client = createClient({ apiUrl: server.url, key: KEY });
    const asked: string[] = [];
    const sent = client.createItem(ITEM, {
      mayLeave: () => {
        asked.push(written);
        return false;
      },
    });
    await expect(sent).rejects.toMatchObject({ code: 'aborted', applied: 'no' });
    expect(asked).toEqual(['']);
    expect(written).toBe('');
  });
});

describe('a request in flight that its caller stops', () => {
  const PARTS = {
    'before an answer': '',
    'in the middle of a body': 'HTTP/1.1 201 Created\r\ncontent-length: 99\r\n\r\n{',
  };
  it.each(Object.entries(PARTS))('%s, ends at once and may have been applied', async (_, part) => {
    const stop = new AbortController();
    using server = await rawServer((socket) =>
      socket.on('data', () => socket.write(part, () => stop.abort())),
    );
    await using client = createClient({ apiUrl: server.url, key: KEY });
    const sent = client.createItem(ITEM, { signal: stop.signal });
    await expect(sent).rejects.toMatchObject({ code: 'aborted', applied: 'unknown' });
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  });
});

it('an answer after early hints is read', async () => {
  using server = await httpServer((_, answer) => {
    answer.writeEarlyHints({ link: '</style.css>; rel=preload' });
    answer.writeHead(402, { 'x-request-id': 'own' }).end();
  });
  expect(await failure(server.url)).toMatchObject({ status: 402, requestId: 'own' });
});

describe('the seven operations', () => {
  it('return values and request ids, and the iterators read all pages', async () => {
    await using sandbox = await startSandbox({ seed: 1, seedItems: 250 });
    await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
    const collections = await client.listCollections();
    const collection_id = collections.value.data[0]?.id ?? '';
    const created = await client.createItem({ collection_id, name: 'Falcon' });
    const updated = await client.updateItem(created.value.id, { status: 'sell' });
    const got = await client.getItem(created.value.id);
    const listed = await client.listItems({ perPage: 5, status: 'sell' });
    const listings = await client.listListings();
    const sales = await client.getSalesSummary();
    expect(got.value).toEqual(updated.value);
    expect(listed.value.data).toHaveLength(5);
    for (const answer of [collections, created, updated, got, listed, listings, sales])
      expect(answer.requestId).toMatch(/\S/);
    const ids = new Set<string>();
    for await (const item of client.items()) ids.add(item.id);
    expect(ids.size).toBe(251);
    for await (const item of client.listings()) expect(['sell', 'trade']).toContain(item.status);
  });
});

describe('an error response', () => {
  it.each([
    [400, 'invalid_request', 'invalid_request', 'no'],
    [401, 'x', 'unauthorized', 'no'],
    [403, 'x', 'missing_scope', 'no'],
    [403, 'limit_reached', 'limit_reached', 'no'],
    [404, 'not_found', 'not_found', 'no'],
    [409, 'x', 'unexpected_response', 'unknown'],
    [413, 'x', 'unexpected_response', 'unknown'],
    [422, 'x', 'unexpected_response', 'unknown'],
    [500, 'x', 'unexpected_response', 'unknown'],
    [503, 'x', 'unexpected_response', 'unknown'],
    [200, 'x', 'unexpected_response', 'unknown'],
  ])('with status %i and type %s becomes %s, applied: %s', async (status, type, code, applied) => {
    using server = await httpServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1' });
      response.end(JSON.stringify({ error: { type, message: 'because' } }));
    });
    const error = await failure(server.url);
    expect(error).toMatchObject({ code, applied, status, requestId: 'req-1' });
    expect(inspect(error) + (error.stack ?? '') + JSON.stringify(error)).not.toContain(KEY);
  });

  it.each(['', '<html>502</html>', '{"object":"item"', '{}'])(
    'with status 201 and the body %j leaves the outcome unknown',
    async (body) => {
      using server = await httpServer((_request, response) => response.writeHead(201).end(body));
      expect(await failure(server.url)).toMatchObject({ code: 'unexpected_response', applied: 'unknown' });
    },
  );

  it('with a truncated or oversized body leaves the outcome unknown', async () => {
    using cut = await rawServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 201 Created\r\ncontent-length: 900\r\n\r\n{"object":')),
    );
    expect(await failure(cut.url)).toMatchObject({
      code: 'unexpected_response',
      applied: 'unknown',
      status: 201,
    });
    using huge = await httpServer((_request, response) =>
      response.writeHead(201).end(Buffer.alloc(33 * 1024 * 1024, ' ')),
    );
    expect(await failure(huge.url)).toMatchObject({ code: 'unexpected_response', applied: 'unknown' });
  });

  it('that redirects is not followed, and the key is sent nowhere else', async () => {
    let visits = 0;
    using elsewhere = await httpServer((_request, response) => {
      visits += 1;
      response.end();
    });
    using server = await httpServer((_request, response) =>
      response.writeHead(307, { location: `${elsewhere.url}/items` }).end(),
    );
    expect(await failure(server.url)).toMatchObject({
      code: 'unexpected_response',
      applied: 'unknown',
      status: 307,
    });
    expect(visits).toBe(0);
  });
});

describe('a request without an answer', () => {
  it('has an unknown outcome after a timeout, before the headers or in the body', async () => {
    using silent = await rawServer(() => undefined);
    expect(await failure(silent.url, 300)).toMatchObject({ code: 'timeout', applied: 'unknown' });
    using stalled = await httpServer((_request, response) => {
      response.writeHead(201, { 'content-length': '100' });
      response.write('{');
    });
    expect(await failure(stalled.url, 300)).toMatchObject({ code: 'timeout', applied: 'unknown' });
  });

  it('has an unknown outcome after a reset, because the server may have read it', async () => {
    using server = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await failure(server.url)).toMatchObject({ code: 'unreachable', applied: 'unknown' });
  });

  it('is certainly not applied if the connection is refused, the name unknown or the certificate invalid', async () => {
    expect(await failure(`http://127.0.0.1:${await refusingPort()}`)).toMatchObject({
      code: 'unreachable',
      applied: 'no',
    });
    expect(await failure('https://no-such-host.invalid')).toMatchObject({
      code: 'unreachable',
      applied: 'no',
    });
    using plain = await rawServer((socket) => socket.once('data', () => socket.end('not TLS\r\n')));
    expect(await failure(plain.url.replace('http:', 'https:'))).toMatchObject({
      code: 'unreachable',
      applied: 'no',
    });
  });
});

describe('a request over TLS', () => {
  it('has an unknown outcome if the stream breaks after the handshake', async () => {
    const place = newPlace();
    await place.shell(
      `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem`,
    );
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(place.folder, name)));
    let arrived = 0;
    let breakStream = () => {};
    let protocol: string | false | null = null;
    // One that would rather speak HTTP/2, in which undici may send a request again by itself.
    const tls = createTlsServer({ key, cert, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
      protocol = socket.alpnProtocol;
      socket
        // As servers do at an alert.
        .on('error', () => socket.destroy())
        .once('data', () => {
          arrived += 1;
          breakStream();
        });
    });
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void tls.close());
    using server = await rawServer((client) => {
      const upstream = connect((tls.address() as AddressInfo).port, '127.0.0.1');
      upstream.on('error', () => undefined).on('close', () => client.destroy());
      client.on('data', (bytes) => upstream.write(bytes)).on('close', () => upstream.end());
      upstream.on('data', (bytes) => client.write(bytes));
      // A record of application data that no key of the connection has encrypted.
      const record = Buffer.concat([Buffer.from([0x17, 3, 3, 0, 32]), Buffer.alloc(32, 7)]);
      breakStream = () => void client.write(record);
    });
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, cert ?? '']);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const error = await failure(server.url.replace('http://127.0.0.1', 'https://localhost'));
    expect(arrived).toBe(1);
    expect(protocol).toBe('http/1.1');
    expect(error).toMatchObject({ code: 'unreachable', applied: 'unknown' });
  });
});

it('requests stay below the path of the base address, and ids cannot escape it', async () => {
  const asked: (string | undefined)[] = [];
  using server = await httpServer((request, response) => {
    asked.push(request.url);
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  await using client = createClient({ apiUrl: `${server.url}/behind/a proxy/`, key: KEY });
  await expect(client.listItems({ page: 2 })).rejects.toMatchObject({ code: 'not_found' });
  await expect(client.getItem('a/b c?d#é')).rejects.toMatchObject({ code: 'not_found' });
  expect(asked).toEqual([
    '/behind/a%20proxy/api/public/v1/items?page=2&per_page=100',
    '/behind/a%20proxy/api/public/v1/items/a%2Fb%20c%3Fd%23%C3%A9',
  ]);
});

describe('the key', () => {
  it('is never sent unencrypted beyond this machine, and never shown', async () => {
    expect(() => createClient({ apiUrl: 'http://inventory.example.com', key: KEY })).toThrow(/unencrypted/);
    await using client = createClient({ apiUrl: 'https://inventory.example.com', key: KEY });
    expect(inspect(client, { depth: 20, showHidden: true }) + JSON.stringify(client)).not.toContain(KEY);
    expect(() => createClient({ apiUrl: 'https://a.example', key: 'two words' })).toThrow(
      /characters that no key/,
    );
  });
});

it('a closed client does not keep the process alive', () => {
  const script = `
    import { createClient } from ${JSON.stringify(new URL('../../src/api/client.ts', import.meta.url).href)};
    const client = createClient({ apiUrl: 'http://127.0.0.1:1', key: 'k' });
    await client.listCollections().catch((error) => console.log(error.code));
    await client.close();`;
  const run = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    timeout: 120_000,
  });
  expect(run.stdout.toString()).toBe('unreachable\n');
  expect(run.status).toBe(0);
});
