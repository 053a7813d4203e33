import { createHmac } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signatureOf } from '../../src/worker/notify/webhook.ts';
import { DAY, EXPORT, TUESDAY } from './example-config.ts';
import { httpsServer } from './https-server.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';
import { CERTIFICATE } from './test-certificate.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const environment = { HOOK_SECRET: SECRET, PING_URL: '' };
const day = (count: number) => ({ now: TUESDAY + count * DAY, environment });

async function place(yaml: string): Promise<WorkerPlace> {
  const opened = await openWorker(yaml);
  writeFileSync(join(opened.folder, 'cert.pem'), CERTIFICATE);
  await opened.once(day(0));
  return opened;
}

/** A worker whose runs are posted to a server that answers with these statuses, the last one for good. */
async function hooked(statuses: number[], more = '') {
  const posts: { headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const server = await httpsServer((request, response, body) => {
    posts.push({ headers: request.headers, body });
    response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200).end();
  });
  const own = await place(`
notify: { webhook: { url: "${server.url}/hook", secretEnv: HOOK_SECRET, allowPrivate: true, caFile: cert.pem } }
retries: { tries: 1, backoff: 1ms }
${EXPORT()}${more}`);
  return { own, posts };
}

test('a signature matches the signature of the Standard Webhooks reference library', () => {
  const signed = signatureOf(SECRET, 'msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330', '{"test": 2432232314}');
  expect(signed).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  expect(() => signatureOf('', 'a', '1', '')).toThrow('too short');
});

test('each end of a run is posted with a signature', async () => {
  const { own, posts } = await hooked([204]);
  await using _ = own;
  await own.once(day(1));
  writeFileSync(join(own.folder, 'out', 'in-the-way'), '');
  await own.once(day(2));
  expect(posts.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([
    {
      type: 'run.done',
      data: { schedule: 'accounting', state: 'done', exit_code: 0, rows: 0, files: [expect.any(String)] },
    },
    { type: 'run.done' },
  ]);
  for (const { headers, body } of posts) {
    const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${expected}`);
    // The receiver refuses what is older than a few minutes.
    expect(timestamp).toMatch(/^17\d{8}$/);
  }
  expect(new Set(posts.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
});

test('an unreachable receiver gets the same message later, and does not delay runs', async () => {
  const { own, posts } = await hooked([503, 200]);
  await using _ = own;
  const said: string[] = [];
  const first = await own.once({
    ...day(1),
    emit: (event) => void (event.type === 'warning' && said.push(event.message)),
  });
  expect(first).toMatchObject({ exitCode: 0, runs: [{ state: 'done' }] });
  expect(said.join('\n')).toContain('answers with status 503');
  expect(await own.ledger.values.list('webhooks', { limit: 9 })).toHaveLength(1);
  await own.once(day(2));
  const ids = posts.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(3);
  expect(ids[1]).toBe(ids[0]);
  expect(posts[1]?.body).toBe(posts[0]?.body);
  expect(await own.ledger.values.list('webhooks', { limit: 9 })).toEqual([]);
});

test('an undelivered message is dropped after a week, and the next message is sent', async () => {
  const { own, posts } = await hooked([500, 500, 200]);
  await using _ = own;
  await own.once(day(1));
  const said: string[] = [];
  await own.once({ ...day(9), emit: (event) => void (event.type === 'warning' && said.push(event.message)) });
  expect(said.join('\n')).toContain('is given up');
  expect(posts).toHaveLength(3);
  expect(await own.ledger.values.list('webhooks', { limit: 9 })).toEqual([]);
});

test('a health check is pinged at the start, after success, and after a failure with its reason', async () => {
  const pings: string[] = [];
  let status = 200;
  const server = await httpsServer((request, response, body) => {
    pings.push(`${request.url ?? ''} ${body}`.trim());
    response.writeHead(status).end();
  });
  await using own = await place(`
retries: { tries: 1, backoff: 1ms }
${EXPORT('ping: { urlEnv: PING_URL, allowPrivate: true, caFile: cert.pem }')}`);
  const secret = { environment: { PING_URL: `${server.url}/uuid-1` } };
  await own.once({ ...day(1), ...secret });
  expect(pings).toEqual(['/uuid-1/start', '/uuid-1']);
  pings.length = 0;
  await own.once({ ...day(2), environment: { ...secret.environment, THE_KEY: 'wrong' } });
  expect(pings[0]).toBe('/uuid-1/start');
  expect(pings[1]).toMatch(/^\/uuid-1\/fail .*key/i);
  // A check that refuses holds up nothing, and its address is told to nobody.
  status = 404;
  const said: string[] = [];
  const { runs } = await own.once({
    ...day(3),
    ...secret,
    emit: (event) => void (event.type === 'warning' && said.push(event.message)),
  });
  expect(runs[0]?.state).toBe('done');
  expect(said.join('\n')).toContain('The ping of accounting failed');
  expect(said.join('\n')).not.toContain('uuid-1');
});

test('a ping that is not answered at once is sent again', async () => {
  const pings: string[] = [];
  const server = await httpsServer((request, response) => {
    pings.push(request.url ?? '');
    response.writeHead(pings.length === 1 ? 503 : 200).end();
  });
  await using own = await place(
    EXPORT(`ping: { url: "${server.url}/a?b=c", allowPrivate: true, caFile: cert.pem }`),
  );
  await own.once(day(1));
  expect(pings).toEqual(['/a/start?b=c', '/a/start?b=c', '/a?b=c']);
});

test('a private address is neither pinged nor posted to unless that is allowed', async () => {
  const server = await httpsServer((_request, response) => void response.end());
  await using own = await place(`
notify: { webhook: { url: "${server.url}/hook", secretFile: secret, caFile: cert.pem } }
${EXPORT(`ping: { url: "${server.url}/a", caFile: cert.pem }`)}`);
  mkdirSync(join(own.folder, 'drop'), { recursive: true });
  writeFileSync(join(own.folder, 'secret'), SECRET, { mode: 0o600 });
  const said: string[] = [];
  await own.once({ ...day(1), emit: (event) => void (event.type === 'warning' && said.push(event.message)) });
  expect(server.asked).toEqual([]);
  expect(said.filter((each) => each.includes('is a private address')).length).toBeGreaterThanOrEqual(2);
});
