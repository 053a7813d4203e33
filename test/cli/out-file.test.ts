/** What `--out` replaces: files that shelflift wrote and nobody has edited since. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPlace } from './run-shelflift.ts';

test('--out refuses a file that was edited or that shelflift did not write, before it reads anything', async () => {
  const place = newPlace();
  place.file('toys.csv', 'name\nRobot\nRobot\n');
  await place.call(['import', 'toys.csv', '--sandbox', '--collection', 'Main', '--yes', '--quiet']);
  await place.call(['export', 'items', '--out', 'before.csv', '--sandbox', '--quiet']);
  const commands: [string, string[]][] = [
    ['items.csv', ['export', 'items', '--sandbox']],
    ['items.ndjson', ['export', 'items', '--sandbox']],
    ['report.html', ['report', 'inventory', '--sandbox']],
    ['report.csv', ['report', 'inventory', '--sandbox']],
    ['diff.html', ['diff', 'before.csv', 'before.csv', '--sandbox']],
    ['dupes.csv', ['dupes', '--suggest', '--sandbox']],
    ['toys.yaml', ['template', 'infer', 'toys.csv', '--sandbox']],
  ];
  for (const [name, command] of commands) {
    const run = (...more: string[]) => place.call([...command, '--out', name, ...more]);
    const path = join(place.folder, name);
    writeFileSync(path, 'my own notes');
    const foreign = await run();
    expect([name, foreign.code, foreign.stderr]).toEqual([
      name,
      2,
      expect.stringContaining('was not written by shelflift'),
    ]);
    expect(readFileSync(path, 'utf8')).toBe('my own notes');
    expect(existsSync(`${path}.manifest.json`)).toBe(false);
    expect([name, (await run('--overwrite')).code]).toEqual([name, 0]);
    expect([name, (await run()).code]).toEqual([name, 0]);
    const edited = `${readFileSync(path, 'utf8')}# mine`;
    writeFileSync(path, edited);
    const refused = await run();
    expect([name, refused.code, refused.stderr]).toEqual([
      name,
      2,
      expect.stringContaining('has been edited since'),
    ]);
    expect(readFileSync(path, 'utf8')).toBe(edited);
  }
  const other = ['--store', join(place.folder, 'other.db')];
  const elsewhere = await place.call([
    'export',
    'items',
    '--sandbox',
    '--out',
    'before.csv',
    '--quiet',
    ...other,
  ]);
  // The manifest knows it, whatever the store.
  expect(elsewhere.code).toBe(0);
});
