import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import type { ItemCreate, ItemUpdate } from '../../src/api/schemas.ts';
import type { FaultKind, SandboxOptions } from '../../src/sandbox/settings.ts';
import { csv, toys } from '../support/csv.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { openImport } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const KINDS: FaultKind[] = [
  'dropAfterCommit',
  'dropBefore',
  'cutBody',
  'error500',
  'html502',
  'stall',
  'lateCommit',
];
/** The quiet period is longer than any late commit here; the wait is too long to end on a busy machine. */
const run = { quietPeriodMs: 150, waitMs: 120_000 };
/** Only a server that never answers takes a timeout to notice. No other answer may be lost because the machine is busy. */
const clientFor = (kind: FaultKind) => ({ timeoutMs: kind === 'stall' ? 1_000 : 30_000 });

/** Calls back when the answer to a write is lost, before the import learns of it. */
function onLost(callback: (body: ItemCreate | ItemUpdate) => void) {
  const watched = async <T>(body: ItemCreate | ItemUpdate, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      callback(body);
      throw error;
    }
  };
  return (client: ApiClient): ApiClient =>
    overriding(client, {
      createItem: (body, options) => watched(body, client.createItem(body, options)),
      updateItem: (id, body, options) => watched(body, client.updateItem(id, body, options)),
    });
}

describe.concurrent('an import whose creates fail one time in five with', () => {
  it.each(KINDS)('%s creates each row once', async (kind) => {
    await using it = await openImport({
      faults: { [kind]: 0.2, lateCommitMs: 50, operations: ['createItem'] },
      faultSeed: 7,
    });
    const file = await it.file('toys.csv', toys(40));
    const { summary, exitCode } = await it.import({ file, run }, { client: clientFor(kind) });
    expect(summary.state).toBe('done');
    expect(await expectExactlyOnce(it.ledger, summary.job, it.items())).toEqual({ created: 40, held: 0 });
    expect(exitCode).toBe(0);
    expect(summary.doubles).toBeUndefined();
    expect(summary.rows.created).toBe(40);
  });
});

describe.concurrent('an import whose very first create fails with', () => {
  it.each(KINDS.flatMap((kind) => [true, false].map((commits) => ({ kind, commits }))))(
    '$kind (applied: $commits) creates each row once',
    async ({ kind, commits }) => {
      await using it = await openImport();
      it.sandbox.control.setFaults({ lateCommitMs: 50 });
      it.sandbox.control.failNext(kind, 'createItem', commits);
      const file = await it.file('toys.csv', toys(5));
      const { summary } = await it.import({ file, run }, { client: clientFor(kind) });
      expect(await expectExactlyOnce(it.ledger, summary.job, it.items())).toEqual({ created: 5, held: 0 });
    },
  );
});

describe.concurrent('ten identical rows, some of whose answers are lost,', () => {
  it.each([1, 2])('become ten items (seed %i)', async (faultSeed) => {
    const faults = { dropAfterCommit: 0.3, dropBefore: 0.3, operations: ['createItem' as const] };
    await using it = await openImport({ faults, faultSeed });
    const file = await it.file(
      'same.csv',
      csv(
        ['name', 'brand'],
        Array.from({ length: 10 }, () => ['Twin', 'x']),
      ),
    );
    const { summary } = await it.import({ file, run });
    const { created, held } = await expectExactlyOnce(it.ledger, summary.job, it.items());
    expect(created + held).toBe(10);
    expect(held).toBe(0);
    expect(it.items()).toHaveLength(10);
  });
});

const SERVERS: [string, SandboxOptions][] = [
  [
    'trims, rounds, sorts and normalises',
    { storing: { trimNames: true, roundValues: true, sortTags: true, normaliseUnicode: true } },
  ],
  ['lists by updated_at', { order: 'updated' }],
  ['is two days behind', { clockOffsetMs: -2 * 86_400_000 }],
  ['is two days ahead', { clockOffsetMs: 2 * 86_400_000 }],
  ['is slow', { latencyMs: 20 }],
  ['limits the rate', { rateLimit: '40/1s' }],
  ['has a thousand items', { seed: 3, seedItems: 1000 }],
];

describe.concurrent('a server that', () => {
  it.each(SERVERS)('%s gets each row once, even if answers are lost', async (_, options) => {
    const faults = {
      dropAfterCommit: 0.15,
      dropBefore: 0.1,
      html502: 0.05,
      operations: ['createItem' as const],
    };
    await using it = await openImport({ ...options, faults, faultSeed: 11 });
    const collection = options.seed === undefined ? 'Main' : (it.sandbox.teams[0]?.collections[0]?.id ?? '');
    const before = new Set(it.items().map((item) => item.id));
    const file = await it.file(
      'toys.csv',
      csv(
        ['name', 'tags', 'value', 'brand'],
        Array.from({ length: 24 }, (_row, index) => [
          `Cafe\u0301  ${index}`,
          'zebra;apple',
          `${index}.126`,
          index % 2 === 0 ? 'Häuser' : '',
        ]),
      ),
    );
    const { summary } = await it.import({ file, collection, run });
    const items = it.items().filter((item) => !before.has(item.id));
    const { created, held } = await expectExactlyOnce(it.ledger, summary.job, items);
    expect(created + held).toBe(24);
    expect(held).toBe(0);
  });
});

describe.concurrent('other people who create and edit items meanwhile', () => {
  it('keep their items unchanged, and each row is created once', async () => {
    const faults = { dropAfterCommit: 0.2, dropBefore: 0.2, operations: ['createItem' as const] };
    await using it = await openImport({ order: 'updated', faults, faultSeed: 5 });
    const theirs = it.sandbox.control.insertItems(
      Array.from({ length: 250 }, (_, index) => ({ name: `Theirs ${index}`, brand: 'Other' })),
    );
    const file = await it.file('toys.csv', toys(40));
    let added = 0;
    const { summary } = await it.import(
      { file, run },
      {
        onEvent: () => {
          added += 1;
          const late = `Late ${added}`;
          theirs.push(...it.sandbox.control.insertItems([{ name: late, brand: 'Other', status: 'sell' }]));
        },
      },
    );
    expect(added).toBeGreaterThan(3);
    const known = new Set(theirs);
    const ours = it.items().filter((item) => !known.has(item.id));
    const { created, held } = await expectExactlyOnce(it.ledger, summary.job, ours);
    expect({ created, held }).toEqual({ created: 40, held: 0 });
  });

  it('and create an identical item while an answer is lost cause a held row, never a duplicate', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(3));
    await it.import({ file, run: { ...run, first: 1 } });
    it.sandbox.control.failNext('dropAfterCommit', 'createItem');
    let inserted = 0;
    const insertEqual = ({ name = '', brand, estimated_value }: ItemCreate | ItemUpdate) => {
      inserted += it.sandbox.control.insertItems([{ name, brand, estimated_value }]).length;
    };
    const { summary, exitCode } = await it.resume('last', run, { wrap: onLost(insertEqual) });
    expect(inserted).toBe(1);
    expect(exitCode).toBe(3);
    expect(summary.rows).toMatchObject({ created: 2, held: 1 });
    const [held] = await it.ledger.rows.list(summary.job, { states: ['held'], limit: 1 });
    expect(held?.issues[0]).toMatchObject({ code: 'too_many_matches' });
    expect(it.items()).toHaveLength(4);
  });
});

describe.concurrent('a create of an upsert whose answer is lost', () => {
  it('is found by its key, even if somebody has renamed the item meanwhile', async () => {
    await using it = await openImport();
    // Before a create of ours is acknowledged, an item with the key and other values may be another store's.
    const rows = [
      ['Car', 'Tantal', 'AF-0'],
      ['Robot', 'Tantal', 'AF-1'],
    ];
    const file = await it.file('toys.csv', csv(['name', 'brand', 'custom_fields.sku'], rows));
    const request = { file, mode: 'upsert', match: ['custom_fields.sku'] } as const;
    await it.import({ ...request, match: [...request.match], run: { ...run, first: 1 } });
    it.sandbox.control.failNext('dropAfterCommit', 'createItem');
    let renamed = false;
    const { summary } = await it.resume('last', run, {
      wrap: onLost(() => {
        const item = it.items().find(({ name }) => name === 'Robot');
        if (item === undefined) return;
        renamed = true;
        it.sandbox.control.removeItem(item.id);
        const updated_at = new Date(Date.parse(item.updated_at) + 1000).toISOString();
        it.sandbox.control.insertItems([{ ...item, name: 'Android', updated_at }]);
      }),
    });
    expect(renamed).toBe(true);
    expect(summary.rows).toMatchObject({ created: 2, held: 0 });
    expect(it.names()).toEqual(['Android', 'Car']);
  });
});

describe.concurrent('an update whose answer is lost', () => {
  it.each(KINDS)('through %s is repeated as soon as that is safe', async (kind) => {
    await using it = await openImport();
    const ids = it.sandbox.control.insertItems(
      Array.from({ length: 20 }, (_, index) => ({ name: `T ${index}` })),
    );
    it.sandbox.control.setFaults({ [kind]: 0.3, lateCommitMs: 50, operations: ['updateItem'] });
    const file = await it.file(
      'sold.csv',
      csv(
        ['id', 'status'],
        ids.map((id) => [id, 'sold']),
      ),
    );
    const { summary, exitCode } = await it.import({ file, mode: 'update', run }, { client: clientFor(kind) });
    expect(summary.rows).toMatchObject({ read: 20, updated: 20 });
    expect(exitCode).toBe(0);
    expect(it.items().map((item) => item.status)).toEqual(Array(20).fill('sold'));
  });

  it('and whose item somebody has changed since is held, and their change is kept', async () => {
    await using it = await openImport();
    const [id = ''] = it.sandbox.control.insertItems([{ name: 'T' }]);
    it.sandbox.control.failNext('dropBefore', 'updateItem');
    const file = await it.file('sold.csv', csv(['id', 'status'], [[id, 'sold']]));
    const { summary, exitCode } = await it.import(
      { file, mode: 'update', run },
      {
        wrap: onLost(() => {
          it.sandbox.control.removeItem(id);
          it.sandbox.control.insertItems([{ id, name: 'T', status: 'trade' }]);
        }),
      },
    );
    expect(exitCode).toBe(3);
    expect(summary.rows).toMatchObject({ held: 1, updated: 0 });
    expect(it.items()[0]?.status).toBe('trade');
  });
});
