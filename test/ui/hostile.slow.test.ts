/** Requests that each have at least one thing wrong: none may see or change anything. */
import { expect, test } from 'vitest';
import * as fc from '../support/fast-check.ts';
import { SCENARIOS } from '../support/scenarios.ts';
import { openPage } from './open-page.ts';

const REQUESTS = SCENARIOS;
/** Sent at one time. */
const BATCH = 10;

test('none of thousands of malformed requests is accepted', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const own = `http://127.0.0.1:${page.port}`;
  const right = {
    Host: `127.0.0.1:${page.port}`,
    Cookie: visit.cookie,
    Origin: own,
    'Sec-Fetch-Site': 'same-origin',
    'Sec-Fetch-Mode': 'cors',
    'Content-Type': 'application/x-www-form-urlencoded',
  };
  const wrong = fc.oneof(
    fc.record({
      Host: fc.constantFrom(
        'evil.example',
        '127.0.0.1',
        `evil.example:${page.port}`,
        '[::1]',
        `127.0.0.1:${page.port + 1}`,
      ),
    }),
    fc.record({
      Origin: fc.constantFrom(
        'null',
        'http://evil.example',
        own.replace('http', 'https'),
        `${own}0`,
        'http://127.0.0.1',
        `http://localhost:${page.port}`,
      ),
    }),
    fc.record({ 'Sec-Fetch-Site': fc.constantFrom('cross-site', 'same-site', 'none', 'x') }),
    fc.record({
      Cookie: fc.oneof(
        fc.constant(''),
        fc.base64String({ maxLength: 60 }).map((text) => `shelflift-${page.port}=${text}`),
        fc.constant(visit.cookie.slice(0, -1)),
      ),
    }),
    fc.record({
      token: fc.oneof(fc.constant(''), fc.base64String({ maxLength: 60 }), fc.constant(visit.token.slice(1))),
    }),
    fc.record({ method: fc.constantFrom('PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND') }),
  );
  const path = fc.constantFrom(
    '/preferences',
    '/connect/new',
    '/connect/practice',
    '/file',
    '/job/last/send',
    '/job/last/discard',
    '/duplicates',
    '/reports',
    '/instance/open',
  );
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(wrong, path), { minLength: BATCH, maxLength: BATCH }),
      async (batch) => {
        await Promise.all(
          batch.map(async ([mistake, to]) => {
            const { token = visit.token, method = 'POST', ...headers } = mistake as Record<string, string>;
            const body = `_token=${encodeURIComponent(token)}&language=de`;
            const { status, headers: answered } = await page.ask(to, {
              method,
              headers: { ...right, ...headers },
              body,
            });
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            expect([400, 401, 403, 421]).toContain(status);
            expect(answered['set-cookie']).toBeUndefined();
            expect(answered['access-control-allow-origin']).toBeUndefined();
          }),
        );
      },
    ),
    { numRuns: REQUESTS / BATCH },
  );
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
  // Whatever was sent, the page is as it was.
  expect((await visit.get('/')).text).toContain('What would you like to do?');
});
