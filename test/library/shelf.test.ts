/** The one entrance, as a program uses it. */
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import {
  ExitCode,
  type FileRow,
  InterruptedError,
  type Item,
  type RowsSource,
  type Run,
  type Shelf,
  type StreamSource,
  open,
  openLedger,
  type ShelfEvent,
  UsageError,
  runWorker,
  RowError,
  textOf,
} from '../../src/index.ts';
import { startSandbox } from '../../src/sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { toys } from '../support/csv.ts';
import { makeBook } from '../sheets/support/make-book.ts';
import { protectAgile } from '../sheets/support/protect.ts';
import { temporaryFolder } from '../support/open-import.ts';

async function shelfOn(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  const shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: ':memory:' });
  onTestFinished(() => shelf.close());
  const folder = await temporaryFolder();
  return { sandbox, shelf, folder, main: { collection: 'Main', results: folder } };
}

/** What never comes. */
async function stall(): Promise<never> {
  return new Promise(() => undefined);
}

async function* stalled(): AsyncGenerator<Record<string, string>> {
  yield await stall();
}

/** Sorted, because requests run side by side. */
function names(items: readonly Pick<Item, 'name'>[]): string[] {
  return items.map(({ name }) => name).sort();
}

it('a shelf imports objects by their property names, and recognises them the next time', async () => {
  const { sandbox, shelf, main } = await shelfOn();
  async function* rows() {
    yield { Name: 'Falcon', Year: 1979, Tags: ['boxed', 'rare'], Notes: null };
    yield { Name: 'Rover', Year: '1986', Tags: [], Price: 12.5 };
  }
  const first = await shelf.import({ rows: rows(), name: 'nightly' }, main);
  expect(first).toMatchObject({ state: 'done', exitCode: ExitCode.ok, rows: { created: 2 } });
  expect(first.files.results).toBe(join(main.results, 'nightly.results.csv'));
  expect(names(sandbox.control.items())).toEqual(['Falcon', 'Rover']);
  expect(sandbox.control.items().find(({ name }) => name === 'Falcon')).toMatchObject({
    release_year: 1979,
    tags: ['boxed', 'rare'],
  });
  expect(await shelf.import({ rows: rows(), name: 'nightly' }, main)).toMatchObject({
    state: 'already_applied',
    job: first.job,
  });
  expect(sandbox.control.items()).toHaveLength(2);
});

it('a shelf writes results only on request: no file, a folder, or a stream that stays open', async () => {
  const { shelf, folder } = await shelfOn();
  const before = readdirSync('.');
  const collection = 'Main';
  const quiet = await shelf.import(
    { rows: [{ name: 'Falcon' }, { name: '', brand: 'Acme' }] },
    { collection, skipInvalid: true },
  );
  expect(quiet).toMatchObject({ files: {}, rows: { created: 1, invalid: 1 } });
  expect((await Array.fromAsync(shelf.jobs.list()))[0]?.file).toBe('rows');
  expect(await shelf.set({ status: 'sell' }, { where: { name: 'Falcon' } })).toMatchObject({ files: {} });
  expect(readdirSync('.')).toEqual(before);
  // Who asks for them gets them.
  const { rejects = '' } = await shelf.jobs.results(quiet.job, { outDir: folder });
  expect(readFileSync(rejects, 'utf8')).toContain('name is blank');

  const file = join(folder, 'toys.csv');
  writeFileSync(file, 'name\nBear\n');
  const stream = new PassThrough();
  const told = await shelf.import({ file }, { collection, results: stream });
  expect(told).toMatchObject({ state: 'done', files: {} });
  expect(String(stream.read())).toMatch(/^name,_row,_state.*\r\nBear,2,created,/);
  expect(stream.writableEnded).toBe(false);
  const torn = new WritableStream<Uint8Array>({
    write() {
      throw new Error('the pipe is torn');
    },
  });
  const unwritten = await shelf.import({ rows: [{ name: 'Rover' }] }, { collection, results: torn });
  expect(unwritten).toMatchObject({ rows: { created: 1 }, error: { code: 'stream_failed' } });
  expect(await shelf.import({ file }, { collection, results: false, force: true })).toMatchObject({
    files: {},
  });
  expect(readdirSync(folder).filter((name) => name.startsWith('toys'))).toEqual(['toys.csv']);
});

it('a shelf makes a row invalid if the mapping function throws, and sends the others', async () => {
  const { sandbox, shelf, main } = await shelfOn();
  const rows = [
    { title: 'Falcon', price: 5 },
    { title: 'Rover', price: -1 },
    { title: 'Bear', price: -2 },
    { title: '' },
  ];
  const map = ({ title, price = 0 }: { title: string; price?: number }) => {
    if (price < 0)
      throw new RowError('negative_price', `The till says ${price}.`, { field: 'estimated_value' });
    if (title === '') throw new RowError('no_title', 'The till has no title.');
    return { name: title };
  };
  const summary = await shelf.import({ rows }, { ...main, map, mapVersion: '1', skipInvalid: true });
  expect(summary).toMatchObject({ exitCode: ExitCode.rows, rows: { created: 1, invalid: 3 } });
  expect(names(sandbox.control.items())).toEqual(['Falcon']);
  const invalid = await Array.fromAsync(shelf.jobs.rows(summary.job, { states: ['invalid'] }));
  expect(
    invalid.map(({ row, issues }) => [row, issues.map(({ code, field, message }) => [code, field, message])]),
  ).toEqual([
    [2, [['refused_by_map', 'estimated_value', 'The till says -1.']]],
    [3, [['refused_by_map', 'estimated_value', 'The till says -2.']]],
    [4, [['refused_by_map', undefined, 'The till has no title.']]],
  ]);
  expect(summary.issues?.map(({ rows: count, said }) => [count, said?.code])).toEqual([
    [2, 'row_refused_by_map'],
    [1, 'refused_by_map'],
  ]);
  const none = await shelf.import({ rows: rows.slice(1), name: 'none' }, { ...main, map, mapVersion: '1' });
  expect(none).toMatchObject({ exitCode: ExitCode.rows, rows: { created: 0, invalid: 3 } });
});

it('a shelf maps rows by a function, whose results are used unchanged', async () => {
  const { sandbox, shelf, main } = await shelfOn();
  const rows = [
    { title: ' None ', year: 1979, custom: { shelf: 'A1', count: 3, nested: { a: [1] }, flag: true } },
    { title: 'left out', year: 1 },
    { title: 'Rover', year: 1986, custom: {} },
  ];
  const notes: string[] = [];
  const run = shelf.import(
    { rows },
    {
      ...main,
      map: ({ title, year, custom = {} }) =>
        year < 1968
          ? undefined
          : {
              name: title,
              brand: 'N/A',
              release_year: year,
              estimated_value: 12.25,
              tags: ['a; b', 'c'],
              custom_fields: custom,
            },
      mapVersion: '1',
    },
  );
  for await (const event of run) if (event.type === 'note') notes.push(event.message);
  expect(await run).toMatchObject({ rows: { read: 2, created: 2 } });
  expect(notes).toContain('The mapping function left 1 row out.');
  const [none] = sandbox.control.items().filter(({ name }) => name.includes('None'));
  expect(none).toMatchObject({
    name: ' None ',
    brand: 'N/A',
    release_year: 1979,
    estimated_value: 12.25,
    tags: ['a; b', 'c'],
    custom_fields: { shelf: 'A1', count: 3, nested: { a: [1] }, flag: true },
  });
});

it('a new mapping version starts a new import, which holds rows that were already sent', async () => {
  const { sandbox, shelf, main } = await shelfOn();
  const rows = [{ title: 'Falcon' }, { title: 'Rover' }];
  const map = ({ title }: { title: string }) => ({ name: title });
  const first = await shelf.import({ rows }, { ...main, map, mapVersion: '1' });
  expect(await shelf.import({ rows }, { ...main, map, mapVersion: '1' })).toMatchObject({
    state: 'already_applied',
    job: first.job,
  });
  const again = await shelf.import({ rows }, { ...main, map, mapVersion: '2' });
  expect(again).toMatchObject({
    state: 'needs_answer',
    code: 'rows_sent_before',
    question: { code: 'rows_sent_before', params: { sent: 2, planned: 2 } },
    actions: [{ option: 'only-new' }, { option: 'all-rows' }],
    exitCode: ExitCode.usage,
    rows: { pending: 2 },
  });
  expect(await shelf.jobs.get(again.job)).toMatchObject({ state: 'planned' });
  // Asking again changes nothing, and the answer is for the job that asked.
  expect(await shelf.jobs.apply(again.job)).toMatchObject({ state: 'needs_answer', job: again.job });
  expect(await shelf.jobs.apply(again.job, { onlyNew: true })).toMatchObject({
    state: 'done',
    rows: { created: 0, skipped: 2 },
  });
  expect(sandbox.control.items()).toHaveLength(2);
});

it('a shelf requires confirmation before it creates the items of an export again or repeats a change', async () => {
  const { sandbox, shelf, folder, main } = await shelfOn();
  const ids = sandbox.control.insertItems([{ name: 'Falcon', estimated_value: 10 }, { name: 'Rover' }]);
  const file = join(folder, 'items.csv');
  await shelf.export({ out: file });
  const own = await shelf.import({ file }, { ...main, mode: 'create' });
  expect(own).toMatchObject({ state: 'needs_answer', code: 'own_export', rows: { pending: 2 } });
  expect(sandbox.control.items()).toHaveLength(2);
  expect(await shelf.jobs.apply(own.job, { yes: true })).toMatchObject({
    state: 'done',
    rows: { created: 2 },
  });

  const where = { id: ids[0] ?? '' };
  const raise = () => shelf.set({ estimated_value: { plus: 1 } }, { where });
  expect(await raise()).toMatchObject({ state: 'done', rows: { updated: 1 } });
  const twice = await raise();
  expect(twice).toMatchObject({ state: 'needs_answer', code: 'repeated_change' });
  expect(await shelf.jobs.cancel(twice.job)).toMatchObject({ state: 'cancelled' });
  const valueOf = () => sandbox.control.items().find(({ id }) => id === ids[0])?.estimated_value;
  expect(valueOf()).toBe(11);
  const declined = shelf.set({ estimated_value: { plus: 1 } }, { where, confirm: () => false });
  await expect(declined).rejects.toMatchObject({ code: 'repeated_change' });
  expect(valueOf()).toBe(11);
});

it.each(['stop', 'signal', 'close'] as const)(
  'a run that waits for an answer ends at once, and a late answer sends nothing: %s',
  async (how) => {
    const { sandbox, shelf } = await shelfOn();
    sandbox.control.insertItems([{ name: 'Falcon' }, { name: 'Rover' }]);
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<boolean>();
    const outside = new AbortController();
    const confirm = () => {
      asked.resolve();
      return answer.promise;
    };
    const run = shelf.set(
      { brand: 'Acme' },
      { where: { status: 'keep' }, maxChanges: 1, signal: outside.signal, confirm },
    );
    const ended = expect(run).rejects.toBeInstanceOf(InterruptedError);
    await asked.promise;
    if (how === 'stop') run.stop();
    if (how === 'signal') outside.abort();
    if (how === 'close') await shelf.close();
    await ended;
    answer.resolve(true);
    await shelf.close();
    expect(sandbox.control.items().flatMap(({ brand }) => brand ?? [])).toEqual([]);
  },
);

it.each<[string, (shelf: Shelf, to: { collection: string; results: string }) => Run<unknown, ShelfEvent>]>([
  [
    'a Web stream',
    (shelf, to) =>
      shelf.import({ stream: new ReadableStream<Uint8Array>({ pull: stall }), name: 'a.csv' }, to),
  ],
  ['a Node stream', (shelf, to) => shelf.import({ stream: new PassThrough(), name: 'a.csv' }, to)],
  ['rows', (shelf, to) => shelf.import({ rows: stalled(), name: 'a' }, to)],
  [
    'a function that maps rows',
    (shelf, to) => shelf.import({ rows: [{ name: 'A' }], name: 'a' }, { ...to, map: stall, mapVersion: '1' }),
  ],
])('an import that waits for %s can be stopped', { timeout: 20_000 }, async (_, begin) => {
  const { shelf, main } = await shelfOn();
  const run = begin(shelf, main);
  setTimeout(() => run.stop(), 50);
  await expect(run).rejects.toMatchObject({ code: 'interrupted' });
});

it('an import whose results nobody takes can be stopped', { timeout: 20_000 }, async () => {
  const { sandbox, shelf, main } = await shelfOn();
  const begun = Promise.withResolvers<void>();
  const results = new Writable({ write: () => begun.resolve() });
  const run = shelf.import({ rows: [{ name: 'A' }], name: 'one' }, { ...main, results });
  await begun.promise;
  run.stop();
  // The row is sent, and says so.
  expect(await run).toMatchObject({ rows: { created: 1 } });
  expect(sandbox.control.items()).toHaveLength(1);
});

it('an import that waits for the password of a file can be stopped', async () => {
  const { sandbox, shelf, main, folder } = await shelfOn();
  const file = join(folder, 'toys.xlsx');
  writeFileSync(file, protectAgile(makeBook({ sheets: '<sheetData/>' }), { password: 'hunter2' }));
  const asked = Promise.withResolvers<void>();
  const filePassword = () => {
    asked.resolve();
    return new Promise<undefined>(() => undefined);
  };
  const run = shelf.import({ file }, { ...main, filePassword });
  const ended = expect(run).rejects.toBeInstanceOf(InterruptedError);
  await asked.promise;
  run.stop();
  await ended;
  expect(sandbox.control.items()).toEqual([]);
});

it('a shelf reports why a job is parked, and lists parked jobs', async () => {
  const { sandbox, shelf, main } = await shelfOn({ planLimit: 1 });
  const full = await shelf.import({ rows: [{ name: 'Falcon' }, { name: 'Rover' }] }, main);
  expect(full).toMatchObject({ state: 'parked', reason: 'limit', exitCode: ExitCode.limit });
  sandbox.control.setPlanLimit(null);
  sandbox.control.revokeKey(sandbox.key);
  const refused = await shelf.jobs.resume(full.job);
  expect(refused).toMatchObject({ state: 'parked', reason: 'unauthorized', error: { code: 'unauthorized' } });
  expect(await Array.fromAsync(shelf.jobs.list({ state: 'parked' }))).toMatchObject([
    { job: full.job, state: 'parked', reason: 'unauthorized' },
  ]);
  expect(await Array.fromAsync(shelf.jobs.list({ state: ['done', 'planned'] }))).toEqual([]);
});

it('a shelf reports which rows of an import could not be sent, and why', async () => {
  const { shelf, main } = await shelfOn();
  const rows = [{ name: 'Falcon' }, { name: 'Rover', condition: 'so-so' }];
  const summary = await shelf.import({ rows }, { ...main, skipInvalid: true });
  expect(summary).toMatchObject({
    state: 'done',
    rows: { created: 1, invalid: 1 },
    issues: [{ code: 'unknown_word', rows: 1, firstRows: [{ row: 2 }] }],
  });
  const again = await shelf.import({ rows }, { ...main, skipInvalid: true });
  expect(again).toMatchObject({ state: 'already_applied', issues: summary.issues });
});

it('a mapping function changes items: null empties a field, undefined leaves it alone', async () => {
  const { sandbox, shelf, main } = await shelfOn();
  const [id = ''] = sandbox.control.insertItems([{ name: 'Falcon', brand: 'K', series: 'S', tags: ['x'] }]);
  const result = await shelf.import(
    { rows: [{ id }] },
    {
      results: main.results,
      mode: 'update',
      map: (row) => ({ id: row.id, brand: null, series: undefined, tags: [], estimated_value: 3 }),
      mapVersion: '1',
    },
  );
  expect(result.rows).toMatchObject({ updated: 1 });
  expect(sandbox.control.items()[0]).toMatchObject({
    brand: null,
    series: 'S',
    tags: [],
    estimated_value: 3,
  });
});

it('a mapping function gets a number whose format shows a currency as a number', async () => {
  const { sandbox, shelf, main, folder } = await shelfOn();
  const file = join(folder, 'toys.xlsx');
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.00 [$€-407]"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>';
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = `<row>${text('Name')}${text('Paid')}</row><row>${text('Falcon')}<c s="1"><v>14.875</v></c></row>`;
  writeFileSync(file, makeBook({ sheets: `<sheetData>${rows}</sheetData>`, styles }));
  const map = (row: FileRow) => ({
    name: String(row['Name']),
    estimated_value: Number(row['Paid']) * 2,
    custom_fields: { paid: row['Paid'] ?? '' },
  });
  const done = await shelf.import({ file }, { ...main, map, mapVersion: '1' });
  expect(done).toMatchObject({ exitCode: ExitCode.ok, rows: { created: 1 } });
  expect(sandbox.control.items()).toMatchObject([
    { estimated_value: 29.75, custom_fields: { paid: 14.875 } },
  ]);
});

it('a shelf maps the rows of a file by a function, and rejects error cells', async () => {
  const { sandbox, shelf, folder, main } = await shelfOn();
  const file = join(folder, 'toys.csv');
  await writeFile(file, 'Titel;Jahr\nFalke;1979\nRover;1986\n');
  const seen: number[] = [];
  const result = await shelf.import(
    { file },
    {
      ...main,
      map: (row, { row: number }) => {
        seen.push(number);
        return { name: String(row['Titel']), release_year: Number(row['Jahr']) };
      },
      mapVersion: '1',
    },
  );
  expect(result).toMatchObject({ rows: { created: 2 } });
  expect(seen).toEqual([2, 3]);
  expect(names(sandbox.control.items())).toEqual(['Falke', 'Rover']);
});

it.each([
  ['rows', () => ({ rows: tornRows() })],
  ['a Node stream', () => ({ stream: Readable.from(tornRows()) })],
  ['a Web stream', () => ({ stream: ReadableStream.from<Uint8Array>(tornRows()) })],
])(
  'a shelf reports the failure of %s with a code',
  async (_, source: () => RowsSource<object> | StreamSource) => {
    const { shelf } = await shelfOn();
    await expect(shelf.import(source() as StreamSource, { collection: 'Main' })).rejects.toMatchObject({
      code: 'stream_failed',
      cause: { message: 'the tape is torn' },
    });
  },
);

// oxlint-disable-next-line require-yield -- it fails before its first row
function* tornRows(): Generator<never> {
  throw new Error('the tape is torn');
}

it('a list with invalid options throws nothing until it is read, and then rejects', async () => {
  const { shelf } = await shelfOn();
  const items = shelf.items({ where: 'bad' as never });
  await expect(Array.fromAsync(items)).rejects.toMatchObject({ code: 'bad_where' });
});

it('a shelf imports Node streams and Web streams', async () => {
  const { sandbox, shelf, folder, main } = await shelfOn();
  const file = join(folder, 'toys.csv');
  await writeFile(file, toys(3, 'node'));
  expect(await shelf.import({ stream: createReadStream(file), name: 'node.csv' }, main)).toMatchObject({
    rows: { created: 3 },
  });
  const { body } = new Response(toys(2, 'web'));
  if (body === null) throw new Error('no body');
  expect(await shelf.import({ stream: body, name: 'web.csv' }, main)).toMatchObject({ rows: { created: 2 } });
  expect(sandbox.control.items()).toHaveLength(5);
  const empty = shelf.import({ stream: createReadStream('/dev/null'), name: 'empty.csv' }, main);
  await expect(empty).rejects.toThrow(/^empty.csv is empty/);
});

it('a shelf plans, shows, applies and undoes changes, and finds duplicates', async () => {
  const { sandbox, shelf, folder, main } = await shelfOn();
  sandbox.control.insertItems([{ name: 'A' }, { name: 'a!' }, { name: 'b', status: 'sold' }]);
  const plan = await shelf.plan({ set: ['status=sold'] }, main);
  expect(plan.summary).toMatchObject({
    plan: { update: 2, unchanged: 1 },
    changes: { requests: { write: 2 } },
  });
  const rows = await Array.fromAsync(plan.changes());
  expect(rows.map(({ state }) => state).sort()).toEqual(['planned', 'planned', 'unchanged']);
  expect((await plan.apply()).rows).toMatchObject({ updated: 2, unchanged: 1 });
  const undo = await shelf.plan({ undo: plan.job }, { results: folder });
  expect(undo.summary.plan).toMatchObject({ update: 2 });
  expect(sandbox.control.items().map(({ status }) => status)).toEqual(['sold', 'sold', 'sold']);
  expect((await shelf.jobs.undo(plan.job)).rows).toMatchObject({ updated: 2 });
  expect(
    sandbox.control
      .items()
      .map(({ status }) => status)
      .sort(),
  ).toEqual(['keep', 'keep', 'sold']);

  const out = join(folder, 'dupes.csv');
  const found = await shelf.dupes({ out });
  expect(found.groups.map(({ items }) => names(items))).toEqual([['A', 'a!']]);
  expect(await readFile(out, 'utf8')).toContain('dupes_group');
});

it('a shelf returns the items as objects, complete by count, and stops when the loop ends', async () => {
  const { shelf } = await shelfOn({ seed: 7, seedItems: 250 });
  const items = shelf.items();
  expect((await Array.fromAsync(items)).length).toBe(250);
  expect(items.summary).toMatchObject({ rows: 250, consistency: 'stable' });
  const sold = await Array.fromAsync(shelf.items({ where: ['status=sold', 'release_year<2000'] }));
  expect(sold.every((item) => item.status === 'sold' && (item.release_year ?? 0) < 2000)).toBe(true);
  for await (const item of shelf.items({ status: ['keep', 'sell'] })) {
    expect(['keep', 'sell']).toContain(item.status);
    break;
  }
  expect((await Array.fromAsync(shelf.collections())).map(({ object }) => object)).toContain('collection');
});

it('a shelf exports to a file, and compares the file with the API', async () => {
  const { shelf, folder, sandbox } = await shelfOn({ seed: 7, seedItems: 30 });
  const out = join(folder, 'items.csv');
  const types = new Set<ShelfEvent['type']>();
  const run = shelf.export({ out });
  for await (const event of run) types.add(event.type);
  expect(await run).toMatchObject({ file: out, rows: 30, consistency: 'stable' });
  expect([...types]).toEqual(expect.arrayContaining(['counted', 'read', 'written']));
  sandbox.control.insertItems([{ name: 'new' }]);
  expect(await shelf.compare(out)).toMatchObject({ same: 30, added: { count: 1 } });
});

it('a shelf returns a report as data', async () => {
  const { shelf } = await shelfOn({ seed: 7, seedItems: 40 });
  const report = await shelf.report({ kind: 'inventory', status: 'keep' });
  expect(report).toMatchObject({ name: 'inventory', consistency: 'stable' });
  expect(report.written).toBeUndefined();
  const section = report.sections[0];
  const row = section?.blocks[0]?.rows[0];
  expect(Object.keys(row?.values ?? {})).toEqual(section?.columns.map(({ key }) => key));
  expect(structuredClone(report)).toEqual(report);
});

it('a shelf exports only the items that changed since the last export of the same name', async () => {
  const { shelf, folder, sandbox } = await shelfOn({ seed: 7, seedItems: 5 });
  const request = { out: join(folder, 'new.csv'), changedSinceLast: 'shop' };
  expect(await shelf.export(request)).toMatchObject({ rows: 5 });
  sandbox.control.insertItems([{ name: 'new' }]);
  expect(await shelf.export(request)).toMatchObject({ rows: 1 });
});

it('shelf.jobs lists, reads, corrects and cancels jobs', async () => {
  const { shelf, main } = await shelfOn();
  const rows = [
    { name: 'Falcon', year: 'x' },
    { name: 'Rover', year: '1986' },
  ];
  const stopped = await shelf.import({ rows }, main);
  expect(stopped).toMatchObject({
    state: 'planned',
    exitCode: ExitCode.rows,
    rows: { invalid: 1, pending: 1 },
  });
  const { job } = stopped;
  const invalid = await Array.fromAsync(shelf.jobs.rows(job, { states: ['invalid'] }));
  expect(invalid).toMatchObject([{ row: 1, cells: ['Falcon', 'x'], issues: [{ code: 'not_a_year' }] }]);
  const mended = await shelf.jobs.mend(job, {
    changes: [{ type: 'cell', row: 1, column: 'year', text: '1979' }],
  });
  expect(mended.rows).toMatchObject({ invalid: 0, pending: 2 });
  expect(await shelf.jobs.apply(job)).toMatchObject({ state: 'done', rows: { created: 2 } });
  const other = await shelf.plan({ rows: [{ name: 'Kite' }] }, main);
  expect(await shelf.jobs.cancel(other.job)).toMatchObject({ state: 'cancelled' });
  const list = await Array.fromAsync(shelf.jobs.list({ state: ['done'] }));
  expect(list).toMatchObject([{ job, state: 'done', kind: 'import', rows: { created: 2 } }]);
  expect(await shelf.jobs.get(job)).toMatchObject({ state: 'done', mended: [{ step: 1 }] });
  await expect(shelf.jobs.get('nosuchjob')).rejects.toMatchObject({ code: 'no_such_job' });
});

it('stopped imports and exports end in the same way, and the job can be resumed', async () => {
  const { sandbox, shelf, main, folder } = await shelfOn({ rateLimit: '40/1s' });
  // More than a second's worth: progress is told five times a second.
  const rows = Array.from({ length: 120 }, (_, index) => ({ name: `Toy ${index}` }));
  const run = shelf.import({ rows }, main);
  const ended = (async () => {
    for await (const event of run) if (event.type === 'sending' && event.done > 10) run.stop();
  })();
  const error: unknown = await ended.catch((reason: unknown) => reason);
  if (!(error instanceof InterruptedError)) throw new Error('not interrupted');
  expect(error.code).toBe('interrupted');
  await expect(run).rejects.toBe(error);
  const { job = '' } = error;
  const sent = sandbox.control.items().length;
  expect(sent).toBeLessThan(120);
  expect(await shelf.jobs.resume(job)).toMatchObject({ state: 'done', rows: { created: 120 } });
  expect(sandbox.control.items()).toHaveLength(120);

  const exporting = shelf.export({ out: join(folder, 'items.csv') });
  exporting.stop();
  await expect(exporting).rejects.toBeInstanceOf(InterruptedError);
  const stop = new AbortController();
  stop.abort();
  await expect(shelf.report({ kind: 'inventory', signal: stop.signal })).rejects.toBeInstanceOf(
    InterruptedError,
  );
  await expect(Array.fromAsync(shelf.items({ signal: stop.signal }))).rejects.toBeInstanceOf(
    InterruptedError,
  );
});

it('a shelf does not wait for a slow source when it is stopped', async () => {
  const { shelf, main } = await shelfOn();
  async function* rows() {
    yield { name: 'Falcon' };
    await new Promise(() => undefined);
  }
  const run = shelf.import({ rows: rows() }, main);
  setTimeout(() => run.stop(), 20);
  await expect(run).rejects.toBeInstanceOf(InterruptedError);
});

it('a shelf stops running work when it is closed', async () => {
  const { sandbox, folder } = await shelfOn({ latencyMs: 20 });
  const store = join(folder, 'ledger.db');
  const shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store });
  const rows = Array.from({ length: 200 }, (_, index) => ({ name: `Toy ${index}` }));
  const run = shelf.import({ rows }, { collection: 'Main', results: folder });
  const ended = run.catch((reason: unknown) => reason);
  for await (const event of run) if (event.type === 'sending') break;
  await shelf.close();
  expect(await ended).toBeInstanceOf(InterruptedError);
  await using next = await open({ apiUrl: sandbox.url, key: sandbox.key, store });
  expect(await next.jobs.resume('last')).toMatchObject({ state: 'done', rows: { created: 200 } });
  expect(sandbox.control.items()).toHaveLength(200);
});

it('several shelves share one ledger, and leave it open', async () => {
  const { sandbox, folder } = await shelfOn();
  await using ledger = await openLedger(':memory:');
  const settings = { apiUrl: sandbox.url, key: sandbox.key, store: ledger };
  await using one = await open(settings);
  await one.import({ rows: [{ name: 'Falcon' }] }, { collection: 'Main', results: folder });
  await one.close();
  await using two = await open(settings);
  expect(await Array.fromAsync(two.jobs.list())).toHaveLength(1);
});

it('a shelf asks the program the questions that a command asks a person', async () => {
  const { shelf, main, sandbox } = await shelfOn();
  sandbox.control.insertItems([{ name: 'A' }, { name: 'B' }]);
  const questions: string[] = [];
  const refused = shelf.set(['status=sold'], {
    ...main,
    maxChanges: 1,
    confirm: (question) => {
      questions.push(`${question.code}: ${textOf(question)}`);
      return false;
    },
  });
  await expect(refused).rejects.toThrow(/2/);
  expect(questions).toEqual([expect.stringMatching(/^[a-z_]+: .*2.*/)]);
  expect(
    (await shelf.set(['status=sold'], { ...main, maxChanges: 1, confirm: () => true })).rows,
  ).toMatchObject({ updated: 2 });
});

it('a shelf asks the program whether to leave out rows that were sent before', async () => {
  const { shelf, main, sandbox } = await shelfOn();
  const [robot, bear, car] = [{ name: 'Robot' }, { name: 'Bear' }, { name: 'Car' }];
  await shelf.import({ rows: [robot, bear], name: 'first' }, main);
  const questions: string[] = [];
  const grown = (isYes: boolean) =>
    shelf.import(
      { rows: [robot, bear, car], name: 'grown' },
      {
        ...main,
        confirm: (question) => {
          questions.push(question.code);
          return isYes;
        },
      },
    );
  await expect(grown(false)).rejects.toMatchObject({ code: 'rows_sent_before' });
  expect(await grown(true)).toMatchObject({ state: 'done', rows: { created: 1, skipped: 2 } });
  expect(questions).toEqual(['ask_skip_sent_before', 'ask_skip_sent_before']);
  expect(sandbox.control.items()).toHaveLength(3);
});

const WRONG: [
  string,
  (shelf: Awaited<ReturnType<typeof shelfOn>>['shelf']) => PromiseLike<unknown>,
  string,
  RegExp,
][] = [
  [
    'an option that does not exist',
    (shelf) => shelf.import({ rows: [] }, { mapp: 1 } as never),
    'unknown_option',
    /mapp/,
  ],
  [
    'a mapping function without a version',
    (shelf) => shelf.import({ rows: [{}] }, { map: () => ({}) } as never),
    'bad_option',
    /mapVersion/,
  ],
  [
    'a mapping function together with a template',
    (shelf) => shelf.import({ rows: [{}] }, { map: () => ({}), mapVersion: '1', template: 'dupes' } as never),
    'bad_option',
    /template/,
  ],
  [
    'a map that is neither a template nor a function',
    (shelf) => shelf.import({ rows: [{}] }, { map: 3 } as never),
    'bad_option',
    /map is 3/,
  ],
  [
    'text in place of a number',
    (shelf) => shelf.import({ rows: [{}] }, { maxChanges: '3' } as never),
    'bad_option',
    /maxChanges is "3"; expected a/,
  ],
  [
    'a duration as text',
    (shelf) => shelf.export({ out: 'x.csv', waitMs: '10s' } as never),
    'bad_option',
    /waitMs is "10s"; expected milliseconds/,
  ],
  ['no source', (shelf) => shelf.import({} as never), 'bad_source', /none/],
  [
    'two sources',
    (shelf) => shelf.import({ rows: [], file: 'a.csv' } as never),
    'bad_source',
    /file and rows/,
  ],
  ['rows that are not a list', (shelf) => shelf.import({ rows: 5 } as never), 'bad_source', /iterated/],
  [
    'a row that is not an object',
    (shelf) => shelf.import({ rows: ['a'] } as never),
    'bad_row',
    /Row 1 is "a"/,
  ],
  [
    'a value of an unsupported type',
    (shelf) => shelf.import({ rows: [{ name: () => 1 }] }),
    'bad_row',
    /a function in name/,
  ],
  ['no rows', (shelf) => shelf.import({ rows: [] }), 'no_rows', /no rows/],
  [
    'a mapping function that throws',
    (shelf) =>
      shelf.import(
        { rows: [{}] },
        {
          map: () => {
            throw new Error('boom');
          },
          mapVersion: '1',
        },
      ),
    'mapping_failed',
    /row 1: boom/,
  ],
  [
    'a field that does not exist',
    (shelf) => shelf.import({ rows: [{}] }, { map: () => ({ title: 'x' }) as never, mapVersion: '1' }),
    'unknown_field',
    /title/,
  ],
  [
    'an invalid expression',
    (shelf) => shelf.report({ kind: 'inventory', where: 'brand' }),
    'bad_where',
    /brand/,
  ],
  [
    'a kind of report that does not exist',
    (shelf) => shelf.report({ kind: 'stock' } as never),
    'bad_option',
    /kind is "stock"; expected one of inventory/,
  ],
  ['an export without a destination', (shelf) => shelf.export({} as never), 'bad_option', /out is missing/],
  [
    'changes that are not a list',
    (shelf) => shelf.set('status=sold' as never, { status: 'keep' }),
    'bad_option',
    /changes/,
  ],
];

it.each(WRONG)('a shelf reports %s', async (_, call, code, message) => {
  const { shelf, sandbox } = await shelfOn();
  const error: unknown = await call(shelf).then(undefined, (reason: unknown) => reason);
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
  expect(sandbox.control.items()).toHaveLength(0);
});

it('open() reports invalid options without showing the key', async () => {
  await expect(
    open({ apiUrl: 'https://x', key: 'secret-key', store: ':memory:', storee: 1 } as never),
  ).rejects.toMatchObject({ code: 'unknown_option' });
  await expect(open({ apiUrl: 'https://x', store: ':memory:' } as never)).rejects.toMatchObject({
    code: 'bad_option',
  });
  const other = open({ apiUrl: 'https://x', key: 'secret-key', store: {} } as never);
  await expect(other).rejects.toThrow(/openLedger/);
  const refused = open({ apiUrl: 'ftp://x', key: 'secret-key', store: ':memory:' });
  await expect(refused).rejects.toSatisfy(
    (error) => error instanceof UsageError && !error.message.includes('secret-key'),
  );
});

it('a shelf reads values from a file, sets fields of all its rows, and archives items that a complete list lacks', async () => {
  const { sandbox, shelf, folder, main } = await shelfOn();
  sandbox.control.insertItems(
    ['a', 'b', 'c'].map((sku) => ({ name: sku.toUpperCase(), custom_fields: { sku } })),
  );
  const seen = () =>
    names(
      sandbox.control.items().map(({ name, status, custom_fields: custom }) => ({
        name: `${name} ${status} ${JSON.stringify(custom?.['price'] ?? '-')}`,
      })),
    );
  const from = join(folder, 'orders.csv');
  await writeFile(from, 'SKU;Price\na;1.50\n');
  const sold = await shelf.set(['status=sold', 'custom_fields.price=@Price'], {
    from,
    match: ['custom_fields.sku=SKU'],
  });
  expect(sold.rows).toMatchObject({ read: 1, updated: 1 });
  expect(seen()).toEqual(['A sold "1.50"', 'B keep "-"', 'C keep "-"']);

  const keyed = { ...main, match: ['custom_fields.sku'] };
  const list = (skus: string[]) => ({
    rows: skus.map((sku) => ({ name: sku.toUpperCase(), 'custom_fields.sku': sku })),
    name: 'list',
  });
  const offered = await shelf.import(list(['b', 'c']), {
    match: keyed.match,
    results: folder,
    mode: 'update',
    defaults: { status: 'sell' },
  });
  expect(offered.rows).toMatchObject({ updated: 2 });

  const whole = { ...keyed, mode: 'upsert', missing: 'archive' } as const;
  await expect(shelf.import(list(['b']), whole)).resolves.toMatchObject({
    state: 'needs_answer',
    code: 'too_many_missing',
  });
  const done = await shelf.import(list(['b']), { ...whole, maxMissing: '50%' });
  expect(done).toMatchObject({ rows: { updated: 1, unchanged: 1 }, missing: { of: 2, archive: 1 } });
  expect(seen()).toEqual(['A sold "1.50"', 'B sell "-"', 'C archived "-"']);
});

it('a worker accepts process.env as its environment', async () => {
  await expect(runWorker({ store: ':memory:', environment: process.env })).rejects.toThrow(
    'store is :memory:',
  );
});

it('a missing or empty option is reported with the expected value', async () => {
  await expect(open({ apiUrl: 'https://a.example', key: '', store: ':memory:' })).rejects.toThrow(
    'open: key is ""; expected text.',
  );
  await expect(open({ apiUrl: 'https://a.example', key: 'k' } as never)).rejects.toThrow(
    'open: store is missing; expected a location, or a ledger from openLedger.',
  );
});

it('a shelf changes items by objects, which need no quoting', async () => {
  const { sandbox, shelf, main } = await shelfOn();
  sandbox.control.insertItems([
    { name: 'Falcon', brand: 'A "b" or c', estimated_value: 20, tags: ['old', 'x; y'] },
    { name: 'Rover', brand: 'Other', estimated_value: 30 },
  ]);
  const where = { brand: 'A "b" or c', estimated_value: { gte: 20 } };
  expect(await Array.fromAsync(shelf.items({ where }), ({ name }) => name)).toEqual(['Falcon']);
  const { rows } = await shelf.set(
    {
      status: 'sold',
      series: 'Say "when" = now',
      release_year: null,
      estimated_value: { times: 1.5 },
      tags: { add: ['a, b; c'], remove: ['old'] },
      custom_fields: { shelf: '@home', count: 3, isBoxed: true },
    },
    { where, results: main.results },
  );
  expect(rows).toMatchObject({ read: 1, updated: 1 });
  expect(sandbox.control.items().find(({ name }) => name === 'Falcon')).toMatchObject({
    status: 'sold',
    series: 'Say "when" = now',
    estimated_value: 30,
    tags: ['x; y', 'a, b; c'],
    custom_fields: { shelf: '@home', count: 3, isBoxed: true },
  });
});

it.each<[unknown, string]>([
  [{ estimated_value: { by: 1 } }, 'bad_option'],
  [{ tags: 'boxed' }, 'bad_option'],
  [{ brnd: 'A' }, 'unknown_field'],
  ['status=sold', 'bad_option'],
])('a shelf refuses the changes %j', async (changes, code) => {
  const { shelf } = await shelfOn();
  await expect(shelf.set(changes as never, { status: 'keep' })).rejects.toMatchObject({ code });
});
