import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newPlace } from './run-shelflift.ts';

test('Node’s compile cache is kept in the user’s own folder', async () => {
  const place = newPlace({ NODE_COMPILE_CACHE: undefined });
  const cache = join(place.folder, 'cache');
  const { code } = await place.run(['--version'], { environment: { XDG_CACHE_HOME: cache } });
  expect(code).toBe(0);
  const kept = readdirSync(join(cache, 'shelflift'), { recursive: true });
  expect(kept.length).toBeGreaterThan(2);
});

test('a cache folder that cannot be created does not stop the command', async () => {
  const place = newPlace({ NODE_COMPILE_CACHE: undefined });
  const file = place.file('no-folder', '');
  for (const folder of [file, '/proc/nowhere']) {
    const { code, stderr } = await place.run(['--version'], { environment: { XDG_CACHE_HOME: folder } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
});

test('a cache folder or temporary folder that cannot be written does not stop the command', async () => {
  const place = newPlace({ NODE_COMPILE_CACHE: undefined });
  const cache = join(place.folder, 'cache');
  const file = place.file('no-folder', '');
  const environment = { XDG_CACHE_HOME: cache, TMPDIR: file };
  const run = () => place.run(['jobs', 'list', '--store', 'l.db'], { environment });
  const first = await run();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  const [kept = ''] = readdirSync(join(cache, 'shelflift'));
  rmSync(join(cache, 'shelflift', kept), { recursive: true });
  // A file where Node makes its folder stops root, too, whom permissions do not.
  writeFileSync(join(cache, 'shelflift', kept), '');
  chmodSync(join(cache, 'shelflift'), 0o500);
  onTestFinished(() => chmodSync(join(cache, 'shelflift'), 0o700));
  expect(await run()).toEqual(first);
  expect(readdirSync(join(cache, 'shelflift'))).toEqual([kept]);
});
