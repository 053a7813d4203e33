import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { exportItems } from '../../src/export/export.ts';
import { exportResource } from '../../src/export/export.ts';
import { Manifest } from '../../src/export/verify/manifest.ts';
import { compareLive } from '../../src/export/verify/verify-live.ts';
import { verifyExport } from '../../src/export/verify/verify.ts';
import { hashFile } from '../../src/sheets/hash-file.ts';
import { setUp } from './support.ts';

describe.each(['items.csv', 'items.xlsx', 'items.ndjson'])('an export as %s', (name) => {
  test('verifies as written, even without rows', async () => {
    for (const seedItems of [120, 0]) {
      const { client, path } = await setUp({ seed: 2, seedItems });
      const summary = await exportResource(
        { resource: 'items', out: path(name), delimiter: ';' },
        { client },
      );
      const result = await verifyExport(path(name));
      expect(result.problems).toEqual([]);
      expect(result).toMatchObject({
        verified: true,
        rows: seedItems,
        sha256: summary.sha256,
        manifest: summary.manifest,
      });
    }
  });

  test('fails verification after a change', async () => {
    const { client, path } = await setUp({ seed: 2, seedItems: 20 });
    await exportResource({ resource: 'items', out: path(name) }, { client });
    await appendFile(path(name), 'x\n');
    const result = await verifyExport(path(name));
    expect(result.verified).toBe(false);
    expect(result.problems.slice(0, 2)).toEqual([
      expect.stringMatching(/^The file has \d+ bytes; \d+ were written\.$/),
      expect.stringMatching(/^The file was changed/),
    ]);
  });
});

test.each(['abc', '1e999', '1,2', ''])(
  'verify reports a file whose amount was edited to "%s"',
  async (amount) => {
    const { sandbox, client, path } = await setUp();
    sandbox.control.insertItems([{ name: 'A', estimated_value: 12.5 }]);
    await exportResource({ resource: 'items', out: path('a.csv') }, { client });
    const text = await readFile(path('a.csv'), 'utf8');
    await writeFile(path('a.csv'), text.replace('12.5', `"${amount}"`));
    const { verified, problems } = await verifyExport(path('a.csv'));
    expect(verified).toBe(false);
    expect(problems).toContainEqual(expect.stringMatching(/^The file was changed/));
    expect(problems).toContainEqual(expect.stringMatching(/^Values in usd: none in the file/));
  },
);

test('verify counts rows that an import would read as totals or headers', async () => {
  const { sandbox, client, path } = await setUp();
  sandbox.control.insertItems([{ name: 'Total', estimated_value: 5 }]);
  await exportResource(
    { resource: 'items', out: path('a.csv'), columns: ['name', 'estimated_value'] },
    { client },
  );
  expect(await verifyExport(path('a.csv'))).toMatchObject({ verified: true, rows: 1 });
});

test.each(['items.csv', 'items.xlsx', 'items.ndjson'])(
  '%s is checked against the values and statuses in its manifest',
  async (name) => {
    const { sandbox, client, path } = await setUp();
    sandbox.control.insertItems([
      { name: 'A', estimated_value: 1.005 },
      { name: 'B', estimated_value: 2 },
      { name: '', status: 'sell' },
    ]);
    const layout = {
      name: 'own',
      columns: ['estimated_value', 'currency', { title: '=State', field: 'status' }],
    };
    for (const options of [{}, { decimal: 'comma', delimiter: ';' }, { template: layout }] as const) {
      await exportItems({ client, out: path(name), ...options });
      expect(await verifyExport(path(name))).toMatchObject({ verified: true, problems: [] });
      const told = await readFile(path(`${name}.manifest.json`), 'utf8');
      await writeFile(
        path(`${name}.manifest.json`),
        told.replace(/"usd": "3.0\d"/, '"usd": "4.00"').replace('"keep": 2', '"keep": 3'),
      );
      expect((await verifyExport(path(name))).problems).toEqual([
        'Rows with the status keep: 2 in the file; the manifest says 3.',
        expect.stringMatching(/^Values in usd: 3\.0\d in the file; the manifest says 4\.00\.$/),
      ]);
    }
  },
);

test.each(['items.csv', 'items.xlsx', 'items.ndjson'])(
  '%s with selected columns verifies, and is compared with the API by those columns',
  async (name) => {
    const { client, path } = await setUp({ seed: 2, seedItems: 20 });
    for (const columns of [
      ['id', 'estimated_value', 'tags'],
      ['name', 'currency'],
    ]) {
      await exportItems({ client, out: path(name), columns });
      const verification = await verifyExport(path(name));
      expect(verification.problems).toEqual([]);
      expect(await compareLive(verification, { client })).toMatchObject({ same: 20, differences: 0 });
    }
  },
);

test('the manifest describes the file and the reading behind it, and never contains the key', async () => {
  const { sandbox, client, path } = await setUp({ seed: 2, seedItems: 250 });
  const summary = await exportResource(
    { resource: 'items', out: path('a.csv'), status: ['sell', 'keep'] },
    { client },
  );
  const text = await readFile(path('a.csv.manifest.json'), 'utf8');
  expect(text).not.toContain(sandbox.key);
  const manifest = Manifest.parse(JSON.parse(text));
  const count = (status: string) => sandbox.control.items().filter((item) => item.status === status).length;
  expect(manifest).toMatchObject({
    manifest: 1,
    resource: 'items',
    file: 'a.csv',
    format: 'csv',
    sha256: await hashFile(path('a.csv')),
    rows: count('sell') + count('keep'),
    statuses: { sell: count('sell'), keep: count('keep') },
    filters: { status: ['sell', 'keep'] },
    apiUrl: sandbox.url,
    consistency: 'stable',
    passes: 1,
    seen: { distinct: 250, countBefore: 250, countAfter: 250, missingAtMost: 0 },
    warnings: [],
  });
  expect(manifest.rows).toBe(summary.rows);
  expect(manifest.requests.first).toMatch(/^req_/);
  expect(manifest.requests.last).not.toBe(manifest.requests.first);
  expect(Date.parse(manifest.endedAt)).toBeGreaterThanOrEqual(Date.parse(manifest.startedAt));
});

test('a missing manifest, or one with an unknown format, is an error', async () => {
  const { client, path } = await setUp({ seed: 2, seedItems: 5 });
  await exportResource({ resource: 'items', out: path('a.csv') }, { client });
  await writeFile(path('a.csv.manifest.json'), '{"manifest": 2}');
  await expect(verifyExport(path('a.csv'))).rejects.toMatchObject({ code: 'bad_manifest' });
  await rm(path('a.csv.manifest.json'));
  await expect(verifyExport(path('a.csv'))).rejects.toMatchObject({ code: 'no_manifest' });
  await expect(verifyExport(path('b.csv'))).rejects.toMatchObject({ code: 'no_such_file' });
});

describe('a comparison with the API', () => {
  test.each([
    ['csv', {}],
    ['xlsx', {}],
    ['ndjson', {}],
    ['csv', { locale: 'de-DE', status: 'sell', delimiter: ';' }],
    ['csv', { columns: ['id', 'name', 'estimated_value'] }],
  ] as const)('of %s %j lists changed, new and removed items', async (format, options) => {
    const { sandbox, client, path } = await setUp({ seed: 5, seedItems: 40 });
    const file = path(`a.${format}`);
    await exportItems({ client, out: file, ...options });
    const before = await compareLive(await verifyExport(file), { client });
    expect(before).toMatchObject({ differences: 0, consistency: 'stable' });
    const [first, second] = sandbox.control.items().filter(({ status }) => status === 'sell');
    await client.updateItem(first?.id ?? '', { name: 'Another name' });
    sandbox.control.removeItem(second?.id ?? '');
    const [added] = sandbox.control.insertItems([{ name: 'New', status: 'sell' }]);
    const { findings, ...after } = await compareLive(await verifyExport(file), { client });
    expect(after).toMatchObject({
      same: before.same - 2,
      changed: { count: 1, ids: [first?.id] },
      added: { count: 1, ids: [added] },
      gone: { count: 1, ids: [second?.id] },
      differences: 3,
    });
    expect(findings.join('\n')).toContain(`changed since: 1 (${first?.id})`);
  });

  test('accepts text with line separators that JSON does not escape', async () => {
    const { sandbox, client, path } = await setUp();
    sandbox.control.insertItems([{ name: 'one\u2028two\u2029three\u0085four', brand: 'a\r\nb' }]);
    await exportItems({ client, out: path('a.ndjson') });
    const verification = await verifyExport(path('a.ndjson'));
    expect(await compareLive(verification, { client })).toMatchObject({ same: 1, differences: 0 });
    await appendFile(path('a.ndjson'), '{"name":');
    await expect(compareLive(verification, { client })).rejects.toMatchObject({
      code: 'broken_json',
      position: { line: 2 },
    });
  });

  test.each([
    ['insurance', 'xlsx'],
    ['accounting', 'csv'],
    ['accounting', 'ndjson'],
  ] as const)(
    'of the layout %s as %s ignores rows of totals, and finds ids under any title',
    async (name, format) => {
      const { sandbox, client, path } = await setUp({ seed: 5, seedItems: 60 });
      const status = name === 'accounting' ? 'sold' : 'keep';
      const count = sandbox.control
        .items()
        .filter((item) =>
          name === 'accounting' ? item.status === 'sold' : /keep|sell|trade/.test(item.status),
        );
      const file = path(`a.${format}`);
      await exportItems({ client, out: file, template: name });
      const verification = await verifyExport(file);
      expect(verification).toMatchObject({ problems: [], rows: count.length });
      const { expected } = verification;
      expect('totalsRows' in expected && expected.totalsRows !== 0).toBe(format !== 'ndjson');
      expect(await compareLive(verification, { client })).toMatchObject({
        same: count.length,
        differences: 0,
      });
      const changed = count.find((item) => item.status === status);
      await client.updateItem(changed?.id ?? '', { name: 'Another name', estimated_value: 7.5 });
      expect(await compareLive(verification, { client })).toMatchObject({
        same: count.length - 1,
        changed: { count: 1, ids: [changed?.id] },
        differences: 1,
      });
    },
  );

  test('compares whole rows if a layout has no id, and refuses a file of changes', async () => {
    const { client, path } = await setUp({ seed: 5, seedItems: 40 });
    const layout = { name: 'two', columns: ['brand', 'currency'], sort: ['brand'] };
    await exportItems({ client, out: path('a.csv'), template: layout });
    const verification = await verifyExport(path('a.csv'));
    expect(await compareLive(verification, { client })).toMatchObject({ differences: 0, same: 40 });
    const changes = {
      name: 'x',
      since: null,
      created: 1,
      changed: 0,
      left: 0,
      unchanged: 0,
      notSeen: 0,
      explanation: '',
    };
    await expect(
      compareLive({ ...verification, expected: { ...verification.expected, changes } }, { client }),
    ).rejects.toMatchObject({ code: 'no_live_changes' });
  });
});
