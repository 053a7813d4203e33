import { expect, test } from 'vitest';
import type { TimedHistory } from './history.ts';
import { judgeChanges } from './judge-changes.ts';

const old = {
  name: 'Bear',
  status: 'keep',
  tags: ['old'],
  estimated_value: 100,
  custom_fields: { sku: 'S1' },
};
const counts = { read: 1 };

/** A raise, a custom field by key beside a person's tag, the undo of the raise; and a thing that is made once. */
function good(): TimedHistory {
  const raised = { ...old, estimated_value: 150 };
  const tagged = { ...raised, tags: ['old', 'theirs'] };
  const placed = { ...tagged, custom_fields: { sku: 'S1', place: 'Shelf 1' } };
  const lowered = { ...placed, estimated_value: 100 };
  const request = { kind: 'update', item: 'i1', end: { was: 'ok', item: 'i1' }, shownAt: 9 } as const;
  const key = { field: 'custom_fields.sku', value: 'S1' };
  const done = { state: 'done', exitCode: 0, open: 0, pending: 0, doubles: 0 };
  return {
    requests: [
      { ...request, job: 'raise', at: 10, body: { estimated_value: 150 } },
      { ...request, job: 'place', at: 30, body: { custom_fields: placed.custom_fields } },
      { ...request, job: 'undo', at: 40, body: { estimated_value: 100 } },
      { job: 'make', at: 50, kind: 'create', body: { name: 'Car' }, end: { was: 'ok', item: 'i2' } },
    ],
    applied: [],
    changes: [
      { item: 'i1', at: -9_000, after: old },
      { item: 'i1', at: 11, request: 0, before: old, after: raised },
      { item: 'i1', at: 20, before: raised, after: tagged },
      { item: 'i1', at: 31, request: 1, before: tagged, after: placed },
      { item: 'i1', at: 41, request: 2, before: placed, after: lowered },
      { item: 'i2', at: 51, request: 3, after: { name: 'Car', custom_fields: {} } },
    ],
    jobs: [
      {
        id: 'raise',
        begunAt: 5,
        given: [{ kind: 'update', item: 'i1', fields: {}, value: { sign: '*=', by: 1.5 } }],
        claims: [{ row: 2, state: 'updated', item: 'i1' }],
        counts,
      },
      {
        id: 'place',
        begunAt: 12,
        given: [{ kind: 'update', key, fields: { custom_fields: { place: 'Shelf 1' } } }],
        claims: [{ row: 2, state: 'updated', item: 'i1' }],
        counts,
      },
      { id: 'undo', begunAt: 35, undoes: 'raise', given: undefined, claims: [], counts },
      {
        id: 'make',
        begunAt: 45,
        given: [{ kind: 'create', once: true, fields: { name: 'Car' } }],
        claims: [{ row: 2, state: 'created', item: 'i2' }],
        counts,
      },
    ],
    ends: [
      { ...done, job: 'raise', begunAt: 5, at: 12 },
      { ...done, job: 'place', begunAt: 12, at: 32 },
      { ...done, job: 'undo', begunAt: 35, at: 42 },
      { ...done, job: 'make', begunAt: 45, at: 52 },
    ],
  };
}

/** A file with one row, two items of which are made; another item of the collection is archived. */
function goodFile(): TimedHistory {
  const bear = { ...old, custom_fields: { sku: 'S1' } };
  const car = { ...old, name: 'Car', custom_fields: { sku: 'S2' } };
  const key = { field: 'custom_fields.sku', value: 'S1' };
  const row = { kind: 'either', key, fields: { name: 'Bear', status: 'keep' } } as const;
  const create = { job: 'file', kind: 'create', body: bear } as const;
  return {
    requests: [
      { ...create, at: 10, end: { was: 'ok', item: 'i1' } },
      { ...create, at: 20, end: { was: 'ok', item: 'i2' } },
      {
        job: 'file',
        kind: 'update',
        item: 'i3',
        at: 30,
        shownAt: 9,
        body: { status: 'archived' },
        end: { was: 'ok', item: 'i3' },
      },
    ],
    applied: [],
    changes: [
      { item: 'i3', at: -9_000, after: car },
      { item: 'i1', at: 11, request: 0, after: bear },
      { item: 'i2', at: 21, request: 1, after: bear },
      { item: 'i3', at: 31, request: 2, before: car, after: { ...car, status: 'archived' } },
    ],
    jobs: [
      {
        id: 'file',
        begunAt: 5,
        given: [row, row],
        archivesMissing: { most: 50 },
        claims: [
          { row: 2, state: 'created', item: 'i1' },
          { row: 2, state: 'created', item: 'i2' },
          { row: 3, state: 'updated', item: 'i3' },
        ],
        counts: { read: 3 },
      },
    ],
    ends: [{ job: 'file', state: 'done', exitCode: 0, open: 0, pending: 0, doubles: 0, begunAt: 5, at: 32 }],
  };
}

/** Every field may be changed here. */
// oxlint-disable-next-line typescript/no-explicit-any -- what is broken fits no type
type Loose = any;

/** Another file has the archived item again, and says nothing of its status. */
function hasAgain(h: Loose, status: string): TimedHistory {
  const archived = h['changes'][3]['after'];
  const key = { field: 'custom_fields.sku', value: 'S2' };
  h['requests'].push({ ...h['requests'][2], job: 'again', at: 40, shownAt: 39, body: { status } });
  h['changes'].push({ item: 'i3', at: 41, request: 3, before: archived, after: { ...archived, status } });
  h['jobs'].push({
    id: 'again',
    begunAt: 35,
    given: [{ kind: 'either', key, fields: { name: 'Car' } }],
    claims: [{ row: 2, state: 'updated', item: 'i3' }],
    counts: { read: 1 },
  });
  return h;
}

test('a correct history of changes passes the check', () => {
  expect(judgeChanges(good())).toEqual([]);
  expect(judgeChanges(goodFile())).toEqual([]);
  expect(judgeChanges(hasAgain(goodFile(), 'keep'))).toEqual([]);
});

test.each<[string, (history: Loose) => void, RegExp]>([
  [
    'an item whose row is in the file is archived as missing',
    (h) => {
      const move = (fields: Loose) => ({ ...fields, custom_fields: { sku: 'S1' } });
      h['changes'][0]['after'] = move(h['changes'][0]['after']);
      h['changes'][3] = {
        ...h['changes'][3],
        before: move(h['changes'][3]['before']),
        after: move(h['changes'][3]['after']),
      };
    },
    /archived i3 as missing, and the file has "S1"/,
  ],
  [
    'an item that was created after the plan is archived as missing',
    (h) => (h['changes'][0]['at'] = 25),
    /archived i3 as missing, and it was made at 25, after the plan/,
  ],
  [
    'a sold item is archived as missing',
    (h) => {
      h['changes'][0]['after'] = { ...h['changes'][0]['after'], status: 'sold' };
      h['changes'][3]['before'] = h['changes'][0]['after'];
    },
    /archived i3 as missing, and it was "sold"/,
  ],
  [
    'more items are archived as missing than were confirmed',
    (h) => (h['jobs'][0]['archivesMissing'] = { most: 10 }),
    /archived i3 as missing, with 1 of 3/,
  ],
  [
    'an item is archived as missing while a row is invalid',
    (h) => (h['jobs'][0]['claims'][0]['state'] = 'invalid'),
    /archived i3 as missing, and row 2 of the file is invalid/,
  ],
  [
    'a missing item is not archived without a reason',
    (h) => {
      h['changes'].pop();
      h['jobs'][0]['claims'].pop();
    },
    /job file ended with 0 \(done\) at 32, and its file lacks i3, which is there/,
  ],
  [
    'a row is left unchanged, and another job changes its item before the end',
    (h) => {
      h['jobs'][0]['claims'][0]['state'] = 'unchanged';
      h['jobs'].push({ id: 'other', begunAt: 20, claims: [], counts: { read: 1 } });
      h['requests'].push({ ...h['requests'][2], job: 'other', item: 'i1', at: 40 });
      const before = h['changes'][1]['after'];
      h['changes'].push({ item: 'i1', at: 41, request: 3, before, after: { ...before, status: 'sold' } });
      h['ends'][0]['at'] = 9_000;
    },
    /ended with 0 \(done\) at 9000, and leaves i1 to another job as unchanged/,
  ],
  [
    'an item that is in a file again gets a status that it never had',
    (h) => hasAgain(h, 'sell'),
    /job again made status of i3 "sell", which was "archived": no row of it names that/,
  ],
  [
    'two copies of a row have one item without a reason',
    (h) => (h['jobs'][0]['claims'][1]['item'] = 'i1'),
    /ended with 0 \(done\) at 32, and "Bear" is not as it was to be/,
  ],
  [
    'the item of an upsert lacks its values without a reason',
    (h) => (h['changes'][1]['after'] = { ...h['changes'][1]['after'], status: 'sold' }),
    /ended with 0 \(done\) at 32, and "Bear" is not as it was to be/,
  ],
])('the check of a file’s history detects %s', (_, spoil, found) => {
  const history = goodFile();
  spoil(history);
  expect(judgeChanges(history)).toContainEqual(expect.stringMatching(found));
});

test.each<[string, (history: Loose) => void, RegExp]>([
  [
    'a raise starts from a value that is no longer there',
    (h) => (h['changes'][1]['before'] = { ...old, estimated_value: 90 }),
    /estimated_value of i1 150, which was 90: not \*=1.5/,
  ],
  [
    'a tag that another person added long before is lost',
    (h) => {
      h['changes'][2]['at'] = -9_000;
      h['changes'][3]['after'] = { ...h['changes'][3]['after'], tags: ['old'] };
    },
    /tags.theirs of i1 null, which was true: no row of it names that/,
  ],
  [
    'a job makes the same raise twice',
    (h) => {
      const { before, after } = h['changes'][1];
      h['changes'].splice(2, 0, { item: 'i1', at: 12, before: after, after: before, request: 2 });
      h['requests'][2]['job'] = 'place';
      h['changes'].splice(3, 0, { item: 'i1', at: 13, before, after, request: 0 });
    },
    /for the second time: job raise did so before/,
  ],
  [
    'another job makes the same raise without confirmation',
    (h) => {
      h['jobs'][2] = { ...h['jobs'][0], id: 'undo' };
      h['changes'][4]['after'] = { ...h['changes'][4]['after'], estimated_value: 225 };
    },
    /for the second time: job raise did so before/,
  ],
  [
    'an item is changed that no longer has the key of the row',
    (h) => {
      const moved = { ...h['changes'][2]['after'], custom_fields: { sku: 'S2' } };
      h['changes'][2] = { ...h['changes'][2], at: -9_000, after: moved };
      h['changes'][3]['before'] = moved;
    },
    /changed i1 for the key S1, which is "S2" since -9000/,
  ],
  [
    'rows are sent without a report that their key was changed',
    (h) => {
      const moved = { ...h['changes'][2]['after'], custom_fields: { sku: 'S2' } };
      h['changes'][2] = { ...h['changes'][2], at: -9_000, after: moved };
      h['changes'][3]['before'] = moved;
      h['requests'][1]['told'] = 'custom_fields.place was blank';
    },
    /changed i1 for the key S1, which is "S2" since -9000/,
  ],
  [
    'a value is overwritten that somebody entered after the plan was shown',
    (h) => {
      h['ends'].unshift({ ...h['ends'][1], state: 'planned', at: 13 });
      const custom_fields = { sku: 'S1', place: 'Attic' };
      h['changes'][2]['after'] = { ...h['changes'][2]['after'], custom_fields };
      h['changes'][3]['before'] = h['changes'][2]['after'];
      h['requests'][1]['at'] = 90_000;
    },
    /place of i1 "Shelf 1", which was "Attic" since 20, and the plan was shown at 13/,
  ],
  [
    'an item is created in another collection',
    (h) => {
      h['jobs'][3]['given'][0]['fields'] = { name: 'Car', collection_id: 'c1' };
      h['changes'][5]['after'] = { ...h['changes'][5]['after'], collection_id: 'c2' };
    },
    /job make made "Car" in "c2"/,
  ],
  [
    'more items are changed than allowed without confirmation',
    (h) => (h['requests'][0]['mostChanges'] = 0),
    /changed more than 0 items/,
  ],
  [
    'an undo gives a field a value that was never there',
    (h) => (h['changes'][4]['after'] = { ...h['changes'][4]['after'], estimated_value: 90 }),
    /estimated_value of i1 90, which was 150: job raise has not found it so/,
  ],
  [
    'an undo ends with 0 and has changed nothing',
    (h) => void h['changes'].splice(4, 1),
    /job undo ended with 0 \(done\) at 42, and has left i1/,
  ],
  [
    'an existing item is created again',
    (h) => h['changes'].unshift({ item: 'i9', at: 1, after: { name: 'Car', custom_fields: {} } }),
    /job make made "Car" again: i9 was there/,
  ],
  [
    'a job ends with 0 and has not created its item',
    (h) => void h['changes'].pop(),
    /job make ended with 0 \(done\) at 52, and "Car" is not as it was to be/,
  ],
  [
    'a job ends with 0 and has not raised the value',
    (h) => void h['changes'].splice(1, 1),
    /job raise ended with 0 \(done\) at 12, and i1 is not as it was to be/,
  ],
  ['a job ends with 0 and reports duplicates', (h) => (h['ends'][3]['doubles'] = 1), /and names 1 doubles/],
  ['a job ends with 0 and open rows', (h) => (h['ends'][3]['open'] = 2), /and 2 rows of it are open/],
])('the check of a history of changes detects: %s', (_, spoil, found) => {
  const history = good();
  spoil(history);
  expect(judgeChanges(history)).toContainEqual(expect.stringMatching(found));
});
