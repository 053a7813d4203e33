/** Who may see the page, and who may not: real requests to the real server. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openUi } from '../../src/ui/server.ts';
import { needsRoot } from '../support/root.ts';
import { openPage } from './open-page.ts';
import { enter, NAVIGATION } from './visit.ts';

test('the first address opens one session, and the token is removed from the address bar', async () => {
  const page = await openPage();
  const { pathname, search } = new URL(page.url);
  const first = await page.ask(pathname + search, { headers: NAVIGATION });
  expect(first.status).toBe(303);
  expect(first.headers.location).toBe('/');
  const [cookie = ''] = first.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/; HttpOnly/);
  expect(cookie).toMatch(/; SameSite=Strict/);
  expect(cookie).not.toContain(search.slice('?token='.length));
  const second = await page.ask(pathname + search, { headers: NAVIGATION });
  expect(second.status).toBe(401);
  expect(second.headers['set-cookie']).toBeUndefined();
  expect(second.text).toContain('This link has been used');
});

test('every answer forbids inline scripts, frames, caching and referrers', async () => {
  const page = await openPage();
  const visit = await page.enter();
  const answers = [
    await page.ask('/'),
    await visit.get('/connect'),
    await visit.get('/no-such-page'),
    await visit.get('/assets/page.js'),
    await page.ask('/', { headers: { Host: 'evil.example' } }),
  ];
  for (const { headers } of answers) {
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|http/);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});

test('without a session, the page shows only how to start a session', async () => {
  const page = await openPage();
  for (const path of ['/', '/connect', '/file', '/history', '/job/x/plan']) {
    const answer = await page.ask(path, { headers: NAVIGATION });
    expect(answer.status, path).toBe(401);
    expect(answer.text).toContain('Start it again in a terminal, with the command ui');
  }
});

test('a request with another Host is refused, to prevent DNS rebinding', async () => {
  const page = await openPage();
  const visit = await page.enter();
  const hosts = [
    'evil.example',
    `evil.example:${page.port}`,
    '127.0.0.1',
    '127.0.0.1:1',
    `127.0.0.1.:${page.port}`,
    `0.0.0.0:${page.port}`,
    `localhost.evil.example:${page.port}`,
  ];
  for (const Host of hosts) expect((await visit.get('/connect', { Host })).status, Host).toBe(421);
  for (const Host of [`localhost:${page.port}`, `[::1]:${page.port}`])
    expect((await visit.get('/connect', { Host })).status, Host).toBe(200);
});

test('a request from another site or another local port is refused, even with the cookie', async () => {
  const page = await openPage();
  const visit = await page.enter();
  for (const site of ['cross-site', 'same-site', 'none']) {
    const script = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
    expect((await visit.get('/connect', script)).status, site).toBe(403);
    expect((await visit.post('/connect/practice', {}, script)).status, site).toBe(403);
  }
  expect((await visit.get('/connect', { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect((await visit.get('/connect', { ...NAVIGATION, 'Sec-Fetch-Dest': 'iframe' })).status).toBe(403);
  expect((await visit.get('/connect', NAVIGATION)).status).toBe(200);
});

test('a write needs the Origin of the page and the token of a form', async () => {
  const page = await openPage();
  const visit = await page.enter();
  const own = `http://127.0.0.1:${page.port}`;
  const origins = [
    'http://evil.example',
    'null',
    'http://127.0.0.1:1',
    own.replace('http:', 'https:'),
    `${own}.evil.example`,
  ];
  for (const Origin of origins)
    expect((await visit.post('/preferences', { language: 'de' }, { Origin })).status, Origin).toBe(403);
  expect((await visit.post('/preferences', { language: 'de', _token: 'wrong' })).status).toBe(403);
  expect((await visit.post('/preferences', { language: 'de', _token: '' })).status).toBe(403);
  const without = await page.ask('/preferences', {
    method: 'POST',
    headers: { Cookie: visit.cookie, 'Sec-Fetch-Site': 'same-origin' },
    body: `_token=${visit.token}`,
  });
  expect(without.status).toBe(403);
  expect((await visit.post('/preferences', { language: 'de' })).status).toBe(303);
});

test('the token of one session is worthless in another session', async () => {
  const page = await openPage();
  const one = await page.enter();
  const again = await openUi({ choice: {}, settings: { timeoutMs: 1000 }, environment: page.environment });
  const other = await enter(again.url);
  expect(other.token).not.toBe(one.token);
  expect((await one.post('/preferences', { _token: other.token })).status).toBe(403);
});

test('a second start opens the running page with a fresh token, and keeps its secret', async () => {
  const page = await openPage();
  const again = await openUi({ choice: {}, settings: { timeoutMs: 1000 }, environment: page.environment });
  expect(again.served).toBeUndefined();
  expect(new URL(again.url).port).toBe(String(page.port));
  expect(again.url).not.toBe(page.url);
  expect((await enter(again.url)).token).not.toBe('');
  const folder = join(page.folder, 'state/shelflift/ui');
  const lock = join(folder, 'ui.lock');
  expect(statSync(lock).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readFileSync(lock, 'utf8')).toContain(String(page.port));
  const knock = { nonce: '1', path: '/', proof: '0'.repeat(64) };
  const guessed = await page.ask('/instance/open', {
    method: 'POST',
    headers: { Origin: `http://127.0.0.1:${page.port}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(knock),
  });
  expect(guessed.status).toBe(403);
});

test('if another program uses the port of a left-over lock file, it gets no secret, and none of its pages is opened', async () => {
  const page = await openPage();
  const lock = join(page.folder, 'state/shelflift/ui/ui.lock');
  const { writeFileSync } = await import('node:fs');
  const heard: string[] = [];
  const thief = createServer((incoming, outgoing) => {
    incoming.on('data', (chunk: Buffer) => heard.push(chunk.toString()));
    incoming.on('end', () =>
      outgoing.end(JSON.stringify({ url: 'http://evil.example/', proof: '0'.repeat(64) })),
    );
  });
  thief.listen(0, '127.0.0.1');
  await once(thief, 'listening');
  onTestFinished(() => void thief.close());
  writeFileSync(
    lock,
    JSON.stringify({ port: (thief.address() as AddressInfo).port, secret: 'the-secret', pid: 1 }),
  );
  const again = await openUi({
    choice: {},
    port: 0,
    settings: { timeoutMs: 1000 },
    environment: page.environment,
  });
  onTestFinished(() => again.served?.[Symbol.asyncDispose]());
  expect(again.url).toContain('http://127.0.0.1:');
  expect(again.served).toBeDefined();
  expect(heard.join('')).toContain('proof');
  expect(heard.join('')).not.toContain('the-secret');
});

test('addresses with another host, other methods and broken requests are refused', async () => {
  const page = await openPage();
  const visit = await page.enter();
  const headers = { Cookie: visit.cookie };
  for (const path of ['//evil.example/', 'http://evil.example/', '/\\evil.example'])
    expect((await page.ask(path, { headers })).status, path).toBe(403);
  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH'])
    expect((await page.ask('/connect', { method, headers })).status, method).toBe(403);
  const socket = connect(page.port, '127.0.0.1', () => socket.end('GARBAGE\r\n\r\n'));
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 400/);
  expect((await visit.get('/connect')).status).toBe(200);
});

test('only the page’s own files are served as assets', async () => {
  const page = await openPage();
  for (const name of ['style.css', 'page.js', 'htmx.js', 'sse.js', 'mark.svg', 'icon-in.svg'])
    expect((await page.ask(`/assets/${name}`)).status, name).toBe(200);
  for (const name of ['..%2fserver.ts', '%2e%2e%2f%2e%2e%2fpackage.json', 'constructor', '__proto__', 'x'])
    expect([404, 421], name).toContain((await page.ask(`/assets/${name}`)).status);
});

test('the page uses the language of the browser, or the language that was chosen', async () => {
  const page = await openPage();
  const visit = await page.enter();
  expect((await visit.get('/connect')).text).toContain('<html lang="en"');
  const german = await visit.get('/connect', { 'Accept-Language': 'fr;q=0.9, de-AT;q=0.8, en;q=0.2' });
  expect(german.text).toContain('<html lang="de"');
  expect(german.text).toContain('Konto verbinden');
  const chosen = await visit.post('/preferences', { language: 'de', back: '//evil.example' });
  expect(chosen.headers.location).toBe('/');
  expect(chosen.headers['set-cookie']?.[0]).toContain('shelflift-language=de');
});

test('a key is never shown after it was entered, and only a working account is saved', async () => {
  const { startSandbox } = await import('../../src/sandbox/sandbox.ts');
  await using sandbox = await startSandbox({ key: 'secret-key-0123456789' });
  const page = await openPage();
  const visit = await page.enter();
  const wrong = await visit.post('/connect/new', {
    address: sandbox.url,
    key: 'wrong-key-987654321',
    name: 'toys',
  });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('The key is accepted');
  expect(wrong.text).not.toContain('wrong-key');
  const saved = await visit.post('/connect/new', { address: sandbox.url, key: sandbox.key, name: 'toys' });
  expect(saved.status).toBe(303);
  const shown =
    (await visit.get('/connect')).text +
    (await visit.get('/connect/check')).text +
    (await visit.get('/')).text;
  expect(shown).toContain('toys');
  expect(shown).not.toContain('secret-key');
  expect(shown).not.toContain('0123456789');
  const keys = join(page.folder, 'config/shelflift/keys');
  expect(readdirSync(keys)).toEqual(['toys.key']);
  expect(statSync(join(keys, 'toys.key')).mode & 0o777).toBe(0o600);
  expect(
    (await visit.post('/connect/new', { address: 'javascript:alert(1)', key: 'k', name: '../x' })).status,
  ).toBe(422);
});

test.skipIf(process.platform !== 'linux')(
  'a second user of this machine is refused even with the token',
  async (context) => {
    needsRoot(context);
    const page = await openPage();
    // It becomes the other user by itself: that user may not enter the folder that holds Node and this project.
    const ask = `
      process.setgid(65534);
      process.setuid(65534);
      fetch(${JSON.stringify(page.url)}, { redirect: 'manual' }).then(({ status }) => console.log(process.getuid(), status))`;
    const other = spawn(process.execPath, ['-e', ask], { cwd: '/', env: {} });
    let text = '';
    other.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(other, 'close');
    expect(text.trim()).toBe('65534 403');
    expect((await page.enter()).token).not.toBe('');
  },
);
