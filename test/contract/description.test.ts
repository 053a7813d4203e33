/** The hand-written description is a right one, and its own rules for exchanges can fail. */
import { describe, expect, test } from 'vitest';
import { createConformance, problemsOfDescription } from './conformance.ts';
import { child, contractDescription, operationsOf, root, type Tree } from './description.ts';
import type { Exchange } from './recorder.ts';

const KEY = 'a-key';
const SCOPES = new Map([[KEY, ['items:read', 'items:write']]]);
const ITEM = {
  object: 'item',
  id: '7f0c0b52-6f0e-4c0f-9a8b-0d4f3c2b1a00',
  name: 'Racer',
  status: 'keep',
  collection_id: '7F0C0B52-6F0E-4C0F-9A8B-0D4F3C2B1A01',
  currency: 'usd',
  created_at: '2026-05-01T10:00:00Z',
  updated_at: '2026-05-01T10:00:00.123+02:00',
};

/** A right create and its answer, but for what is named. */
function exchange(changes: Partial<Exchange> = {}): Exchange {
  return {
    method: 'POST',
    path: '/api/public/v1/items',
    query: '',
    requestHeaders: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    requestBody: JSON.stringify({ collection_id: ITEM.collection_id, name: 'Racer' }),
    status: 201,
    answerHeaders: { 'x-request-id': 'r1', 'content-type': 'application/json' },
    answer: JSON.stringify(ITEM),
    ...changes,
  };
}

test('the contract is a valid OpenAPI 3.1 description of seven operations', async () => {
  expect(await problemsOfDescription(contractDescription())).toEqual([]);
  expect(operationsOf(contractDescription()).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'get /items',
    'post /items',
    'get /items/{id}',
    'patch /items/{id}',
    'get /collections',
    'get /marketplace/listings',
    'get /sales/summary',
  ]);
});

test('a misspelt keyword in a description is detected', async () => {
  const description = contractDescription();
  const operation = child(description, root(description), 'paths', '/items', 'get')?.value as Tree;
  operation['respones'] = operation['responses'];
  expect(await problemsOfDescription(description)).not.toEqual([]);
});

describe('an exchange', () => {
  test('without mistakes has no problems, and neither has an answer with a field that was added later', async () => {
    using conformance = createConformance(contractDescription(), SCOPES);
    const added = JSON.stringify({ ...ITEM, added_later: 1 });
    for (const right of [exchange(), exchange({ answer: added })]) {
      expect(await conformance.check(right)).toEqual({ operation: 'createItem', request: [], answer: [] });
    }
  });

  const answers: [what: string, changes: Partial<Exchange>, problem: RegExp][] = [
    ['a status that is not described', { status: 200 }, /^status 200: not described/],
    [
      'no X-Request-Id',
      { answerHeaders: { 'content-type': 'application/json' } },
      /^header X-Request-Id: missing/,
    ],
    [
      'an empty X-Request-Id',
      { answerHeaders: { 'x-request-id': '', 'content-type': 'application/json' } },
      /^header X-Request-Id#: breaks .*minLength/,
    ],
    [
      'another content type',
      { answerHeaders: { 'x-request-id': 'r1', 'content-type': 'text/html' } },
      /^answer: text\/html is no described/,
    ],
    ['a truncated body', { answer: JSON.stringify(ITEM).slice(0, 50) }, /^answer: is no JSON/],
    ['a missing field', { answer: JSON.stringify({ ...ITEM, currency: undefined }) }, /Item\/required/],
    ['an unexpected null', { answer: JSON.stringify({ ...ITEM, tags: null }) }, /tags\/type/],
    ['an unknown item status', { answer: JSON.stringify({ ...ITEM, status: 'lost' }) }, /enum/],
    ['an id that is not a UUID', { answer: JSON.stringify({ ...ITEM, id: '12' }) }, /#\/id: .*format/],
    [
      'a date that does not exist',
      { answer: JSON.stringify({ ...ITEM, created_at: '2026-02-30T00:00:00Z' }) },
      /format/,
    ],
    [
      'an error without its type',
      { status: 400, answer: '{"error":{"message":"x"}}' },
      /^answer#\/error: .*InvalidRequestError.*required/,
    ],
    [
      'a 400 of another type',
      { status: 400, answer: '{"error":{"type":"bad_request","message":"x"}}' },
      /InvalidRequestError.*const/,
    ],
  ];
  test.each(answers)('whose answer has %s is reported', async (_what, changes, problem) => {
    using conformance = createConformance(contractDescription(), SCOPES);
    const verdict = await conformance.check(exchange(changes));
    expect(verdict.request).toEqual([]);
    expect(verdict.answer.join('\n')).toMatch(problem);
  });

  const list = { method: 'GET', requestBody: '', status: 200 };
  const requests: [what: string, changes: Partial<Exchange>, problem: RegExp][] = [
    ['no key', { requestHeaders: { 'content-type': 'application/json' } }, /^security: no valid key/],
    [
      'a key without the scope',
      { ...list, path: '/api/public/v1/collections' },
      /^security: the key lacks collections:read/,
    ],
    ['a parameter outside its bounds', { ...list, query: 'per_page=101' }, /^parameter per_page#: .*maximum/],
    ['a parameter of another type', { ...list, query: 'page=1e1' }, /^parameter page#: .*type/],
    ['a repeated parameter', { ...list, query: 'page=1&page=2' }, /^parameter page: given 2 times/],
    ['an unknown parameter', { ...list, query: 'sort=name' }, /^parameter sort: not described/],
    [
      'a path id that is not a UUID',
      { ...list, path: '/api/public/v1/items/12' },
      /^parameter id#: breaks .*Id\/schema\/format/,
    ],
    ['a body where none is described', { ...list, requestBody: '{}' }, /^body: none is described/],
    ['an unknown property', { requestBody: '{"nmae":"x"}' }, /^body#\/nmae: .*additionalProperties/],
    ['no body', { requestBody: '' }, /^body: is no JSON/],
    ['an unknown path', { path: '/api/public/v1/item' }, /not described/],
    ['another prefix', { path: '/api/public/v2/items' }, /not described/],
  ];
  test.each(requests)('whose request has %s is reported', async (_what, changes, problem) => {
    using conformance = createConformance(contractDescription(), SCOPES);
    expect((await conformance.check(exchange(changes))).request.join('\n')).toMatch(problem);
  });
});
