import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { open } from '../../src/index.ts';
import { startSandbox } from '../../src/sandbox.ts';
import { toys } from '../support/csv.ts';
import { temporaryFolder } from '../support/open-import.ts';

it('a shelf counts the requests of two concurrent imports separately', async () => {
  const folder = await temporaryFolder();
  await using sandbox = await startSandbox({ latencyMs: 3 });
  let requests = 0;
  await using shelf = await open({
    apiUrl: sandbox.url,
    key: sandbox.key,
    store: ':memory:',
    onRequest: () => (requests += 1),
  });
  const outcomes = await Promise.all(
    [
      { name: 'small', rows: 5 },
      { name: 'large', rows: 60 },
    ].map(async ({ name, rows }) => {
      const file = join(folder, `${name}.csv`);
      await writeFile(file, toys(rows, name));
      return shelf.import({ file }, { collection: 'Main' });
    }),
  );
  const [small = 0, large = 0] = outcomes.map(({ requests: { sent } }) => sent);
  expect(outcomes.map(({ rows }) => rows.created)).toEqual([5, 60]);
  expect(small + large).toBe(requests);
  expect(small).toBeLessThan(20);
  expect(large).toBeGreaterThanOrEqual(60);
});
