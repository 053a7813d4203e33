/** Creates whose answers were lost: an item belongs to its row for certain, or a person decides. */
import { describe, expect, it } from 'vitest';
import type { ImportEvent } from '../../src/import/job/events.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

const SERIAL = 'custom_fields.serial';
const STAMP = 'custom_fields.stamp';

/** Twelve rows that differ in one field: six are sent, and the answers of the next two are lost. */
async function loseTwo(it: OpenImport, field: string, value: (row: number) => string): Promise<JobOutcome> {
  const rows = Array.from({ length: 12 }, (_, index) => ['Toy', value(index)]);
  const file = await it.file('toys.csv', csv(['name', field], rows));
  const { summary } = await it.import({ file, run: { first: 6, allRows: true } });
  it.sandbox.control.failNext('dropBefore', 'createItem');
  it.sandbox.control.failNext('dropAfterCommit', 'createItem');
  return it.resume(summary.job);
}

describe('rows that differ only in a field that the server changes', () => {
  it.each<[string, SandboxOptions, string, (row: number) => string]>([
    ['a brand in capitals', { storing: { raiseBrands: true } }, 'brand', (row) => `Maker ${row + 10}`],
    [
      'text that is truncated',
      { storing: { cutCustomFields: true } },
      SERIAL,
      (row) => `S${row + 10}-LONGER-TEXT`,
    ],
    ['a field that the server adds', { storing: { addCustomField: true } }, SERIAL, (row) => `S${row + 10}`],
    ['text that is escaped', { storing: { escapeTexts: true } }, SERIAL, (row) => `S${row + 10} & more`],
  ])('are each matched to their own item: %s', async (_, options, field, value) => {
    await using it = await openImport(options);
    const { summary, exitCode } = await loseTwo(it, field, value);
    const isCut = options.storing?.cutCustomFields === true;
    expect([exitCode, summary.rows]).toMatchObject([isCut ? 3 : 0, { created: 12, held: 0 }]);
    // Those whose answers were lost are among them.
    expect(summary.notKept).toEqual(
      isCut ? [expect.objectContaining({ field: SERIAL, rows: 12 })] : undefined,
    );
    const own = it
      .items()
      .map((item) => String(field === 'brand' ? item.brand : item.custom_fields?.['serial']));
    expect(new Set(own).size).toBe(12);
    for (const row of await it.ledger.rows.list(summary.job, { limit: 20 })) {
      const item = it.items().find(({ id }) => id === row.itemId);
      const kept = String(field === 'brand' ? item?.brand : item?.custom_fields?.['serial']);
      expect(kept).toContain(String(row.ordinal + 9));
    }
  });

  it('rows whose text is equal after truncation are both held', async () => {
    await using it = await openImport({ storing: { cutCustomFields: true } });
    const { summary, exitCode } = await loseTwo(it, SERIAL, (row) => `SERIAL-NUMBER-${row}`);
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 10, held: 2 }]);
    expect(it.items()).toHaveLength(11);
  });

  it.each<[string, SandboxOptions['storing']]>([
    ['brand', { raiseBrands: true }],
    [SERIAL, { cutCustomFields: true }],
    [SERIAL, { addCustomField: true }],
    ['brand', { escapeTexts: true, addCustomField: true }],
  ])(
    'many lost answers of rows with a different %s, %j, create no duplicates, and no row is lost unnoticed',
    async (field, storing = {}) => {
      const operations = ['createItem' as const];
      const faults = { dropBefore: 0.04, dropAfterCommit: 0.04, operations };
      await using it = await openImport({ storing, faultSeed: 7, faults });
      const rows = Array.from({ length: 300 }, (_, index) => ['Toy', `M${index + 100} & Co of the world`]);
      const file = await it.file('toys.csv', csv(['name', field], rows));
      const { summary } = await it.import({ file });
      const own = it
        .items()
        .map((item) => String(field === 'brand' ? item.brand : item.custom_fields?.['serial']));
      expect(new Set(own).size).toBe(own.length);
      expect(summary.rows.created + summary.rows.held).toBe(300);
      expect(own.length).toBeGreaterThanOrEqual(summary.rows.created);
      expect(summary.rows.held).toBeLessThan(15);
    },
  );
});

describe('a lost item that somebody has edited before it is looked up', () => {
  it.each<[string, (it: OpenImport) => object]>([
    ['renamed', () => ({ name: 'Something else' })],
    ['moved', (it) => ({ collection_id: it.sandbox.control.addCollection('Attic').id })],
    [
      'renamed and moved',
      (it) => ({ name: 'Else', collection_id: it.sandbox.control.addCollection('Attic').id, brand: 'Other' }),
    ],
  ])('causes its row to be held: %s', async (_, edit) => {
    await using it = await openImport();
    const rows = Array.from({ length: 12 }, (__, index) => [`Toy ${index}`, 'Acme']);
    const file = await it.file('toys.csv', csv(['name', 'brand'], rows));
    const { summary: first } = await it.import({ file, run: { first: 11 } });
    it.sandbox.control.failNext('dropAfterCommit', 'createItem');
    const stop = new AbortController();
    const onEvent = (event: ImportEvent) => (event.type === 'settling' ? stop.abort() : undefined);
    await it.resume(first.job, { quietPeriodMs: 60_000 }, { signal: stop.signal, onEvent });
    const lost = it.items().find(({ name }) => name === 'Toy 11');
    await it.run(({ client }) => client.updateItem(lost?.id ?? '', edit(it)));
    const { summary, exitCode } = await it.resume(first.job);
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 11, held: 1 }]);
    expect(it.items()).toHaveLength(12);
    const [held] = await it.ledger.rows.list(first.job, { states: ['held'], limit: 1 });
    expect(held?.issues[0]?.candidates).toMatchObject([{ id: lost?.id }]);
  });

  it('is not used to measure the time differences of unedited items', async () => {
    await using it = await openImport();
    const rows = [['Robot', 'Acme', 'A']];
    const file = await it.file('toys.csv', csv(['name', 'brand', 'custom_fields.sku'], rows));
    it.sandbox.control.failNext('dropAfterCommit', 'createItem');
    const stop = new AbortController();
    const { summary } = await it.import(
      { file, mode: 'upsert', match: ['custom_fields.sku'], run: { quietPeriodMs: 60_000 } },
      {
        signal: stop.signal,
        onEvent: (event) => (event.type === 'settling' ? stop.abort() : undefined),
      },
    );
    const [made] = it.items();
    await until(() => Date.now() > Date.parse(made?.created_at ?? '') + 20);
    await it.run(({ client }) => client.updateItem(made?.id ?? '', { brand: 'ACME' }));
    expect((await it.resume(summary.job)).summary.rows).toMatchObject({ created: 1, held: 0 });
    const { learned } = await it.ledger.jobs.find(summary.job);
    expect(learned.server).toMatchObject({ acknowledged: true, touchedMs: 0 });
  });
});

it('an unedited item that somebody else created does not hold a row whose answer was lost', async () => {
  await using it = await openImport();
  const rows = Array.from({ length: 12 }, (_, index) => [`Toy ${index}`, 'Acme']);
  const file = await it.file('toys.csv', csv(['name', 'brand'], rows));
  const { summary: first } = await it.import({ file, run: { first: 11 } });
  it.sandbox.control.failNext('dropBefore', 'createItem');
  const { summary, exitCode } = await it.resume(
    first.job,
    {},
    {
      onEvent: (event) => {
        if (event.type === 'settling' && it.items().length === 11)
          it.sandbox.control.insertItems([{ name: 'Kettle' }]);
      },
    },
  );
  expect([exitCode, summary.rows]).toMatchObject([0, { created: 12, held: 0 }]);
  expect(it.items()).toHaveLength(13);
});

it.each<[string, object]>([
  ['of another name', { name: 'Robot of theirs' }],
  ['of the same name', { brand: 'Theirs' }],
])('the first create of a store is held if an item with its key has other values: %s', async (_, theirs) => {
  await using it = await openImport();
  const sent = { name: 'Robot', brand: 'Acme', custom_fields: { sku: 'A' } };
  const rows = [[sent.name, sent.brand, 'A']];
  const file = await it.file('toys.csv', csv(['name', 'brand', 'custom_fields.sku'], rows));
  it.sandbox.control.failNext('dropBefore', 'createItem');
  const { summary, exitCode } = await it.import(
    { file, mode: 'upsert', match: ['custom_fields.sku'] },
    {
      onEvent: ({ type }) => {
        // Another store of the team has sent the same key meanwhile.
        if (type === 'settling' && it.items().length === 0)
          it.sandbox.control.insertItems([{ ...sent, ...theirs }]);
      },
    },
  );
  expect([exitCode, summary.rows]).toMatchObject([3, { created: 0, held: 1 }]);
  const [held] = await it.ledger.rows.list(summary.job, { states: ['held'], limit: 1 });
  expect(held?.issues[0]).toMatchObject({
    code: 'doubtful_match',
    candidates: [{ id: it.items()[0]?.id }],
  });
});

it('an item that somebody else created with the key of a lost row is not matched to that row', async () => {
  await using it = await openImport();
  const rows = [
    ['Robot', 'sold', 'A'],
    ['Bear', 'sold', 'B'],
  ];
  const file = await it.file('toys.csv', csv(['name', 'status', 'custom_fields.sku'], rows));
  let sent = 0;
  const { summary, exitCode } = await it.import(
    { file, mode: 'upsert', match: ['custom_fields.sku'] },
    {
      wrap: (client) =>
        overriding(client, {
          createItem: (...args) => {
            sent += 1;
            if (sent === 2) {
              it.sandbox.control.failNext('dropBefore', 'createItem');
              it.sandbox.control.insertItems([{ name: 'Bear', custom_fields: { sku: 'B' } }]);
            }
            return client.createItem(...args);
          },
        }),
    },
  );
  expect([exitCode, summary.rows]).toMatchObject([3, { created: 1, held: 1 }]);
  expect(it.items()).toHaveLength(2);
});

describe('--stamp', () => {
  it.each<[string, SandboxOptions]>([
    ['cuts', { storing: { cutCustomFields: true } }],
    ['drops', { storing: { dropCustomFields: true } }],
  ])('finds lost items by their other fields on a server that %s the stamp', async (_, options) => {
    await using it = await openImport(options);
    const request: Omit<ImportRequest, 'file'> = { stamp: STAMP };
    const rows = Array.from({ length: 12 }, (__, index) => [`Toy ${index}`]);
    const file = await it.file('toys.csv', csv(['name'], rows));
    const { summary: first } = await it.import({ file, ...request, run: { first: 6 } });
    for (let lost = 0; lost < 3; lost += 1) it.sandbox.control.failNext('dropAfterCommit', 'createItem');
    const { summary, exitCode } = await it.resume(first.job);
    expect([exitCode, summary.rows]).toMatchObject([0, { created: 12, held: 0 }]);
    expect(it.items()).toHaveLength(12);
  });

  it('proves nothing by its absence on a server that may drop custom fields', async () => {
    await using it = await openImport({ storing: { dropCustomFields: true } });
    it.sandbox.control.failNext('dropAfterCommit', 'createItem');
    const file = await it.file('toys.csv', csv(['name'], [['Robot'], ['Bear']]));
    const { summary } = await it.import({ file, stamp: STAMP });
    expect(summary.rows).toMatchObject({ created: 2 });
    expect(it.items()).toHaveLength(2);
  });
});

it('a job whose resend may have created a duplicate ends with exit code 3, as does showing the job later', async () => {
  await using it = await openImport({ faults: { lateCommitMs: 1_000 } });
  it.sandbox.control.failNext('lateCommit', 'createItem');
  const file = await it.file('toys.csv', csv(['name'], [['Robot']]));
  const { summary, exitCode } = await it.import(
    { file },
    {
      wrap: (client) => {
        let made = 0;
        return overriding(client, {
          createItem: async (...args) => {
            const answer = await client.createItem(...args);
            made += 1;
            return answer;
          },
          listItems: async (options) => {
            // Looked for only once the first request has had its effect, too late.
            if (made > 0) await until(() => it.items().length === 2);
            return client.listItems(options);
          },
        });
      },
    },
  );
  expect([exitCode, summary.state, summary.doubles?.length]).toEqual([3, 'done', 1]);
  const shown = await it.run((deps) => showJob(summary.job, deps));
  expect([shown.exitCode, shown.summary.doubles]).toEqual([3, summary.doubles]);
  expect((await it.resume(summary.job)).exitCode).toBe(3);
});

it('server changes revealed by two simultaneous answers are both remembered', async () => {
  await using it = await openImport({ storing: { roundValues: true, sortTags: true } });
  const rows = [
    ['Robot', 'a', '1'],
    ['Bear', 'a', '12.345'],
    ['Ball', 'b;a', '2'],
  ];
  const file = await it.file('toys.csv', csv(['name', 'tags', 'estimated_value'], rows));
  const answered = Promise.withResolvers<void>();
  let answers = 0;
  const { values } = it.ledger;
  // Storing what the first one shows takes until the second is there.
  const ledger = overriding(it.ledger, {
    values: overriding(values, {
      get: async (space, key) => {
        if (space === 'server-changes' && answers > 1) await answered.promise;
        return values.get(space, key);
      },
    }),
  });
  const { summary } = await it.import(
    { file, decimal: 'point' },
    {
      ledger,
      wrap: (client) =>
        overriding(client, {
          createItem: async (...args) => {
            const answer = await client.createItem(...args);
            answers += 1;
            if (answers === 3) answered.resolve();
            return answer;
          },
        }),
    },
  );
  const { learned } = await it.ledger.jobs.find(summary.job);
  expect(learned.server?.changes.toSorted()).toEqual(['round2', 'tag_order']);
});
