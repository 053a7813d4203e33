import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPlace } from './run-shelflift.ts';

test('what Node makes of our modules is kept in a folder of the user', async () => {
  const place = newPlace({ NODE_COMPILE_CACHE: undefined });
  const cache = join(place.folder, 'cache');
  const { code } = await place.run(['--version'], { environment: { XDG_CACHE_HOME: cache } });
  expect(code).toBe(0);
  const kept = readdirSync(join(cache, 'shelflift'), { recursive: true });
  expect(kept.length).toBeGreaterThan(2);
});

test('a folder that cannot be made is no reason to stop', async () => {
  const place = newPlace({ NODE_COMPILE_CACHE: undefined });
  const file = place.file('no-folder', '');
  for (const folder of [file, '/proc/nowhere']) {
    const { code, stderr } = await place.run(['--version'], { environment: { XDG_CACHE_HOME: folder } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
});
