import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from './run-shelflift.ts';

test('a sandbox that another process keeps in use is reported after ten seconds, with the remedy', async () => {
  const place = newPlace();
  const data = join(place.folder, '.state/shelflift/sandbox/data.db');
  mkdirSync(dirname(data), { recursive: true });
  await using holder = await startSandbox({ dataFile: data });
  expect(holder.port).toBeGreaterThan(0);
  const run = await place.run(['export', 'sales', '--sandbox', '--json']);
  expect(run.code).toBe(2);
  expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'sandbox_in_use' } });
  expect(run.stderr).toContain('Only one command at a time can use the sandbox');
});
