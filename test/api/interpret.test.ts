/** What an answer of the API means: by its status, its body and the request. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { interpret } from '../../src/api/interpret.ts';
import type { WireRequest } from '../../src/api/wire.ts';
import { english } from '../../src/messages/message.ts';

const API = 'https://api.test/v1';
const ITEM = '/items/22222222-2222-4222-8222-222222222222';
const KEY = 'ck_live_0123';
const GET: WireRequest<unknown> = {
  method: 'GET',
  path: `${ITEM}?page=1`,
  success: 200,
  schema: z.object({ name: z.string() }),
};

function answered(status: number, body: string, wire: Partial<WireRequest<unknown>> = {}, location = '') {
  const hidden = (text: string) => text.replaceAll(KEY, '***');
  return interpret({ ...GET, ...wire }, status, Buffer.from(body), 'req-1', location, API, hidden);
}

function failed(...given: Parameters<typeof answered>) {
  const result = answered(...given);
  if (result.ok) throw new Error('it succeeded');
  const { error } = result;
  // Advice has its label in each case.
  const advice = (error.actions ?? []).map(({ label }) => english(label));
  return { error, advice, text: error.message };
}

describe('a body of the success status', () => {
  it('is the value if the schema accepts it, which may change it', () => {
    const body = '{"name":"Bear","more":1}';
    expect(answered(200, body)).toEqual({ ok: true, value: { name: 'Bear' }, body: Buffer.from(body) });
  });

  it('is used as it is if the quick check accepts it', () => {
    const check = (value: unknown) => (value as { more?: number }).more === 1;
    expect(answered(200, '{"more":1}', { check })).toMatchObject({ ok: true, value: { more: 1 } });
    expect(answered(200, '{"name":"Bear","more":2}', { check })).toMatchObject({ value: { name: 'Bear' } });
  });

  it.each([
    ['<html>', 'UnexpectedResponseError', 'It is not JSON: "<html>"'],
    [`${KEY} ${'x'.repeat(200)}`, 'UnexpectedResponseError', '…'],
    ['{"name":5}', 'MisfitResponseError', 'name: '],
  ])('%j is an error that names the request, and the outcome is unknown', (body, kind, words) => {
    const { error, advice, text } = failed(200, body);
    expect(error.constructor.name).toBe(kind);
    expect(error).toMatchObject({ code: 'unexpected_response', applied: 'unknown', requestId: 'req-1' });
    expect(text).toContain(`GET ${ITEM} returned status 200`);
    expect(text).toContain(words);
    expect(text).not.toContain(KEY);
    expect(advice).toHaveLength(2);
  });
});

const TOLD = JSON.stringify({ error: { type: 'some_type', message: `Because of ${KEY}.` } });

describe('another status', () => {
  it.each([
    [400, 'invalid_request', 'no'],
    [401, 'unauthorized', 'no'],
    [403, 'missing_scope', 'no'],
    [404, 'not_found', 'no'],
    [429, 'rate_limited', 'no'],
    [500, 'unexpected_response', 'unknown'],
    [201, 'unexpected_response', 'unknown'],
  ])(
    '%i is %s, applied: %s, with what the server says of it and without the key',
    (status, code, applied) => {
      const { error, text } = failed(status, TOLD);
      expect(error).toMatchObject({
        code,
        applied,
        status,
        serverType: 'some_type',
        serverMessage: 'Because of ***.',
      });
      if (applied === 'no') expect(text).toContain('Because of ***');
      const silent = failed(status, '');
      expect(silent.error.serverType).toBeUndefined();
      expect(silent.text).not.toContain('undefined');
    },
  );

  it('has no request id if the answer has none', () => {
    const result = interpret(GET, 404, Buffer.from(''), undefined, '', API, (text) => text);
    expect(result.ok ? undefined : 'requestId' in result.error && result.error.requestId).toBeFalsy();
  });

  it('403 of a full plan is no missing scope', () => {
    const body = JSON.stringify({ error: { type: 'limit_reached', message: 'Full.' } });
    expect(failed(403, body).error.code).toBe('limit_reached');
  });

  it.each([
    ['GET', '/collections?page=1', 'collections:read'],
    ['GET', '/marketplace/listings', 'marketplace:read'],
    ['GET', '/sales/summary', 'analytics:read'],
    ['GET', '/items', 'items:read'],
    ['POST', '/items', 'items:write'],
    ['PATCH', ITEM, 'items:write'],
  ] as const)('403 of %s %s advises to give the scope %s', (method, path, scope) => {
    expect(failed(403, '', { method, path }).advice.join()).toContain(scope);
  });

  it('404 of a list advises to check the address, and of an item does not', () => {
    expect(failed(404, '', { path: '/items' }).advice.join()).toContain(API);
    expect(failed(404, '').advice).toEqual([]);
  });

  it.each([
    [300, 'https://else.test/x', 'It redirects to else.test.'],
    [302, '/login', 'It redirects to api.test.'],
    [399, '', 'It redirects.'],
    [302, 'http://[', 'It redirects.'],
    [299, 'https://else.test/x', 'The answer is "a b?c".'],
    [418, 'https://else.test/x', 'The answer is "a b?c".'],
    [500, '', 'The answer is "a b?c".'],
  ])('%i to %j is told as: %s', (status, location, words) => {
    expect(failed(status, ' a\n b\u0007c ', {}, location).text).toContain(words);
  });

  it('is shown by its first 120 characters', () => {
    expect(failed(500, 'x'.repeat(120)).text).toContain(`"${'x'.repeat(120)}"`);
    expect(failed(500, 'x'.repeat(121)).text).toContain(`${'x'.repeat(120)}…`);
  });
});
