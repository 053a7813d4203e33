import { readdirSync, readFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';
import { exportResource, readSalesSummary } from '../../src/export/export.ts';
import { ReportManifest } from '../../src/export/verify/manifest.ts';
import { verifyExport } from '../../src/export/verify/verify.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { writeReportFile } from '../../src/reports/report.ts';
import { clientOf, setUp } from '../export/support.ts';

async function place(items = 40) {
  const setup = await setUp({ seed: 3, seedItems: items });
  const ledger = openSqliteLedger(join(setup.folder, 'ledger.db'));
  onTestFinished(() => ledger.close());
  return { ...setup, values: ledger.values };
}

function figures(file: string): Record<string, string>[] {
  return parse(readFileSync(file), { columns: true });
}

function figure(file: string, section: string, key: string, measure: string): string | undefined {
  return figures(file).find(
    (line) => line['section'] === section && line['key'] === key && line['measure'] === measure,
  )?.['value'];
}

test('the second inventory is compared with the first, and the third with the second', async () => {
  const { client, sandbox, values, path } = await place();
  const run = () => writeReportFile({ report: 'inventory', out: path('inventory.csv') }, { client, values });
  const first = await run();
  expect(first).toMatchObject({ rows: 40, consistency: 'stable', comparedWith: null });
  expect(figures(path('inventory.csv')).some((line) => line['section'] === 'changes')).toBe(false);

  const [gone] = sandbox.control.items();
  sandbox.control.removeItem(gone?.id ?? '');
  sandbox.control.insertItems([{ name: 'New', estimated_value: 12.5 }]);
  const second = await run();
  expect(second.comparedWith).not.toBeNull();
  expect(figure(path('inventory.csv'), 'changes', 'new', 'value')).toBe('12.50');
  expect(figure(path('inventory.csv'), 'changes', 'gone', 'items')).toBe('-1');
  await run();
  expect(figure(path('inventory.csv'), 'changes', 'new', 'items')).toBe('0');
});

test('a report changes the store only after its file is in place', async () => {
  const { client, values, path } = await place();
  await writeFile(path('folder.html'), '');
  const blocked = { report: 'inventory', out: path('nowhere/inventory.html') } as const;
  await expect(writeReportFile(blocked, { client, values })).rejects.toMatchObject({ code: 'cannot_write' });
  const sales = { report: 'sales', out: path('nowhere/sales.html') } as const;
  await expect(writeReportFile(sales, { client, values })).rejects.toMatchObject({ code: 'cannot_write' });
  expect(await values.spaces('report:')).toEqual([]);
  await writeReportFile({ report: 'sales', out: path('sales.html') }, { client, values });
  expect(await values.spaces('report:')).toHaveLength(1);
});

test('a report of many items writes no temporary files into its folder', async () => {
  const { client, folder, path } = await place(2300);
  const seen = new Set<string>();
  const onEvent = () => {
    for (const name of readdirSync(folder)) seen.add(name);
  };
  const out = path('inventory.html');
  expect(await writeReportFile({ report: 'inventory', out }, { client, onEvent })).toMatchObject({
    rows: 2300,
  });
  expect([...seen].filter((name) => name.includes('inventory'))).toEqual([]);
});

test('a report is compared only with a report of the same selection', async () => {
  const { client, values, path } = await place();
  const out = path('inventory.csv');
  await writeReportFile({ report: 'inventory', out }, { client, values });
  const kept = await writeReportFile({ report: 'inventory', out, status: 'keep' }, { client, values });
  expect(kept.comparedWith).toBeNull();
  expect(
    new Set(figures(out).flatMap((line) => (line['section'] === 'by_status' ? [line['key']] : []))),
  ).toEqual(new Set(['keep']));
  const again = await writeReportFile({ report: 'inventory', out, status: 'keep' }, { client, values });
  expect(again.comparedWith).not.toBeNull();
});

test('a report in one currency counts only its items, and reports how many are left out', async () => {
  const { client, sandbox, path } = await place(3);
  sandbox.control.insertItems([{ name: 'Yen', currency: 'jpy', estimated_value: 500, status: 'sell' }]);
  const out = path('inventory.csv');
  const summary = await writeReportFile({ report: 'inventory', out, currency: 'JPY' }, { client });
  expect(summary.rows).toBe(1);
  expect(figure(out, 'by_status_total', '', 'value')).toBe('500');
  expect(figure(out, '', '', 'warning') ?? figure(out, 'report', '', 'warning')).toContain('3 items not in');
  // No list says which currencies there are: a mistyped one is told as soon as it is known to be none of these.
  for (const report of ['inventory', 'listings'] as const) {
    const warned: string[] = [];
    const none = await writeReportFile(
      { report, out, currency: 'zzz9' },
      { client, onEvent: (event) => event.type === 'warning' && warned.push(event.message) },
    );
    expect(none.rows).toBe(0);
    expect(warned).toEqual([expect.stringMatching(/^No item is in zzz9: \d items? (?:is|are) in other/i)]);
  }
});

test('each reading of the sales summary is stored, and the next report shows the change', async () => {
  const { client, values, path } = await place();
  const out = path('sales.csv');
  const run = () => writeReportFile({ report: 'sales', out }, { client, values });
  expect(await run()).toMatchObject({ rows: 1, comparedWith: null });
  const first = Number(figure(out, 'summary', 'gross_cents', 'minor_units'));
  expect(await run()).toMatchObject({ rows: 2 });
  const second = Number(figure(out, 'summary', 'gross_cents', 'minor_units'));
  const [change] = figures(out).filter(
    (line) => line['section'] === 'changes_between_readings' && line['measure'] === 'gross_cents',
  );
  expect(change?.['value']).toBe(String(second - first));
});

test('exports of the sales summary store their readings for the report once their files are in place', async () => {
  const { client, values, path } = await place();
  const sales = (out: string) => exportResource({ resource: 'sales', out: path(out) }, { client, values });
  await expect(sales('nowhere/sales.csv')).rejects.toMatchObject({ code: 'cannot_write' });
  await sales('sales.csv');
  const read = await readSalesSummary({ client, values });
  const out = path('report.csv');
  const summary = await writeReportFile({ report: 'sales', out }, { client, values });
  expect(summary).toMatchObject({ rows: 3, comparedWith: read.reported_at });
  const readings = figures(out).filter(
    (line) => line['section'] === 'readings' && line['measure'] === 'gross_cents',
  );
  expect(readings.map((line) => line['key'])).toContain(read.reported_at);
});

test('sales readings of another team are not used', async () => {
  const { client, sandbox, values, path } = await place();
  const out = path('sales.csv');
  await writeReportFile({ report: 'sales', out }, { client, values });
  const team = sandbox.control.addTeam();
  const { secret } = sandbox.control.addKey(undefined, team.id);
  const other = await writeReportFile(
    { report: 'sales', out },
    { client: clientOf(sandbox, secret), values },
  );
  expect(other).toMatchObject({ rows: 1, comparedWith: null });
});

test('a key without collections:read and items:read still gets a report of the data that it may read', async () => {
  const { sandbox, path } = await place();
  const { secret } = sandbox.control.addKey(['marketplace:read']);
  const listings = path('listings.csv');
  await writeReportFile({ report: 'listings', out: listings }, { client: clientOf(sandbox, secret) });
  expect(figures(listings).map((line) => line['value'])).toContainEqual(
    expect.stringContaining('collections:read'),
  );

  const reader = sandbox.control.addKey(['items:read']);
  const inventory = path('inventory.html');
  await writeReportFile(
    { report: 'inventory', out: inventory },
    { client: clientOf(sandbox, reader.secret) },
  );
  expect(readFileSync(inventory, 'utf8')).toContain('collections:read');
});

test('a report that was interrupted while reading is resumed, and contains a note about it', async () => {
  const { client, sandbox, values, path } = await place(900);
  const request = { report: 'inventory', out: path('inventory.html') } as const;
  const stop = new AbortController();
  const interrupted = writeReportFile(request, {
    client,
    values,
    signal: stop.signal,
    onEvent: (event) => event.type === 'read' && event.rows > 300 && stop.abort(new Error('stopped')),
  });
  await expect(interrupted).rejects.toThrow();
  const events: string[] = [];
  sandbox.control.resetCounts();
  await writeReportFile(request, { client, values, onEvent: ({ type }) => events.push(type) });
  expect(events).toContain('resumed');
  const page = readFileSync(path('inventory.html'), 'utf8');
  expect(page).toContain('continued after an interruption');
  expect(page).toContain('Total</th><td class="n" data-v="900">');
  expect(await values.spaces('export-pages:')).toEqual([]);
});

test('a report of a list that changed says so, and keeps no snapshot', async () => {
  const { client, sandbox, values, path } = await place(450);
  let pages = 0;
  const summary = await writeReportFile(
    { report: 'inventory', out: path('inventory.html') },
    {
      client,
      values,
      onEvent: (event) => {
        // One item less at each page: no count ever agrees.
        if (event.type !== 'page') return;
        const item = sandbox.control.items().at(pages++);
        if (item !== undefined) sandbox.control.removeItem(item.id);
      },
    },
  );
  expect(summary).toMatchObject({ consistency: 'moved', passes: 2 });
  const page = readFileSync(path('inventory.html'), 'utf8');
  expect(page).toContain('The list changed while it was read');
  // What was counted before the list was read again does not count twice.
  expect(page).toContain(`Total</th><td class="n" data-v="${summary.rows}">`);
  expect(await values.spaces('report:')).toEqual([]);
});

test.each([
  [{ report: 'inventory', out: 'x.pdf' }, 'unknown_format'],
  [{ report: 'inventory', out: 'x' }, 'unknown_format'],
  [{ report: 'sales', out: 'x.html', currency: 'dollars' }, 'bad_currency'],
  [{ report: 'sales', out: 'x.html', currency: 'xau' }, 'bad_currency'],
  [{ report: 'sales', out: 'x.html', status: 'sold' }, 'not_for_resource'],
  [{ report: 'listings', out: 'x.html', status: 'lost' }, 'unknown_status'],
] as const)('%j is refused with %s before any request', async (request, code) => {
  const { client, sandbox, path } = await place(1);
  await expect(writeReportFile({ ...request, out: path(request.out) }, { client })).rejects.toMatchObject({
    code,
  });
  expect(sandbox.control.counts().requests).toBe(0);
  await expect(stat(path(request.out))).rejects.toThrow('ENOENT');
});

test.each(['html', 'xlsx', 'csv'])(
  'a %s report has a manifest with its figures and its command, and export verify detects an edit',
  async (format) => {
    const { client, values, path } = await place();
    const out = path(`inventory.${format}`);
    const options = { report: 'inventory', out, status: 'keep,sell', currency: 'USD' } as const;
    const summary = await writeReportFile(options, { client, values });
    expect(summary.manifest).toBe(`${out}.manifest.json`);
    const verification = await verifyExport(out);
    expect(verification).toMatchObject({
      verified: true,
      rows: null,
      expected: {
        report: 'inventory',
        rows: summary.rows,
        command: `shelflift report inventory --status keep,sell --out inventory.${format} --currency USD`,
        filters: { status: ['keep', 'sell'] },
        consistency: 'stable',
        figures: expect.arrayContaining([
          {
            label: 'Value',
            kind: 'money',
            currency: 'usd',
            value: expect.stringMatching(/^\d+\.\d\d$/) as string,
          },
        ]) as unknown,
      },
    });
    await writeFile(out, Buffer.concat([readFileSync(out), Buffer.from(' ')]));
    const { verified, problems } = await verifyExport(out);
    expect({ verified, problems }).toEqual({
      verified: false,
      problems: [
        expect.stringMatching(/^The file has \d+ bytes; \d+ were written\.$/),
        expect.stringContaining('The file was changed'),
      ],
    });
  },
);

test('the manifests of a page and a workbook have the same checksum of figures, until an item is added', async () => {
  const { client, sandbox, path } = await place();
  const make = async (name: string) => {
    await writeReportFile({ report: 'inventory', out: path(name) }, { client });
    return ReportManifest.parse(JSON.parse(readFileSync(path(`${name}.manifest.json`), 'utf8')));
  };
  const page = await make('a.html');
  const workbook = await make('a.xlsx');
  expect(workbook.sha256).not.toBe(page.sha256);
  expect(workbook.dataSha256).toBe(page.dataSha256);
  sandbox.control.insertItems([{ name: 'New', estimated_value: 12.5 }]);
  expect((await make('b.html')).dataSha256).not.toBe(page.dataSha256);
});

test('a report replaces the manifest of the export that it replaces', async () => {
  const { client, values, path } = await place(3);
  const out = path('insurance.csv');
  await exportResource({ resource: 'items', out }, { client, values });
  await writeReportFile({ report: 'inventory', out }, { client, values });
  expect(await verifyExport(out)).toMatchObject({ verified: true, expected: { report: 'inventory' } });
});

test('similar names list brands that differ only in case', async () => {
  const { client, sandbox, values, path } = await place(0);
  const brands = ['Schuco', 'schuco', 'Schuco', 'Siku', 'Sikus'];
  sandbox.control.insertItems(brands.map((brand, index) => ({ name: `${'xyzuv'[index]}`, brand })));
  const out = path('inventory.csv');
  await writeReportFile({ report: 'inventory', out }, { client, values });
  const similar = figures(out).filter(({ section }) => section === 'similar_names');
  expect([...new Set(similar.map(({ key }) => key))]).toEqual(['Brand Schuco']);
});
