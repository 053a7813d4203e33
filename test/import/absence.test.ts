/** What is concluded from a list that lacks items which the store knows to exist, on a clock that only sleep moves. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  FieldsUnknownError,
  MissingScopeError,
  NotFoundError,
  UnreachableError,
} from '../../src/api/errors.ts';
import type { Item } from '../../src/api/schemas.ts';
import {
  type AbsenceDeps,
  idsToAskAgain,
  learnedLag,
  ListLagsError,
  mayBeLate,
  untilAccounted,
} from '../../src/import/engine/absence.ts';
import type { Acknowledged } from '../../src/ledger/ledger.ts';
import { asWritten } from '../support/as-written.ts';

const URL = 'https://inventory.test';
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** The machine has run for so long already. */
const RUNS_MS = 7_000_000;
const START_MS = Date.parse('2026-03-01T12:00:00Z');

/** An item of the server: from when its list and its own address show it, and when the store heard of it. */
interface Made {
  id: string;
  madeAt: number;
  listedAt: number;
  knownAt: number;
}

let ms: number;
let slept: number[];
let notes: [code: string, params: unknown][];
let made: Made[];
let acknowledged: Map<string, Acknowledged>;
let values: Map<string, string>;
let openCreates: number[];
let theirs: Set<string>;
let updates: { itemId: string; job: string; state: string }[];
let jobs: Map<string, { state: string; updatedAt: number }>;
let asked: string[];
let pages: number[];
let lacksFields: boolean;
let canListCollections: boolean;
let failure: Error | undefined;

const clock: AbsenceDeps['clock'] = {
  begun: { now: START_MS, monotonic: RUNS_MS },
  now: () => START_MS + ms,
  monotonic: () => RUNS_MS + ms,
  slept: () => 0,
  sleep: async (forMs) => {
    slept.push(forMs);
    ms += forMs;
  },
  after: () => () => undefined,
};

const itemOf = ({ id, madeAt }: Made) => {
  const at = new Date(START_MS + madeAt).toISOString();
  return { id: id.toUpperCase(), created_at: at, updated_at: at } as Item;
};
const shownNow = () => made.filter(({ listedAt }) => listedAt <= ms).map(itemOf);

const client = {
  getItem: async (id: string) => {
    asked.push(id);
    if (failure !== undefined) throw failure;
    const found = made.find((each) => each.id === id && each.knownAt <= ms);
    if (found === undefined) throw new NotFoundError('not_found', asWritten('no item'), { applied: 'no' });
    if (lacksFields) throw new FieldsUnknownError(itemOf(found), ['tags']);
    return { value: itemOf(found), tookMs: 5 };
  },
  listItems: async ({ page = 1 }: { page?: number } = {}) => {
    pages.push(page);
    const data = shownNow().reverse();
    return {
      value: { data: data.slice(2 * page - 2, 2 * page), pagination: { has_more: 2 * page < data.length } },
    };
  },
  collections: async function* () {
    if (!canListCollections)
      throw new MissingScopeError('missing_scope', asWritten('no scope'), { applied: 'no' });
    yield { id: 'ours' };
  },
} as unknown as AbsenceDeps['client'];

const ledger = {
  items: {
    acknowledged: async (_url: string, since: number | null) =>
      [...acknowledged.values()].filter(({ at }) => since === null || at >= since),
    openCreates: async () => Array.from({ length: openCreates.shift() ?? 0 }),
    forgetAcknowledged: async (_url: string, ids: readonly string[]) =>
      ids.forEach((id) => acknowledged.delete(id)),
    ofOtherTeams: async (_url: string, ids: readonly string[], seen: readonly string[]) =>
      new Set(seen.includes('ours') ? ids.filter((id) => theirs.has(id)) : []),
    sentUpdates: async (_url: string, ids: string[]) => updates.filter(({ itemId }) => ids.includes(itemId)),
  },
  values: {
    get: async (space: string, key: string) => values.get(`${space} ${key}`),
    put: async (space: string, entries: { key: string; value: string }[]) =>
      entries.forEach(({ key, value }) => values.set(`${space} ${key}`, value)),
  },
  jobs: { find: async (id: string) => jobs.get(id) },
} as unknown as Parameters<typeof mayBeLate>[2]['ledger'];

const deps = {
  client,
  ledger,
  clock,
  signal: new AbortController().signal,
  emit: ({ said }: Parameters<AbsenceDeps['emit']>[0]) => notes.push([said.code, said.params]),
};

beforeEach(() => {
  ms = 0;
  [slept, notes, made, openCreates, updates, asked, pages] = [[], [], [], [], [], [], []];
  [acknowledged, values, theirs, jobs] = [new Map(), new Map(), new Set(), new Map()];
  [lacksFields, canListCollections, failure] = [false, true, undefined];
});

/** The store knows the item; the server shows it in its list and by its id from these times on, ms. */
function knows(id: string, at: number, { listedAt = at, knownAt = at } = {}): void {
  made.push({ id, madeAt: at, listedAt, knownAt });
  acknowledged.set(id, { itemId: id, at: START_MS + at });
}

const gone = { listedAt: Infinity, knownAt: Infinity };
const hidden = { listedAt: Infinity };

let reads: number;
/** Reads the list until it accounts for all; the ids that it showed last, and those of `take`. */
async function account({ since = null, takes = false }: { since?: number | null; takes?: boolean } = {}) {
  reads = 0;
  const taken: [id: string, ageMs: number][] = [];
  const shown = await untilAccounted(
    URL,
    since,
    deps,
    async (show) => {
      reads += 1;
      const items = shownNow();
      show(items);
      return items.map((item) => item.id);
    },
    takes
      ? { take: (item, at) => taken.push([item.id, RUNS_MS + ms - at.monotonic]), fields: ['tags'] }
      : undefined,
  );
  return { shown, taken };
}

describe('a list that shows everything', () => {
  it('is read once', async () => {
    knows('a', -MINUTE_MS);
    expect(await account()).toEqual({ shown: ['A'], taken: [] });
    expect([reads, slept, asked, notes]).toEqual([1, [], [], []]);
    expect(values.size).toBe(0);
  });

  it('need not show again what is older than an hour, if it was read whole', async () => {
    for (const [id, at] of [
      ['old', -HOUR_MS - 1],
      ['edge', -HOUR_MS],
    ] as const)
      knows(id, at);
    await account({ since: START_MS - 2 * HOUR_MS });
    expect([...acknowledged.keys()]).toEqual(['old', 'edge']);
    await account();
    expect([...acknowledged.keys()]).toEqual(['edge']);
  });
});

describe('a list that lags', () => {
  it('is read again after growing pauses, and the lag is learned', async () => {
    knows('a', -1_000, { listedAt: 60_000, knownAt: 0 });
    knows('b', -500, { listedAt: 60_000, knownAt: 0 });
    expect((await account()).shown).toEqual(['A', 'B']);
    expect(slept).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
    expect(notes).toEqual([['list_lags_behind', { items: 2 }]]);
    // The first item that was late, 60,750 ms after the start, and a second more.
    expect(await learnedLag(URL, deps)).toBe(1_000 + ms + 1_000);
    // The first that exists is enough to know that the list lags.
    expect(new Set(asked)).toEqual(new Set(['a']));
  });

  it('only ever lengthens what is known of its lag, up to ten minutes', async () => {
    values.set(`list-lag ${URL}`, '90000');
    knows('a', -1_000, { listedAt: 200, knownAt: 0 });
    await account();
    expect(await learnedLag(URL, deps)).toBe(90_000);
    knows('b', -20 * MINUTE_MS, { listedAt: ms + 100, knownAt: 0 });
    await account();
    expect(await learnedLag(URL, deps)).toBe(600_000);
  });

  it('is no ground for anything after ten minutes, and what is old by then is hidden', async () => {
    knows('new', -1_000, { ...hidden, knownAt: 0 });
    knows('old', -2 * HOUR_MS, { ...hidden, knownAt: 0 });
    await expect(account()).rejects.toThrow(ListLagsError);
    expect(ms).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    expect(ms).toBeLessThan(10 * MINUTE_MS + 15_000);
    expect([...acknowledged.keys()]).toEqual(['new']);
  });

  it('names how many items it lacks', async () => {
    for (const id of ['a', 'b', 'c']) knows(id, -1_000, { ...hidden, knownAt: 0 });
    await expect(account()).rejects.toMatchObject({ code: 'list_lags', said: { params: { items: 3 } } });
  });
});

describe('an item that the server does not know by its id', () => {
  it('is waited for as long as it may be late, and then forgotten', async () => {
    knows('a', -10_000, gone);
    expect(await account()).toEqual({ shown: [], taken: [] });
    expect(notes).toEqual([['new_items_unknown', { items: 1, ms: 50_000 }]]);
    expect(ms).toBeGreaterThanOrEqual(50_000);
    expect(ms).toBeLessThan(65_000);
    expect(acknowledged.size).toBe(0);
    // It is not asked for again.
    asked = [];
    await account();
    expect([reads, asked]).toEqual([1, []]);
  });

  it('is waited for longer where lists have lagged longer', async () => {
    values.set(`list-lag ${URL}`, '120000');
    knows('a', -10_000, gone);
    await account();
    expect(notes).toEqual([['new_items_unknown', { items: 1, ms: 110_000 }]]);
    expect(ms).toBeGreaterThanOrEqual(110_000);
  });

  it('may appear after all', async () => {
    knows('a', -1_000, { listedAt: 5_000, knownAt: 4_000 });
    expect((await account()).shown).toEqual(['A']);
    expect([...acknowledged.keys()]).toEqual(['a']);
  });

  it('is gone at once if it is not new', async () => {
    knows('a', -61_000, gone);
    knows('b', -62_000, gone);
    await account();
    expect([slept, asked, acknowledged.size]).toEqual([[], ['a', 'b'], 0]);
  });

  it('is kept and not waited for if it belongs to another team', async () => {
    knows('a', -1_000, gone);
    knows('b', -1_000, gone);
    theirs = new Set(['a', 'b']);
    await account();
    expect([slept, asked, [...acknowledged.keys()]]).toEqual([[], ['a'], ['a', 'b']]);
  });

  it('is kept if it is old and belongs to another team', async () => {
    knows('a', -2 * HOUR_MS, gone);
    theirs = new Set(['a']);
    await account();
    expect([...acknowledged.keys()]).toEqual(['a']);
  });

  it('is not waited for as another team’s if the key may not list collections', async () => {
    [canListCollections, theirs] = [false, new Set(['a'])];
    knows('a', -61_000, gone);
    await account();
    expect(acknowledged.size).toBe(0);
  });

  it('is waited for a minute, however far the clock was set back since', async () => {
    knows('a', HOUR_MS, gone);
    await account();
    expect([ms >= 60_000, ms < 75_000, acknowledged.size]).toEqual([true, true, 0]);
  });

  it('is not counted with others that are old', async () => {
    knows('a', -1_000, gone);
    knows('b', -61_000, { listedAt: 700, knownAt: 0 });
    await account();
    expect(notes).toEqual([['new_items_unknown', { items: 1, ms: 59_000 }]]);
  });

  it('ends the reading if it cannot be asked for', async () => {
    knows('a', -1_000, gone);
    failure = new UnreachableError('unreachable', asWritten('refused'), { applied: 'no' });
    await expect(account()).rejects.toBe(failure);
    expect([...acknowledged.keys()]).toEqual(['a']);
  });

  it('is asked for again, but no other that is there, once it is known to be gone', async () => {
    knows('a', -HOUR_MS, gone);
    knows('b', -1_000, { listedAt: 700, knownAt: 0 });
    await account();
    expect(asked.filter((id) => id === 'a')).toHaveLength(1);
    expect(reads).toBe(3);
  });
});

describe('items that the caller takes as their ids show them', () => {
  it('are not waited for while lists have lagged so long before', async () => {
    values.set(`list-lag ${URL}`, '30000');
    knows('a', -1_000, { ...hidden, knownAt: 0 });
    knows('b', -2_000, { ...hidden, knownAt: 0 });
    expect(await account({ takes: true })).toEqual({
      shown: [],
      taken: [
        ['A', 5],
        ['B', 5],
      ],
    });
    expect([reads, slept, notes]).toEqual([1, [], []]);
    expect([...acknowledged.keys()]).toEqual(['a', 'b']);
  });

  it('are at most a hundred', async () => {
    for (let at = 0; at < 100; at += 1) knows(`i${at}`, -1_000, { listedAt: 200, knownAt: 0 });
    expect((await account({ takes: true })).taken).toHaveLength(100);
    expect(reads).toBe(1);
    made = made.map((each) => ({ ...each, listedAt: ms + 200 }));
    knows('more', -1_000, { listedAt: ms + 200, knownAt: 0 });
    expect((await account({ takes: true })).taken).toHaveLength(0);
    expect(reads).toBe(2);
  });

  it('are waited for if a field is unknown by which the caller decides', async () => {
    lacksFields = true;
    knows('a', -1_000, { listedAt: 700, knownAt: 0 });
    expect(await account({ takes: true })).toEqual({ shown: ['A'], taken: [] });
    expect(reads).toBe(3);
    expect(notes.map(([code]) => code)).toEqual(['new_items_unknown']);
  });

  it('do not hide that another may not be there yet', async () => {
    values.set(`list-lag ${URL}`, '30000');
    knows('a', -1_000, { ...hidden, knownAt: 0 });
    knows('b', -1_000, { ...hidden, knownAt: 3_000 });
    expect((await account({ takes: true })).taken).toEqual([
      ['A', 5],
      ['B', 5],
    ]);
    expect([reads, ms]).toEqual([5, 3_750]);
  });
});

/** The list may hide the item of a create with a lost answer, as long as it hides those that were acknowledged. */
describe('while a create may have made an item whose id nobody knows', () => {
  beforeEach(() => {
    // Others on the list, so that its head ends before its end.
    for (let at = 3; at > 0; at -= 1) knows(`x${at}`, -HOUR_MS - at * 1_000);
  });

  it('the list is read again once it shows the newest', async () => {
    openCreates = [1];
    knows('a', -1_000, { listedAt: 5_000, knownAt: 0 });
    expect((await account({ takes: true })).shown).toContain('A');
    expect([reads, slept.slice(0, 3)]).toEqual([2, [250, 500, 1_000]]);
    expect(notes).toEqual([['list_lags_behind', { items: 1 }]]);
    expect(await learnedLag(URL, deps)).toBe(1_000 + ms + 1_000);
    // Its head ends with items that are older than the newest.
    expect(new Set(pages)).toEqual(new Set([1]));
  });

  it('also if the create begins meanwhile', async () => {
    openCreates = [0, 1];
    knows('a', -1_000, { listedAt: 5_000, knownAt: 0 });
    await account({ takes: true });
    expect(reads).toBe(2);
  });

  it('and not again if there is none', async () => {
    knows('a', -1_000, { listedAt: 5_000, knownAt: 0 });
    expect((await account({ takes: true })).taken).toEqual([['A', ms + 5]]);
    expect([reads, slept.length]).toEqual([1, 5]);
  });

  it('it is not waited for while lists have lagged so long before', async () => {
    values.set(`list-lag ${URL}`, '1500');
    openCreates = [1];
    knows('a', -1_000, { listedAt: 5_000, knownAt: 0 });
    expect((await account({ takes: true })).taken).toEqual([['A', 5]]);
    expect([reads, slept, notes]).toEqual([1, [], []]);
    ms = 500;
    await account({ takes: true });
    expect([slept[0], notes.length]).toEqual([250, 1]);
  });

  it('what it lacks for ten minutes is hidden, and not waited for again', async () => {
    knows('a', -1_000, { ...hidden, knownAt: 0 });
    openCreates = [1];
    await account({ takes: true });
    expect([reads, ms >= 10 * MINUTE_MS]).toEqual([2, true]);
    expect(values.get(`list-hidden ${URL}`)).toBe('a');
    [slept, openCreates] = [[], [1]];
    // By the server's clock it is not old yet: nothing is newer.
    await account({ takes: true });
    expect([reads, slept]).toEqual([1, []]);
  });

  it.each([
    { newestAgoMs: 0, isOld: true },
    { newestAgoMs: 10 * MINUTE_MS, isOld: false },
  ])('an item of ten minutes is hidden only if the server’s clock says so too: $isOld', async (each) => {
    knows('a', -10 * MINUTE_MS, { listedAt: 5_000, knownAt: 0 });
    made.unshift({ id: 'theirs', madeAt: -each.newestAgoMs, listedAt: 0, knownAt: 0 });
    openCreates = [1];
    await account({ takes: true });
    expect([reads, slept.length === 0]).toEqual([each.isOld ? 1 : 2, each.isOld]);
  });

  it('the head of the list is read as far as the item’s time', async () => {
    for (let at = 1; at <= 5; at += 1) made.push({ id: `n${at}`, madeAt: at, listedAt: 0, knownAt: 0 });
    knows('a', -1_000, { listedAt: 300, knownAt: 0 });
    made.sort((a, b) => a.madeAt - b.madeAt);
    await account({ takes: true });
    // Five newer ones; at the second look it is the sixth.
    expect(pages).toEqual([1, 2, 3, 4, 1, 2, 3]);
  });
});

describe('ids that were not found', () => {
  /** Asks again until all are found or given up; what was asked for each time. */
  async function askAgain(ids: string[]): Promise<string[][]> {
    const missing = new Set(ids);
    const rounds: string[][] = [];
    for await (const late of idsToAskAgain(missing, URL, deps)) {
      rounds.push(late);
      for (const id of late)
        if (made.some((each) => each.id === id && each.knownAt <= ms)) missing.delete(id);
    }
    return rounds;
  }

  it('are not asked for again if the store does not know them', async () => {
    knows('other', -1_000, gone);
    expect(await askAgain(['a'])).toEqual([]);
    expect(await askAgain([])).toEqual([]);
    expect([slept, notes]).toEqual([[], []]);
  });

  it('are asked for until they are found, and the lag is learned', async () => {
    knows('a', -1_000, { knownAt: 600 });
    knows('b', -1_000, { knownAt: 1_700 });
    expect(await askAgain(['a', 'b', 'c'])).toEqual([['a', 'b'], ['a', 'b'], ['b']]);
    expect([slept, await learnedLag(URL, deps)]).toEqual([[250, 500, 1_000], 1_000 + 1_750 + 1_000]);
    expect(notes).toEqual([['new_items_unknown', { items: 2, ms: 59_000 }]]);
  });

  it('are given up a minute after they were acknowledged', async () => {
    knows('a', -30_000, gone);
    knows('b', -61_000, gone);
    const rounds = await askAgain(['a', 'b']);
    expect(rounds.every(([id, ...others]) => id === 'a' && others.length === 0)).toBe(true);
    expect([ms >= 30_000, ms < 45_000, values.size]).toEqual([true, true, 0]);
  });

  it('of a job that changed them are as new as its end', async () => {
    updates = [
      { itemId: 'done', job: 'j1', state: 'done' },
      { itemId: 'open', job: 'j1', state: 'unknown' },
      { itemId: 'old', job: 'j2', state: 'done' },
      { itemId: 'running', job: 'j3', state: 'done' },
      { itemId: 'twice', job: 'j1', state: 'done' },
      { itemId: 'twice', job: 'j2', state: 'done' },
      { itemId: 'gone', job: 'pruned', state: 'done' },
    ];
    jobs.set('j1', { state: 'done', updatedAt: START_MS - 10_000 });
    jobs.set('j2', { state: 'done', updatedAt: START_MS - 70_000 });
    jobs.set('j3', { state: 'running', updatedAt: START_MS - 70_000 });
    const ids = new Set(['done', 'open', 'old', 'running', 'twice', 'gone', 'strange']);
    expect([...(await mayBeLate(ids, URL, deps))].sort()).toEqual(['done', 'gone', 'running', 'twice']);
    expect((await askAgain([...ids]))[0]?.toSorted()).toEqual(['done', 'gone', 'running', 'twice']);
  });

  it('may be late for as long as lists have lagged', async () => {
    knows('a', -100_000, gone);
    knows('other', -1_000, gone);
    expect(await mayBeLate(new Set(['a']), URL, deps)).toEqual(new Set());
    values.set(`list-lag ${URL}`, '120000');
    expect(await mayBeLate(new Set(['a']), URL, deps)).toEqual(new Set(['a']));
    expect(await mayBeLate(new Set(), URL, deps)).toEqual(new Set());
  });
});
