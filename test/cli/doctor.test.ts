import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RequestRecord } from '../../src/api/client.ts';
import { SCOPES } from '../../src/api/schemas.ts';
import { checkPage } from '../../src/doctor/check-machine.ts';
import { english } from '../../src/messages/message.ts';
import { type DoctorReport, verdict } from '../../src/doctor/check.ts';
import { examine } from '../../src/cli/doctor/examine.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { refusingPort } from '../support/refusing-port.ts';
import { newPlace } from './run-shelflift.ts';

/** The checks themselves, in this process; how the command shows them is tested below. */
async function doctor(environment: NodeJS.ProcessEnv, place = newPlace()) {
  const requests: RequestRecord[] = [];
  const findings = await examine(
    { timeout: '30s' },
    { ...place.environment, ...environment },
    {
      say: () => undefined,
      signal: AbortSignal.timeout(150_000),
      onRequest: (record) => void requests.push(record),
    },
  );
  const { report, exitCode: code } = verdict(findings);
  const found = (check: string) => report.checks.find((each) => each.check === check);
  return { code, report, state: (check: string) => found(check)?.state, found, requests };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('on systems that do not show the owner of a connection, doctor names the check that the page uses instead', () => {
  expect(checkPage('linux')).toBeUndefined();
  for (const platform of ['darwin', 'win32'] as const) {
    const finding = checkPage(platform);
    expect(finding?.state).toBe('ok');
    expect(finding && english(finding.found)).toContain('not the user');
  }
});

test('doctor reports that all is well, and writes nothing', async () => {
  await using api = await startSandbox({ rateLimit: '100/60s', seed: 1, seedItems: 3 });
  const { code, report, found, requests } = await doctor({
    SHELFLIFT_API_URL: api.url,
    SHELFLIFT_API_KEY: api.key,
  });
  expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
  expect(report.error).toBeUndefined();
  expect(report.checks.map(({ check, state }) => `${check}: ${state}`)).toEqual([
    'configuration: ok',
    'address: ok',
    'tls: ok',
    'key: ok',
    'scope items:read: ok',
    'scope items:write: unknown',
    'scope collections:read: ok',
    'scope marketplace:read: ok',
    'scope analytics:read: ok',
    'clock: ok',
    'rate limit: ok',
    'store: ok',
    'disk: ok',
  ]);
  expect(found('rate limit')?.detail).toMatch(/^100 requests( in 60 s|.*), 96 left/);
  expect(found('scope items:write')?.detail).toContain('cannot be checked without writing');
  expect(requests).toHaveLength(4);
  expect(JSON.stringify(report)).not.toContain(api.key);
  expect(api.control.items()).toHaveLength(3);
});

test.each(SCOPES.filter((scope) => scope !== 'items:write'))(
  'doctor reports a key without %s',
  async (missing) => {
    await using api = await startSandbox();
    const { secret } = api.control.addKey(SCOPES.filter((scope) => scope !== missing));
    const { code, report, found } = await doctor({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: secret });
    expect(code).toBe(5);
    expect(report.error?.code).toBe('missing_scope');
    expect(report.checks.filter(({ state }) => state === 'failed').map(({ check }) => check)).toEqual([
      `scope ${missing}`,
    ]);
    expect(found(`scope ${missing}`)?.remedy).toContain('An owner or admin can add the scope');
  },
);

test('doctor checks a wrong key once, not four times', async () => {
  await using api = await startSandbox();
  const { code, state, report } = await doctor({
    SHELFLIFT_API_URL: api.url,
    SHELFLIFT_API_KEY: 'wrong-key-77',
  });
  expect(code).toBe(5);
  expect([state('address'), state('key'), state('scope items:read')]).toEqual(['ok', 'failed', 'unknown']);
  expect(JSON.stringify(report)).not.toContain('wrong-key-77');
  expect(api.control.counts().requests).toBe(1);
});

test('doctor reports a refused connection, a missing address and a missing key', async () => {
  const port = await refusingPort();
  const gone = await doctor({ SHELFLIFT_API_URL: `http://127.0.0.1:${port}`, SHELFLIFT_API_KEY: 'k' });
  expect([gone.code, gone.report.error?.code, gone.state('address')]).toEqual([6, 'unreachable', 'failed']);
  const nowhere = await doctor({});
  expect([nowhere.code, nowhere.report.error?.code, nowhere.state('store')]).toEqual([2, 'no_api_url', 'ok']);
  const keyless = await doctor({ SHELFLIFT_API_URL: 'https://inventory.example.com' });
  expect([keyless.code, keyless.report.error?.code]).toEqual([2, 'no_key']);
});

test('doctor reports an address that serves a web page, or a redirect that would get the key', async () => {
  const page = await listen(createServer((_, answer) => answer.end('<html>hello</html>')));
  const html = await doctor({ SHELFLIFT_API_URL: `http://127.0.0.1:${page}`, SHELFLIFT_API_KEY: 'k' });
  expect([html.code, html.report.error?.code]).toEqual([6, 'not_this_api']);

  let asked = 0;
  const target = await listen(createServer((_, answer) => answer.end(String((asked += 1)))));
  const from = await listen(
    createServer((request, answer) =>
      answer.writeHead(302, { location: `http://127.0.0.1:${target}${request.url ?? ''}` }).end(),
    ),
  );
  const moved = await doctor({ SHELFLIFT_API_URL: `http://127.0.0.1:${from}`, SHELFLIFT_API_KEY: 'k' });
  expect([moved.code, moved.report.error?.code]).toEqual([6, 'not_this_api']);
  expect(moved.found('address')?.detail).toContain('never followed');
  expect(asked).toBe(0);
});

test('doctor reports an untrusted certificate, and shows the dates of a trusted one', async () => {
  const place = newPlace();
  const [key, cert] = [join(place.folder, 'key.pem'), join(place.folder, 'cert.pem')];
  await place.shell(
    `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj /CN=localhost \
      -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem`,
  );
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, answer) =>
    answer.writeHead(500).end(),
  );
  const port = await listen(server);
  const environment = { SHELFLIFT_API_URL: `https://localhost:${port}`, SHELFLIFT_API_KEY: 'k' };
  const refused = await doctor(environment, place);
  expect([refused.code, refused.state('address'), refused.state('tls')]).toEqual([6, 'failed', 'failed']);
  expect(refused.found('tls')?.remedy).toContain('NODE_EXTRA_CA_CERTS');
  // Node reads this variable at its start.
  const trusted = await place.run(['doctor'], { environment: { ...environment, NODE_EXTRA_CA_CERTS: cert } });
  expect(trusted.code).toBe(6);
  expect(trusted.stdout).toMatch(/^ok {6}tls +TLSv1\.3, certificate valid until \d{4}-\d\d-\d\d$/m);
});

test('doctor only warns about a wrong clock, because nothing depends on it', async () => {
  // The Date header is the machine's own; a server of another time has to be made up.
  const date = new Date(Date.now() - 3 * 3600 * 1000).toUTCString();
  const port = await listen(
    createServer((request, answer) => {
      const summary = {
        object: 'sales_summary',
        completed_count: 0,
        gross_cents: 0,
        fee_cents: 0,
        net_payout_cents: 0,
      };
      const list = { object: 'list', data: [], pagination: { page: 1, per_page: 1, has_more: false } };
      answer.writeHead(200, { date, 'content-type': 'application/json' });
      answer.end(JSON.stringify(request.url?.includes('sales') === true ? summary : list));
    }),
  );
  const { code, found } = await doctor({
    SHELFLIFT_API_URL: `http://127.0.0.1:${port}`,
    SHELFLIFT_API_KEY: 'k',
  });
  expect(code).toBe(0);
  expect(found('clock')).toMatchObject({ state: 'warning' });
  expect(found('clock')?.detail).toContain('this machine is 3 h 0 min ahead of the API');
});

test('doctor reports a store that belongs to another program or is not writable', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  const foreign = place.file('letter.db', 'Dear diary, '.repeat(100));
  const notOurs = await doctor({ SHELFLIFT_STORE: foreign }, place);
  expect([notOurs.code, notOurs.report.error?.code]).toEqual([2, 'store_not_ours']);
  mkdirSync(join(place.folder, 'folder.db'));
  writeFileSync(join(place.folder, 'folder.db', 'x'), '');
  const folder = await doctor({ SHELFLIFT_STORE: join(place.folder, 'folder.db') }, place);
  expect(folder.code).toBe(2);
  expect(folder.found('store')).toMatchObject({ state: 'failed' });
});

test('doctor prints one line for each check, and the remedy below each failed one', async () => {
  const place = newPlace();
  const { code, stdout } = await place.call(['doctor', '--sandbox', '--verbose']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ok {6}address +http:\/\/127\.0\.0\.1:\d+ answers in \d+ ms$/m);
  const json = await place.call(['doctor', '--json']);
  const report = JSON.parse(json.stdout) as DoctorReport;
  expect([json.code, report.ok, report.error?.code]).toEqual([2, false, 'no_api_url']);
  const failed = await place.call(['doctor']);
  expect(failed.stdout).toMatch(
    /^FAILED {2}configuration +The address of the API is not set\.\n +→ Set SHELF/m,
  );
});
