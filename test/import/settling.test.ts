import * as fc from '../support/fast-check.ts';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import type { Item, ItemCreate } from '../../src/api/schemas.ts';
import {
  contentKey,
  withAcknowledged,
  initialNormalisation,
} from '../../src/import/job/server-normalisation.ts';
import { sameField } from '../../src/import/engine/equality.ts';
import { difference } from '../../src/import/changes/difference.ts';
import { type Candidate, type LostCreate, matchCreates } from '../../src/import/settle/match.ts';
import { RefusalGuard } from '../../src/import/write/refusal-guard.ts';
import { scanItems } from '../../src/import/settle/scan.ts';
import type { SettleContext } from '../../src/import/settle/settle-context.ts';
import { ServerTime } from '../../src/import/settle/server-time.ts';
import { ItemObservations } from '../../src/import/settle/item-observations.ts';
import { rowTotals } from '../../src/import/job/row-totals.ts';
import type { Ledger, RowCounts } from '../../src/ledger/ledger.ts';
import { ROW_STATES } from '../../src/ledger/states.ts';
import type { ServerNormalisation } from '../../src/ledger/job-parts.ts';

const COLLECTION = '00000000-0000-4000-8000-00000000000c';
const NOW = Date.parse('2026-01-01T12:00:00Z');
const time = (ms: number) => new Date(ms).toISOString();
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

function item(number: number, fields: Partial<Item> = {}, at = NOW): Item {
  return {
    object: 'item',
    id: idOf(number),
    name: 'Toy',
    status: 'keep',
    collection_id: COLLECTION,
    currency: 'usd',
    created_at: time(at),
    updated_at: time(at),
    ...fields,
  };
}

function body(fields: Partial<ItemCreate> = {}): ItemCreate {
  return { collection_id: COLLECTION, name: 'Toy', ...fields };
}

function lost(
  sequence: number,
  fields: Partial<ItemCreate> = {},
  over: Partial<LostCreate> = {},
): LostCreate {
  return { body: body(fields), sequence, mark: NOW, ...over };
}

const fresh = (each: Item): Candidate => ({ item: each, seenAt: Number.POSITIVE_INFINITY });
const proven: ServerNormalisation = { ...initialNormalisation(), acknowledged: true, timesOrder: 'yes' };

describe('matching lost creates', () => {
  it('matches each identical item to one identical row, if there are no more items than rows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }), (rows, items) => {
        const result = matchCreates(
          Array.from({ length: rows }, (_, index) => lost(index + 1)),
          Array.from({ length: items }, (_, index) => fresh(item(index))),
          proven,
        );
        expect(result.found.length + result.held.length + result.missing.length).toBe(rows);
        expect(new Set(result.found.map((each) => each.item.id)).size).toBe(result.found.length);
        if (items <= rows) expect([result.found.length, result.held.length]).toEqual([items, 0]);
        else expect(result.held).toHaveLength(rows);
      }),
    );
  });

  it('never matches an item that was listed before the intent, or is older than its mark', () => {
    const shown = matchCreates([lost(5)], [{ item: item(1), seenAt: 4 }], proven);
    expect(shown.missing).toHaveLength(1);
    const older = matchCreates([lost(5)], [fresh(item(1, {}, NOW - 3 * 60_000))], proven);
    expect(older.missing).toHaveLength(1);
    const slack = matchCreates([lost(5)], [fresh(item(1, {}, NOW - 60_000))], proven);
    expect(slack.found).toHaveLength(1);
  });

  it('recognises an item by the key of --match, whatever has changed since', () => {
    const key = { match: ['custom_fields.sku'], value: 'af-1' };
    const sent = { custom_fields: { sku: 'AF-1' }, brand: 'Acme' };
    const match = (row: LostCreate, ...items: Item[]) => matchCreates([row], items.map(fresh), proven);
    const edited = item(1, { name: 'Renamed', custom_fields: { sku: ' af-1' }, brand: 'Acme' });
    expect(match(lost(5, sent, { key }), edited).found).toHaveLength(1);
    // Without the key it is a stranger's.
    expect(match(lost(5, sent), edited).missing).toHaveLength(1);
    const twice = match(lost(5, sent, { key }), edited, { ...edited, id: idOf(2) });
    expect(twice.held[0]?.code).toBe('too_many_matches');
    const another = item(3, {
      name: 'Kettle',
      status: 'sold',
      custom_fields: { sku: 'AF-1' },
      brand: 'Else',
    });
    const rich = { ...sent, name: 'Robot', status: 'keep' as const };
    expect(match(lost(5, rich, { key }), another).held[0]?.code).toBe('doubtful_match');
    // Of a row with few fields, nothing that tells things apart is left.
    const poor = { ...sent, brand: undefined, status: 'keep' as const };
    expect(match(lost(5, poor, { key }), another).held[0]?.code).toBe('doubtful_match');
    // Another key is no proof that it is another item: a server may store keys in its own way.
    const alike = item(4, { custom_fields: { sku: 'AF-2' } });
    expect(match(lost(5, sent, { key }), alike).held[0]?.code).toBe('doubtful_match');
  });

  it('holds a row whose identical item is only too old, if the server’s times are unreliable', () => {
    const result = matchCreates([lost(5)], [fresh(item(1, {}, NOW - 3 * 60_000))], {
      ...proven,
      timesOrder: 'no',
    });
    expect(result.held[0]?.code).toBe('doubtful_match');
  });

  it('holds a row if a job whose before-images were pruned has changed a new item', () => {
    const changed = { ...fresh(item(1, { name: 'Anything' })), forgotten: true };
    expect(matchCreates([lost(5)], [changed], proven).held[0]?.code).toBe('doubtful_match');
    expect(matchCreates([lost(5)], [{ ...changed, seenAt: 4 }], proven).missing).toHaveLength(1);
  });

  it('matches remaining rows one to one by their normalised values, and holds rows with merely similar items', () => {
    const folded = matchCreates(
      [lost(1, { name: 'Ａ  b', estimated_value: 1.004 })],
      [fresh(item(1, { name: 'A b', estimated_value: 1 }))],
      proven,
    );
    expect(folded.found).toHaveLength(1);
    const alike = matchCreates([lost(1, { brand: 'X' })], [fresh(item(1, { brand: 'Y' }))], proven);
    expect(alike.held[0]?.code).toBe('doubtful_match');
    const other = matchCreates([lost(1)], [fresh(item(1, { name: 'Something else' }))], proven);
    expect(other.missing).toHaveLength(1);
  });

  it('does not match an item whose opaque field did not come from the row', () => {
    const known = { ...proven, opaque: ['custom_fields.serial'] };
    const [row, theirs] = [{ serial: 'AB-1234-56' }, { serial: 'XY-9' }].map((each) => ({
      custom_fields: each,
    }));
    const match = (fields = {}) => matchCreates([lost(5, row)], [fresh(item(1, fields))], known);
    expect(match(theirs).held[0]?.code).toBe('doubtful_match');
    expect(match({ custom_fields: { serial: 'AB-12' } }).found).toHaveLength(1);
  });

  it('relies on the stamp alone if the row has a stamp', () => {
    const stamp = { field: 'mark', value: 'job:1' };
    const candidates = [
      fresh(item(1, { custom_fields: { mark: 'job:2' } })),
      fresh(item(2, { name: 'renamed meanwhile', custom_fields: { mark: 'job:1' } })),
    ];
    const result = matchCreates([lost(1, {}, { stamp })], candidates, proven);
    expect(result.found[0]?.item.id).toBe(idOf(2));
  });

  it('resends nothing if the server makes names unrecognisable and there is a new item', () => {
    const learned = withAcknowledged(proven, body({ name: 'abc' }), item(1, { name: '#4711' }), NOW);
    expect(learned.opaque).toContain('name');
    const result = matchCreates([lost(2, { name: 'def' })], [fresh(item(2, { name: '#4712' }))], learned);
    expect(result.found).toEqual([]);
    expect(result.held).toHaveLength(1);
  });
});

describe('changes that a server makes to values', () => {
  it('are reversed on both sides, even if the server makes several changes to one field', () => {
    const sent = body({ name: ' Cafe\u0301  x ', estimated_value: 1.126, tags: ['b', 'a'] });
    const stored = item(1, { name: 'Caf\u00e9  x', estimated_value: 1.13, tags: ['a', 'b'] });
    const learned = withAcknowledged(initialNormalisation(), sent, stored, NOW);
    expect(learned.opaque).toEqual([]);
    expect(new Set(learned.changes)).toEqual(new Set(['trim', 'nfc', 'tag_order', 'round2']));
    expect(contentKey(sent, learned)).toBe(contentKey(stored, learned));
  });

  it('count as a default if the value is constant, and as unpredictable if it varies', () => {
    const first = withAcknowledged(
      initialNormalisation(),
      body(),
      item(1, { packaging: 'opened', estimated_value: 5 }),
      NOW,
    );
    expect(first.defaults).toEqual({ packaging: 'opened', estimated_value: 5 });
    const second = withAcknowledged(first, body(), item(2, { packaging: 'opened', estimated_value: 7 }), NOW);
    expect(second.opaque).toEqual(['estimated_value']);
    expect(withAcknowledged(second, body(), item(3, { packaging: 'opened', estimated_value: 9 }), NOW)).toBe(
      second,
    );
  });

  it('show whether the server’s times are reliable', () => {
    expect(withAcknowledged(initialNormalisation(), body(), item(1), null).timesOrder).toBe('unknown');
    expect(withAcknowledged(initialNormalisation(), body(), item(1), NOW).timesOrder).toBe('yes');
    const no = withAcknowledged(initialNormalisation(), body(), item(1, {}, NOW - 3 * 60_000), NOW);
    expect(no.timesOrder).toBe('no');
    expect(withAcknowledged(no, body(), item(2), NOW).timesOrder).toBe('no');
  });

  it('always turn acknowledged content into its stored form', () => {
    const text = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 12 }),
        fc.option(text),
        fc.array(text, { maxLength: 3 }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (name, brand, tags, value) => {
          const sent = body({ name, brand, tags, estimated_value: value });
          const stored = item(1, {
            name: name.trim().normalize('NFC'),
            brand: brand?.trim() ?? null,
            tags: [...tags].sort((a, b) => (a < b ? -1 : 1)),
            estimated_value: Math.round(value * 100) / 100,
          });
          const learned = withAcknowledged(initialNormalisation(), sent, stored, NOW);
          expect(learned.opaque).toEqual([]);
          expect(contentKey(sent, learned)).toBe(contentKey(stored, learned));
        },
      ),
    );
  });

  it.each([
    // What was found of it: rounded once more to a whole number, the two are 1662 and 1663.
    [1662.495, 1662.5, 'round2'],
    // In binary numbers 1.005 is a little less.
    [1.005, 1, 'round2'],
    [1.005, 1.01, 'round2_half_up'],
    [1662.495, 1662.49, 'round2_exact'],
    [12.6, 13, 'round0'],
  ])('include storing %d as %d (%s)', (value, kept, change) => {
    const [sent, stored] = [body({ estimated_value: value }), item(1, { estimated_value: kept })];
    const learned = withAcknowledged(proven, sent, stored, NOW);
    expect(learned).toMatchObject({ opaque: [], changes: [change] });
    expect(contentKey(sent, learned)).toBe(contentKey(stored, learned));
  });

  it('do not include reordered keys, or null or empty values for absent ones', () => {
    expect(sameField('brand', undefined, null)).toBe(true);
    expect(sameField('tags', undefined, [])).toBe(true);
    expect(sameField('custom_fields', { a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
    expect(sameField('custom_fields', { a: 1 }, { a: '1' })).toBe(false);
    expect(sameField('status', undefined, 'keep')).toBe(true);
  });
});

/** A list as a server shows it: newest first, and others write between the pages. */
function listOf(items: Item[], between: (request: number, items: Item[]) => void = () => undefined) {
  let requests = 0;
  const client = {
    listItems: ({ page = 1 }: { page?: number }) => {
      requests += 1;
      between(requests, items);
      const data = items.slice((page - 1) * 100, page * 100);
      const pagination = { page, per_page: 100, has_more: page * 100 < items.length };
      return Promise.resolve({ value: { data, pagination }, requestId: undefined, tookMs: 0 });
    },
  } as unknown as ApiClient;
  const owned = (_: string, ids: string[]) => Promise.resolve(new Set(ids.filter((id) => id === idOf(3))));
  const ledger = { items: { noteSeen: () => Promise.resolve(), owned } } as unknown as Ledger;
  const context = {
    client,
    ledger,
    job: { apiUrl: 'x' },
    observations: new ItemObservations(ledger, 'x'),
    signal: new AbortController().signal,
  } as unknown as SettleContext;
  return {
    requests: () => requests,
    scan: (until: number | null, leastPages = 1) => scanItems(context, { until, leastPages }),
  };
}

describe('the scan', () => {
  const hours = (count: number) =>
    Array.from({ length: count }, (_, index) => item(index, {}, NOW - index * 60_000));

  it('stops at the first page that is two minutes older than the lost rows', async () => {
    const list = listOf(hours(1000));
    const result = await list.scan(NOW - 150 * 60_000);
    expect(result).toMatchObject({ still: true });
    // Three pages; then down to what was newest at the beginning, to see that nothing moved.
    expect(list.requests()).toBe(5);
    expect(result.unowned.has(idOf(149))).toBe(true);
    expect(result.unowned.has(idOf(3))).toBe(false);
  });

  it('reads as many pages as requested, whatever their timestamps', async () => {
    const list = listOf(hours(1000));
    const result = await list.scan(NOW - 150 * 60_000, 6);
    expect(result).toMatchObject({ still: true });
    expect(result.unowned.has(idOf(599))).toBe(true);
    expect(list.requests()).toBe(12);
  });

  it('reads to the end if there is no mark', async () => {
    const result = await listOf(hours(350)).scan(null);
    expect(result.unowned.size).toBe(349);
  });

  it('finds the same items even if other programs add items meanwhile', async () => {
    let next = 10_000;
    const list = listOf(hours(350), (request, items) => {
      next += 1;
      items.unshift(item(next, {}, NOW + request * 1000));
    });
    const result = await list.scan(null);
    expect(result.still).toBe(true);
    for (let index = 4; index < 350; index += 1) expect(result.unowned.has(idOf(index))).toBe(true);
  });

  it('finds an item that an edit moved past the scan, in a list sorted by updated_at', async () => {
    const list = listOf(hours(350), (request, items) => {
      // After the first page was shown, the item on the third is edited and jumps to the head.
      if (request !== 2) return;
      const [moved] = items.splice(250, 1);
      if (moved !== undefined) items.unshift({ ...moved, updated_at: time(NOW + 1000) });
    });
    const result = await list.scan(null);
    expect(result.still).toBe(true);
    expect(result.unowned.has(idOf(250))).toBe(true);
  });

  it('reports a list that never stops changing', async () => {
    let hidden = 5000;
    const list = listOf(hours(50), (_, items) => {
      hidden += 1;
      items.unshift(item(hidden, {}, NOW - 1000));
    });
    expect((await list.scan(null)).still).toBe(false);
  });
});

describe('the difference between a row and its item', () => {
  const wish = (value: unknown) => ({ value, text: String(value) });
  it('contains only changed values', () => {
    const wishes = { fields: { status: wish('sold'), name: wish('Toy') }, customFields: {} };
    expect(difference(wishes, item(1), undefined)).toEqual({
      to: 'planned',
      update: {
        kind: 'update',
        set: { status: 'sold' },
        before: { status: 'keep' },
        // Not sent, and must still hold by then.
        already: [['name', 'Toy']],
        // What a reviewer is shown beside the change.
        item: { name: 'Toy', status: 'keep', value: null, currency: 'usd' },
      },
    });
    expect(difference(wishes, item(1, { status: 'sold' }), COLLECTION)).toMatchObject({
      to: 'unchanged',
      update: { set: {}, before: {} },
    });
  });

  it('treats __proto__ like any other custom field', () => {
    const customFields = Object.fromEntries([['__proto__', wish('x')]]);
    const result = difference({ fields: {}, customFields }, item(1, { custom_fields: { a: 1 } }), undefined);
    const text = JSON.stringify('update' in result ? result.update.set : result);
    expect(text).toBe('{"custom_fields":{"a":1,"__proto__":"x"}}');
  });
});

describe('the limit on refusals', () => {
  it('parks the job after 100 refusals in a row, after refusals of a fifth of at least 100 rows, or at the given number', () => {
    const inARow = new RefusalGuard(undefined, 'job');
    for (let index = 0; index < 1000; index += 1) inARow.accepted();
    for (let index = 0; index < 99; index += 1) expect(inARow.refused()).toBeUndefined();
    expect(inARow.refused()).toMatchObject({ code: 'too_many_refused' });

    const share = new RefusalGuard(undefined, 'job');
    for (let index = 0; index < 79; index += 1) share.accepted();
    for (let index = 0; index < 20; index += 1) expect(share.refused()).toBeUndefined();
    expect(share.refused()).toBeDefined();

    const asked = new RefusalGuard(2, 'job');
    expect(asked.refused()).toBeUndefined();
    asked.accepted();
    expect(asked.refused()).toBeDefined();
  });
});

it('row counts always add up', () => {
  const counts = Object.fromEntries(ROW_STATES.map((state) => [state, fc.nat(1000)]));
  fc.assert(
    fc.property(fc.record(counts), fc.double({ min: 0, max: 1, noNaN: true }), (states, share) => {
      const given = states as unknown as RowCounts;
      const created = Math.round(given.done * share);
      const rows = rowTotals({ ...given, created, updated: given.done - created, plannedUpdates: 0 });
      const { read, ...parts } = rows;
      expect(read).toBe(Object.values(parts).reduce((sum, part) => sum + part, 0));
      expect(read).toBe(Object.values(states).reduce((sum, part) => sum + part, 0));
    }),
  );
});

describe('the server’s clock', () => {
  const standing = { now: () => 0, monotonic: () => 0 };

  it('is proven to run steadily if creates before and after a lost create show the same difference to the local clock', () => {
    const time = new ServerTime(standing);
    time.shown(NOW, 0, 20);
    time.lost(7, 1_000, 11_000);
    expect(time.isProven(7)).toBe(false);
    // Sent before the server was sure to be done with the lost one.
    time.shown(NOW + 10_000, 10_000, 10_020);
    expect(time.isProven(7)).toBe(false);
    time.shown(NOW + 11_500, 11_500, 11_520);
    expect(time.isProven(7)).toBe(true);
    expect(time.isProven(8)).toBe(false);
  });

  it('does not prove that an item is absent after the clock fell back by more than a minute', () => {
    const time = new ServerTime(standing);
    time.shown(NOW, 0, 20);
    time.lost(7, 1_000, 11_000);
    time.shown(NOW + 300_000, 600_000, 600_020);
    expect(time.isProven(7)).toBe(false);
  });

  it('is unknown if the machine slept meanwhile, or its own clock was set', () => {
    for (const byMs of [300_000, -300_000]) {
      let now = 0;
      const time = new ServerTime({ now: () => now, monotonic: () => 0 });
      time.shown(NOW, 0, 20);
      time.lost(7, 1_000, 11_000);
      now = byMs;
      time.shown(NOW + 11_500, 11_500, 11_520);
      expect(time.isProven(7)).toBe(false);
    }
  });

  it('is unknown before the first create of the process', () => {
    const time = new ServerTime(standing);
    time.lost(7, 1_000, 11_000);
    time.shown(NOW, 12_000, 12_020);
    expect(time.isProven(7)).toBe(false);
  });

  it('makes an identical item doubtful if it is too old and the clock may have jumped, but not a merely similar item', () => {
    const old = NOW - 3_600_000;
    const equal = matchCreates([lost(5)], [fresh(item(1, {}, old))], proven, false);
    expect(equal.held[0]?.code).toBe('doubtful_match');
    const cut = matchCreates(
      [lost(5)],
      [fresh(item(1, { name: item(1).name.slice(0, 2) }, old))],
      proven,
      false,
    );
    expect(cut.held[0]?.code).toBe('doubtful_match');
    const alike = matchCreates([lost(5)], [fresh(item(1, { brand: 'Else' }, old))], proven, false);
    expect(alike.missing).toHaveLength(1);
  });
});
