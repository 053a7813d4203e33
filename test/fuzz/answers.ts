/** Answers of the API: whatever its server sends, a value that fits the contract comes out, or an error for people. */
import { Big } from 'big.js';
import { type Check, compileCheck } from '../../src/base/compile-check.ts';
import { interpret } from '../../src/api/interpret.ts';
import { CollectionList, Item, ItemList, SalesSummaryAnswer } from '../../src/api/schemas.ts';
import type { WireRequest } from '../../src/api/wire.ts';
import { parseExactJson } from '../../src/base/exact-json.ts';
import { itemColumns } from '../../src/export/write/item-columns.ts';
import {
  contentKey,
  initialNormalisation,
  withAcknowledged,
} from '../../src/import/job/server-normalisation.ts';
import type { Adversary } from './adversary.ts';
import { corpus } from './corpus.ts';
import { numbersOf, spoil, withOtherValues } from './spoil.ts';

const WORDS = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  'null',
  'true',
  '\\u0000',
  '\\ud800',
  '\\u202e',
  '\u001b[2J',
  '[['.repeat(3000),
  '1e400',
  '-0',
  '1e-400',
  '12345678901234567890',
  '9007199254740993',
  '0.1000000000000000055',
  '1E5',
  '01',
  '+1',
  '.5',
  '"__proto__":{"x":1},',
  '"constructor":1,',
  '"toString":1,',
  '"rawJSON":"1",',
  '"object":"item",',
  '"data":[],',
  '"has_more":true',
  '<html>',
  '\ufeff',
  '{"a":'.repeat(2000),
  'NaN',
  'limit_reached',
  '"id":"x",',
];
const VALUES: unknown[] = [
  null,
  true,
  '',
  0,
  -1,
  1.5,
  1e308,
  5e-324,
  [],
  {},
  [null],
  'x'.repeat(40_000),
  '\u001b[2J',
  '\ud800',
  '\0',
  '2026',
  '=1+1',
  'eur',
  'EUR',
  'xxx',
  '',
  '9007199254740993',
  'sold',
  'constructor',
  ['a; b', '', 'a'],
  { object: 'item' },
  { rawJSON: '1' },
  ...(parseExactJson(
    '[1e400, 12345678901234567890, -0.1000000000000000055, {"a": [9007199254740993]}]',
  ) as unknown[]),
  { deep: deep(200) },
];
const ITEM_ID = '/items/22222222-2222-4222-8222-222222222222';
type Wire = WireRequest<unknown> & { check?: Check };
const isItemList = compileCheck(ItemList);
const WIRES: Record<string, Wire[]> = {
  item: [
    { method: 'GET', path: ITEM_ID, success: 200, schema: Item },
    { method: 'POST', path: '/items', success: 201, schema: Item },
  ],
  items: [{ method: 'GET', path: '/items?page=1', success: 200, schema: ItemList, check: isItemList }],
  collections: [{ method: 'GET', path: '/collections?page=1', success: 200, schema: CollectionList }],
  sales: [{ method: 'GET', path: '/sales/summary', success: 200, schema: SalesSummaryAnswer }],
};
const STATUSES = [400, 401, 403, 404, 429, 500, 502, 204, 302, 999];
/** What an API's key must never be shown as; the servers here send it back. */
const KEY = 'ck_live_fuzz_0123456789';

/** `[[[…]]]` */
function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

export function answers(): Adversary {
  const seeds = corpus('answers');
  return {
    play(number) {
      const random = numbersOf(number * 2_654_435_761 + 13);
      const seed = seeds[random(seeds.length)] ?? '';
      const kind = seed.includes('"list"')
        ? seed.includes('"is_public"')
          ? 'collections'
          : 'items'
        : seed.includes('gross_cents')
          ? 'sales'
          : 'item';
      const wires = WIRES[kind] ?? [];
      const wire = wires[random(wires.length)] as Wire;
      const body =
        random(2) === 0
          ? spoil(Buffer.from(seed), WORDS, random)
          : Buffer.from(JSON.stringify(withOtherValues(parseExactJson(seed), VALUES, random)));
      const isGood = !seed.includes('"error"') && random(6) > 0;
      const status = isGood ? wire.success : (STATUSES[random(STATUSES.length)] ?? 500);
      const location = random(2) === 0 ? '' : `https://${body.subarray(0, 40).toString()}`;
      const hidden = (text: string) => text.replaceAll(KEY, '***');
      const result = interpret(wire, status, body, 'request-1', location, 'https://api.test', hidden);
      if (!result.ok) {
        if ((status === wire.success || status >= 500 || status < 400) && result.error.applied !== 'unknown')
          throw new Error(`status ${status} counts as not applied: ${body.toString()}`);
        throw result.error;
      }
      if (status !== wire.success) throw new Error(`status ${status} counts as done`);
      if (wire.check?.(result.value) === true && !wire.schema.safeParse(result.value).success)
        throw new Error(`the quick check accepts what the schema refuses: ${body.toString()}`);
      if (kind === 'item') use(result.value as Item);
      if (kind === 'items') for (const item of (result.value as ItemList).data) use(item);
      exactly(body.toString());
      return 'read';
    },
  };
}

/** What imports and exports do with an item of the server. */
function use(item: Item): void {
  const known = withAcknowledged(
    initialNormalisation(),
    { collection_id: item.collection_id, name: 'Bear ' },
    item,
    0,
  );
  contentKey(item, known);
  for (const format of ['csv', 'xlsx'] as const)
    for (const { cell } of itemColumns({
      names: undefined,
      customFields: Object.keys(item.custom_fields ?? {}),
      format,
      collectionNames: new Map(),
      onTooLong: () => undefined,
    }))
      cell(item);
}

/** No number of the custom fields has lost a digit. */
function exactly(text: string): void {
  const numbers = (json: string) =>
    [...json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)].map(
      ([each]) => each,
    );
  const value = parseExactJson(text) as { custom_fields?: unknown; data?: { custom_fields?: unknown }[] };
  for (const each of [value, ...(Array.isArray(value.data) ? value.data : [])]) {
    const fields = each.custom_fields;
    if (typeof fields !== 'object' || fields === null || 'object' in fields) continue;
    for (const number of numbers(JSON.stringify(fields)))
      if (!numbers(text).some((given) => Number(given) === Number(number) && new Big(given).eq(number)))
        throw new Error(`${number} was not in the answer: ${text}`);
  }
}
