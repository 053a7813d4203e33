import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { english } from '../../src/messages/message.ts';
import { describeSandbox } from '../../src/sandbox/describe.ts';
import { FAULT_WORDS, parseSandboxOptions, STORING_WORDS } from '../../src/sandbox/options.ts';
import { toRateLimit } from '../../src/sandbox/rate-limit-text.ts';
import { SANDBOX_KEY } from '../../src/sandbox/settings.ts';
import { sandboxFor } from './support.ts';

describe('rate limits', () => {
  test.each([
    ['100/60s', 100, 60_000],
    ['5/s', 5, 1000],
    ['1/250ms', 1, 250],
    ['1000/1h', 1000, 3_600_000],
    ['60/m', 60, 60_000],
  ])('%s', (text, limit, windowMs) => {
    expect(toRateLimit(text)).toEqual({ limit, windowMs });
  });
  test.each(['', '100', '0/1s', '1/0s', '-1/1s', '1.5/1s', '100/60', '100/60s ', 'a/b', '100 per s'])(
    '%j is not a rate limit',
    (text) => {
      expect(() => toRateLimit(text)).toThrow(UsageError);
    },
  );
});

describe('options of the sandbox', () => {
  test('are empty if no options are given', () => {
    expect(parseSandboxOptions({})).toEqual({});
    expect(parseSandboxOptions({ port: undefined, fault: undefined })).toEqual({});
  });

  test('are read for every option', () => {
    expect(
      parseSandboxOptions({
        port: '4010',
        host: '::1',
        data: 'toys.sqlite',
        seed: 7,
        seedItems: '20',
        key: 'k',
        currency: 'EUR',
        rateLimit: '100/60s',
        limiter: 'bucket',
        headers: 'structured',
        planLimit: '0',
        latency: '20ms',
        customFields: 'merge',
        order: 'updated',
        storing: STORING_WORDS,
        listLag: '5s',
        clockOffset: '-2h',
        fault: ['drop-after-commit=0.05', 'html-502=.02', 'late-commit=0.1:3s'],
        faultSeed: 9,
      }),
    ).toEqual({
      port: 4010,
      host: '::1',
      dataFile: 'toys.sqlite',
      seed: 7,
      seedItems: 20,
      key: 'k',
      currency: 'eur',
      rateLimit: { limit: 100, windowMs: 60_000 },
      limiter: 'bucket',
      headers: 'structured',
      planLimit: 0,
      latencyMs: 20,
      customFields: 'merge',
      order: 'updated',
      storing: {
        trimNames: true,
        collapseSpaces: true,
        roundValues: true,
        sortTags: true,
        normaliseUnicode: true,
        cutCustomFields: true,
        dropCustomFields: true,
        addCustomField: true,
        escapeTexts: true,
        raiseBrands: true,
        shortLists: true,
        shortItems: true,
        omitEmpty: true,
        sparseLists: true,
      },
      listLagMs: 5_000,
      clockOffsetMs: -7_200_000,
      faults: { dropAfterCommit: 0.05, html502: 0.02, lateCommit: 0.1, lateCommitMs: 3000 },
      faultSeed: 9,
    });
  });

  test('can name faults', () => {
    expect(FAULT_WORDS).toEqual([
      'drop-after-commit',
      'drop-before',
      'error-500',
      'html-502',
      'cut-body',
      'stall',
      'late-commit',
    ]);
  });

  test.each([
    [{ port: '70000' }, '--port'],
    [{ port: 'http' }, '--port'],
    [{ port: 1.5 }, '--port'],
    [{ seed: '-1' }, '--seed'],
    [{ planLimit: 'none' }, '--plan-limit'],
    [{ latency: '20' }, '--latency'],
    [{ latency: '-20ms' }, '--latency'],
    [{ limiter: 'leaky' }, '--limiter'],
    [{ headers: 'draft4' }, '--headers'],
    [{ order: 'name' }, '--order'],
    [{ customFields: 'keep' }, '--custom-fields'],
    [{ storing: ['upper-case'] }, '--storing'],
    [{ storing: ['constructor'] }, '--storing'],
    [{ fault: ['stall'] }, '--fault'],
    [{ fault: ['stall=2'] }, '--fault'],
    [{ fault: ['crash=0.1'] }, '--fault'],
    [{ fault: ['stall=0.1:3s'] }, '--fault'],
    [{ fault: ['late-commit=0.1:soon'] }, '--fault'],
    [{ fault: ['stall=0.6', 'cut-body=0.6'] }, '--fault'],
    [{ key: 'two words' }, '--key'],
    [{ key: '' }, '--key'],
  ])('%j is refused with the expected form', (switches, name) => {
    expect(() => parseSandboxOptions(switches)).toThrow(UsageError);
    expect(() => parseSandboxOptions(switches)).toThrow(new RegExp(`${name}.*expected .*, got`));
  });
});

test('the start message shows the address, the key and unusual settings', async () => {
  const options = parseSandboxOptions({
    rateLimit: '5/s',
    planLimit: 3,
    fault: ['stall=0.1'],
    storing: ['sort-tags'],
    latency: '5ms',
  });
  const sandbox = await sandboxFor(options);
  const lines = Object.fromEntries(
    describeSandbox(sandbox, options).map(({ label, value }) => [
      english(label),
      typeof value === 'string' ? value : english(value),
    ]),
  );
  expect(lines).toMatchObject({
    address: sandbox.url,
    key: expect.stringContaining(SANDBOX_KEY),
    'team 1': '0 items; collections: Main',
    'rate limit': '5 requests in 1 s for each key (fixed, headers draft3)',
    'plan limit': '3 items for each team',
    latency: '5 ms',
    storing: 'sortTags',
    faults: 'stall 0.1',
  });
  const plain = await sandboxFor();
  expect(describeSandbox(plain, {}).map(({ label }) => english(label))).toEqual([
    'address',
    'API',
    'key',
    'control',
    'data',
    'team 1',
  ]);
});
