/** A row that could not be settled waits for a person, and goes the way the person says. */
import { nextText } from '../../src/cli/show/output.ts';
import { expect, test } from 'vitest';
import type { ItemUpdate } from '../../src/api/schemas.ts';
import { createClient } from '../../src/api/client.ts';
import { parseResolution, resolveRow } from '../../src/import/jobs/resolve-row.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { undoJob } from '../../src/import/run.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import { csv } from '../support/csv.ts';
import { openImport, type OpenImport } from '../support/open-import.ts';

/** Three rows, the answer to the second lost after it was stored, and nobody may look it up. */
async function withHeldRow(it: OpenImport): Promise<string> {
  const file = await it.file('toys.csv', csv(['name'], [['Falcon'], ['Rover'], ['Lander']]));
  const setting = { client: { maxConcurrency: 1 } };
  await it.import({ file, noSettle: true, run: { first: 1 } }, setting);
  it.sandbox.control.failNext('dropAfterCommit', 'createItem');
  const { summary, exitCode } = await it.resume('last', {}, setting);
  expect([exitCode, summary.state, summary.rows.created, summary.rows.held]).toEqual([3, 'done', 2, 1]);
  return summary.job;
}

const resolve = (it: OpenImport, row: number, as: string) =>
  it.run((deps) => resolveRow('last', row, parseResolution(as), deps));

test('resolve --as created assigns the item to the row, and nothing is sent again', async () => {
  await using it = await openImport();
  await withHeldRow(it);
  const rover = it.items().find((item) => item.name === 'Rover')?.id ?? '';
  const { summary } = await resolve(it, 3, `created:${rover.toUpperCase()}`);
  expect(summary).toMatchObject({ state: 'done', rows: { created: 3, held: 0 } });
  expect((await it.resume('last')).exitCode).toBe(0);
  expect(it.names()).toEqual(['Falcon', 'Lander', 'Rover']);
});

test.each(['dropBefore', 'error500'] as const)(
  'resolve --as created reads the item through %s',
  async (kind) => {
    await using it = await openImport();
    await withHeldRow(it);
    const rover = it.items().find((item) => item.name === 'Rover')?.id ?? '';
    it.sandbox.control.failNext(kind, 'getItem');
    const { summary } = await resolve(it, 3, `created:${rover}`);
    expect(summary).toMatchObject({ state: 'done', rows: { created: 3, held: 0 } });
  },
);

test('resolve --as retry sends the row once, with the next resume', async () => {
  await using it = await openImport();
  await withHeldRow(it);
  it.sandbox.control.removeItem(it.items().find((item) => item.name === 'Rover')?.id ?? '');
  const { summary, ...next } = await resolve(it, 3, 'retry');
  expect(summary).toMatchObject({ state: 'paused', rows: { created: 2, held: 0, pending: 1 } });
  expect(nextText(next, {})).toContain('jobs resume');
  expect((await it.resume('last')).summary).toMatchObject({
    state: 'done',
    rows: { created: 3, pending: 0 },
  });
  expect(it.names()).toEqual(['Falcon', 'Lander', 'Rover']);
});

test('resolve names the command that sends the row if invalid rows keep a resume from sending it', async () => {
  await using it = await openImport();
  const rows = [
    ['Falcon', '5'],
    ['Rover', 'dear'],
  ];
  const file = await it.file('toys.csv', csv(['name', 'estimated_value'], rows));
  const first = await it.import({ file, run: { skipInvalid: true } });
  const results = await it.read(first.summary.files.results);
  await it.import({ file: await it.file('edited.csv', results.replace('Falcon,5', 'Falcon,6')) });
  const { summary, ...next } = await resolve(it, 2, 'mine');
  expect(summary).toMatchObject({ state: 'planned', rows: { invalid: 1, pending: 1 } });
  expect(nextText(next, {})).toContain('--skip-invalid');
  expect(nextText(next, {})).not.toContain('jobs resume');
  const { summary: sent } = await it.apply(summary.job, { skipInvalid: true });
  expect(sent.rows).toMatchObject({ updated: 1, invalid: 1, pending: 0 });
});

test('resolve --as skip leaves the row out, and counts it as skipped', async () => {
  await using it = await openImport();
  await withHeldRow(it);
  const { summary } = await resolve(it, 3, 'skip');
  expect(summary.rows).toMatchObject({ created: 2, held: 0, skipped: 1 });
  expect(await it.read(summary.files.results)).toMatch(/^Rover,3,skipped,/m);
});

test('resolve --as created refuses an item that does not exist or belongs to another row, and changes nothing', async () => {
  await using it = await openImport();
  const job = await withHeldRow(it);
  const before = await it.ledger.rows.list(job, { limit: 9 });
  const falcon = it.items().find((item) => item.name === 'Falcon')?.id ?? '';
  await expect(resolve(it, 3, `created:${falcon}`)).rejects.toMatchObject({ code: 'bad_resolution' });
  const nobody = '2f1d3c52-2a2b-4b1a-9c55-0c1f5b3f7a10';
  await expect(resolve(it, 3, `created:${nobody}`)).rejects.toMatchObject({ code: 'bad_resolution' });
  expect(await it.ledger.rows.list(job, { limit: 9 })).toEqual(before);
  // A row of a job that has ended is as safe as one of this.
  const other = await it.import({ file: await it.file('more.csv', csv(['name'], [['Probe']])) });
  const probe = it.items().find((item) => item.name === 'Probe')?.id ?? '';
  await expect(
    it.run((deps) => resolveRow(job, 3, parseResolution(`created:${probe}`), deps)),
  ).rejects.toMatchObject({ code: 'bad_resolution' });
  expect(await it.ledger.rows.counts(other.summary.job)).toMatchObject({ created: 1, unknown: 0 });
});

test('resolve --as skip records a change that a merging server partly applied, and an undo reverts it', async () => {
  await using it = await openImport({ customFields: 'merge' });
  const [id = ''] = it.sandbox.control.insertItems([{ name: 'Rover', custom_fields: { old: 'x' } }]);
  const file = await it.file(
    'changes.csv',
    csv(['id', 'status', 'custom_fields.old'], [[id, 'sold', '<clear>']]),
  );
  const { summary, exitCode } = await it.import({ file, mode: 'update' });
  expect([exitCode, summary.rows.held]).toEqual([3, 1]);
  const skipped = await resolve(it, 2, 'skip');
  expect(skipped.summary.rows).toMatchObject({ updated: 1, skipped: 0, held: 0 });
  await it.run((deps) => undoJob(summary.job, deps, { run: { quietPeriodMs: 60 } }));
  expect(it.items()[0]?.status).toBe('keep');
});

test('resolve refuses a row that needs no decision, and an incomplete answer', async () => {
  await using it = await openImport();
  await withHeldRow(it);
  await expect(resolve(it, 2, 'retry')).rejects.toMatchObject({
    code: 'no_such_row',
    remedy: 'Rows that need a decision: 3.',
  });
  expect(() => parseResolution('created:')).toThrow(expect.objectContaining({ code: 'bad_resolution' }));
  expect(() => parseResolution('yes')).toThrow(expect.objectContaining({ code: 'bad_resolution' }));
});

/** A change of brand and status that is held, because somebody has changed the brand since the plan. */
async function withDrift(it: OpenImport, fields = { brand: 'Mine', status: 'sold' }): Promise<string> {
  const [id = ''] = it.sandbox.control.insertItems([{ name: 'Rover', brand: 'Old' }]);
  const file = await it.file('u.csv', csv(['id', ...Object.keys(fields)], [[id, ...Object.values(fields)]]));
  const dry = await it.import({ file, mode: 'update', dryRun: true });
  await using somebody = createClient({ apiUrl: it.sandbox.url, key: it.sandbox.key });
  await somebody.updateItem(id, { brand: 'Theirs' });
  const { summary } = await it.apply(dry.summary.job, { onDrift: 'hold' });
  expect(summary.rows).toMatchObject({ held: 1, updated: 0 });
  return summary.job;
}

test.each([
  ['theirs', { brand: 'Theirs', status: 'sold' }, { updated: 1, skipped: 0 }],
  ['mine', { brand: 'Mine', status: 'sold' }, { updated: 1, skipped: 0 }],
  ['skip', { brand: 'Theirs', status: 'keep' }, { updated: 0, skipped: 1 }],
])(
  'resolve decides on a drifted change as %s, and the undo restores the previous values',
  async (as, item, rows) => {
    await using it = await openImport();
    const job = await withDrift(it);
    const { undecided } = (await it.run((deps) => showJob(job, deps))).summary;
    expect(
      undecided?.rows[0]?.otherwise.map((action) =>
        'options' in action ? action.options?.['as'] : undefined,
      ),
    ).toEqual(['theirs', 'mine', 'skip']);
    await resolve(it, 2, as);
    const { summary } = await it.resume('last');
    expect(summary).toMatchObject({ state: 'done', rows: { ...rows, held: 0 } });
    expect(it.items()[0]).toMatchObject(item);
    if (as !== 'skip') await it.run((deps) => undoJob(job, deps));
    expect(it.items()[0]).toMatchObject({ brand: 'Theirs', status: 'keep' });
  },
);

/** A change by SKU that is held, because somebody has changed the item since the plan. */
async function withKeyDrift(it: OpenImport, theirs: ItemUpdate): Promise<[job: string, item: string]> {
  const own = { brand: 'Old', custom_fields: { sku: 'A1' } };
  const [id = ''] = it.sandbox.control.insertItems([{ name: 'Rover', ...own }]);
  const file = await it.file('u.csv', csv(['custom_fields.sku', 'brand'], [['A1', 'Mine']]));
  const dry = await it.import({ file, mode: 'update', match: ['custom_fields.sku'], dryRun: true });
  await it.run(({ client }) => client.updateItem(id, theirs));
  await it.apply(dry.summary.job, { onDrift: 'hold' });
  return [dry.summary.job, id];
}

async function heldFor(it: OpenImport, job: string): Promise<string | undefined> {
  const [row] = await it.ledger.rows.list(job, { states: ['held'], limit: 1 });
  return row?.issues[0]?.message;
}

const KEY_DRIFT =
  'custom_fields.sku was "A1" when the plan was made and is now "A2": the row may now refer to another item';

test('resolve --as mine does not cover a key change that the person has not seen: the row is held again', async () => {
  await using it = await openImport();
  const [job, id] = await withKeyDrift(it, { brand: 'Theirs' });
  expect(await heldFor(it, job)).toContain('brand was "Old"');
  await it.run(({ client }) => client.updateItem(id, { custom_fields: { sku: 'A2' } }));
  await resolve(it, 2, 'mine');
  await it.resume('last', { recheckMs: 0 });
  expect(await heldFor(it, job)).toBe(KEY_DRIFT);
  expect(it.items()[0]).toMatchObject({ brand: 'Theirs' });
  await resolve(it, 2, 'mine');
  expect((await it.resume('last')).summary.rows).toMatchObject({ updated: 1, held: 0 });
  expect(it.items()[0]).toMatchObject({ brand: 'Mine' });
});

test('a row that is held for both its values and its key gives both reasons, and --as mine covers both', async () => {
  await using it = await openImport();
  const [job] = await withKeyDrift(it, { brand: 'Theirs', custom_fields: { sku: 'A2' } });
  expect(await heldFor(it, job)).toBe(
    `brand was "Old" when the plan was made and is now "Theirs" (planned: "Mine"); ${KEY_DRIFT}`,
  );
  await resolve(it, 2, 'mine');
  expect((await it.resume('last')).summary.rows).toMatchObject({ updated: 1, held: 0 });
});

test('resolve --as theirs sends nothing, even after mending, if somebody has changed all fields of the row', async () => {
  await using it = await openImport();
  const job = await withDrift(it, { brand: 'Mine' } as never);
  expect((await resolve(it, 2, 'theirs')).summary.rows).toMatchObject({ skipped: 1, held: 0 });
  const [row] = await it.ledger.rows.list(job, { limit: 1 });
  expect(row?.issues[0]?.message).toContain('decided to leave the item as it is');
  await it.run((deps) =>
    correctAndReport(job, { changes: [{ type: 'default', field: 'status', value: '' }] }, deps),
  );
  await it.resume('last');
  expect(it.items()[0]).toMatchObject({ brand: 'Theirs' });
});

test.each([
  [
    { type: 'cell', row: 3, column: 'brand', text: 'Newer' },
    { brand: 'Theirs', series: 'Mended' },
  ],
  [
    { type: 'cell', row: 2, column: 'brand', text: 'Newer' },
    { brand: 'Newer', series: 'Mended' },
  ],
] as const)(
  'resolve --as theirs keeps another person’s value of a field until that cell is mended: %j',
  async (change, values) => {
    await using it = await openImport();
    const headers = ['id', 'brand', 'series'];
    const [first = '', second = ''] = it.sandbox.control.insertItems([{ name: 'A' }, { name: 'B' }]);
    const rows = [first, second].map((id) => [id, 'Mine', 'Mended']);
    const file = await it.file('brands.csv', csv(headers, rows));
    const { summary } = await it.import({ file, mode: 'update', match: ['id'], dryRun: true });
    const patch: ItemUpdate = { brand: 'Theirs' };
    await it.run(({ client }) => client.updateItem(first, patch));
    await it.apply(summary.job, { first: 1, recheckMs: 0 });
    await resolve(it, 2, 'theirs');
    await it.run((deps) => correctAndReport(summary.job, { changes: [change] }, deps));
    await it.resume(summary.job, { recheckMs: 0 });
    expect(it.items().find(({ id }) => id === first)).toMatchObject(values);
  },
);

test.each([
  ['theirs', ['Old'], { created: 0, updated: 0, skipped: 1 }],
  ['mine', ['New'], { created: 0, updated: 1, skipped: 0 }],
  ['retry', ['New', 'Old'], { created: 1, updated: 0, skipped: 0 }],
])('resolve --as %s decides on an edited row that was already sent', async (as, brands, rows) => {
  await using it = await openImport();
  const headers = ['name', 'SKU', 'brand'];
  const send = async (brand: string) =>
    it.import({ file: await it.file(`${brand}.csv`, csv(headers, [['Rover', 'R-1', brand]])) });
  await send('Old');
  expect((await send('New')).summary.rows).toMatchObject({ held: 1 });
  await resolve(it, 2, as);
  const { summary } = await it.resume('last');
  expect(summary).toMatchObject({ state: 'done', rows: { ...rows, held: 0 } });
  expect(
    it
      .items()
      .map(({ brand }) => brand ?? '')
      .sort((a, b) => a.localeCompare(b)),
  ).toEqual(brands);
  if (as !== 'theirs') await it.run((deps) => undoJob(summary.job, deps));
  const left = it.items().filter(({ status }) => status !== 'archived');
  expect(left.map(({ brand }) => brand)).toEqual(['Old']);
});

test('resolve refuses --as theirs and --as mine if the item of the row is unknown', async () => {
  await using it = await openImport();
  await withHeldRow(it);
  for (const as of ['theirs', 'mine'])
    await expect(resolve(it, 3, as)).rejects.toMatchObject({ code: 'bad_resolution' });
});
