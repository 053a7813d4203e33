/** `jobs undo`: a job that takes another one back, where nobody has changed its items since. */
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Item, ItemUpdate } from '../../src/api/schemas.ts';
import { setItems } from '../../src/import/run.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { toChangeRow } from '../../src/import/review/change-rows.ts';
import { InterruptedError } from '../../src/import/job/interrupted.ts';
import { undoJob } from '../../src/import/run.ts';
import type { UndoRequest } from '../../src/import/undo/stage-undo.ts';
import { csv, parseCsv, toys } from '../support/csv.ts';
import { hastyClock, NO_LONGER_NEW_MS } from '../support/hasty-clock.ts';
import { type OpenImport, openImport, QUIET_MS, type RunSetting } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';
import { unknowingProxy } from '../support/unknowing-proxy.ts';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

function undo(open: OpenImport, reference = 'last', request: UndoRequest = {}, setting: RunSetting = {}) {
  const run = { quietPeriodMs: QUIET_MS, ...request.run };
  return open.run((deps) => undoJob(reference, deps, { ...request, run }), setting);
}

/** Everything of an item that a client can change. */
function contents(items: Item[]): unknown[] {
  return items.map((item) => ({ ...item, updated_at: '' })).sort((a, b) => (a.id < b.id ? -1 : 1));
}

describe('120 ids with a status, half of them already set, one malformed, one unknown', () => {
  it('cause exactly the real changes, and the undo restores every status', async () => {
    await using it = await openImport();
    const statuses = ['keep', 'sell', 'trade', 'archived'] as const;
    const ids = it.sandbox.control.insertItems(
      Array.from({ length: 118 }, (_, index) => ({
        name: `T ${index}`,
        status: index < 60 ? ('sold' as const) : (statuses[index % 4] ?? 'keep'),
      })),
    );
    const before = contents(it.items());
    const rows = [...ids.map((id) => [id, 'sold']), ['not-an-id', 'sold'], [UNKNOWN_ID, 'sold']];
    const file = await it.file('status.csv', csv(['id', 'status'], rows));
    const request = { file, template: 'status-change' };

    const stopped = await it.import(request);
    expect([stopped.exitCode, stopped.summary.rows]).toMatchObject([
      3,
      { read: 120, unchanged: 60, pending: 58, invalid: 2, updated: 0 },
    ]);
    expect(it.sandbox.control.counts().byOperation.updateItem).toBeUndefined();

    const bodies: unknown[] = [];
    const { summary, exitCode } = await it.import(
      { ...request, skipInvalid: true },
      {
        wrap: (client) => {
          const send = client.updateItem.bind(client);
          client.updateItem = (id, update, options) => {
            bodies.push(update);
            return send(id, update, options);
          };
          return client;
        },
      },
    );
    expect([exitCode, summary.rows]).toMatchObject([
      3,
      { read: 120, updated: 58, unchanged: 60, invalid: 2, pending: 0 },
    ]);
    expect(bodies).toEqual(Array.from({ length: 58 }, () => ({ status: 'sold' })));
    expect(it.sandbox.control.counts().byOperation.updateItem).toEqual({ '200': 58 });

    const dry = await undo(it, summary.job, { dryRun: true });
    expect(dry.summary).toMatchObject({ state: 'planned', plan: { update: 58 }, rows: { pending: 58 } });
    expect(contents(it.items())).not.toEqual(before);
    const undone = await undo(it, summary.job);
    expect([undone.exitCode, undone.summary]).toMatchObject([
      0,
      { state: 'done', rows: { read: 58, updated: 58 } },
    ]);
    expect(undone.summary.files.results).toBe(`${it.folder}/status.undo.results.csv`);
    expect(contents(it.items())).toEqual(before);
    // Once more: nothing is left to take back.
    const again = await undo(it, summary.job);
    expect(again.summary.rows).toMatchObject({ read: 58, unchanged: 58 });
    expect(it.sandbox.control.counts().byOperation.updateItem).toEqual({ '200': 116 });
  });
});

describe('a second undo of a job', () => {
  it('takes back only what the first one did not, whatever values the other items have got since', async () => {
    await using it = await openImport();
    it.sandbox.control.insertItems(['A', 'B', 'C'].map((name) => ({ name, brand: 'Old', status: 'sell' })));
    const set = (where: string) =>
      it.run((deps) =>
        setItems({ where, changes: ['brand=New'], outDir: it.folder, run: { yes: true } }, deps),
      );
    const { job } = (await set('status=sell')).summary;
    const rows = await it.ledger.rows.list(job, { limit: 3 });
    const rowOf = (name: string) => {
      const { id } = it.items().find((each) => each.name === name) ?? { id: '' };
      return { id, row: rows.find(({ itemId }) => itemId === id)?.sheetRow ?? 0 };
    };
    const [a, b] = [rowOf('A'), rowOf('B')];
    const part = [a, b].map(({ row }) => ({ from: row, to: row }));
    const first = await undo(it, job, { rows: part });
    expect(first.summary.rows).toMatchObject({ updated: 2 });
    // A person, and another job, want the new value after all.
    await it.run(({ client }) => client.updateItem(a.id, { brand: 'New' }));
    const { summary: again } = await set('name=B');
    expect(again.rows).toMatchObject({ updated: 1 });

    const { summary: second } = await undo(it, job);
    expect(second.rows).toMatchObject({ updated: 1, unchanged: 2 });
    expect(
      it
        .items()
        .map(({ name, brand }) => `${name} ${brand}`)
        .sort(),
    ).toEqual(['A New', 'B New', 'C Old']);
  });
});

describe('the undo of an import', () => {
  it('archives the created items, records why, and lists them for manual deletion', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(6));
    const { summary } = await it.import({ file });
    const undone = await undo(it);
    expect([undone.exitCode, undone.summary.rows]).toMatchObject([0, { read: 6, updated: 6 }]);
    for (const item of it.items()) {
      expect(item.status).toBe('archived');
      expect(item.custom_fields?.['shelflift_undone']).toContain(`created by job ${summary.job}, row `);
    }
    const list = parseCsv(await it.read(undone.summary.files.toDelete));
    expect(new Set(list.map((line) => line['id']))).toEqual(new Set(it.items().map((item) => item.id)));
    expect(list[0]).toMatchObject({ name: 'Toy 0001', row: '2', created_by: summary.job, archived: 'yes' });
    const again = await undo(it, summary.job);
    expect(again.summary.rows).toMatchObject({ read: 6, unchanged: 6 });
  });

  it('does not archive a created item that somebody has used since', async () => {
    await using it = await openImport();
    await it.import({ file: await it.file('toys.csv', toys(3)) });
    const used = it.items().find((item) => item.name === 'Toy 0002');
    await using other = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
    await other.updateItem(used?.id ?? '', { status: 'sell' });
    const job = await it.ledger.jobs.find('last');
    const { summary, exitCode } = await undo(it);
    expect([exitCode, summary.rows]).toMatchObject([3, { read: 3, updated: 2, held: 1 }]);
    const [held] = await it.ledger.rows.list(summary.job, { states: ['held'], limit: 1 });
    expect(held?.issues[0]).toMatchObject({
      code: 'drifted',
      message: 'status was set to blank by the job and is now "sell"',
    });
    expect(it.items().find((item) => item.id === used?.id)?.status).toBe('sell');
    const forced = await undo(it, job.id, { run: { onDrift: 'overwrite' } });
    expect(forced.summary.rows).toMatchObject({ read: 3, updated: 1, unchanged: 2 });
  });

  it('that was only half sent reverts the rows that were sent, and the job does not continue', async () => {
    await using it = await openImport();
    const { summary } = await it.import({ file: await it.file('toys.csv', toys(9)), run: { first: 4 } });
    expect(summary).toMatchObject({ state: 'paused', rows: { created: 4, pending: 5 } });
    const undone = await undo(it);
    expect(undone.summary.rows).toMatchObject({ read: 4, updated: 4 });
    expect(it.items().map((item) => item.status)).toEqual(Array(4).fill('archived'));
    expect((await it.ledger.jobs.find(summary.job)).state).toBe('cancelled');
  });

  it.each([true, false])(
    'first looks up items whose creates got no answer (item created: %s)',
    async (applied) => {
      await using it = await openImport();
      const controller = new AbortController();
      const file = await it.file('toys.csv', toys(4));
      await it.import({ file, run: { first: 2 } });
      it.sandbox.control.failNext(applied ? 'dropAfterCommit' : 'dropBefore', 'createItem');
      // Stopped as soon as the answer was lost: the wait is longer than any machine takes to come to it.
      const stopped = await it.resume(
        'last',
        { first: 1, quietPeriodMs: 60_000 },
        {
          signal: controller.signal,
          onEvent: (event) => event.type === 'settling' && controller.abort(),
        },
      );
      expect(stopped.summary).toMatchObject({ state: 'interrupted', rows: { created: 2, pending: 2 } });
      const undone = await undo(it, stopped.summary.job);
      expect(undone.summary.rows).toMatchObject({ updated: applied ? 3 : 2, held: 0 });
      expect(it.items().map((item) => item.status)).toEqual(Array(applied ? 3 : 2).fill('archived'));
    },
  );
});

describe('the undo of changes', () => {
  it('uses a before-image that was stored before the PATCH was sent', async () => {
    await using it = await openImport();
    const [id = ''] = it.sandbox.control.insertItems([{ name: 'a', status: 'keep', brand: 'Old' }]);
    const file = await it.file('u.csv', csv(['id', 'status', 'brand'], [[id, 'sold', 'New']]));
    const seen: unknown[] = [];
    await it.import(
      { file, mode: 'update' },
      {
        wrap: (client) => {
          const send = client.updateItem.bind(client);
          client.updateItem = async (...request) => {
            const { id: job } = await it.ledger.jobs.find('last');
            const [row] = await it.ledger.rows.list(job, { limit: 1 });
            seen.push(row === undefined ? undefined : toChangeRow(row));
            return send(...request);
          };
          return client;
        },
      },
    );
    expect(seen).toMatchObject([
      {
        state: 'sending',
        changes: [
          { field: 'status', from: 'keep', to: 'sold' },
          { field: 'brand', from: 'Old', to: 'New' },
        ],
      },
    ]);
  });

  it('restores fields that nobody has changed since, and holds the row because of the others', async () => {
    await using it = await openImport();
    const [id = '', gone = ''] = it.sandbox.control.insertItems([
      { name: 'a', brand: 'Old', custom_fields: { shelf: 'A', n: 1 } },
      { name: 'b', brand: 'Old' },
    ]);
    const file = await it.file(
      'u.csv',
      csv(
        ['id', 'status', 'brand', 'custom_fields.shelf'],
        [
          [id, 'sold', 'New', 'B'],
          [gone, 'sold', 'New', ''],
        ],
      ),
    );
    const { summary } = await it.import({ file, mode: 'update' });
    await using other = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
    await other.updateItem(id, { brand: 'Theirs', custom_fields: { shelf: 'B', n: 2, more: true } });
    it.sandbox.control.removeItem(gone);
    const later = { clock: hastyClock(NO_LONGER_NEW_MS) };
    const undone = await undo(it, summary.job, {}, later);
    expect([undone.exitCode, undone.summary.rows]).toMatchObject([3, { read: 2, held: 1, skipped: 1 }]);
    expect(it.items()[0]).toMatchObject({
      status: 'keep',
      brand: 'Theirs',
      custom_fields: { shelf: 'A', n: 2, more: true },
    });
    const [held] = await it.ledger.rows.list(undone.summary.job, { states: ['held'], limit: 1 });
    expect(held?.issues[0]).toMatchObject({
      code: 'drifted',
      message: 'brand was set to "New" by the job and is now "Theirs" (before the job: "Old")',
    });
    // A person who has looked may say so.
    await it.run((deps) => resolveRow(undone.summary.job, 2, { as: 'retry' }, deps));
    const retried = await it.resume(undone.summary.job);
    expect(retried.summary.rows).toMatchObject({ updated: 1, skipped: 1 });
    expect(it.items()[0]?.brand).toBe('Old');
  });

  it('holds and reports fields that it cannot remove on a server that merges custom fields', async () => {
    await using it = await openImport({ customFields: 'merge' });
    const [id = ''] = it.sandbox.control.insertItems([{ name: 'a', custom_fields: { old: 1 } }]);
    const set = await it.run((deps) =>
      setItems(
        {
          changes: ['status=sold', 'custom_fields.added=x', 'custom_fields.old=2'],
          collection: 'Main',
          outDir: it.folder,
        },
        deps,
      ),
    );
    expect(set.summary.rows).toMatchObject({ updated: 1 });
    const { summary, exitCode } = await undo(it);
    expect([exitCode, summary.rows]).toMatchObject([3, { held: 1, updated: 0 }]);
    const [held] = await it.ledger.rows.list(summary.job, { limit: 1 });
    expect(held?.issues).toMatchObject([{ code: 'server_merges', column: 'custom_fields.added' }]);
    expect(it.items().find((item) => item.id === id)).toMatchObject({
      status: 'keep',
      custom_fields: { old: 1, added: 'x' },
    });
  });

  it('can itself be undone', async () => {
    await using it = await openImport();
    const [id = ''] = it.sandbox.control.insertItems([{ name: 'a', brand: 'Old' }]);
    await it.import({ file: await it.file('u.csv', csv(['id', 'brand'], [[id, 'New']])), mode: 'update' });
    await undo(it);
    expect(it.items()[0]?.brand).toBe('Old');
    await undo(it);
    expect(it.items()[0]?.brand).toBe('New');
  });

  it('of many items requires --yes, and an undo of a job that has sent nothing is refused', async () => {
    await using it = await openImport();
    const ids = it.sandbox.control.insertItems(Array.from({ length: 5 }, (_, n) => ({ name: `T ${n}` })));
    const file = await it.file(
      'u.csv',
      csv(
        ['id', 'brand'],
        ids.map((id) => [id, 'B']),
      ),
    );
    const dry = await it.import({ file, mode: 'update', dryRun: true });
    await expect(undo(it, dry.summary.job)).rejects.toMatchObject({ code: 'cannot_undo', exitCode: 2 });
    await it.apply(dry.summary.job);
    const guarded = await undo(it, dry.summary.job, { run: { maxChanges: 4 } });
    expect(guarded).toMatchObject({ exitCode: 2, summary: { error: { code: 'too_many_changes' } } });
    const sent = await it.apply('last', { maxChanges: 4, yes: true });
    expect(sent.summary.rows).toMatchObject({ updated: 5 });
    expect(it.items().map((item) => item.brand)).toEqual(Array(5).fill(null));
  });
});

describe('an undo that is planned first and applied later', () => {
  it('does not archive a created item that somebody has edited since the plan', async () => {
    await using it = await openImport();
    const { summary } = await it.import({ file: await it.file('toys.csv', toys(3)) });
    const dry = await undo(it, summary.job, { dryRun: true });
    expect(dry.summary.plan).toMatchObject({ update: 3 });
    const used = it.items().find((item) => item.name === 'Toy 0002');
    await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
    await somebody.updateItem(used?.id ?? '', { brand: 'Theirs' });
    const applied = await it.apply(dry.summary.job);
    expect([applied.exitCode, applied.summary.rows]).toMatchObject([3, { updated: 2, held: 1 }]);
    expect(it.items().find((item) => item.id === used?.id)).toMatchObject({
      status: 'keep',
      brand: 'Theirs',
    });
    const list = parseCsv(await it.read(applied.summary.files.toDelete));
    expect(list.find((line) => line['id'] === used?.id)?.['archived']).toBe('no');
    const [held] = await it.ledger.rows.list(dry.summary.job, { states: ['held'], limit: 1 });
    expect(held?.issues[0]?.message).toContain('is now "Theirs"');
  });

  it('compares the items again at a resume', async () => {
    await using it = await openImport();
    const { summary } = await it.import({ file: await it.file('toys.csv', toys(3)) });
    const paused = await undo(it, summary.job, { run: { first: 1 } });
    expect(paused.summary).toMatchObject({ state: 'paused', rows: { updated: 1, pending: 2 } });
    await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
    for (const { id, status } of it.items()) {
      if (status === 'keep') await somebody.updateItem(id, { series: 'Theirs' });
    }
    const { summary: end } = await it.resume(paused.summary.job);
    expect(end.rows).toMatchObject({ updated: 1, held: 2 });
    expect(it.items().filter((item) => item.status === 'archived')).toHaveLength(1);
  });
});

it('the undo of a partly held undo reverses the part that was applied', async () => {
  await using it = await openImport();
  const [id = ''] = it.sandbox.control.insertItems([{ name: 'a', brand: 'Old', series: 'Old' }]);
  const file = await it.file('u.csv', csv(['id', 'brand', 'series'], [[id, 'New', 'New']]));
  const { summary } = await it.import({ file, mode: 'update' });
  await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  await somebody.updateItem(id, { brand: 'Theirs' });
  const partly = await undo(it, summary.job);
  expect(partly.summary.rows).toMatchObject({ held: 1 });
  expect(it.items()[0]).toMatchObject({ brand: 'Theirs', series: 'Old' });
  const back = await undo(it, partly.summary.job);
  expect([back.exitCode, back.summary.rows]).toMatchObject([0, { read: 1, updated: 1 }]);
  expect(it.items()[0]).toMatchObject({ brand: 'Theirs', series: 'New' });
});

it('an undo does not change the item of a held row, even if somebody gave it a value of the row', async () => {
  await using it = await openImport();
  const [used = '', other = ''] = it.sandbox.control.insertItems([
    { name: 'a', status: 'keep', brand: 'Old' },
    { name: 'b', status: 'keep', brand: 'Old' },
  ]);
  const rows = [used, other].map((id) => [id, 'sold', 'New']);
  const file = await it.file('u.csv', csv(['id', 'status', 'brand'], rows));
  const plan = await it.import({ file, mode: 'update', dryRun: true });
  await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  await somebody.updateItem(used, { status: 'sold', brand: 'Theirs' });
  const { summary } = await it.apply(plan.summary.job);
  expect(summary.rows).toMatchObject({ updated: 1, held: 1 });
  const undone = await undo(it, summary.job);
  expect([undone.exitCode, undone.summary.rows]).toMatchObject([0, { read: 1, updated: 1 }]);
  const find = (id: string) => it.items().find((item) => item.id === id);
  expect(find(used)).toMatchObject({ status: 'sold', brand: 'Theirs' });
  expect(find(other)).toMatchObject({ status: 'keep', brand: 'Old' });
});

describe('an undo in part', () => {
  it('takes back only the named rows; the others can be taken back later', async () => {
    await using it = await openImport();
    const ids = it.sandbox.control.insertItems(
      Array.from({ length: 10 }, (_, index) => ({ name: `T ${index}` })),
    );
    const file = await it.file(
      'brands.csv',
      csv(
        ['id', 'brand'],
        ids.map((id) => [id, 'New']),
      ),
    );
    const { summary } = await it.import({ file, mode: 'update', match: ['id'] });
    const part = await undo(it, summary.job, {
      rows: [
        { from: 3, to: 3 },
        { from: 7, to: 9 },
      ],
    });
    expect(part.summary.rows).toMatchObject({ read: 4, updated: 4 });
    const left = new Map(it.items().map(({ id, brand }) => [id, brand]));
    // Row 1 has the headers.
    expect(ids.map((id, index) => [index + 2, left.get(id)])).toEqual(
      ids.map((_, index) => [index + 2, [3, 7, 8, 9].includes(index + 2) ? null : 'New']),
    );
    await expect(undo(it, summary.job, { rows: [{ from: 90, to: 99 }] })).rejects.toMatchObject({
      code: 'cannot_undo',
      message: expect.stringContaining('row 90-99') as string,
    });
    // Nothing is taken back of a list with a row that does not exist.
    await expect(
      undo(it, summary.job, {
        rows: [
          { from: 4, to: 4 },
          { from: 999, to: 999 },
        ],
      }),
    ).rejects.toMatchObject({ code: 'cannot_undo', message: expect.stringContaining('row 999') as string });
    expect(it.items().filter(({ brand }) => brand === 'New')).toHaveLength(6);
    await undo(it, summary.job);
    expect(it.items().every(({ brand }) => brand === null)).toBe(true);
  });

  it('is limited to the given sheet if the job has several sheets', async () => {
    await using it = await openImport();
    const file = join(it.folder, 'all.xlsx');
    const book = new ExcelJS.Workbook();
    for (const name of ['Cars', 'Trains'])
      book.addWorksheet(name).addRows([
        ['name', 'brand'],
        [name, 'Acme'],
        [`More ${name}`, 'Acme'],
      ]);
    await book.xlsx.writeFile(file);
    const { summary } = await it.import({ file, sheet: 'all' });
    const rows = [{ from: 2, to: 2 }];
    await expect(undo(it, summary.job, { rows })).rejects.toMatchObject({
      code: 'cannot_undo',
      said: { code: 'row_written_in_sheets', params: { row: 2, sheets: ['Cars', 'Trains'] } },
    });
    expect((await undo(it, summary.job, { rows, sheet: 'Cars' })).summary.rows).toMatchObject({
      read: 1,
      updated: 1,
    });
    const archived = it.items().filter(({ status }) => status === 'archived');
    expect(archived.map(({ name }) => name)).toEqual(['Cars']);
    await expect(undo(it, summary.job, { sheet: 'Planes' })).rejects.toMatchObject({ code: 'cannot_undo' });
    expect((await undo(it, summary.job, { sheet: 'Trains' })).summary.rows).toMatchObject({ updated: 2 });
  });

  it('does not end an unfinished job: its other rows are still sent', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(6, 'Part'));
    const { summary } = await it.import({ file, collection: 'Main', run: { first: 3 } });
    await undo(it, summary.job, { rows: [{ from: 2, to: 2 }] });
    const resumed = await it.resume(summary.job);
    expect(resumed.summary).toMatchObject({ state: 'done', rows: { created: 6 } });
  });
});

it('undo asks on a terminal, and lists the changes that it would revert', async () => {
  const asked: string[] = [];
  await using it = await openImport();
  const [id = ''] = it.sandbox.control.insertItems([{ name: 'T', brand: 'Old' }]);
  const file = await it.file('prices new.csv', csv(['id', 'brand'], [[id, 'New']]));
  await it.import({ file, mode: 'update', match: ['id'] });
  const confirm = async (question: string) => asked.push(question) > 1;
  const again = () =>
    it.run((deps) => undoJob('last', deps, { run: { quietPeriodMs: QUIET_MS } }), { confirm });
  await expect(again()).rejects.toMatchObject({ code: 'not_confirmed' });
  // Answering no leaves nothing to go on with.
  expect((await it.ledger.jobs.list()).map(({ kind }) => kind)).toEqual(['import']);
  expect(asked[0]).toMatch(/^Undo 1 change by 'prices new\.csv' \(\d\d:\d\d\)\?$/);
  expect(it.items()[0]?.brand).toBe('New');
});

it('an undo whose question was interrupted is not sent by a resume that cannot ask', async () => {
  await using it = await openImport();
  const { summary } = await it.import({ file: await it.file('toys.csv', toys(2)) });
  const stopped = await it.run((deps) => undoJob(summary.job, deps, { run: { quietPeriodMs: QUIET_MS } }), {
    confirm: () => Promise.reject(new InterruptedError(undefined)),
  });
  expect([stopped.exitCode, stopped.summary.rows.pending]).toEqual([130, 2]);
  const resumed = await it.resume('last');
  expect([resumed.exitCode, resumed.summary.error?.code]).toEqual([2, 'not_confirmed']);
  expect(it.items().map(({ status }) => status)).toEqual(['keep', 'keep']);
  expect((await it.resume('last', { yes: true })).exitCode).toBe(0);
  expect(it.items().map(({ status }) => status)).toEqual(['archived', 'archived']);
});

it('the undo of an undo reports the items that it could not restore, and an import creates them again', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', toys(4));
  const { summary } = await it.import({ file });
  const first = await undo(it, summary.job, { run: { yes: true } });
  for (const { id } of it.items().slice(0, 3)) it.sandbox.control.removeItem(id);
  const later = { clock: hastyClock(NO_LONGER_NEW_MS) };
  const second = await undo(it, first.summary.job, { run: { yes: true } }, later);
  expect(second).toMatchObject({ exitCode: 3, summary: { rows: { updated: 1, held: 3 } } });
  const again = await it.import({ file, run: { onlyNew: true } }, later);
  expect(again).toMatchObject({ exitCode: 0, summary: { state: 'done', rows: { created: 3, skipped: 1 } } });
  expect(it.items()).toHaveLength(4);
});

/** Resolves once so many imports own their rows. */
async function owners(it: OpenImport, count: number): Promise<void> {
  while ((await it.ledger.jobs.list()).filter(({ ownedAt }) => ownedAt !== undefined).length < count)
    await setTimeout(5);
}

describe.each(['create', 'upsert'] as const)('the undo of an undo of an import (%s)', (mode) => {
  const key = mode === 'create' ? {} : { match: ['custom_fields.sku'] };
  const request = { mode, map: { 'custom_fields.sku': 'SKU' }, ...key };
  const live = (it: OpenImport) => it.items().filter(({ status }) => status !== 'archived');

  it.each(['before', 'after', 'right before', 'during'])(
    'does not duplicate a row that was imported again, if planned %s the import',
    async (when) => {
      await using it = await openImport();
      const file = await it.file(
        'stock.csv',
        csv(
          ['SKU', 'name'],
          [
            ['A', 'Ant'],
            ['B', 'Bee'],
            ['C', 'Cat'],
          ],
        ),
      );
      const { summary } = await it.import({ file, ...request });
      const first = await undo(it, summary.job);
      const plan = when === 'before' ? await undo(it, first.summary.job, { dryRun: true }) : undefined;
      const ended = Promise.withResolvers<void>();
      const { lanes } = it.ledger;
      const importAgain = async () => {
        const acquire: typeof lanes.acquire = async (lane, ...others) => {
          // It owns its rows, and another job has its turn first.
          if (when === 'during' && !lane.startsWith('rows of')) await ended.promise;
          return lanes.acquire(lane, ...others);
        };
        const ledger = overriding(it.ledger, { lanes: overriding(lanes, { acquire }) });
        return it.import({ file, ...request }, { ledger });
      };
      let again: ReturnType<typeof importAgain> | undefined;
      const acquire: typeof lanes.acquire = async (lane, ...others) => {
        if (!lane.startsWith('rows of')) {
          again ??= importAgain();
          await (when === 'during' ? owners(it, 2) : again);
        }
        return lanes.acquire(lane, ...others);
      };
      if (when === 'before' || when === 'after') await (again = importAgain());
      const setting = { ledger: overriding(it.ledger, { lanes: overriding(lanes, { acquire }) }) };
      const second = await (plan === undefined
        ? undo(it, first.summary.job, {}, setting)
        : it.apply(plan.summary.job, { yes: true }));
      ended.resolve();
      expect((await again)?.summary.rows.created).toBe(3);
      expect(second).toMatchObject({ exitCode: 3, summary: { rows: { updated: 0, held: 3 } } });
      expect(live(it)).toHaveLength(3);

      // Who wants both has them.
      const { job } = second.summary;
      const [held] = await it.ledger.rows.list(job, { states: ['held'], limit: 1 });
      await it.run((deps) => resolveRow(job, held?.sheetRow ?? 0, { as: 'retry' }, deps));
      expect(await it.resume(job)).toMatchObject({ exitCode: 3, summary: { rows: { updated: 1, held: 2 } } });
      expect(live(it)).toHaveLength(4);
    },
  );
});

it('an import holds a row that the undo of an undo is about to restore', async () => {
  await using it = await openImport();
  const file = await it.file('stock.csv', toys(1));
  const { summary } = await it.import({ file });
  const first = await undo(it, summary.job);
  let again: ReturnType<OpenImport['import']> | undefined;
  const { rows } = it.ledger;
  const move: typeof rows.move = async (...args) => {
    if (args[1].some(({ to }) => to === 'sending'))
      await (again ??= it.import(
        { file, run: { yes: true } },
        { client: { key: it.sandbox.control.addKey().secret } },
      ));
    return rows.move(...args);
  };
  const ledger = overriding(it.ledger, { rows: overriding(rows, { move }) });
  const second = await undo(it, first.summary.job, {}, { ledger });
  expect([second.exitCode, second.summary.rows]).toMatchObject([0, { updated: 1 }]);
  expect((await again)?.summary.rows).toMatchObject({ created: 0, held: 1 });
  expect(it.names()).toHaveLength(1);
});

it('rows that an unfinished undo has yet to revert are held if their file is imported again', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', toys(6));
  const { summary } = await it.import({ file });
  const paused = await undo(it, summary.job, { run: { first: 3 } });
  const again = await it.import({ file, run: { onlyNew: true } });
  expect(again).toMatchObject({ exitCode: 3, summary: { rows: { created: 3, held: 3 } } });
  expect((await it.resume(paused.summary.job)).exitCode).toBe(0);
  expect(it.items().filter(({ status }) => status !== 'archived')).toHaveLength(3);
});

describe('two undos of rows of one file', () => {
  it('list the items to delete in two separate files', async () => {
    await using it = await openImport();
    const { summary } = await it.import({ file: await it.file('toys.csv', toys(3)) });
    const notes: string[] = [];
    const lists: string[] = [];
    for (const row of [2, 3]) {
      const undone = await it.run(
        (deps) =>
          undoJob(summary.job, deps, {
            rows: [{ from: row, to: row }],
            outDir: it.folder,
            run: { quietPeriodMs: QUIET_MS },
          }),
        { onEvent: (event) => (event.type === 'note' ? notes.push(event.message) : undefined) },
      );
      lists.push(await it.read(undone.summary.files.toDelete));
    }
    expect(lists.map((list) => parseCsv(list).length)).toEqual([1, 1]);
    expect(lists[0]).not.toBe(lists[1]);
    expect(await it.read(join(it.folder, 'toys.undo.to-delete.csv'))).toBe(lists[0]);
    expect(notes.join()).toContain('toys.undo.to-delete-2.csv');
  });
});

it('an undo succeeds although one server of several briefly does not know the changed item', async () => {
  await using open = await openImport();
  const old = new Date(Date.now() - 86_400_000).toISOString();
  const [id = ''] = open.sandbox.control.insertItems([
    { name: 'A', series: 'before', created_at: old, updated_at: old },
  ]);
  const run = { quietPeriodMs: QUIET_MS };
  await open.run((deps) =>
    setItems({ changes: ['series=after'], where: 'name=A', outDir: open.folder, run }, deps),
  );
  const { apiUrl, misses } = await unknowingProxy(open.sandbox.url, id, 1);
  const target = open.sandbox.url;
  const { exitCode } = await undo(open, 'last', { run: { yes: true } }, { client: { apiUrl, target } });
  expect([exitCode, open.items()[0]?.series, misses()]).toEqual([0, 'before', 1]);
});

it.each([false, true])(
  'an upsert creates again what was undone, if the server drops the mark (%s)',
  async (drops) => {
    await using it = await openImport({ storing: drops ? { dropCustomFields: true } : {} });
    const file = await it.file('toys.csv', toys(2));
    const upsert = () => it.import({ file, mode: 'upsert', match: ['name'] });
    await undo(it, (await upsert()).summary.job, { run: { yes: true } });
    const again = await upsert();
    expect(again.summary.rows).toMatchObject({ created: 2, unchanged: 0 });
    expect(it.items().filter(({ status }) => status !== 'archived')).toHaveLength(2);
    expect((await upsert()).summary.rows).toMatchObject({ created: 0 });
  },
);

it('an undo holds items that one server does not know for a moment', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', toys(2));
  const { summary } = await it.import({ file });
  let missed = 0;
  const wrap: RunSetting['wrap'] = (client) => {
    const getItem = client.getItem.bind(client);
    client.getItem = (id, options) => {
      if (options?.priority !== 'recheck' || missed === 2) return getItem(id, options);
      missed += 1;
      return getItem('00000000-0000-4000-8000-000000000000', options);
    };
    return client;
  };
  const undone = await undo(it, summary.job, { run: { yes: true, recheckMs: 0 } }, { wrap });
  expect([undone.exitCode, undone.summary.rows]).toMatchObject([3, { held: 2 }]);
  await it.import({ file, run: { onlyNew: true } });
  expect(it.items()).toHaveLength(2);
});

it('an item that was used again after its undo, and then archived by hand, is still found by its key', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', csv(['name', 'SKU'], [['A', 'A1']]));
  const upsert = () => it.import({ file, mode: 'upsert', match: ['custom_fields.SKU'] });
  await undo(it, (await upsert()).summary.job, { run: { yes: true } });
  const id = it.items()[0]?.id ?? '';
  const edit = (fields: ItemUpdate) => it.run(({ client }) => client.updateItem(id, fields));
  await edit({ status: 'keep', custom_fields: { SKU: 'A1' } });
  await it.run((deps) =>
    setItems({ changes: ['brand=B'], where: 'name=A', outDir: it.folder, run: { yes: true } }, deps),
  );
  await edit({ status: 'archived' });
  expect((await upsert()).summary.rows).toMatchObject({ created: 0 });
});

it('a file whose rows were undone is imported through connections that are lost while its items are read', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', toys(12));
  const { summary } = await it.import({ file });
  await undo(it, summary.job, { run: { yes: true } });
  let lost = 0;
  const wrap: RunSetting['wrap'] = (client) => {
    const getItem = client.getItem.bind(client);
    client.getItem = (id, options) => {
      if (lost < 3) it.sandbox.control.failNext('dropBefore', 'getItem');
      lost += 1;
      return getItem(id, options);
    };
    return client;
  };
  const again = await it.import({ file, run: { onlyNew: true } }, { wrap });
  expect(again).toMatchObject({ exitCode: 0, summary: { rows: { created: 12 } } });
  expect(lost).toBeGreaterThan(3);
});
