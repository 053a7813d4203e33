import * as fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { type RateLimitReading, readRateLimit } from '../../src/api/rate-limit-headers.ts';

const NOW = Date.parse('2026-06-01T12:00:00.400Z');
const EPOCH_S = Date.parse('2026-06-01T12:00:00Z') / 1000;
const MONTH_MS = 31 * 24 * 3600 * 1000;

type Headers = Record<string, string | string[]>;
const table: [string, Headers, RateLimitReading][] = [
  ['nothing', {}, {}],
  [
    'draft 3',
    { 'ratelimit-limit': '100', 'ratelimit-remaining': '7', 'ratelimit-reset': '30' },
    { limit: 100, remaining: 7, resetMs: 30_000, resetResolutionMs: 1000 },
  ],
  [
    'with X-',
    { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1.5' },
    { limit: 100, remaining: 0, resetMs: 1500, resetResolutionMs: 1 },
  ],
  [
    'a limit that carries its policy',
    { 'ratelimit-limit': '100, 100;w=60' },
    { limit: 100, windowMs: 60_000 },
  ],
  [
    'a policy in its own header',
    { 'ratelimit-limit': '100', 'ratelimit-remaining': '3', 'ratelimit-policy': '100;w=60' },
    { limit: 100, remaining: 3, windowMs: 60_000 },
  ],
  [
    'the dictionary form of 2022',
    { ratelimit: 'limit=100, remaining=50, reset=5', 'ratelimit-policy': '100;w=10' },
    { limit: 100, remaining: 50, resetMs: 5000, resetResolutionMs: 1000, windowMs: 10_000 },
  ],
  [
    'structured',
    { ratelimit: '"default";r=50;t=30', 'ratelimit-policy': '"default";q=100;w=60' },
    { limit: 100, remaining: 50, resetMs: 30_000, resetResolutionMs: 1000, windowMs: 60_000 },
  ],
  [
    'several policies, one of them exhausted',
    {
      ratelimit: '"burst";r=5;t=1, "daily";r=0;t=3600',
      'ratelimit-policy': '"burst";q=10;w=1, "daily";q=1000;w=86400',
    },
    { limit: 1000, remaining: 0, resetMs: 3_600_000, resetResolutionMs: 1000, windowMs: 86_400_000 },
  ],
  [
    'two exhausted policies with different windows',
    { ratelimit: '"a";r=0;t=60, "b";r=0;t=1', 'ratelimit-policy': '"a";q=9;w=60, "b";q=3;w=1' },
    { limit: 9, remaining: 0, resetMs: 60_000, resetResolutionMs: 1000, windowMs: 60_000 },
  ],
  [
    'duplicated headers as a list of two',
    { ratelimit: ['"a";r=4;t=9', '"b";r=2;t=7'], 'ratelimit-policy': ['"a";q=9;w=60', '"b";q=3;w=10'] },
    { limit: 3, remaining: 2, resetMs: 7000, resetResolutionMs: 1000, windowMs: 10_000 },
  ],
  [
    'an epoch in s',
    { 'ratelimit-reset': String(EPOCH_S + 30) },
    { resetMs: 29_600, resetResolutionMs: 1000 },
  ],
  [
    'an epoch in ms',
    { 'ratelimit-reset': String((EPOCH_S + 30) * 1000) },
    { resetMs: 29_600, resetResolutionMs: 1 },
  ],
  [
    'an epoch and a Date header, with a local clock that is days off',
    { date: 'Wed, 03 Jun 2026 12:00:00 GMT', 'ratelimit-reset': String(EPOCH_S + 2 * 86_400 + 5) },
    { resetMs: 5000, resetErrorMs: 1000, resetResolutionMs: 1000 },
  ],
  [
    'an epoch in the past',
    { 'ratelimit-reset': String(EPOCH_S - 30) },
    { resetMs: 0, resetResolutionMs: 1000 },
  ],
  ['a number of seconds beyond a month, but too small for an epoch', { 'ratelimit-reset': '999999999' }, {}],
  ['an epoch years ahead', { 'ratelimit-reset': '1999999999' }, {}],
  ['negative', { 'ratelimit-remaining': '-1', 'ratelimit-reset': '-5', 'retry-after': '-3' }, {}],
  [
    'malformed',
    {
      'ratelimit-limit': 'many',
      'ratelimit-remaining': '1e3',
      'ratelimit-reset': 'soon',
      'retry-after': 'x',
    },
    {},
  ],
  ['huge', { 'ratelimit-remaining': '9'.repeat(40), 'ratelimit-reset': '9'.repeat(40) }, {}],
  ['Retry-After in seconds', { 'retry-after': '120' }, { retryAfterMs: 120_000 }],
  ['Retry-After of a day', { 'retry-after': '86400' }, { retryAfterMs: 86_400_000 }],
  [
    'Retry-After as a date, by the server’s clock',
    { date: 'Mon, 01 Jun 2026 12:00:00 GMT', 'retry-after': 'Mon, 01 Jun 2026 12:01:00 GMT' },
    { retryAfterMs: 59_600 },
  ],
  ['a Retry-After in the past', { 'retry-after': 'Mon, 01 Jun 2020 12:00:00 GMT' }, { retryAfterMs: 0 }],
  ['Retry-After of years', { 'retry-after': '99999999' }, {}],
  ['Retry-After of 31 days', { 'retry-after': '2678400' }, { retryAfterMs: MONTH_MS }],
  ['Retry-After of 31 days and a second', { 'retry-after': '2678401' }, {}],
  [
    'names with hyphens',
    { 'rate-limit-limit': '9', 'rate-limit-remaining': '8', 'x-rate-limit-limit': 'many' },
    { limit: 9, remaining: 8 },
  ],
  [
    'a policy alone',
    { 'ratelimit-policy': '100;w=60', 'ratelimit-remaining': '3' },
    { limit: 100, remaining: 3, windowMs: 60_000 },
  ],
  [
    'the policy of the limit among several',
    { 'ratelimit-limit': '100, 10;w=1, 100;w=60', 'ratelimit-remaining': '3' },
    { limit: 100, remaining: 3, windowMs: 60_000 },
  ],
  [
    'several policies without a limit, of which none is known to decide',
    { 'ratelimit-policy': '10;w=1, 100;w=60', 'ratelimit-remaining': '3' },
    { remaining: 3 },
  ],
  [
    'one policy whose quota is not the limit',
    { 'ratelimit-limit': '100', 'ratelimit-policy': '50;w=60' },
    { limit: 100, windowMs: 60_000 },
  ],
  [
    'the dictionary form with several policies',
    { ratelimit: 'limit=100, remaining=50', 'ratelimit-policy': '10;w=1, 100;w=60' },
    { limit: 100, remaining: 50, windowMs: 60_000 },
  ],
  [
    'the dictionary form with one other policy',
    { ratelimit: 'LIMIT=100, Remaining="50"', 'ratelimit-policy': '50;w=60' },
    { limit: 100, remaining: 50, windowMs: 60_000 },
  ],
  [
    'a structured item whose name is not that of the only policy',
    { ratelimit: '"a";r=5', 'ratelimit-policy': '"b";q=9;w=60' },
    { limit: 9, remaining: 5, windowMs: 60_000 },
  ],
  [
    'a structured item that none of several policies names',
    { ratelimit: '"a";r=5', 'ratelimit-policy': '"b";q=9;w=60, "c";q=8;w=60' },
    { remaining: 5 },
  ],
  [
    'a policy without a window',
    { ratelimit: '"a";r=5', 'ratelimit-policy': '"a";q=9' },
    { limit: 9, remaining: 5 },
  ],
  [
    'items and policies without a number',
    { ratelimit: '"a";t=5, "b";r=4', 'ratelimit-policy': '"a";w=5, "b";q=9' },
    { limit: 9, remaining: 4 },
  ],
  [
    'commas in quoted names',
    { ratelimit: '"c,b";r=5', 'ratelimit-policy': '"a,b";q=8, "c,b";q=9;w=60' },
    { limit: 9, remaining: 5, windowMs: 60_000 },
  ],
  [
    'a window of 0 s',
    { ratelimit: '"a";r=5', 'ratelimit-policy': '"a";q=9;w=0' },
    { limit: 9, remaining: 5 },
  ],
  [
    'a window of 31 days',
    { ratelimit: '"a";r=5', 'ratelimit-policy': '"a";q=9;w=2678400' },
    { limit: 9, remaining: 5, windowMs: MONTH_MS },
  ],
  [
    'a window of 31 days and a second',
    { ratelimit: '"a";r=5', 'ratelimit-policy': '"a";q=9;w=2678401' },
    { limit: 9, remaining: 5 },
  ],
  [
    'two exhausted policies, of which the later one takes longer',
    { ratelimit: '"a";r=0, "b";r=0;t=60, "c";r=0;t=1' },
    { remaining: 0, resetMs: 60_000, resetResolutionMs: 1000 },
  ],
  [
    'the forms of two drafts, of which one has more left',
    { 'ratelimit-limit': '10', 'ratelimit-remaining': '5', ratelimit: '"a";r=4' },
    { remaining: 4 },
  ],
  [
    'an epoch and a Date header of the same second',
    { date: 'Mon, 01 Jun 2026 12:00:00 GMT', 'ratelimit-reset': String(EPOCH_S + 30) },
    { resetMs: 29_600, resetResolutionMs: 1000 },
  ],
];

describe('readRateLimit', () => {
  it.each(table)('%s', (_name, headers, expected) => {
    expect(readRateLimit(headers, NOW)).toStrictEqual(expected);
  });

  it('takes a number from 10⁹ on as an epoch in seconds, and from 10¹² on as one in milliseconds', () => {
    const at = (ms: number) => ({ earliest: ms - 5000, latest: ms - 5000 });
    expect(readRateLimit({ 'ratelimit-reset': '1000000000' }, 0, at(1e12))).toStrictEqual({
      resetMs: 5000,
      resetResolutionMs: 1000,
    });
    expect(readRateLimit({ 'ratelimit-reset': '1000000000000' }, 0, at(1e12))).toStrictEqual({
      resetMs: 5000,
      resetResolutionMs: 1,
    });
  });

  it('trusts the local clock if the second of the Date header contains it', () => {
    const headers = { date: 'Mon, 01 Jun 2026 12:00:00 GMT', 'ratelimit-reset': String(EPOCH_S + 30) };
    const read = (ms: number) => readRateLimit(headers, EPOCH_S * 1000 + ms).resetErrorMs;
    expect([-1, 0, 999, 1000].map(read)).toEqual([1000, undefined, undefined, 1000]);
  });

  it('adjusts epochs and dates to the server’s clock', () => {
    const server = { earliest: EPOCH_S * 1000 + 100, latest: EPOCH_S * 1000 + 130 };
    const headers = {
      'ratelimit-reset': String(EPOCH_S + 3),
      'retry-after': 'Mon, 01 Jun 2026 12:00:02 GMT',
    };
    expect(readRateLimit(headers, 0, server)).toEqual({
      resetMs: 2900,
      resetErrorMs: 30,
      resetResolutionMs: 1000,
      retryAfterMs: 1900,
    });
  });

  it('never throws, and returns only finite numbers from 0 to a month', () => {
    const name = fc.constantFrom(
      'ratelimit',
      'ratelimit-policy',
      'ratelimit-limit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
      'retry-after',
      'date',
    );
    const piece = fc.constantFrom(
      '"a"',
      ';',
      ',',
      '=',
      'r=',
      't=',
      'q=',
      'w=',
      'limit=',
      'remaining=',
      'reset=',
      '"',
      '-',
      '.',
      ' ',
      '0',
      '1',
      '60',
      '1780315200',
      '1780315200000',
      '1e9',
      'NaN',
      'Infinity',
      'Mon, 01 Jun 2026 12:00:00 GMT',
    );
    const value = fc.oneof(
      fc.string(),
      fc.array(piece).map((parts) => parts.join('')),
    );
    const headers = fc.dictionary(name, fc.oneof(value, fc.array(value)));
    fc.assert(
      fc.property(headers, fc.integer({ min: 0, max: 4e12 }), (each, now) => {
        const reading = readRateLimit(each, now);
        for (const number of Object.values(reading))
          expect(Number.isFinite(number) && number >= 0).toBe(true);
        for (const wait of [reading.resetMs, reading.retryAfterMs, reading.windowMs])
          expect(wait ?? 0).toBeLessThanOrEqual(MONTH_MS);
      }),
      { numRuns: 2000 },
    );
  });
});
