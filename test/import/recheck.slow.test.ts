/** `--recheck`: no update leaves on values that were read too long ago. */
import { expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { NotFoundError } from '../../src/api/errors.ts';
import { systemClock } from '../../src/base/clock.ts';
import { planReport } from '../../src/import/review/plan-report.ts';
import { setItems } from '../../src/import/run.ts';
import { asWritten } from '../support/as-written.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport, type RunSetting } from '../support/open-import.ts';

/** After the given PATCH was answered, the monotonic clock goes on by so much. */
function lateFrom(patch: number, ms: number, then: () => Promise<void>): RunSetting {
  let late = 0;
  let patches = 0;
  let gate = Promise.resolve();
  return {
    clock: { ...systemClock, monotonic: () => performance.now() + late },
    client: { maxConcurrency: 1 },
    wrap: (client) => {
      const send = client.updateItem.bind(client);
      client.updateItem = async (id, update, options) => {
        await gate;
        const answer = await send(id, update, options);
        patches += 1;
        if (patches === patch) {
          // What has its permit already waits meanwhile.
          gate = then().then(() => {
            late += ms;
          });
          await gate;
        }
        return answer;
      };
      return client;
    },
  };
}

async function sixItems(
  it: OpenImport,
  columns = ['brand', 'custom_fields.shelf'],
): Promise<{ ids: string[]; file: string }> {
  const ids = it.sandbox.control.insertItems(
    Array.from({ length: 6 }, (_, index) => ({
      name: `Toy ${index}`,
      brand: 'Old',
      custom_fields: { shelf: 'A' },
    })),
  );
  const lines = ids.map((id) => [id, 'New', 'B'].slice(0, columns.length + 1));
  return { ids, file: await it.file('u.csv', csv(['id', ...columns], lines)) };
}

it('an import rereads items whose values are older than --recheck, and holds items that somebody changed', async () => {
  await using it = await openImport();
  const { ids, file } = await sixItems(it);
  const [edited = '', other = ''] = ids.slice(4);
  await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  const { summary, exitCode } = await it.import(
    { file, mode: 'update' },
    lateFrom(2, 61_000, async () => {
      await somebody.updateItem(edited, { brand: 'Theirs' });
      await somebody.updateItem(other, { custom_fields: { shelf: 'A', theirs: 1 }, series: 'Theirs' });
    }),
  );
  expect([exitCode, summary.rows]).toMatchObject([3, { updated: 5, held: 1 }]);
  const item = (id: string) => it.items().find((each) => each.id === id);
  expect(item(edited)).toMatchObject({ brand: 'Theirs', custom_fields: { shelf: 'A' } });
  // Fields that the rows do not name are no drift, and survive.
  expect(item(other)).toMatchObject({
    brand: 'New',
    series: 'Theirs',
    custom_fields: { shelf: 'B', theirs: 1 },
  });
});

it('--recheck=never rereads nothing, and --recheck=60s rereads each row that is unsent after 61 s', async () => {
  for (const [recheckMs, least, most] of [
    [Number.POSITIVE_INFINITY, 0, 0],
    [60_000, 3, 4],
  ] as const) {
    await using it = await openImport();
    const { file } = await sixItems(it, ['brand']);
    it.sandbox.control.resetCounts();
    const late = lateFrom(2, 61_000, async () => {});
    const { summary } = await it.import({ file, mode: 'update', run: { recheckMs } }, late);
    expect(summary.rows).toMatchObject({ updated: 6 });
    // Six for the plan. The third row may have had its permit already.
    const reads = (it.sandbox.control.counts().byOperation.getItem?.['200'] ?? 0) - 6;
    expect(reads).toBeGreaterThanOrEqual(least);
    expect(reads).toBeLessThanOrEqual(most);
  }
});

it('--recheck=0s reads each item right before it is changed', async () => {
  await using it = await openImport();
  const { ids, file } = await sixItems(it);
  const requests: string[] = [];
  const { summary } = await it.import(
    { file, mode: 'update', run: { recheckMs: 0 } },
    {
      client: {
        maxConcurrency: 1,
        onRequest: ({ method, path }) => {
          requests.push(`${method} ${path}`);
        },
      },
    },
  );
  expect(summary.rows).toMatchObject({ updated: 6 });
  for (const id of ids) {
    const written = requests.indexOf(`PATCH /items/${id}`);
    expect(written).toBeGreaterThan(0);
    expect(written - requests.lastIndexOf(`GET /items/${id}`)).toBeLessThanOrEqual(3);
  }
});

it.each([
  // 400 changes take 80 s, so some outlive their reading.
  ['5 a second', 200, 4 + 4],
  // A page of 100 is not sent within a minute: it is read twice.
  ['1.25 a second', 800, 4 + 3 * 4],
])('a job of 400 rows in random order at %s rereads pages, not single items', async (_, everyMs, pages) => {
  await using it = await openImport({ seed: 7, seedItems: 400 });
  const ids = it.items().map((item) => item.id);
  const lines = ids.map((_id, index) => [ids[(index * 7919) % ids.length] ?? '', 'Changed']);
  const file = await it.file('u.csv', csv(['id', 'brand'], lines));
  it.sandbox.control.resetCounts();
  let late = 0;
  const { summary } = await it.import(
    { file, mode: 'update', collection: 'Trains', run: { yes: true } },
    {
      clock: { ...systemClock, monotonic: () => performance.now() + late },
      client: { maxConcurrency: 1 },
      wrap: (client) => {
        const send = client.updateItem.bind(client);
        client.updateItem = (id, update, options) => {
          late += everyMs;
          return send(id, update, options);
        };
        return client;
      },
    },
  );
  expect(summary.rows).toMatchObject({ updated: 400 });
  const { byOperation } = it.sandbox.control.counts();
  // And the head of the list; a few rows may be left over and read one by one.
  expect(byOperation.listItems?.['200']).toBeLessThanOrEqual(pages + 6);
  expect(byOperation.getItem?.['200'] ?? 0).toBeLessThanOrEqual(20);
});

it('--on-drift overwrite keeps tags that somebody has added or removed meanwhile', async () => {
  await using it = await openImport();
  const [id = ''] = it.sandbox.control.insertItems([{ name: 'a', tags: ['old', 'worn'] }]);
  const file = await it.file('t.csv', csv(['id'], [[id]]));
  const dry = await it.run((deps) =>
    setItems({ changes: ['tags+=boxed', 'tags-=worn'], idsFrom: file, dryRun: true }, deps),
  );
  await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  await somebody.updateItem(id, { tags: ['worn', 'theirs'] });
  const { summary } = await it.apply(dry.summary.job, { onDrift: 'overwrite' });
  expect(summary.rows).toMatchObject({ updated: 1 });
  expect(it.items()[0]?.tags).toEqual(['theirs', 'boxed']);
});

it('the last few rows of a long job are each sent once, however far apart they are in the list', async () => {
  await using it = await openImport();
  const ids = it.sandbox.control.insertItems(
    Array.from({ length: 240 }, (_, index) => ({ name: `Toy ${index}`, brand: 'Old' })),
  );
  const lines = ids.map((id) => [id, 'New']);
  const file = await it.file('u.csv', csv(['id', 'brand'], lines));
  const { summary } = await it.import({ file, mode: 'update', dryRun: true });
  const isLeft = (ordinal: number) => ordinal % 20 === 1 || ordinal % 20 === 6;
  await it.ledger.rows.move(
    summary.job,
    ids.flatMap((_, index) =>
      isLeft(index + 1) ? [] : [{ ordinal: index + 1, from: 'planned' as const, to: 'skipped' as const }],
    ),
  );
  // Another process has read no item yet: the rows are loaded again by the pages that show them.
  const end = await it.apply(summary.job);
  expect(end.summary).toMatchObject({ state: 'done', rows: { updated: 24, skipped: 216, pending: 0 } });
  expect(it.items().filter(({ brand }) => brand === 'New')).toHaveLength(24);
});

it.each([[undefined], [Number.POSITIVE_INFINITY]])(
  'tags and custom fields that a person adds while a job writes others are kept, with --recheck %s',
  async (recheckMs) => {
    await using it = await openImport();
    const ids = it.sandbox.control.insertItems(
      Array.from({ length: 24 }, (_, index) => ({
        name: `Toy ${index}`,
        tags: ['old'],
        custom_fields: { shelf: 'A' },
      })),
    );
    const file = await it.file('ids.txt', ids.join('\n'));
    await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
    const { summary, exitCode } = await it.run(
      (deps) =>
        setItems(
          {
            changes: ['custom_fields.shelf=B', 'tags+=checked'],
            idsFrom: file,
            run: recheckMs === undefined ? {} : { recheckMs },
          },
          deps,
        ),
      lateFrom(1, 2_000, async () => {
        for (const item of it.items()) {
          if (item.custom_fields?.['shelf'] !== 'A') continue;
          await somebody.updateItem(item.id, {
            tags: ['old', 'theirs'],
            custom_fields: { shelf: 'A', theirs: 1 },
          });
        }
      }),
    );
    expect([exitCode, summary.rows.updated]).toEqual([0, 24]);
    const kept = it.items().filter(({ custom_fields: fields }) => fields?.['theirs'] === 1);
    expect(kept.length).toBeGreaterThanOrEqual(22);
    for (const item of kept)
      expect(item).toMatchObject({
        tags: ['old', 'theirs', 'checked'],
        custom_fields: { shelf: 'B', theirs: 1 },
      });
  },
);

it('the plan counts one read for each item whose tags or custom fields change', async () => {
  await using it = await openImport();
  const { file } = await sixItems(it);
  const { summary } = await it.import({ file, mode: 'update', dryRun: true });
  const job = await it.ledger.jobs.find(summary.job);
  for (const recheckMs of [60_000, Number.POSITIVE_INFINITY])
    expect((await planReport(job, it.ledger, undefined, { recheckMs })).requests.recheck).toBe(6);
});

it('a row whose item one server does not know for a moment is refused, and an edit of the item stays', async () => {
  await using it = await openImport();
  const [id = ''] = it.sandbox.control.insertItems([{ name: 'A', brand: 'A', series: 'first' }]);
  const request = { changes: ['series=planned'], where: 'brand=A', dryRun: true, outDir: it.folder };
  const { summary } = await it.run((deps) => setItems(request, deps));
  await it.run(({ client }) => client.updateItem(id, { series: 'edited by a person' }));
  let isKnown = false;
  const sent = await it.apply(
    summary.job,
    { recheckMs: 0 },
    {
      wrap: (client) => {
        const getItem = client.getItem.bind(client);
        client.getItem = (...args) => {
          if (isKnown) return getItem(...args);
          isKnown = true;
          throw new NotFoundError('not_found', asWritten('No such item.'), { applied: 'no' });
        };
        return client;
      },
    },
  );
  expect([sent.exitCode, sent.summary.rows]).toMatchObject([3, { refused: 1, updated: 0 }]);
  expect(it.items()[0]?.series).toBe('edited by a person');
});
