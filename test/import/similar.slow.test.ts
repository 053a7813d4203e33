/** What looks the same: groups of items, and rows that look like items already there. */
import { describe, expect, it } from 'vitest';
import { isOwned } from '../../src/api/item-words.ts';
import type { ItemStatus } from '../../src/api/schemas.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import type { ItemSeed } from '../../src/sandbox/control.ts';
import { closePairs, editsForgiven } from '../../src/mapping/close-names.ts';
import { type DuplicateOptions, findDuplicates } from '../../src/import/similar/find-duplicates.ts';
import { writeDuplicates } from '../../src/import/similar/write-duplicates.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const find = (open: OpenImport, options: Partial<DuplicateOptions> = {}) =>
  open.run(({ client }) => findDuplicates({ client, ...options }));

const names = (groups: { items: { name: string }[] }[]) =>
  groups.map(({ items }) => items.map(({ name }) => name));

describe('dupes', () => {
  const ITEMS: ItemSeed[] = [
    { name: 'Moon-Rover', brand: 'Häuser', release_year: 1990, created_at: '2020-01-01T00:00:00Z' },
    { name: 'moon  rover', brand: 'HAUSER', release_year: 1990, created_at: '2021-01-01T00:00:00Z' },
    { name: 'Moon Rover', brand: 'Häuser', release_year: 1991 },
    { name: 'Moon Rover', brand: 'Häuser', release_year: 1990, status: 'archived' },
    { name: 'Mon Rover', brand: 'Häuser', release_year: 1990, created_at: '2022-01-01T00:00:00Z' },
    { name: 'Loco No. 1' },
    { name: 'Loco No. 2' },
  ];

  it.each([
    ['Model 1.5', 'Model 15'],
    ['Scale 1:8', 'Scale 18'],
    ['Part 1/2', 'Part 12'],
    ['Part 1½', 'Part 112'],
    ['Vol. 1-2', 'Vol. 12'],
  ])('keep %s and %s apart', async (...pair) => {
    await using it = await openImport();
    it.sandbox.control.insertItems(pair.map((name) => ({ name })));
    expect(await find(it, { close: true })).toMatchObject({ items: 2, groups: [] });
  });

  it('groups by name, brand, series and year, whatever their case, accents and punctuation', async () => {
    await using it = await openImport();
    it.sandbox.control.insertItems(ITEMS);
    const { groups, items } = await find(it);
    expect([items, names(groups)]).toEqual([7, [['Moon-Rover', 'moon  rover']]]);
    expect(names((await find(it, { archived: true })).groups)).toEqual([
      ['Moon-Rover', 'moon  rover', 'Moon Rover'],
    ]);
    const close = await find(it, { close: true });
    expect(names(close.groups)).toEqual([['Moon-Rover', 'moon  rover', 'Mon Rover']]);
    expect(close.groups[0]?.why).toBe('close');
  });

  it.each(['csv', 'xlsx'])(
    'writes a list as %s that can be imported once its action column is filled in',
    async (ending) => {
      await using it = await openImport();
      it.sandbox.control.insertItems(ITEMS);
      const out = `${it.folder}/dupes.${ending}`;
      const found = await find(it, { close: true });
      expect(await writeDuplicates(found, { out, suggest: true })).toMatchObject({ rows: 3 });
      const { summary, exitCode } = await it.import({ file: out });
      expect([exitCode, summary.rows]).toMatchObject([0, { read: 3, updated: 2, skipped: 1, created: 0 }]);
      const kept = it.items().filter((item) => item.status !== 'archived' && item.release_year === 1990);
      expect(kept.map((item) => item.name)).toEqual(['Moon-Rover']);
      expect((await find(it)).groups).toEqual([]);
      await expect(writeDuplicates(found, { out: 'x.pdf' })).rejects.toMatchObject({
        code: 'unknown_format',
      });
    },
  );

  it('suggests keeping owned items, and leaves sold and archived items alone', async () => {
    await using it = await openImport();
    const insert = (status: 'sold' | 'keep' | 'sell' | 'archived') =>
      it.sandbox.control.insertItems([{ name: 'Twin', status }]);
    for (const status of ['archived', 'sold', 'keep', 'sell', 'sold'] as const) insert(status);
    it.sandbox.control.insertItems([
      { name: 'Gone', status: 'sold' },
      { name: 'Gone', status: 'sold' },
    ]);
    const out = `${it.folder}/dupes.csv`;
    await writeDuplicates(await find(it, { archived: true }), { out, suggest: true });
    const { summary } = await it.import({ file: out });
    expect(summary.rows).toMatchObject({ read: 7, updated: 1, skipped: 6 });
    const statuses = it.items().map(({ name, status }) => `${name} ${status}`);
    expect(statuses.filter((each) => each.endsWith('sold'))).toHaveLength(4);
    expect(statuses.filter((each) => each === 'Twin archived')).toHaveLength(2);
    // Both owned ones were made within a millisecond: either is the oldest.
    expect(statuses.filter((each) => each === 'Twin keep' || each === 'Twin sell')).toHaveLength(1);
  });

  it('changes nothing if the action column is blank', async () => {
    await using it = await openImport();
    it.sandbox.control.insertItems(ITEMS);
    const out = `${it.folder}/dupes.csv`;
    await writeDuplicates(await find(it), { out });
    const { summary } = await it.import({ file: out });
    expect(summary.rows).toMatchObject({ read: 2, skipped: 2 });
    expect(it.items()).toHaveLength(7);
  });
});

describe('a list of duplicates that is planned now and applied later', () => {
  const HEADER = 'dupes_group,action,id,name,status,looks\n';
  const row = (action: string, id = '', status = 'keep') => `1,${action},${id},Toy,${status},same\n`;

  async function planned(it: OpenImport, rows: string, by: 'import' | 'set' = 'import'): Promise<string> {
    const file = await it.file('one.csv', HEADER + rows);
    const { summary } =
      by === 'import'
        ? await it.import({ file, dryRun: true })
        : await it.run((deps) =>
            setItems({ changes: ['status=archived'], idsFrom: file, outDir: it.folder, dryRun: true }, deps),
          );
    return summary.job;
  }
  const owned = (it: OpenImport) => it.items().filter(isOwned).length;
  const insert = (it: OpenImport, count: number) =>
    it.sandbox.control.insertItems(Array.from({ length: count }, () => ({ name: 'Toy' })));
  const edit = (it: OpenImport, id: string | undefined, status: ItemStatus) =>
    it.run(({ client }) => client.updateItem(id ?? '', { status }));

  it.each([
    { by: 'import' as const, now: 'archived' as const },
    { by: 'import' as const, now: 'sold' as const },
    { by: 'set' as const, now: 'archived' as const },
  ])('archives nothing ($by) if the item to keep is $now by then', async ({ by, now }) => {
    await using it = await openImport();
    const [kept, other] = insert(it, 2);
    const job = await planned(it, row('keep', kept) + row('archive', other), by);
    await edit(it, kept, now);
    const { exitCode, summary } = await it.apply(job, { yes: true });
    expect([exitCode, summary.rows.held, owned(it)]).toEqual([3, 1, 1]);
    expect(await it.read(summary.files['results'])).toContain(`no duplicate of the item is left: ${kept}`);
    await it.resume(job);
    expect(owned(it)).toBe(1);
  });

  it('archives no item that another list keeps, until that list is undone', async () => {
    await using it = await openImport();
    const [x, y] = insert(it, 2);
    const job = await planned(it, row('keep', x) + row('archive', y));
    const other = await it.file('two.csv', HEADER + row('archive', x) + row('keep', y));
    const first = await it.import({ file: other });
    expect([first.exitCode, owned(it)]).toEqual([0, 1]);
    expect([(await it.apply(job)).exitCode, owned(it)]).toEqual([3, 1]);
    await it.run((deps) => undoJob(first.summary.job, deps, { run: { quietPeriodMs: QUIET_MS } }));
    const [held] = await it.ledger.rows.list(job, { states: ['held'], limit: 2 });
    await it.run((deps) => resolveRow(job, held?.sheetRow ?? 0, { as: 'mine' }, deps));
    expect([(await it.resume(job)).exitCode, owned(it)]).toEqual([0, 1]);
  });

  it('archives no item that a concurrent list, sent with another key, keeps', async () => {
    await using it = await openImport();
    const [x, y] = insert(it, 2);
    const job = await planned(it, row('keep', x) + row('archive', y));
    const opposite = await it.file('two.csv', HEADER + row('archive', x) + row('keep', y));
    let other: Promise<JobOutcome> | undefined;
    const { exitCode, summary } = await it.apply(job, undefined, {
      wrap: (client) =>
        overriding(client, {
          getItem: async (id, options) => {
            const answer = await client.getItem(id, options);
            // The kept item was read before; the request to archive this one is next.
            if (id === y)
              await (other ??= it.import(
                { file: opposite },
                { client: { key: it.sandbox.control.addKey().secret } },
              ));
            return answer;
          },
        }),
    });
    expect([(await other)?.exitCode, exitCode, summary.rows.held, owned(it)]).toEqual([0, 3, 1, 1]);
  });

  it.each([
    ['one of two kept items is left', ['keep', ''], 'keep'],
    ['the kept item was archived when the list was made', ['keep'], 'archived'],
    ['every copy is to be archived', ['archive'], 'keep'],
  ] as const)('archives an item if %s', async (_, others, status) => {
    await using it = await openImport();
    const [other, first, ...rest] = insert(it, 1 + others.length);
    const rows = [first, ...rest].map((id, index) => row(others[index] ?? '', id, status));
    const job = await planned(it, rows.join('') + row('archive', other));
    if (others[0] === 'keep') await edit(it, first, 'archived');
    const { exitCode } = await it.apply(job);
    expect([exitCode, it.items().find(({ id }) => id === other)?.status]).toEqual([0, 'archived']);
  });

  it('does not archive a held item if a person decides to keep it', async () => {
    await using it = await openImport();
    const [kept, other] = insert(it, 2);
    const job = await planned(it, row('keep', kept) + row('archive', other));
    await edit(it, kept, 'sold');
    await it.apply(job);
    await it.run((deps) => resolveRow(job, 3, { as: 'theirs' }, deps));
    expect([(await it.resume(job)).exitCode, owned(it)]).toEqual([0, 1]);
  });
});

describe('similar names', () => {
  it('include every pair within the allowed edits', () => {
    const word = words();
    const some = Array.from({ length: 150 }, () => word(4, 16));
    const slips = some.map((name, index) => {
      const at = index % name.length;
      return index % 2 === 0
        ? name.slice(0, at) + name.slice(at + 1)
        : `${name.slice(0, at)}z${name.slice(at)}`;
    });
    const all = [...new Set([...some, ...slips])];
    const near: string[] = [];
    for (const [a, first] of all.entries()) {
      for (const [b, second] of all.entries()) {
        const most = editsForgiven(Math.min(first.length, second.length));
        if (a < b && editDistance(first, second) <= most) near.push(`${a},${b}`);
      }
    }
    const found = closePairs(all).pairs.map((pair) => [...pair].sort((a, b) => a - b).join());
    expect(near.length).toBeGreaterThan(100);
    expect(found.sort()).toEqual(near.sort());
  });

  it('are found without quadratic time among 20,000 names that share brand, series and year', () => {
    const word = words();
    const common = Array.from({ length: 300 }, () => word(3, 9));
    const many = Array.from({ length: 20_000 }, (_, index) => `${common[index % 300] ?? ''}${word(4, 10)}`);
    const { compared } = closePairs([...new Set(many)]);
    expect(compared).toBeLessThan(100 * many.length);
  });
});

describe('--check-similar', () => {
  const rows = [
    ['moon rover', '1990'],
    ['Moon Rover', '1990'],
    ['New', '1990'],
  ];

  it('shows rows that look like existing items, and requires a decision', async () => {
    await using it = await openImport();
    const [id = ''] = it.sandbox.control.insertItems([{ name: 'Moon Rover!', release_year: 1990 }]);
    const file = await it.file('toys.csv', csv(['name', 'year'], rows));
    const dry = await it.import({ file, checkSimilar: true, dryRun: true });
    expect(dry.summary.changes?.similar).toEqual({ rows: 2, items: [{ id, name: 'Moon Rover!', rows: 2 }] });
    const stopped = await it.import({ file, checkSimilar: true });
    expect(stopped).toMatchObject({
      exitCode: 2,
      summary: { error: { code: 'similar_items' }, rows: { pending: 3 } },
    });
    expect(it.items()).toHaveLength(1);
    const skipped = await it.apply(dry.summary.job, { similar: 'skip' });
    expect(skipped.summary.rows).toMatchObject({ read: 3, created: 1, skipped: 2 });
    expect(it.items()).toHaveLength(2);
  });

  it.each([{ similar: 'create' as const }, { yes: true }])('creates the rows with %j', async (run) => {
    await using it = await openImport();
    it.sandbox.control.insertItems([{ name: 'Moon Rover!', release_year: 1990 }]);
    const file = await it.file('toys.csv', csv(['name', 'year'], rows));
    const { summary } = await it.import({ file, checkSimilar: true, run });
    expect(summary.rows).toMatchObject({ created: 3, skipped: 0 });
  });
});

/** Words of letters, the same in each run. */
function words(): (least: number, most: number) => string {
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  return (least, most) =>
    Array.from({ length: least + random(most - least) }, () => String.fromCharCode(97 + random(26))).join('');
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replace));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

it('finds an item whose brand the list leaves out, although few items have one', async () => {
  await using at = await openImport({ storing: { shortLists: true } });
  const ids = at.sandbox.control.insertItems(Array.from({ length: 160 }, (_, n) => ({ name: `T${n}` })));
  const reversed = (id: string) => [...id.toLowerCase()].reverse().join('');
  // A sample would not have these two.
  const pair = ids.toSorted((a, b) => (reversed(a) < reversed(b) ? -1 : 1)).slice(-2);
  await at.run(async ({ client }) => {
    for (const id of pair) await client.updateItem(id, { name: 'Twin', brand: 'Siku' });
  });
  at.sandbox.control.insertItems(Array.from({ length: 150 }, (_, n) => ({ name: `U${n}` })));
  const { groups } = await at.run(({ client }) => findDuplicates({ client, where: 'brand=Siku' }));
  expect(groups.map(({ items }) => items.map(({ name }) => name))).toEqual([['Twin', 'Twin']]);
  const file = await at.file('a.csv', csv(['name', 'brand'], [['Twin', 'Siku']]));
  const { exitCode, summary } = await at.import({ file, checkSimilar: true });
  expect([exitCode, summary.error?.code, summary.rows.created]).toEqual([2, 'similar_items', 0]);
});
