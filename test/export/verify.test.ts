import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { exportResource } from '../../src/export/export.ts';
import { Manifest } from '../../src/export/manifest.ts';
import { verifyExport } from '../../src/export/verify.ts';
import { hashFile } from '../../src/sheets/hash-file.ts';
import { setUp } from './support.ts';

describe.each(['items.csv', 'items.xlsx', 'items.ndjson'])('%s', (name) => {
  test('verifies as it was written, also when there are no rows', async () => {
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

  test('does not verify once it was changed', async () => {
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

test('rows that look like totals or headers to an import count', async () => {
  const { sandbox, client, path } = await setUp();
  sandbox.control.insertItems([{ name: 'Total', estimated_value: 5 }]);
  await exportResource(
    { resource: 'items', out: path('a.csv'), columns: ['name', 'estimated_value'] },
    { client },
  );
  expect(await verifyExport(path('a.csv'))).toMatchObject({ verified: true, rows: 1 });
});

test('the manifest tells what is in the file and what is promised, and never the key', async () => {
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

test('a missing or foreign manifest is said', async () => {
  const { client, path } = await setUp({ seed: 2, seedItems: 5 });
  await exportResource({ resource: 'items', out: path('a.csv') }, { client });
  await writeFile(path('a.csv.manifest.json'), '{"manifest": 2}');
  await expect(verifyExport(path('a.csv'))).rejects.toMatchObject({ code: 'bad_manifest' });
  await rm(path('a.csv.manifest.json'));
  await expect(verifyExport(path('a.csv'))).rejects.toMatchObject({ code: 'no_manifest' });
  await expect(verifyExport(path('b.csv'))).rejects.toMatchObject({ code: 'no_such_file' });
});
