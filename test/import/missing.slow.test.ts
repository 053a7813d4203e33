/** `--missing archive`: what a collection has and a complete file no longer has is archived, or nothing at all. */
import { describe, expect, it } from 'vitest';
import type { ItemUpdate } from '../../src/api/schemas.ts';
import type { ImportRequest, RunOptions } from '../../src/import/job/options.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { changeRows } from '../../src/import/review/change-rows.ts';
import { undoJob } from '../../src/import/run.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { exportItems } from '../../src/export/export.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { csv, parseCsv } from '../support/csv.ts';
import * as fc from '../support/fast-check.ts';
import { type OpenImport, openImport, QUIET_MS, type RunSetting } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const HEADERS = ['SKU', 'name', 'status'];

const toy = (sku: string, over: object = {}) => ({
  name: `Toy ${sku}`,
  status: 'sell' as const,
  custom_fields: { sku },
  ...over,
});

/** Items A0 … in Main. */
function stock(open: OpenImport, count: number): string[] {
  return open.sandbox.control.insertItems(Array.from({ length: count }, (_, index) => toy(`A${index}`)));
}

const rowsOf = (skus: readonly string[]) => skus.map((sku) => [sku, `Toy ${sku}`, 'sell']);
const skus = (count: number, from = 0) =>
  Array.from({ length: count - from }, (_, index) => `A${index + from}`);

async function sync(
  open: OpenImport,
  rows: readonly (readonly string[])[],
  more: Partial<ImportRequest> = {},
  setting: RunSetting = {},
) {
  const file = await open.file('stock.csv', csv(HEADERS, rows));
  return open.import(
    {
      file,
      mode: 'upsert',
      map: { 'custom_fields.sku': 'SKU' },
      match: ['custom_fields.sku'],
      missing: 'archive',
      ...more,
    },
    setting,
  );
}

const edit = (open: OpenImport, id: string | undefined, change: ItemUpdate) =>
  open.run(({ client }) => client.updateItem(id ?? '', change));

const status = (open: OpenImport, id: string | undefined) =>
  open.items().find((each) => each.id === id)?.status;

const archived = (open: OpenImport) =>
  open
    .items()
    .filter((each) => each.status === 'archived')
    .map(({ name }) => name)
    .sort();

const sent = (open: OpenImport) => {
  const { createItem, updateItem } = open.sandbox.control.counts().byOperation;
  return [createItem, updateItem].filter((each) => each !== undefined);
};

async function planned(open: OpenImport, job: string): Promise<[string, string, number][]> {
  const rows: [string, string, number][] = [];
  for await (const page of changeRows({ id: job }, open.ledger))
    for (const { action, name, state, row } of page) if (state === 'planned') rows.push([action, name, row]);
  return rows;
}

it('--missing archives items of the collection with a key and an open status, shows them, and the undo restores them', async () => {
  await using open = await openImport();
  const other = open.sandbox.control.addCollection('Other');
  const ids = stock(open, 20);
  open.sandbox.control.insertItems([
    toy('keep', { status: 'keep' }),
    toy('trade', { status: 'trade' }),
    toy('sold', { status: 'sold' }),
    toy('blank', { custom_fields: { sku: ' ' } }),
    toy('none', { custom_fields: {} }),
    toy('elsewhere', { collection_id: other.id }),
  ]);
  const before = open.items().map((each) => ({ ...each, updated_at: '' }));
  // Respelled keys are keys.
  const rows = [...rowsOf(skus(20, 1)), [' a0 ', 'Toy A0', 'sell'], ['new', 'Toy new', 'sell']];
  const dry = await sync(open, rows, { dryRun: true });
  expect(dry.summary).toMatchObject({
    plan: { create: 1, update: 0, archive: 2, unchanged: 20 },
    missing: { of: 22, archive: 2 },
    rows: { read: 23 },
    sheetRows: 21,
  });
  expect(await planned(open, dry.summary.job)).toEqual([
    ['create', 'Toy new', 22],
    ['archive', 'Toy trade', 23],
    ['archive', 'Toy keep', 24],
  ]);
  expect(sent(open)).toEqual([]);
  const { exitCode, summary } = await open.apply(dry.summary.job);
  expect([exitCode, summary.rows]).toMatchObject([0, { created: 1, updated: 2, unchanged: 20 }]);
  expect(archived(open)).toEqual(['Toy keep', 'Toy trade']);
  const results = parseCsv(await open.read(summary.files.results));
  expect(results.slice(-2)).toMatchObject([
    { SKU: 'trade', name: 'Toy trade', status: '', _row: '23', _state: 'updated', _action: 'archive' },
    { SKU: 'keep', _action: 'archive' },
  ]);
  // Its results, given as a file, make nothing anew.
  const again = await open.import({
    file: summary.files.results ?? '',
    mode: 'upsert',
    map: { 'custom_fields.sku': 'SKU' },
    match: ['custom_fields.sku'],
  });
  expect(again.summary.rows).toMatchObject({ read: 23, skipped: 23 });

  await edit(open, open.items().find(({ name }) => name === 'Toy keep')?.id, { brand: 'Edited' });
  const undone = await open.run((deps) =>
    undoJob(dry.summary.job, deps, { run: { quietPeriodMs: QUIET_MS, yes: true } }),
  );
  expect(undone.summary.rows).toMatchObject({ updated: 3, held: 0 });
  const after = open
    .items()
    .filter(({ name }) => name !== 'Toy new')
    .map((each) => ({ ...each, updated_at: '' }));
  expect(after).toEqual(
    before.map((each) => (each.name === 'Toy keep' ? { ...each, brand: 'Edited' } : each)),
  );
  expect(ids.every((id) => status(open, id) === 'sell')).toBe(true);
});

it('a refused archiving is not a row to mend, so no rejects file is written', async () => {
  await using open = await openImport();
  const ids = stock(open, 20);
  const dry = await sync(open, rowsOf(skus(20, 1)), { dryRun: true });
  open.sandbox.control.removeItem(ids[0] ?? '');
  const { exitCode, summary } = await open.apply(dry.summary.job);
  expect([exitCode, summary.rows]).toMatchObject([3, { unchanged: 19, refused: 1 }]);
  expect(Object.keys(summary.files)).toEqual(['results']);
  expect((await open.ledger.jobs.find(dry.summary.job)).files).not.toHaveProperty('rejects');
});

it('with ids as keys, --missing archives items whose rows were deleted from an export', async () => {
  await using open = await openImport();
  const ids = stock(open, 20);
  const rows = ids.slice(1).map((id) => [id, 'sell']);
  const file = await open.file('items.csv', csv(['id', 'status'], rows));
  const request = { file, mode: 'upsert' as const, match: ['id'], missing: 'archive' as const };
  const { exitCode, summary } = await open.import(request);
  expect([exitCode, summary.rows]).toMatchObject([0, { updated: 1, unchanged: 19 }]);
  expect(archived(open)).toEqual(['Toy A0']);
  // A row without an id makes an item whose id is not in the file.
  await open.file('items.csv', csv(['id', 'name'], [...ids.map((id) => [id, '']), ['', 'New']]));
  const refused = await open.import(request);
  expect([refused.exitCode, refused.summary.error?.code]).toEqual([2, 'missing_unsafe']);
});

it('--missing archives nothing if the export may lack items, because the list changed while it was read', async () => {
  await using open = await openImport();
  stock(open, 20);
  const out = `${open.folder}/items.csv`;
  await open.run(({ client }) => exportItems({ client, out, collection: 'Main' }));
  const manifest = await open.read(`${out}.manifest.json`);
  await open.file('items.csv.manifest.json', manifest.replace('"stable"', '"moved"'));
  const lines = (await open.read(out)).split('\r\n');
  await open.file('items.csv', [...lines.slice(0, 18), ''].join('\r\n'));
  const request = { file: out, mode: 'upsert' as const, match: ['id'], missing: 'archive' as const };
  const { exitCode, summary } = await open.import({ ...request, run: { yes: true } });
  expect([exitCode, summary.error?.code]).toEqual([2, 'missing_unsafe']);
  expect(archived(open)).toEqual([]);
});

describe('--missing sends nothing', () => {
  it('while a row is invalid or ambiguous, even with --skip-invalid, until the row is mended', async () => {
    await using open = await openImport();
    stock(open, 20);
    const rows = [...rowsOf(skus(20, 2)), ['A1', 'Toy A1', 'gone']];
    const stopped = await sync(open, rows);
    expect([stopped.exitCode, stopped.summary]).toMatchObject([
      3,
      { rows: { invalid: 1, read: 19 }, missing: { archive: 0, unsafe: '1 row is invalid or ambiguous' } },
    ]);
    const skipping = await sync(open, rows, { run: { skipInvalid: true, yes: true, maxMissing: '100%' } });
    expect([skipping.exitCode, skipping.summary.error?.code]).toEqual([2, 'missing_unsafe']);
    expect(sent(open)).toEqual([]);
    const cell = { type: 'cell' as const, row: 20, column: 'status', text: 'sell' };
    const mended = await open.run((deps) => correctAndReport(stopped.summary.job, { changes: [cell] }, deps));
    expect(mended.summary.plan).toMatchObject({ archive: 1, invalid: 0 });
    await open.apply(stopped.summary.job);
    expect(archived(open)).toEqual(['Toy A0']);

    open.sandbox.control.insertItems([toy('twin'), toy('twin')]);
    const twins = await sync(open, [...rowsOf(skus(20, 1)), ['twin', 'Toy twin', 'sell']]);
    expect([twins.exitCode, twins.summary.missing?.unsafe]).toEqual([3, '1 row is invalid or ambiguous']);
  });

  it('while rows are skipped or name other collections', async () => {
    await using open = await openImport();
    open.sandbox.control.addCollection('Other');
    stock(open, 20);
    const table = async (headers: string[], rows: string[][]) => {
      const file = await open.file('more.csv', csv(headers, rows));
      return open.import({
        file,
        mode: 'upsert',
        map: { 'custom_fields.sku': 'SKU' },
        match: ['custom_fields.sku'],
        missing: 'archive',
        run: { yes: true },
      });
    };
    const elsewhere = await table(
      ['SKU', 'name', 'collection'],
      skus(20, 1).map((sku, index) => [sku, `Toy ${sku}`, index === 0 ? 'Other' : 'Main']),
    );
    expect([elsewhere.exitCode, elsewhere.summary]).toMatchObject([
      2,
      {
        error: { code: 'missing_unsafe' },
        missing: { unsafe: 'some rows name a collection other than the given one' },
      },
    ]);
    const skipped = await table(
      ['SKU', 'name', '_row', '_state'],
      skus(20, 1).map((sku, index) => [sku, `Toy ${sku}`, '', index === 0 ? 'unchanged' : '']),
    );
    expect([skipped.exitCode, skipped.summary.error?.code]).toEqual([2, 'missing_unsafe']);
    expect(sent(open)).toEqual([]);
  });

  it.each<[string | undefined, number, boolean]>([
    [undefined, 18, true],
    [undefined, 17, false],
    ['15%', 17, true],
    ['14.9 %', 17, false],
    ['3', 17, true],
    ['2', 17, false],
    ['100%', 1, true],
  ])('beyond --max-missing %s with %i of 20 in the file (sent: %s)', async (maxMissing, kept, isSent) => {
    await using open = await openImport();
    stock(open, 20);
    const run: RunOptions = { yes: true, ...(maxMissing === undefined ? {} : { maxMissing }) };
    const { exitCode, summary } = await sync(open, rowsOf(skus(kept)), { run });
    expect(exitCode).toBe(isSent ? 0 : 2);
    expect(summary.error?.code).toBe(isSent ? undefined : 'too_many_missing');
    expect(archived(open)).toHaveLength(isSent ? 20 - kept : 0);
    if (isSent) return;
    expect(sent(open)).toEqual([]);
    const { summary: applied } = await open.apply('last', { maxMissing: '15%', yes: true });
    expect(applied.rows.updated).toBe(3);
  });

  it('beyond the limit of the dry run, which apply uses unless another limit is given', async () => {
    await using open = await openImport();
    stock(open, 20);
    const events: string[] = [];
    const plan = (maxMissing: string) =>
      sync(
        open,
        rowsOf(skus(15)),
        { dryRun: true, run: { maxMissing } },
        {
          onEvent: (event) => (event.type === 'warning' ? events.push(event.message) : undefined),
        },
      );
    const strict = await plan('4');
    expect([strict.exitCode, events]).toEqual([
      0,
      [expect.stringMatching(/^5 of 20 items \(25%\) would be archived .*; the limit is 4\./)],
    ]);
    expect((await open.apply(strict.summary.job)).exitCode).toBe(2);
    const allowed = await plan('25%');
    expect(events).toHaveLength(1);
    expect((await open.apply(allowed.summary.job, { maxMissing: '4' })).exitCode).toBe(2);
    expect((await open.apply(allowed.summary.job)).summary.rows.updated).toBe(5);
  });

  it('for several files, because each would archive the items of the others', async () => {
    const place = newPlace();
    for (const name of ['a.csv', 'b.csv']) place.file(name, csv(HEADERS, rowsOf(['x'])));
    const words = ['--mode', 'upsert', '--match', 'custom_fields.sku', '--collection', 'Main'];
    const { code, stderr } = await place.call(['import', 'a.csv', 'b.csv', ...words, '--missing', 'archive']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--missing takes one file')]);
  });

  it('in a worker, whose import command does not offer --missing', async () => {
    const place = newPlace();
    const help = await place.call(['jobs', 'submit', 'import', '--help']);
    expect(help.stdout).not.toContain('missing');
    expect((await place.call(['import', '--help'])).stdout).toContain('--max-missing');
    const submitted = await place.call(['jobs', 'submit', 'import', 'a.csv', '--missing', 'archive']);
    expect(submitted.code).toBe(2);
  });

  it('without upsert or a collection, or with a --max-missing that is not a number', async () => {
    await using open = await openImport();
    stock(open, 2);
    const file = await open.file('stock.csv', csv(HEADERS, rowsOf(skus(2))));
    const request = { file, map: { 'custom_fields.sku': 'SKU' }, missing: 'archive' as const };
    const match = ['custom_fields.sku'];
    for (const more of [{}, { mode: 'update' as const, match }])
      await expect(open.import({ ...request, ...more })).rejects.toMatchObject({ code: 'bad_choice' });
    const nowhere = { ...request, mode: 'upsert' as const, match, collection: undefined };
    await expect(open.import(nowhere as unknown as ImportRequest)).rejects.toMatchObject({
      code: 'bad_choice',
    });
    const wrong = await sync(open, rowsOf(skus(2)), { run: { maxMissing: 'some' } });
    expect([wrong.exitCode, wrong.summary.error?.code]).toEqual([2, 'bad_number']);
  });

  it('if the list may be incomplete', async () => {
    await using open = await openImport();
    const ids = stock(open, 250);
    let next = 0;
    const moved = await sync(
      open,
      rowsOf(skus(250, 5)),
      {},
      {
        client: { maxConcurrency: 1 },
        // Somebody removes an item each time the list is read.
        wrap: (client) =>
          overriding(client, {
            listItems: async (options) => {
              const answer = await client.listItems(options);
              if (options?.page === 2) open.sandbox.control.removeItem(ids[(next += 1)] ?? '');
              return answer;
            },
          }),
      },
    );
    expect([moved.exitCode, moved.summary]).toMatchObject([
      6,
      { error: { code: 'list_moved' }, missing: { archive: 0 } },
    ]);
    expect(sent(open)).toEqual([]);
  });
});

describe('after edits between plan and apply,', () => {
  async function plan(open: OpenImport) {
    const ids = stock(open, 20);
    const rows = [...rowsOf(skus(20, 1)), ['new', 'Toy new', 'sell']];
    const { summary } = await sync(open, rows, { dryRun: true });
    expect(summary.plan).toMatchObject({ archive: 1, create: 1 });
    return { job: summary.job, id: ids[0] };
  }
  const now: RunOptions = { recheckMs: 0 };

  it('a new item is not archived, and another edit of the missing item is not lost', async () => {
    await using open = await openImport();
    const { job, id } = await plan(open);
    open.sandbox.control.insertItems([toy('late')]);
    await edit(open, id, { brand: 'Edited' });
    await open.apply(job, now);
    expect(archived(open)).toEqual(['Toy A0']);
    expect(open.items().find((each) => each.id === id)?.brand).toBe('Edited');
  });

  it.each([
    ['a new key', { custom_fields: { sku: 'B0' } }, 'custom_fields.sku'],
    ['a new status', { status: 'sold' as const }, 'status'],
  ])('an item with %s follows --on-drift', async (_, change, column) => {
    for (const [onDrift, after, exit] of [
      ['hold', 'held', 3],
      ['skip', 'skipped', 3],
      ['overwrite', 'updated', 0],
    ] as const) {
      await using open = await openImport();
      const { job, id } = await plan(open);
      await edit(open, id, change);
      const { exitCode, summary } = await open.apply(job, { ...now, onDrift });
      expect([exitCode, summary.rows]).toMatchObject([exit, { created: 1, [after]: 1 }]);
      expect(status(open, id) === 'archived').toBe(onDrift === 'overwrite');
      if (onDrift === 'hold') {
        const rows = await open.ledger.rows.list(job, { states: ['held'], limit: 5 });
        expect(rows[0]?.issues).toMatchObject([{ code: 'drifted', column }]);
      }
    }
  });

  it('an item in another collection is held', async () => {
    await using open = await openImport();
    const { job, id } = await plan(open);
    await edit(open, id, { collection_id: open.sandbox.control.addCollection('Other').id });
    const { summary } = await open.apply(job, now);
    expect(summary.rows).toMatchObject({ held: 1, updated: 0 });
    expect(status(open, id)).toBe('sell');
  });

  it('an item whose key now matches a row does not count as missing, whatever --on-drift says', async () => {
    await using open = await openImport();
    const { job, id } = await plan(open);
    await edit(open, id, { custom_fields: { sku: 'NEW' } });
    const { summary, exitCode } = await open.apply(job, { ...now, onDrift: 'overwrite' });
    expect([exitCode, summary.rows]).toMatchObject([0, { created: 0, updated: 1, skipped: 1 }]);
    expect(open.items().find((each) => each.id === id)).toMatchObject({ status: 'sell', name: 'Toy new' });
  });

  it('a lost answer is looked up, and an item whose key changed meanwhile is held', async () => {
    await using open = await openImport();
    const { job, id } = await plan(open);
    open.sandbox.control.failNext('dropBefore', 'updateItem');
    let lost = true;
    const { summary } = await open.apply(
      job,
      { maxMissing: '50%' },
      {
        wrap: (client) =>
          overriding(client, {
            updateItem: async (item, update, options) => {
              try {
                return await client.updateItem(item, update, options);
              } catch (error) {
                if (lost) await edit(open, id, { custom_fields: { sku: 'B0' } });
                lost = false;
                throw error;
              }
            },
          }),
      },
    );
    expect(summary.rows).toMatchObject({ held: 1, updated: 0 });
    expect(status(open, id)).toBe('sell');
  });
});

it('a process that dies at any step of planning leaves a job that plans the same changes', async () => {
  for (let step = 1; ; step += 1) {
    await using open = await openImport();
    stock(open, 20);
    const rows = [...rowsOf(skus(20, 2)), ['new', 'Toy new', 'sell'], ['A19', 'Toy A19', 'sell']];
    const mortal = dyingAfter(open.ledger, step);
    let died = false;
    await sync(open, rows, { dryRun: true }, { ledger: mortal.ledger }).catch((error: unknown) => {
      if (!mortal.isDead()) throw error;
      died = true;
    });
    const [job] = await open.ledger.jobs.list();
    if (job === undefined) continue;
    const { exitCode, summary } = await open.apply(job.id);
    expect([exitCode, summary.rows]).toMatchObject([
      0,
      { read: 22, created: 1, updated: 2, unchanged: 19, pending: 0 },
    ]);
    expect(archived(open)).toEqual(['Toy A0', 'Toy A1']);
    if (!died) return expect(step).toBeGreaterThan(6);
  }
});

/** A ledger of a process that dies after so many writes: each is on disk, or never happens. */
function dyingAfter(ledger: Ledger, writes: number): { ledger: Ledger; isDead: () => boolean } {
  let done = 0;
  const write = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return (...args: A): Promise<R> => {
      done += 1;
      return done > writes ? Promise.reject(new Error('dead')) : call(...args);
    };
  };
  const { jobs, rows, values } = ledger;
  return {
    isDead: () => done > writes,
    ledger: overriding(ledger, {
      jobs: overriding(jobs, {
        create: write((job) => jobs.create(job)),
        finishStaging: write((id, patch) => jobs.finishStaging(id, patch)),
        update: write((id, patch) => jobs.update(id, patch)),
        discard: write((id) => jobs.discard(id)),
      }),
      rows: overriding(rows, {
        stage: write((id, added) => rows.stage(id, added)),
        move: write((id, moves, options) => rows.move(id, moves, options)),
      }),
      values: overriding(values, { put: write((space, entries) => values.put(space, entries)) }),
    }),
  };
}

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];

it('--missing archives exactly the items that the file lacks, and its undo restores every field without losing other edits', async () => {
  await using open = await openImport();
  let round = 0;
  const items = fc.array(
    fc.record({
      key: fc.constantFrom(...KEYS, ''),
      status: fc.constantFrom('keep', 'sell', 'trade', 'sold', 'archived'),
      inside: fc.boolean(),
    }),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(items, fc.subarray(KEYS, { minLength: 1 }), async (have, file) => {
      round += 1;
      const name = (index: number) => `R${round} ${index}`;
      const own = open.sandbox.control.addCollection(`C${round}`);
      const other = open.sandbox.control.addCollection(`D${round}`);
      const sku = (key: string) => (key === '' ? '' : `${round}-${key}`);
      // A key of several items is ambiguous, which is refused, and another test's.
      const unique = have.filter(
        ({ key }, at) => key === '' || have.findIndex((one) => one.key === key) === at,
      );
      const ids = open.sandbox.control.insertItems(
        unique.map(({ key, status: is, inside }, index) => ({
          ...toy(sku(key), { name: name(index), brand: 'B', custom_fields: { sku: sku(key), note: 'n' } }),
          status: is as 'keep',
          collection_id: inside ? own.id : other.id,
        })),
      );
      const gone = unique.map(
        ({ key, status: is, inside }) =>
          inside && key !== '' && ['keep', 'sell', 'trade'].includes(is) && !file.includes(key),
      );
      const { summary } = await sync(
        open,
        file.map((key) => [sku(key).toUpperCase(), `File ${key}`, '']),
        {
          collection: own.id,
          run: { maxMissing: '100%', yes: true },
        },
      );
      const stored = () => {
        const all = new Map(open.items().map((each) => [each.id, each]));
        return ids.map((id) => all.get(id));
      };
      expect(stored().map((each) => each?.status)).toEqual(
        unique.map(({ status: is }, index) => (gone[index] === true ? 'archived' : is)),
      );
      expect(summary.missing?.archive).toBe(gone.filter(Boolean).length);
      if (summary.rows.created + summary.rows.updated === 0) return;
      await open.run(async ({ client }) => {
        for (const id of ids) await client.updateItem(id, { brand: 'Edited' });
      });
      await open.run((deps) => undoJob(summary.job, deps, { run: { quietPeriodMs: QUIET_MS, yes: true } }));
      expect(stored().map((each) => [each?.name, each?.status, each?.brand, each?.custom_fields])).toEqual(
        unique.map(({ key, status: is }, index) => [name(index), is, 'Edited', { sku: sku(key), note: 'n' }]),
      );
    }),
    { numRuns: 40 },
  );
});

it.each<[string, object]>([
  ['status=', { status: 'sell' }],
  ['where=', { where: 'brand=Acme' }],
  ['(collection)', { collection: 'Other', columns: ['id', 'name'] }],
])('importing an export that was filtered by %s archives nothing', async (flag, filter) => {
  await using open = await openImport();
  const other = open.sandbox.control.addCollection('Other');
  open.sandbox.control.insertItems([
    ...skus(4).map((sku, at) => toy(sku, at === 0 ? { brand: 'Acme' } : { status: 'keep' as const })),
    toy('B1', { collection_id: other.id }),
  ]);
  const file = `${open.folder}/some.csv`;
  const request = {
    file,
    mode: 'upsert' as const,
    match: ['id'],
    missing: 'archive' as const,
    collection: 'Main',
  };
  await open.run(({ client }) => exportItems({ client, out: file, ...filter }));
  await expect(open.import({ ...request, run: { yes: true, maxMissing: '100%' } })).resolves.toMatchObject({
    exitCode: 2,
    summary: { error: { code: 'missing_unsafe', message: expect.stringContaining(flag) as string } },
  });
  expect(archived(open)).toEqual([]);
  await open.run(({ client }) => exportItems({ client, out: file, collection: 'Main' }));
  expect((await open.import(request)).exitCode).toBe(0);
});

it('--missing never archives an item whose row is in the file, even if the server changes its key', async () => {
  await using it = await openImport({ storing: { escapeTexts: true } });
  const rows = Array.from({ length: 30 }, (_, n) => [
    n < 2 ? `A&B-${n}` : `K-${n}`,
    `Toy ${n}`,
    'sell',
  ]).reverse();
  const first = await sync(it, rows, { run: { yes: true } });
  if (first.summary.state !== 'done') await it.resume(first.summary.job, { yes: true });
  const again = await sync(it, rows);
  expect(again.summary.rows).toMatchObject({ unchanged: 30 });
  expect(it.items().filter((item) => item.status === 'archived')).toEqual([]);
});

it.each(['held', 'skip'])(
  '--missing does not archive an item whose row was decided as %s when another row is corrected',
  async (decided) => {
    await using it = await openImport();
    const ids = stock(it, 40);
    const priced = skus(38).map((sku, n) => [sku, `Toy ${sku}`, 'sell', n < 5 ? '20' : '10']);
    const file = await it.file('short.csv', csv([...HEADERS, 'Price'], priced));
    const { summary } = await it.import({
      file,
      mode: 'upsert',
      map: { 'custom_fields.sku': 'SKU', estimated_value: 'Price' },
      match: ['custom_fields.sku'],
      missing: 'archive',
      dryRun: true,
    });
    const { job } = summary;
    await it.apply(job, { first: 3, recheckMs: 0 });
    const left = ids.slice(38).find((id) => status(it, id) === 'sell');
    await edit(it, left, { status: 'trade' });
    await it.resume(job, { first: 2, recheckMs: 0 });
    const [held] = await it.ledger.rows.list(job, { states: ['held'], limit: 10 });
    if (decided === 'skip')
      await it.run((deps) => resolveRow(job, held?.sheetRow ?? 0, { as: 'skip' }, deps));
    const [open] = await it.ledger.rows.list(job, { states: ['planned'], limit: 10 });
    const change = { type: 'cell', row: open?.sheetRow ?? 0, column: 'Price', text: '21' } as const;
    await it.run((deps) =>
      correctAndReport(job, { changes: [change], run: { quietPeriodMs: QUIET_MS } }, deps),
    );
    await it.resume(job, { recheckMs: 0 });
    expect(held?.itemId).toBe(left);
    expect(status(it, left)).toBe('trade');
  },
);

describe('an item that was archived as missing and is in the file again', () => {
  const KEYED = { map: { 'custom_fields.sku': 'SKU' }, match: ['custom_fields.sku'] };
  /** Without a status column: what the file has is there, whatever its status. */
  const names = (list: readonly string[]) =>
    csv(
      ['SKU', 'name'],
      rowsOf(list).map((row) => row.slice(0, 2)),
    );
  const file = (open: OpenImport, list: readonly string[]) => open.file('names.csv', names(list));
  const again = async (
    open: OpenImport,
    list: readonly string[] = skus(20),
    more: Partial<ImportRequest> = { missing: 'archive' },
    setting: RunSetting = {},
  ) => open.import({ ...KEYED, file: await file(open, list), mode: 'upsert', ...more }, setting);
  const undo = (open: OpenImport, job: string) =>
    open.run((deps) => undoJob(job, deps, { run: { quietPeriodMs: QUIET_MS, yes: true } }));

  /** 20 items, of which a file lacks the first two; one of these is for trade. */
  async function archiveTwo(open: OpenImport): Promise<{ ids: string[]; job: string }> {
    const ids = stock(open, 20);
    await edit(open, ids[0], { status: 'trade' });
    const { summary } = await again(open, skus(20, 2));
    expect(archived(open)).toEqual(['Toy A0', 'Toy A1']);
    return { ids, job: summary.job };
  }

  it.each<[string, Partial<ImportRequest>]>([
    ['with --missing archive', { missing: 'archive' }],
    ['without', {}],
  ])('gets its status back from an upsert %s', async (_, more) => {
    await using open = await openImport();
    const { ids } = await archiveTwo(open);
    const said: string[] = [];
    const onEvent: RunSetting['onEvent'] = (event) => {
      if (event.type === 'note') said.push(event.said?.code ?? '');
    };
    const dry = await again(open, skus(20), { ...more, dryRun: true }, { onEvent });
    expect([dry.summary.plan, said]).toMatchObject([
      { update: 2, unchanged: 18 },
      expect.arrayContaining(['items_come_back']),
    ]);
    const { exitCode, summary } = await again(open, skus(20), more);
    expect([exitCode, summary.rows.updated]).toEqual([0, 2]);
    expect([status(open, ids[0]), status(open, ids[1])]).toEqual(['trade', 'sell']);
    // The undo takes that back, and the next file brings it again.
    await undo(open, summary.job);
    expect(archived(open)).toEqual(['Toy A0', 'Toy A1']);
    expect((await again(open, skus(20), more)).summary.rows.updated).toBe(2);
    expect([archived(open), status(open, ids[0])]).toEqual([[], 'trade']);
  });

  it('is archived by each file that lacks it, and restored by each file that contains it', async () => {
    await using open = await openImport();
    const { ids } = await archiveTwo(open);
    await again(open);
    await again(open, skus(20, 2));
    expect(archived(open)).toEqual(['Toy A0', 'Toy A1']);
    await again(open);
    expect([archived(open), status(open, ids[0])]).toEqual([[], 'trade']);
  });

  it('stays archived if the file says so, if the import is an update, or if a person archived it', async () => {
    await using open = await openImport();
    const { ids, job } = await archiveTwo(open);
    const says = csv(HEADERS, [['A0', 'Toy A0', 'archived']]);
    await open.import({ ...KEYED, file: await open.file('says.csv', says), mode: 'upsert' });
    await open.import({ ...KEYED, file: await file(open, ['A0', 'A1']), mode: 'update' });
    expect(archived(open)).toEqual(['Toy A0', 'Toy A1']);
    // Taken back, and archived by somebody.
    await undo(open, job);
    await edit(open, ids[1], { status: 'archived' });
    const said: string[] = [];
    const onEvent: RunSetting['onEvent'] = (event) => {
      if (event.type === 'warning') said.push(event.said?.code ?? '');
    };
    const { exitCode } = await again(open, skus(20), { missing: 'archive' }, { onEvent });
    expect([exitCode, archived(open), said]).toEqual([0, ['Toy A1'], ['items_stay_archived']]);
  });

  it('stays unchanged if somebody has unarchived it since the plan', async () => {
    await using open = await openImport();
    const { ids } = await archiveTwo(open);
    const { summary } = await again(open, skus(20), { missing: 'archive', dryRun: true });
    await edit(open, ids[0], { status: 'trade' });
    await edit(open, ids[1], { status: 'sold' });
    const { exitCode, summary: done } = await open.apply(summary.job, { recheckMs: 0 });
    expect([exitCode, done.rows.held, status(open, ids[0]), status(open, ids[1])]).toEqual([
      3,
      1,
      'trade',
      'sold',
    ]);
  });
});
