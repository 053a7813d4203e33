import { expect, test } from 'vitest';
import type { History } from './history.ts';
import { judgeHistory } from './judge-history.ts';

/** Two creates, one of them lost and found; a held one; and a change. */
function good(): History {
  const bear = { name: 'Bear', estimated_value: 12.504, tags: ['b', 'a'] };
  return {
    requests: [
      { job: 'a', kind: 'create', body: { collection_id: 'c', ...bear }, end: { was: 'ok', item: 'i1' } },
      { job: 'a', kind: 'create', body: { collection_id: 'c', ...bear }, end: { was: 'unknown' } },
      { job: 'a', kind: 'create', body: { name: 'Car' }, end: { was: 'failed' } },
      { job: 'a', kind: 'create', body: { name: 'Car' }, end: { was: 'unknown' } },
      { job: 'b', kind: 'update', item: 'i1', body: { status: 'sold' }, end: { was: 'ok', item: 'i1' } },
    ],
    applied: [
      { request: 0, item: 'i1' },
      { request: 1, item: 'i2' },
      { request: 3, item: 'i3' },
      { request: 4, item: 'i1' },
    ],
    jobs: [
      {
        id: 'a',
        given: [
          { kind: 'create', fields: bear },
          { kind: 'create', fields: { ...bear, name: ' Bear', estimated_value: 12.5 } },
          { kind: 'create', fields: { name: 'Car' } },
        ],
        claims: [
          { row: 2, state: 'created', item: 'i1' },
          { row: 3, state: 'created', item: 'i2' },
          { row: 4, state: 'held', item: '' },
        ],
        counts: { read: 3, created: 2, held: 1, invalid: 0 },
      },
      {
        id: 'b',
        given: [{ kind: 'update', fields: { status: 'sold' } }],
        claims: [{ row: 2, state: 'updated', item: 'i1' }],
        counts: { read: 1, updated: 1 },
      },
    ],
  };
}

/** Every field may be changed here. */
// oxlint-disable-next-line typescript/no-explicit-any -- what is broken fits no type
type Loose = any;

test('a correct history passes the check', () => {
  expect(judgeHistory(good())).toEqual([]);
});

test.each<[string, (history: Loose) => void, RegExp]>([
  [
    'a row is sent again although it was applied',
    (h) => {
      h['requests'].push({
        job: 'a',
        kind: 'create',
        body: { name: 'Bear', estimated_value: 12.5, tags: ['a', 'b'] },
        end: { was: 'ok', item: 'i9' },
      });
      h['applied'].push({ request: 5, item: 'i9' });
    },
    /i9 was made, and no row tells of it/,
  ],
  ['a row is lost', (h) => void h['applied'].splice(1, 1), /claims i2, which no request has made/],
  ['two rows claim one item', (h) => (h['jobs'][0]['claims'][1]['item'] = 'i1'), /as another row does/],
  ['a row claims the item of another', (h) => (h['jobs'][0]['claims'][1]['item'] = 'i3'), /which is another/],
  [
    'a held row has no reason',
    (h) => {
      h['jobs'][0]['claims'][2]['state'] = 'refused';
      h['jobs'][0]['counts'] = { read: 3, created: 2, refused: 1 };
    },
    /i3 was made, and no row tells of it/,
  ],
  [
    'a failed request was applied',
    (h) => (h['applied'][2]['request'] = 2),
    /counts as failed, and was applied/,
  ],
  [
    'a request is applied twice',
    (h) => void h['applied'].push({ request: 0, item: 'i8' }),
    /was applied 2 times/,
  ],
  [
    'an answer contains another item',
    (h) => (h['requests'][0]['end']['item'] = 'i2'),
    /was answered with i2/,
  ],
  [
    'an acknowledged change is lost',
    (h) => void h['applied'].splice(3, 1),
    /was answered with i1, and the server's log has undefined/,
  ],
  [
    'a value is sent that the row does not have',
    (h) => (h['requests'][4]['body']['status'] = 'keep'),
    /what its file does not say/,
  ],
  ['the sums are wrong', (h) => (h['jobs'][0]['counts']['created'] = 3), /counts 3 created/],
  ['a row is not reported', (h) => void h['jobs'][0]['claims'].pop(), /was given 3 rows/],
  [
    'the server created an item without a request',
    (h) => void h['applied'].push({ request: 77, item: 'i7' }),
    /nobody asked for/,
  ],
])('the check of a history detects: %s', (_, spoil, found) => {
  const history = good();
  spoil(history);
  expect(judgeHistory(history)).toContainEqual(expect.stringMatching(found));
});
