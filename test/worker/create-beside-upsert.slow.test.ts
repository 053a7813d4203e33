/** A worker that gets one file as creates and as an upsert at one time, with two keys of one team. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { csv } from '../support/csv.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';
import { openWorker } from './open-worker.ts';

async function oneFileBothWays(store?: string): Promise<void> {
  await using place = await openWorker('', { latencyMs: 30 }, store);
  const { secret } = place.sandbox.control.addKey();
  const apiUrl = place.sandbox.url;
  const folders = [
    '{ path: ./creates, profile: main, import: { collection: Main } }',
    '{ path: ./upserts, profile: other, import: { collection: Main, mode: upsert, match: [custom_fields.sku] } }',
  ];
  writeFileSync(
    join(place.folder, 'shelflift.yaml'),
    `profiles:\n  main: { apiUrl: "${apiUrl}", keyEnv: THE_KEY }\n  other: { apiUrl: "${apiUrl}", keyEnv: OTHER_KEY }\n` +
      `hotFolders:\n${folders.map((folder) => `  - ${folder}\n`).join('')}`,
  );
  const rounds = 3;
  for (let round = 1; round <= rounds; round += 1) {
    const rows = Array.from({ length: 30 }, (_, index) => [`Toy ${index}`, `R${round}-${index}`]);
    const text = csv(['name', 'custom_fields.sku'], rows);
    for (const folder of ['creates', 'upserts']) {
      const drop = place.dropper(folder);
      drop(`toys-${round}.csv`, text);
      drop(`toys-${round}.csv.ready`, '');
    }
    await place.once({ environment: { OTHER_KEY: secret } });
    const keys = place.sandbox.control.items().map((item) => item.custom_fields?.['sku']);
    expect(new Set(keys).size).toBe(30 * round);
    expect(keys).toHaveLength(30 * round);
  }
}

test('on SQLite, a concurrent create and upsert of one file create one item per row', () =>
  oneFileBothWays());

describe.skipIf(POSTGRES.length === 0)('on PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1));
  test('a concurrent create and upsert of one file create one item per row', async () =>
    oneFileBothWays(await server.newDatabase()));
});
