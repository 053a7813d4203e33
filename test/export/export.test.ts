import { writeFileSync } from 'node:fs';
import { chmod, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Item } from '../../src/api/schemas.ts';
import { exportResource, readSalesSummary } from '../../src/export/export.ts';
import { Manifest } from '../../src/export/verify/manifest.ts';
import type { ExportEvent } from '../../src/export/read/source.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import { clientOf, patientClock, setUp } from './support.ts';
import { random } from '../support/seed.ts';

async function readCsv(file: string, delimiter = ','): Promise<Record<string, string>[]> {
  return parse(await readFile(file), { columns: true, bom: true, delimiter });
}

async function readManifest(file: string): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(`${file}.manifest.json`, 'utf8')));
}

/** Hidden temporary files would be left-over files. */
async function files(folder: string): Promise<string[]> {
  return (await readdir(folder)).toSorted();
}

describe('an export of items', () => {
  test('as CSV has the columns of the contract, each item once, and a summary with exactly the documented keys', async () => {
    const { sandbox, client, path } = await setUp({ seed: 7, seedItems: 350 });
    const summary = await exportResource({ resource: 'items', out: path('items.csv') }, { client });
    const rows = await readCsv(path('items.csv'));
    expect(Object.keys(summary).toSorted()).toEqual([
      'consistency',
      'file',
      'manifest',
      'passes',
      'rows',
      'sha256',
    ]);
    expect(summary).toMatchObject({
      file: path('items.csv'),
      rows: 350,
      consistency: 'stable',
      passes: 1,
      manifest: path('items.csv.manifest.json'),
    });
    expect(rows.map((row) => row['id'] ?? '').toSorted()).toEqual(
      sandbox.control
        .items()
        .map(({ id }) => id)
        .toSorted(),
    );
    const headers = Object.keys(rows[0] ?? {});
    expect(headers.filter((header) => !header.startsWith('custom_fields.'))).toEqual([
      'object',
      'id',
      'name',
      'brand',
      'series',
      'release_year',
      'condition',
      'packaging',
      'status',
      'tags',
      'collection_id',
      'estimated_value',
      'currency',
      'created_at',
      'updated_at',
    ]);
    const custom = new Set(sandbox.control.items().flatMap((item) => Object.keys(item.custom_fields ?? {})));
    expect(headers.slice(10, 10 + custom.size)).toEqual(
      [...custom].toSorted().map((name) => `custom_fields.${name}`),
    );
  });

  test('has columns for the custom fields of all items, even if many items are spooled to disk', async () => {
    const { sandbox, client, path } = await setUp();
    const many = Array.from({ length: 5601 }, (_, index) => ({ name: `Toy ${index}`, custom_fields: {} }));
    sandbox.control.insertItems([{ name: 'First', custom_fields: { rare: 'yes' } }, ...many]);
    const summary = await exportResource({ resource: 'items', out: path('items.csv') }, { client });
    expect(summary).toMatchObject({ rows: 5602, consistency: 'stable', passes: 1 });
    const rows = await readCsv(path('items.csv'));
    expect(new Set(rows.map((row) => row['id'])).size).toBe(5602);
    expect(rows.filter((row) => row['custom_fields.rare'] === 'yes').map((row) => row['name'])).toEqual([
      'First',
    ]);
  });

  test('as XLSX has typed cells, and times in UTC', async () => {
    const { sandbox, client, path } = await setUp();
    sandbox.control.insertItems([
      {
        name: 'Falcon',
        release_year: 1979,
        estimated_value: 12.5,
        tags: ['a', 'b'],
        custom_fields: { count: 5, text: '5', yes: true, map: { a: 1 } },
        created_at: '2026-03-01T00:30:15+02:00',
      },
    ]);
    await exportResource({ resource: 'items', out: path('items.xlsx') }, { client });
    const table = await openTable(path('items.xlsx'), {});
    const batches = await Array.fromAsync(table.batches);
    const cells = Object.fromEntries(
      table.headers.map((header, index) => [header, batches[0]?.[0]?.cells[index]]),
    );
    expect(table.sheet).toBe('items');
    expect(cells).toMatchObject({
      name: 'Falcon',
      release_year: 1979,
      estimated_value: 12.5,
      tags: 'a; b',
      'custom_fields.count': 5,
      'custom_fields.text': '5',
      'custom_fields.yes': true,
      'custom_fields.map': '{"a":1}',
      created_at: { kind: 'date', date: '2026-02-28', time: '22:30:15' },
    });
  });

  test('as NDJSON contains each item as the server sent it, including unknown properties', async () => {
    const { sandbox, client, path } = await setUp();
    sandbox.control.insertItems([{ name: 'Falcon', shelf_mark: 'B7' }]);
    await exportResource({ resource: 'items', out: path('items.ndjson') }, { client });
    await exportResource({ resource: 'items', out: path('items.csv') }, { client });
    const lines = (await readFile(path('items.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Item)).toEqual(sandbox.control.items());
    expect(lines[0]).toContain('"shelf_mark":"B7"');
    expect(await readFile(path('items.csv'), 'utf8')).not.toContain('B7');
  });

  test('can be filtered by status, collection and columns', async () => {
    const { sandbox, client, path } = await setUp();
    const attic = sandbox.control.addCollection('The Attic');
    sandbox.control.insertItems([
      { name: 'A', status: 'sell', collection_id: attic.id, custom_fields: { x: 1 } },
      { name: 'B', status: 'trade', collection_id: attic.id },
      { name: 'C', status: 'keep', collection_id: attic.id },
      {
        name: 'D',
        status: 'sell',
        collection_id: sandbox.teams[0]?.collections.find(({ name }) => name === 'Main')?.id ?? '',
      },
    ]);
    const columns = ['name', 'collection_name', 'custom_fields.x', 'custom_fields.y'];
    const events: ExportEvent[] = [];
    const request = { status: 'sell,trade', collection: 'the attic', columns };
    await exportResource(
      { resource: 'items', out: path('a.csv'), ...request },
      { client, onEvent: (event) => events.push(event) },
    );
    const rows = await readCsv(path('a.csv'));
    expect(rows.sort((a, b) => (a['name'] ?? '').localeCompare(b['name'] ?? ''))).toEqual([
      { name: 'A', collection_name: 'The Attic', 'custom_fields.x': '1', 'custom_fields.y': '' },
      { name: 'B', collection_name: 'The Attic', 'custom_fields.x': '', 'custom_fields.y': '' },
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        message: 'No row has custom_fields.y; its column is blank.',
      }),
    );
    expect(await readManifest(path('a.csv'))).toMatchObject({
      filters: { status: ['sell', 'trade'], collection: attic.id },
      statuses: { sell: 1, trade: 1 },
      seen: { distinct: 4, countBefore: 4, countAfter: 4 },
      columns: ['name', 'collection_name', 'custom_fields.x', 'custom_fields.y'],
    });
    await exportResource({ resource: 'items', out: path('a.ndjson'), ...request }, { client });
    expect(await readFile(path('a.ndjson'), 'utf8')).toContain(
      '{"name":"A","collection_name":"The Attic","custom_fields.x":1}',
    );
  });

  test('for accountants has semicolons, decimal commas and a byte order mark', async () => {
    const { sandbox, client, path } = await setUp();
    sandbox.control.insertItems([
      { name: '-5', estimated_value: 1234.5, custom_fields: { weight: 1.5, low: -3 } },
    ]);
    await exportResource(
      { resource: 'items', out: path('a.csv'), delimiter: ';', decimal: 'comma', bom: true },
      { client },
    );
    expect((await readFile(path('a.csv'))).subarray(0, 3).toString('hex')).toBe('efbbbf');
    expect((await readCsv(path('a.csv'), ';'))[0]).toMatchObject({
      name: "'-5",
      estimated_value: '1234,5',
      'custom_fields.weight': '1,5',
      'custom_fields.low': '-3',
    });
  });

  test('to a stream has no manifest', async () => {
    const { client, folder } = await setUp({ seed: 1, seedItems: 3 });
    const chunks: Buffer[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    });
    const summary = await exportResource({ resource: 'items', out: '-', stream }, { client });
    expect(summary).toMatchObject({ file: '-', rows: 3, manifest: null });
    expect(Buffer.concat(chunks).toString().trimEnd().split('\r\n')).toHaveLength(4);
    expect(stream.writableEnded).toBe(false);
    expect(await files(folder)).toEqual([]);
  });

  test('without any rows is a file with a header', async () => {
    const { client, path } = await setUp();
    expect(await exportResource({ resource: 'items', out: path('a.csv') }, { client })).toMatchObject({
      rows: 0,
    });
    expect(await readFile(path('a.csv'), 'utf8')).toMatch(/^object,id,name,.*\r\n$/);
  });
});

test('a value with half a character is left blank in CSV, with a warning, and kept in NDJSON', async () => {
  const { sandbox, client, path } = await setUp();
  sandbox.control.insertItems([
    {
      name: 'A\uD83D',
      tags: ['\uDE00'],
      series: 'S\uDE00',
      custom_fields: { whole: '😀', list: ['\uD83D'] },
    },
    { name: 'B', brand: '\uDE00' },
  ]);
  const columns = ['name', 'brand', 'series', 'tags', 'custom_fields'];
  await exportResource({ resource: 'items', out: path('a.csv'), columns }, { client });
  expect((await readFile(path('a.csv'), 'utf8')).split('\r\n').slice(1, 3).sort()).toEqual([
    String.raw`,,,"[""\ude00""]","[""\ud83d""]",😀`,
    'B,,,,,',
  ]);
  const { warnings } = Manifest.parse(JSON.parse(await readFile(path('a.csv.manifest.json'), 'utf8')));
  expect(warnings).toEqual(
    ['name', 'brand', 'series'].map((name) =>
      expect.stringMatching(
        new RegExp(`^1 cell of ${name} was left blank: the text contains half of a surrogate pair`),
      ),
    ),
  );
  await exportResource({ resource: 'items', out: path('a.ndjson') }, { client });
  expect(await readFile(path('a.ndjson'), 'utf8')).toContain(String.raw`"name":"A\ud83d"`);
});

describe('an invalid export request is refused before anything is read', () => {
  test.each([
    ['an unknown ending', { out: 'a.pdf' }, 'unknown_format', /\.csv, \.xlsx or \.ndjson/],
    ['no ending', { out: 'items' }, 'unknown_format', /has no ending/],
    ['an unknown status', { out: 'a.csv', status: 'sell,lost' }, 'unknown_status', /"lost"; use keep, sell/],
    [
      'listings of sold items',
      { resource: 'listings' as const, out: 'a.csv', changedSinceLast: 'sold', became: 'sold' },
      'unknown_status',
      /No listing has the status "sold"; use sell or trade/,
    ],
    ['a repeated column', { out: 'a.csv', columns: ['id', 'name', 'id'] }, 'double_column', /"id"/],
    ['an unknown column', { out: 'a.csv', columns: ['id', 'colour'] }, 'unknown_column', /"colour"/],
    ['a missing folder', { out: 'nowhere/a.csv' }, 'cannot_write', /there is no folder/],
    ['a folder', { out: '.', format: 'csv' as const }, 'cannot_write', /a folder already has that name/],
    ['a long delimiter', { out: 'a.csv', delimiter: '--' }, 'bad_delimiter', /one character/],
    ['a delimiter of two code units', { out: 'a.csv', delimiter: '😀' }, 'bad_delimiter', /one character/],
    ['half a character', { out: 'a.csv', delimiter: '\uD83D' }, 'bad_delimiter', /one character/],
    ['a byte order mark', { out: 'a.csv', delimiter: '\uFEFF' }, 'bad_delimiter', /one character/],
    [
      'an unknown collection',
      { out: 'a.csv', collection: 'Cellar' },
      'unknown_collection',
      /Choose a collection: Main/,
    ],
  ])('%s', async (_what, request, code, message) => {
    const { sandbox, client, path } = await setUp();
    const out = path(request.out);
    await expect(exportResource({ resource: 'items', ...request, out }, { client })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    expect(sandbox.control.counts().items).toEqual({ 1: 0 });
  });

  test('a filter that the resource does not support', async () => {
    const { client, path } = await setUp();
    await expect(
      exportResource({ resource: 'sales', out: path('a.csv'), status: 'sold' }, { client }),
    ).rejects.toMatchObject({ code: 'not_for_resource' });
  });
});

describe.skipIf(process.platform === 'win32')('an output file', () => {
  test('that only its owner can read stays private, like its manifest', async () => {
    const { client, path } = await setUp();
    const out = path('a.csv');
    await exportResource({ resource: 'items', out }, { client });
    const files = [out, `${out}.manifest.json`];
    await rm(`${out}.manifest.json`);
    await chmod(out, 0o600);
    for (let count = 0; count < 2; count += 1) {
      await exportResource({ resource: 'items', out }, { client });
      for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
  });

  test('that is a dangling link is refused before anything is read', async () => {
    const { sandbox, client, path } = await setUp();
    await symlink(path('nothing.csv'), path('a.csv'));
    await expect(exportResource({ resource: 'items', out: path('a.csv') }, { client })).rejects.toMatchObject(
      { code: 'cannot_write' },
    );
    expect(sandbox.control.counts().requests).toBe(0);
  });
});

describe('a failing export', () => {
  test('is retried after an outage; a long outage leaves only the old file and its manifest', async () => {
    const { sandbox, client, folder, path } = await setUp({ seed: 3, seedItems: 450 });
    await writeFile(path('a.csv'), 'old');
    await writeFile(path('a.csv.manifest.json'), 'old manifest');
    let pages = 0;
    const retries: ExportEvent[] = [];
    await expect(
      exportResource(
        { resource: 'items', out: path('a.csv') },
        {
          client,
          clock: patientClock(),
          onEvent: (event) => {
            if (event.type === 'retry') retries.push(event);
            if (event.type === 'page' && (pages += 1) === 8) sandbox.control.setFaults({ error500: 1 });
          },
        },
      ),
    ).rejects.toMatchObject({ code: 'unexpected_response' });
    expect(retries.length).toBeGreaterThanOrEqual(4);
    expect(await readFile(path('a.csv'), 'utf8')).toBe('old');
    expect(await readFile(path('a.csv.manifest.json'), 'utf8')).toBe('old manifest');
    expect(await files(folder)).toEqual(['a.csv', 'a.csv.manifest.json']);

    sandbox.control.setFaults({ error500: 0.05, cutBody: 0.05, html502: 0.05, dropBefore: 0.05 });
    const summary = await exportResource(
      { resource: 'items', out: path('a.csv') },
      { client, clock: patientClock() },
    );
    expect(summary).toMatchObject({ rows: 450, consistency: 'stable' });
    expect(await readCsv(path('a.csv'))).toHaveLength(450);
  });

  test('does not treat a response that always breaks the contract as an outage; a null total counts as absent', async () => {
    const summary = { object: 'sales_summary', completed_count: 1, gross_cents: 5, fee_cents: 1 };
    const answers: Record<string, unknown>[] = [
      { ...summary, net_payout_cents: '4' },
      { ...summary, net_payout_cents: '4' },
      { ...summary, net_payout_cents: 4, refunded_cents: null, new_field: null },
    ];
    await using server = createServer((_request, response) => {
      response.end(JSON.stringify(answers.shift()));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    await using client = createClient({ apiUrl: `http://127.0.0.1:${port}`, key: 'k' });
    await expect(readSalesSummary({ client, clock: patientClock() })).rejects.toMatchObject({
      code: 'unexpected_response',
      message: expect.stringContaining('net_payout_cents: ') as string,
    });
    expect(answers).toHaveLength(1);
    const { reported_at: _, ...read } = await readSalesSummary({ client, clock: patientClock() });
    expect(read).toEqual({ ...summary, net_payout_cents: 4, new_field: null });
  });

  test('ends at once if a scope is missing or it is aborted', async () => {
    const { sandbox, client, folder, path } = await setUp({ seed: 3, seedItems: 450 });
    const reader = clientOf(sandbox, sandbox.control.addKey(['items:write']).secret);
    await expect(
      exportResource({ resource: 'items', out: path('a.csv') }, { client: reader }),
    ).rejects.toMatchObject({ code: 'missing_scope' });
    const stop = new AbortController();
    await expect(
      exportResource(
        { resource: 'items', out: path('a.csv') },
        { client, signal: stop.signal, onEvent: ({ type }) => type === 'counted' && stop.abort() },
      ),
    ).rejects.toMatchObject({ code: 'aborted' });
    expect(await files(folder)).toEqual([]);
  });
});

describe('a list that changes', () => {
  for (const order of ['created', 'updated'] as const) {
    test(`is exported with each initial item exactly once, although items are added and changed while pages are read in parallel, listed by ${order}`, async () => {
      const { sandbox, client, path } = await setUp({ seed: 5, seedItems: 3000, order, latencyMs: 2 });
      const stood = sandbox.control.items().map(({ id }) => id);
      const other = createClient({ apiUrl: sandbox.url, key: sandbox.control.addKey().secret });
      const collection = sandbox.teams[0]?.collections[0]?.id ?? '';
      const over = new AbortController();
      const disturb = async () => {
        for (let turn = 0; !over.signal.aborted; turn += 1) {
          await other.createItem({ collection_id: collection, name: `New ${turn}` });
          for (let flip = 0; flip < 3; flip += 1) {
            const id = stood[((turn * 3 + flip) * 97) % stood.length] ?? '';
            await other.updateItem(id, { status: flip === 0 ? 'sell' : 'keep' });
            await setTimeout(random() * 15);
          }
        }
      };
      const disturbing = disturb();
      const summary = await exportResource({ resource: 'items', out: path('a.csv') }, { client });
      over.abort();
      await disturbing;
      await other.close();
      const ids = (await readCsv(path('a.csv'))).map((row) => row['id']);
      expect(new Set(ids).size).toBe(ids.length);
      expect(stood.filter((id) => !ids.includes(id))).toEqual([]);
      expect(summary.consistency).toBe('stable');
    });
  }

  test('ends with an error if another command replaces its file before the manifest is written', async () => {
    const { client, path } = await setUp({ seed: 5, seedItems: 3 });
    const out = path('items.csv');
    const replace = ({ type }: ExportEvent) => {
      if (type === 'warning') writeFileSync(out, 'of another command');
    };
    const exported = exportResource(
      { resource: 'items', out, columns: ['id', 'custom_fields.none'] },
      { client, onEvent: replace },
    );
    await expect(exported).rejects.toMatchObject({ code: 'not_our_file', exitCode: 2 });
  });

  test('is read again after a removal; after a second removal the export reports it, and the old file can be kept', async () => {
    const { sandbox, client, path } = await setUp({ seed: 5, seedItems: 650 });
    const removeAfter = (pages: readonly number[]) => (event: ExportEvent) => {
      if (event.type !== 'page' || !pages.includes(event.pages)) return;
      const victim = sandbox.control.items()[10];
      if (victim !== undefined) sandbox.control.removeItem(victim.id);
    };
    const once = await exportResource(
      { resource: 'items', out: path('a.csv') },
      { client, onEvent: removeAfter([11]) },
    );
    expect(once).toMatchObject({ consistency: 'stable', passes: 2, rows: 649 });

    await writeFile(path('a.csv'), 'old');
    const always = Array.from({ length: 200 }, (_, index) => index * 3);
    const events: ExportEvent[] = [];
    const deps = {
      client,
      onEvent: (event: ExportEvent) => {
        events.push(event);
        removeAfter(always)(event);
      },
    };
    const held = await exportResource({ resource: 'items', out: path('a.csv'), requireStable: true }, deps);
    expect(held).toMatchObject({ consistency: 'moved', sha256: null, manifest: null });
    expect(await readFile(path('a.csv'), 'utf8')).toBe('old');
    expect(
      events.some((event) => event.type === 'warning' && event.message.includes('removed outside the API')),
    ).toBe(true);

    const moved = await exportResource({ resource: 'items', out: path('a.csv') }, deps);
    expect(moved.consistency).toBe('moved');
    const manifest = await readManifest(path('a.csv'));
    expect(manifest).toMatchObject({ consistency: 'moved', rows: moved.rows });
    expect(manifest.seen.removedAtLeast).toBeGreaterThan(0);
  });
});

describe('an export of other resources', () => {
  test('contains listings that match the items for sale or trade', async () => {
    const { sandbox, client, path } = await setUp({ seed: 9, seedItems: 600 });
    const listed = sandbox.control.items().filter(({ status }) => status === 'sell' || status === 'trade');
    const summary = await exportResource({ resource: 'listings', out: path('a.csv') }, { client });
    expect(summary).toMatchObject({ rows: listed.length, consistency: 'stable' });
    expect((await readCsv(path('a.csv'))).map((row) => row['id'] ?? '').toSorted()).toEqual(
      listed.map(({ id }) => id).toSorted(),
    );
    expect((await readManifest(path('a.csv'))).listings).toEqual({
      compared: true,
      notListed: { count: 0, ids: [] },
      notForSale: { count: 0, ids: [] },
    });
    const seller = clientOf(sandbox, sandbox.control.addKey(['marketplace:read']).secret);
    await exportResource({ resource: 'listings', out: path('b.csv') }, { client: seller });
    expect((await readManifest(path('b.csv'))).listings).toMatchObject({ compared: false });
  });

  test('lists collections', async () => {
    const { sandbox, client, path } = await setUp();
    for (let index = 0; index < 120; index += 1) {
      sandbox.control.addCollection(`Shelf ${index}`, {
        description: index === 0 ? '=x' : null,
        isPublic: true,
      });
    }
    const summary = await exportResource({ resource: 'collections', out: path('a.csv') }, { client });
    expect(summary).toMatchObject({ rows: 121, consistency: 'stable', passes: 2 });
    const rows = await readCsv(path('a.csv'));
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'object',
      'id',
      'name',
      'description',
      'is_public',
      'created_at',
      'updated_at',
    ]);
    expect(rows.find((row) => row['name'] === 'Shelf 0')).toMatchObject({
      description: "'=x",
      is_public: 'true',
    });
    await exportResource({ resource: 'collections', out: path('a.xlsx') }, { client });
    const table = await openTable(path('a.xlsx'), {});
    expect((await Array.fromAsync(table.batches)).flat()).toHaveLength(121);
  });

  test('contains one row of sales in minor units with the time of reading, and blanks for absent values', async () => {
    const { client, path } = await setUp({ seed: 4 });
    const summary = await exportResource({ resource: 'sales', out: path('a.csv') }, { client });
    expect(summary).toMatchObject({ rows: 1, consistency: 'stable', passes: 1 });
    const [row] = await readCsv(path('a.csv'));
    expect(Object.keys(row ?? {})).toEqual([
      'object',
      'completed_count',
      'gross_cents',
      'fee_cents',
      'net_payout_cents',
      'refunded_cents',
      'refunded_count',
      'disputed_count',
      'pending_count',
      'reported_at',
    ]);
    expect(row?.['gross_cents']).toMatch(/^\d+$/);
    expect(row?.['reported_at']).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    const reading = await readSalesSummary({ client });
    expect(reading).toMatchObject({ object: 'sales_summary', gross_cents: expect.any(Number) as number });
    expect(Number.isNaN(Date.parse(reading.reported_at))).toBe(false);
  });
});
