import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace, type Place } from '../cli/run-shelflift.ts';
import { refusingPort } from '../support/refusing-port.ts';
import { type BadInput, check } from './check.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** An import of one toy, whose name differs from test to test. */
function importToy(...more: string[]) {
  return (at: Place) => {
    at.file('toys.csv', `name\nRobot ${Math.random()}\n`);
    return ['import', 'toys.csv', '--collection', 'Main', '--wait', '1s', ...more];
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function answering(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(listener))}`;
}

const WRONG = 'wrong-key-wrong-key';

const KEYS: (Omit<BadInput, 'environment'> & { environment: () => NodeJS.ProcessEnv })[] = [
  {
    name: 'no key',
    environment: () => ({ SHELFLIFT_API_KEY: '' }),
    make: importToy(),
    exit: 2,
    code: 'no_key',
    says: [/No API key is set/, /Set SHELFLIFT_API_KEY/],
    asksNothing: true,
  },
  {
    name: 'a key with a line feed and quotes',
    environment: () => ({ SHELFLIFT_API_KEY: `"${WRONG}\n${WRONG}"` }),
    make: importToy(),
    exit: 2,
    code: 'bad_key',
    says: [/Copy the key again/],
    asksNothing: true,
  },
  {
    name: 'a wrong key',
    environment: () => ({ SHELFLIFT_API_KEY: WRONG }),
    make: importToy(),
    exit: 5,
    code: 'unauthorized',
    state: 'parked_unauthorised',
    rows: { pending: 1, created: 0 },
    says: [/not accepted/, /SHELFLIFT_API_KEY or the key file/, /jobs resume \d{6}-/],
  },
  {
    name: 'a key without items:write',
    environment: () => ({
      SHELFLIFT_API_KEY: sandbox.control.addKey(['items:read', 'collections:read']).secret,
    }),
    make: importToy(),
    exit: 5,
    code: 'missing_scope',
    state: 'parked_unauthorised',
    rows: { pending: 1, created: 0 },
    says: [/items:write/, /another key of the same team/, /jobs resume/],
  },
  {
    name: 'a key without items:read',
    environment: () => ({
      SHELFLIFT_API_KEY: sandbox.control.addKey(['items:write', 'collections:read']).secret,
    }),
    make: importToy(),
    exit: 5,
    code: 'missing_scope',
    state: 'parked_unauthorised',
    rows: { pending: 1, created: 0 },
    says: [/items:read/, /--no-settle/],
  },
  {
    name: 'a key without items:read, for an export',
    environment: () => ({ SHELFLIFT_API_KEY: sandbox.control.addKey(['collections:read']).secret }),
    make: () => ['export', 'items', '--out', 'items.csv'],
    exit: 5,
    code: 'missing_scope',
    says: [/items:read/],
  },
];

it.each(KEYS)('$name', async ({ environment, ...bad }) => {
  await check({ ...bad, environment: environment() }, sandbox);
});

it('an address that already contains the path is accepted', async () => {
  await check(
    {
      name: 'an address with the path already in it',
      environment: { SHELFLIFT_API_URL: `${sandbox.url}/api/public/v1/` },
      make: importToy(),
      exit: 0,
      state: 'done',
      rows: { created: 1 },
      sends: 1,
      says: [],
    },
    sandbox,
  );
});

const ADDRESSES: (Omit<BadInput, 'environment' | 'make'> & { address: () => string | Promise<string> })[] = [
  {
    name: 'no address',
    address: () => '',
    exit: 2,
    code: 'no_api_url',
    says: [/SHELFLIFT_API_URL/, /--api-url/],
  },
  {
    name: 'an invalid address',
    address: () => 'inventory.example.com',
    exit: 2,
    code: 'bad_address',
    says: ['"inventory.example.com"', 'https://inventory.example.com'],
  },
  {
    name: 'an address with a password in it',
    address: () => `https://me:${WRONG}@inventory.example.com`,
    exit: 2,
    code: 'bad_address',
    says: [/user name or password/],
  },
  {
    name: 'http to a host that is not loopback',
    address: () => 'http://inventory.example.com',
    exit: 2,
    code: 'insecure_address',
    says: [/unencrypted/, 'https://inventory.example.com'],
  },
  {
    name: 'an address of a web site',
    address: () => answering((_, answer) => answer.end('<html><body>Toys!</body></html>')),
    exit: 6,
    code: 'unexpected_response',
    says: [/<html>/, /shelflift doctor/],
  },
  {
    name: 'an address of another JSON server',
    address: () =>
      answering((_, answer) => answer.setHeader('Content-Type', 'application/json').end('{"toys":[]}')),
    exit: 6,
    code: 'unexpected_response',
    says: [/cannot be read/, /shelflift doctor/],
  },
  {
    name: 'an address with nothing at it',
    address: () => answering((_, answer) => answer.writeHead(404).end('Not found')),
    exit: 2,
    code: 'not_found',
    says: [/GET \/collections: not found/, /without \/api\/public\/v1/],
  },
  {
    name: 'an address that refuses connections',
    address: async () => `http://127.0.0.1:${await refusingPort()}`,
    exit: 6,
    code: 'unreachable',
    says: [/cannot be reached/, /ECONNREFUSED/, /Check the address/],
  },
];

it.each(ADDRESSES)('$name', async ({ address, ...bad }) => {
  const url = await address();
  await check(
    {
      ...bad,
      ...(bad.exit === 6 ? { state: 'parked_unreachable', rows: { pending: 1 } } : {}),
      environment: { SHELFLIFT_API_URL: url, SHELFLIFT_API_KEY: WRONG },
      make: importToy(),
      asksNothing: true,
    },
    sandbox,
  );
});

it('a redirect is not followed, and the key is not sent on', async () => {
  let asked = 0;
  const elsewhere = await answering((_, answer) => answer.end(String((asked += 1))));
  const url = await answering((request, answer) =>
    answer.writeHead(302, { location: `${elsewhere}${request.url ?? ''}` }).end(),
  );
  await check(
    {
      name: 'a redirect',
      environment: { SHELFLIFT_API_URL: url },
      make: importToy(),
      exit: 6,
      code: 'unexpected_response',
      says: [/302/, /redirects to 127\.0\.0\.1:\d+/, /never followed with a key/],
      asksNothing: true,
    },
    sandbox,
  );
  expect(asked).toBe(0);
});

it('a self-signed certificate is refused', async () => {
  const place = newPlace();
  await place.shell(
    'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 9 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem',
  );
  let asked = 0;
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(place.folder, name)));
  const server = createTlsServer({ key, cert }, (_, answer) => answer.end(String((asked += 1))));
  const port = await listen(server);
  await check(
    {
      name: 'a self-signed certificate',
      environment: { SHELFLIFT_API_URL: `https://localhost:${port}` },
      make: importToy(),
      exit: 6,
      code: 'unreachable',
      says: [/certificate/, /NODE_EXTRA_CA_CERTS/],
      asksNothing: true,
    },
    sandbox,
  );
  expect(asked).toBe(0);
});
