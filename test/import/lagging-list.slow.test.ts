/** A list that shows new items late: what is not in it may be there. */
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { NotFoundError } from '../../src/api/errors.ts';
import type { Clock } from '../../src/base/clock.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS, type RunSetting } from '../support/open-import.ts';
import { hastyClock, NO_LONGER_NEW_MS } from '../support/hasty-clock.ts';
import { overriding } from '../support/overriding.ts';
import { asWritten } from '../support/as-written.ts';

const LAG_MS = 1_500;
/** Less than the time for which an unknown id counts as that of a late item. */
const LATE_MS = 20_000;
const SKU = 'custom_fields.sku';
const UPSERT: Partial<ImportRequest> = { mode: 'upsert', match: [SKU] };

const notFound = () => new NotFoundError('not_found', asWritten('no such item'), { applied: 'no' });

async function toys(it: OpenImport, most = 12, name = 'toys.csv'): Promise<string> {
  const rows = Array.from({ length: most }, (_, index) => [`Toy ${index}`, `S${index}`]);
  return it.file(name, csv(['name', SKU], rows));
}

/** A server that also answers 404 for an item that its list does not show yet. */
function alsoLateById(it: OpenImport, clock: Clock): (client: ApiClient) => ApiClient {
  return (client) =>
    overriding(client, {
      getItem: (id, options) => {
        const made = it.items().find((item) => item.id === id)?.created_at ?? '';
        return clock.now() - Date.parse(made) < LATE_MS
          ? Promise.reject(notFound())
          : client.getItem(id, options);
      },
    });
}

describe('an upsert', () => {
  it('finds the items that the same upsert has just created', async () => {
    // Long enough for the second import to begin within it on a busy machine.
    await using it = await openImport({ listLagMs: 5_000 });
    const file = await toys(it);
    await it.import({ file, ...UPSERT });
    const notes: string[] = [];
    const { summary, exitCode } = await it.import(
      { file, ...UPSERT },
      { onEvent: (event) => (event.type === 'note' ? notes.push(event.message) : undefined) },
    );
    expect([exitCode, summary.rows]).toMatchObject([0, { unchanged: 12, created: 0 }]);
    expect(it.items()).toHaveLength(12);
    expect(notes.join()).toContain('does not yet show');
  });

  it('finds the items that an import without keys has just created', async () => {
    await using it = await openImport({ listLagMs: LAG_MS });
    const file = await toys(it);
    await it.import({ file });
    const { summary } = await it.import({ file, ...UPSERT });
    expect(summary.rows).toMatchObject({ unchanged: 12, created: 0 });
  });

  it('looks up each item that a person has removed only once', async () => {
    await using it = await openImport();
    const file = await toys(it);
    await it.import({ file, ...UPSERT });
    for (const { id } of it.items().slice(0, 3)) it.sandbox.control.removeItem(id);
    const asked = () => it.sandbox.control.counts().byOperation.getItem?.['404'] ?? 0;
    const rest = await toys(it, 9, 'rest.csv');
    const later = { clock: hastyClock(NO_LONGER_NEW_MS) };
    await it.import({ file: rest, ...UPSERT }, later);
    expect(asked()).toBe(3);
    await it.import({ file: rest, ...UPSERT }, later);
    expect(asked()).toBe(3);
  });

  it('looks up the few items that the list lacks, and does not read the whole list again for them', async () => {
    const readings = async (listLagMs: number) => {
      await using it = await openImport({ listLagMs });
      const long = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };
      const names = Array.from({ length: 250 }, (_, index) => `Old ${index}`);
      it.sandbox.control.insertItems(names.map((name) => ({ name, ...long })));
      const file = await toys(it);
      await it.import({ file, ...UPSERT });
      let read = 0;
      const { summary } = await it.import(
        { file, ...UPSERT },
        {
          wrap: (client) =>
            overriding(client, {
              listItems: (options) => {
                // Behind the end: each reading of the whole list looks there once.
                if (options?.page === 4) read += 1;
                return client.listItems(options);
              },
            }),
        },
      );
      expect(summary.rows).toMatchObject({ unchanged: 12, created: 0 });
      return read;
    };
    expect(await readings(LAG_MS)).toBe(await readings(0));
  });

  it('does not take a 404 as proof that a recent item is gone', async () => {
    await using it = await openImport({ listLagMs: LAG_MS });
    const file = await toys(it);
    const { summary: first } = await it.import({ file, ...UPSERT });
    const { apiUrl } = await it.ledger.jobs.find(first.job);
    await it.ledger.values.put('list-lag', [{ key: apiUrl, value: '30000' }]);
    let unknown = 12;
    const { summary } = await it.import(
      { file, ...UPSERT },
      {
        wrap: (client) =>
          overriding(client, {
            getItem: (...args) => {
              unknown -= 1;
              if (unknown < 0) return client.getItem(...args);
              throw notFound();
            },
          }),
      },
    );
    expect(summary.rows).toMatchObject({ unchanged: 12, created: 0 });
    expect(it.items()).toHaveLength(12);
  });

  it('does not take a 404 as proof that an item of the very first import is gone', async () => {
    const clock = hastyClock();
    await using it = await openImport({ listLagMs: LATE_MS, now: () => clock.now() });
    await it.import({ file: await toys(it), ...UPSERT }, { clock });
    const notes: string[] = [];
    const { summary, exitCode } = await it.import(
      { file: await toys(it, 13, 'more.csv'), ...UPSERT },
      {
        clock,
        onEvent: (event) => (event.type === 'note' ? notes.push(event.message) : undefined),
        wrap: alsoLateById(it, clock),
      },
    );
    expect([exitCode, summary.rows]).toMatchObject([0, { unchanged: 12, created: 1 }]);
    expect(it.items()).toHaveLength(13);
    expect(notes.join()).toContain(
      'The server does not show 12 items that shelflift has just created or changed, or shows outdated values.',
    );
    const { apiUrl } = await it.ledger.jobs.find(summary.job);
    expect(Number(await it.ledger.values.get('list-lag', apiUrl))).toBeGreaterThanOrEqual(LATE_MS);
  });

  it('counts a new item as deleted a minute after its creation, and learns no lag from it', async () => {
    const clock = hastyClock();
    await using it = await openImport({ now: () => clock.now() });
    await it.import({ file: await toys(it), ...UPSERT }, { clock });
    for (const { id } of it.items().slice(0, 3)) it.sandbox.control.removeItem(id);
    const begun = clock.monotonic();
    const { summary } = await it.import({ file: await toys(it, 12, 'again.csv'), ...UPSERT }, { clock });
    expect(summary.rows).toMatchObject({ unchanged: 9, created: 3 });
    expect(clock.monotonic() - begun).toBeGreaterThan(50_000);
    const { apiUrl } = await it.ledger.jobs.find(summary.job);
    expect(await it.ledger.values.get('list-lag', apiUrl)).toBeUndefined();
  });

  it('sends nothing while the list lacks more than a hundred items, and stops after ten minutes', async () => {
    await using it = await openImport({ listLagMs: 3_600_000 });
    const file = await toys(it, 101);
    await it.import({ file, ...UPSERT });
    const { summary, exitCode } = await it.import({ file, ...UPSERT }, { clock: hastyClock() });
    expect([exitCode, summary.state, summary.error?.code]).toEqual([6, 'parked_unreachable', 'list_lags']);
    expect(it.items()).toHaveLength(101);
    it.sandbox.control.setListLag(0);
    expect((await it.resume(summary.job)).summary.rows).toMatchObject({ unchanged: 101, created: 0 });
  });

  it('remembers an item that the list never shows, and waits for it only once, for ten minutes', async () => {
    await using it = await openImport();
    const file = await toys(it);
    await it.import({ file, ...UPSERT });
    const hidden = it.items().find(({ name }) => name === 'Toy 11')?.id;
    const clock = hastyClock();
    const upsert = () =>
      it.import(
        { file, ...UPSERT },
        {
          clock,
          wrap: (client) =>
            overriding(client, {
              listItems: async (...args) => {
                const answer = await client.listItems(...args);
                const data = answer.value.data.filter(({ id }) => id !== hidden);
                return { ...answer, value: { ...answer.value, data } };
              },
            }),
        },
      );
    const first = await upsert();
    expect([first.exitCode, first.summary.rows]).toMatchObject([0, { unchanged: 12, created: 0 }]);
    const before = clock.monotonic();
    const again = await upsert();
    expect([again.exitCode, again.summary.rows]).toMatchObject([0, { unchanged: 12, created: 0 }]);
    expect(clock.monotonic() - before).toBeLessThan(300_000);
  });
});

it('the longest lag so far is remembered', async () => {
  await using it = await openImport({ listLagMs: LAG_MS });
  const file = await toys(it);
  const { summary } = await it.import({ file, ...UPSERT });
  const { apiUrl } = await it.ledger.jobs.find(summary.job);
  await it.ledger.values.put('list-lag', [{ key: apiUrl, value: '599000' }]);
  await it.import({ file, ...UPSERT });
  expect(await it.ledger.values.get('list-lag', apiUrl)).toBe('599000');
});

describe('a create whose answer was lost', () => {
  it('is looked up until the list shows the items that were acknowledged after it', async () => {
    await using it = await openImport({ listLagMs: LAG_MS });
    const file = await toys(it);
    const { summary: first } = await it.import({ file, run: { first: 11 } });
    it.sandbox.control.failNext('dropAfterCommit', 'createItem');
    const { summary, exitCode } = await it.resume(first.job);
    expect([exitCode, summary.rows]).toMatchObject([0, { created: 12, held: 0 }]);
    expect(it.items()).toHaveLength(12);
  });

  it('is found even if it was applied late, after another create was acknowledged', async () => {
    await using it = await openImport({ listLagMs: LAG_MS, faults: { lateCommitMs: 40 } });
    const long = '2026-01-01T00:00:00.000Z';
    it.sandbox.control.insertItems([{ name: 'Old', created_at: long, updated_at: long }]);
    const file = await toys(it, 2);
    let sent = 0;
    const { summary } = await it.import(
      { file, run: { quietPeriodMs: 200 } },
      {
        wrap: (client) =>
          overriding(client, {
            createItem: (...args) => {
              sent += 1;
              if (sent === 2) it.sandbox.control.failNext('lateCommit', 'createItem');
              return client.createItem(...args);
            },
          }),
      },
    );
    expect(summary.rows).toMatchObject({ created: 2, held: 0 });
    expect(it.items()).toHaveLength(3);
  });

  it('is looked up repeatedly for as long as the longest lag of the list so far', async () => {
    await using it = await openImport({ listLagMs: LAG_MS });
    const file = await toys(it);
    await it.import({ file, ...UPSERT });
    await it.import({ file, ...UPSERT });
    it.sandbox.control.failNext('dropAfterCommit', 'createItem');
    const one = await it.file('one.csv', csv(['name'], [['Robot']]));
    const { summary } = await it.import({ file: one });
    expect(summary.rows).toMatchObject({ created: 1 });
    expect(it.items()).toHaveLength(13);
  });

  it('is held if the list does not show the other items within ten minutes', async () => {
    await using it = await openImport({ listLagMs: 3_600_000 });
    const file = await toys(it);
    const { summary: first } = await it.import({ file, run: { first: 11 } });
    it.sandbox.control.failNext('dropAfterCommit', 'createItem');
    const { summary, exitCode } = await it.resume(first.job, {}, { clock: hastyClock() });
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 11, held: 1 }]);
    const [held] = await it.ledger.rows.list(first.job, { states: ['held'], limit: 1 });
    expect(held?.issues[0]?.code).toBe('list_lags');
    expect(it.items()).toHaveLength(12);
  });
});

it('a list is still known to lag after a job of another team at the same address', async () => {
  await using it = await openImport({ listLagMs: LAG_MS });
  const file = await toys(it);
  await it.import({ file, ...UPSERT });
  const team = it.sandbox.control.addTeam({ name: 'Other' });
  const key = it.sandbox.control.addKey(undefined, team.id).secret;
  await it.import({ file: await toys(it, 2, 'other.csv'), ...UPSERT }, { client: { key } });
  const { summary } = await it.import({ file, ...UPSERT });
  expect(summary.rows).toMatchObject({ unchanged: 12, created: 0 });
  expect(it.items()).toHaveLength(12);
});

it('a change of a selection includes items that the list does not show yet', async () => {
  await using it = await openImport({ listLagMs: LAG_MS });
  await it.import({ file: await toys(it) });
  const { summary } = await it.run((deps) =>
    setItems({ changes: ['status=sell'], collection: 'Main', outDir: it.folder }, deps),
  );
  expect(summary.rows).toMatchObject({ updated: 12 });
});

it('a change of many items includes late items once the list shows them', async () => {
  await using it = await openImport({ listLagMs: LAG_MS });
  await it.import({ file: await toys(it, 120) });
  const { summary } = await it.run((deps) =>
    setItems({ changes: ['status=sell'], collection: 'Main', outDir: it.folder, run: { yes: true } }, deps),
  );
  expect(summary.rows).toMatchObject({ read: 120, updated: 120 });
});

it('--check-similar also compares rows with items that the list does not show yet', async () => {
  await using it = await openImport({ listLagMs: LAG_MS });
  await it.import({ file: await it.file('a.csv', 'Name,Brand\nToy 1,Acme\nToy 2,Acme\n') });
  const { summary } = await it.import({
    file: await it.file('b.csv', 'Title,Maker\ntoy 1,ACME\n'),
    checkSimilar: true,
    run: { similar: 'skip', onlyNew: true },
  });
  expect(summary.rows).toMatchObject({ created: 0, skipped: 1 });
});

describe('an undo of an item that may appear late', () => {
  const RUN = { quietPeriodMs: QUIET_MS };

  it.each([{}, { rows: [{ from: 2, to: 4 }] }])('holds the item, then takes it back: %j', async (part) => {
    await using it = await openImport();
    const { summary: made } = await it.import({ file: await toys(it, 3) });
    const late = it.items()[1]?.id ?? '';
    const { apiUrl } = await it.ledger.jobs.find(made.job);
    await it.ledger.values.put('list-lag', [{ key: apiUrl, value: '600000' }]);
    const hidden: RunSetting = {
      clock: hastyClock(),
      wrap: (client) =>
        overriding(client, {
          getItem: (id, options) => (id === late ? Promise.reject(notFound()) : client.getItem(id, options)),
        }),
    };
    const undone = await it.run((deps) => undoJob(made.job, deps, { ...part, run: RUN }), hidden);
    expect([undone.exitCode, undone.summary.rows]).toMatchObject([3, { updated: 2, held: 1 }]);
    const undo = undone.summary.job;
    const [held] = await it.ledger.rows.list(undo, { states: ['held'], limit: 2 });
    await it.run((deps) => resolveRow(undo, held?.sheetRow ?? 0, { as: 'retry' }, deps));
    const later = await it.resume(undo, { yes: true });
    expect([later.exitCode, later.summary.rows]).toMatchObject([0, { updated: 3, held: 0 }]);
    expect(it.items().every(({ status }) => status === 'archived')).toBe(true);
  });

  it('waits while the item is new', async () => {
    const clock = hastyClock();
    await using it = await openImport({ now: () => clock.now() });
    const { summary: made } = await it.import({ file: await toys(it, 3) }, { clock });
    const undone = await it.run((deps) => undoJob(made.job, deps, { run: RUN }), {
      clock,
      wrap: alsoLateById(it, clock),
    });
    expect([undone.exitCode, undone.summary.rows]).toMatchObject([0, { updated: 3, skipped: 0, held: 0 }]);
  });

  it('treats a 404 as a deletion once the item is no longer new', async () => {
    await using it = await openImport();
    const { summary: made } = await it.import({ file: await toys(it, 3) });
    it.sandbox.control.removeItem(it.items()[1]?.id ?? '');
    const clock = hastyClock(NO_LONGER_NEW_MS);
    const undone = await it.run((deps) => undoJob(made.job, deps, { run: RUN }), { clock });
    expect([undone.exitCode, undone.summary.rows]).toMatchObject([0, { updated: 2, skipped: 1 }]);
  });
});
