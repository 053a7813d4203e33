/** Items that people remove, add or change while a plan reads the list: nobody is taken for missing, or left out. */
import { nextText } from '../../src/cli/show/output.ts';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import type { Item } from '../../src/api/schemas.ts';
import { setItems } from '../../src/import/run.ts';
import { findDuplicates } from '../../src/import/similar/find-duplicates.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, QUIET_MS } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

/** Three pages. */
const ITEMS = 230;

/** Calls `what` after the first page 2 of the list was read, or after each. */
function afterPageTwo(what: () => unknown, each = false) {
  let done = false;
  return (client: ApiClient): ApiClient =>
    overriding(client, {
      listItems: async (options) => {
        const answer = await client.listItems(options);
        if (options?.page === 2 && (each || !done)) {
          done = true;
          await what();
        }
        return answer;
      },
    });
}

async function withItems(work: (it: OpenImport, ids: string[]) => Promise<void>): Promise<void> {
  await using it = await openImport();
  const seeds = Array.from({ length: ITEMS }, (_, index) => ({
    name: `T ${index}`,
    status: 'sell' as const,
    custom_fields: { sku: `S-${index}` },
  }));
  await work(it, it.sandbox.control.insertItems(seeds));
}

/** The same items again, as an upsert by their number. */
function upsert(it: OpenImport, wrap: (client: ApiClient) => ApiClient) {
  const rows = Array.from({ length: ITEMS }, (_, index) => [`T ${index}`, `S-${index}`]);
  return it.file('toys.csv', csv(['name', 'custom_fields.sku'], rows)).then((file) =>
    it.import(
      { file, mode: 'upsert', match: ['custom_fields.sku'], run: { yes: true } },
      // One page after another, as a list is read where the limit is tight.
      { wrap, client: { maxConcurrency: 1 } },
    ),
  );
}

/** Newest first: removing one that was read shifts the others by one place. */
const newest = (it: OpenImport): Item => it.items()[0] as Item;

describe('an upsert', () => {
  it('does not treat an item as missing because another item was removed meanwhile', () =>
    withItems(async (it) => {
      const gone = newest(it).id;
      const { summary, exitCode } = await upsert(
        it,
        afterPageTwo(() => it.sandbox.control.removeItem(gone)),
      );
      // The one that is gone is made again; no other has a second item.
      expect([exitCode, summary.rows]).toMatchObject([0, { unchanged: ITEMS - 1, created: 1 }]);
      expect(new Set(it.items().map(({ custom_fields }) => custom_fields?.['sku'])).size).toBe(ITEMS);
      expect(it.items()).toHaveLength(ITEMS);
    }));

  it('is parked if items are removed during every reading of the list, and a resume continues it', () =>
    withItems(async (it) => {
      const remove = () => it.sandbox.control.removeItem(newest(it).id);
      const { summary, exitCode, ...next } = await upsert(it, afterPageTwo(remove, true));
      expect([exitCode, summary.state]).toEqual([6, 'parked_unreachable']);
      expect(summary.error?.code).toBe('list_moved');
      expect(nextText(next, {})).toContain(`shelflift jobs resume ${summary.job}`);
      expect(it.sandbox.control.counts().byOperation.createItem).toBeUndefined();
      const left = it.items().length;
      const resumed = await it.resume(summary.job, { yes: true });
      expect([resumed.exitCode, resumed.summary.rows]).toMatchObject([
        0,
        { unchanged: left, created: ITEMS - left },
      ]);
      expect(it.items()).toHaveLength(ITEMS);
    }));
});

describe('set --status', () => {
  const set = (it: OpenImport, wrap: (client: ApiClient) => ApiClient) =>
    it.run(
      (deps) =>
        setItems(
          {
            changes: ['status=trade'],
            status: ['sell'],
            outDir: it.folder,
            run: { yes: true, quietPeriodMs: QUIET_MS },
          },
          deps,
        ),
      { wrap, client: { maxConcurrency: 1 } },
    );

  it('includes every item even if another item was sold meanwhile', () =>
    withItems(async (it) => {
      const sold = newest(it);
      const sell = () => it.run((deps) => deps.client.updateItem(sold.id, { status: 'sold' }));
      const { exitCode } = await set(it, afterPageTwo(sell));
      expect([0, 3]).toContain(exitCode);
      const statuses = it.items().flatMap(({ id, status }) => (id === sold.id ? [] : [status]));
      expect(statuses).toEqual(Array(ITEMS - 1).fill('trade'));
    }));

  it('reports that items may be missing if some are removed during every reading', () =>
    withItems(async (it) => {
      const remove = () => it.sandbox.control.removeItem(newest(it).id);
      await expect(set(it, afterPageTwo(remove, true))).rejects.toMatchObject({
        code: 'list_moved',
        exitCode: 3,
      });
      expect(it.sandbox.control.counts().byOperation.updateItem).toBeUndefined();
      expect(await it.ledger.jobs.list()).toEqual([]);
    }));
});

it('dupes lists each item once even if another item was removed meanwhile', () =>
  withItems(async (it) => {
    it.sandbox.control.insertItems([{ name: 'T 0' }]);
    const gone = newest(it).id;
    const wrap = afterPageTwo(() => it.sandbox.control.removeItem(gone));
    const { groups, items } = await it.run(({ client }) => findDuplicates({ client }), { wrap });
    expect([groups, items]).toEqual([[], ITEMS]);
  }));
