import * as fc from './support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { compileCheck } from '../src/base/compile-check.ts';
import { CollectionList, ItemCreate, ItemList, SalesSummary } from '../src/api/schemas.ts';

const item = {
  object: 'item',
  id: '3f0e7d2a-52c1-4d56-9c39-0a6b6f9fd001',
  name: 'Falcon',
  brand: null,
  series: 'S1',
  release_year: 1979,
  condition: 'loose_mint',
  packaging: null,
  status: 'keep',
  tags: ['a'],
  custom_fields: { count: 1 },
  collection_id: '3F0E7D2A-52C1-4D56-9C39-0A6B6F9FD002',
  estimated_value: 12.5,
  currency: 'usd',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};
const page = { object: 'list', data: [item], pagination: { page: 1, per_page: 100, has_more: false } };

describe('a compiled check', () => {
  test('agrees with the schema for any JSON in any place', () => {
    const check = compileCheck(ItemList);
    const fields = [...Object.keys(item), 'unheard_of'];
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom(...fields), fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined })),
          {
            maxLength: 3,
          },
        ),
        fc.option(fc.tuple(fc.constantFrom('object', 'data', 'pagination'), fc.jsonValue({ maxDepth: 2 }))),
        (changes, outer) => {
          const changed = { ...item, ...Object.fromEntries(changes) };
          const answer: unknown = JSON.parse(
            JSON.stringify({
              ...page,
              data: [item, changed],
              ...(outer === null ? {} : { [outer[0]]: outer[1] }),
            }),
          );
          const expected = ItemList.safeParse(answer).success;
          if (expected) accepted += 1;
          else refused += 1;
          expect(check(answer)).toBe(expected);
        },
      ),
      { numRuns: 2000 },
    );
    expect(Math.min(accepted, refused)).toBeGreaterThan(10);
  });

  test.each([null, [], 'text', undefined, {}])('rejects %j', (answer) => {
    expect(compileCheck(ItemList)(answer)).toBe(false);
  });

  test('exists for every response, but not for a schema that changes values', () => {
    expect(compileCheck(CollectionList)({ ...page, data: [] })).toBe(true);
    expect(compileCheck(SalesSummary)({ object: 'sales_summary' })).toBe(false);
    expect(() => compileCheck(z.object({}))).toThrow(TypeError);
    expect(() => compileCheck(z.string().min(1))).toThrow('no plain check for min_length');
    expect(() => compileCheck(z.string().default(''))).toThrow('no plain check for default');
  });

  test('agrees with the schema of a new item, which has bounds and allows no other fields', () => {
    const check = compileCheck(ItemCreate);
    const { object: _, id: __, currency: ___, created_at: ____, updated_at: _____, ...body } = item;
    const bounded = fc.oneof(
      fc.constantFrom(
        1967,
        1968,
        2100,
        2101,
        1999.5,
        -1,
        -0.01,
        0,
        -0,
        null,
        '',
        'é'.repeat(255),
        'é'.repeat(256),
      ),
      fc.constantFrom(
        '😀'.repeat(255),
        '😀'.repeat(256),
        'keep',
        'opened',
        'loose_fair',
        [],
        ['a'],
        [1],
        {},
        undefined,
      ),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const fields = [...Object.keys(body), ...Object.keys(body), 'unheard_of', 'toString'];
    const verdicts = { true: 0, false: 0 };
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...fields), bounded), { maxLength: 2 }), (changes) => {
        const changed: unknown = { ...body, ...Object.fromEntries(changes) };
        const expected = ItemCreate.safeParse(changed).success;
        verdicts[`${expected}`] += 1;
        expect(check(changed)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
    expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(100);
  });
});
