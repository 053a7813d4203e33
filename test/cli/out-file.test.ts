/** What `--out` replaces: files that shelflift wrote and nobody has edited since. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeOut } from '../../src/cli/out-file.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
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

test.each(['a file that shelflift wrote', undefined])(
  'after two kills, a file that a person has made or edited is not replaced (before: %s)',
  async (written) => {
    await using ledger = openSqliteLedger(':memory:');
    const out = join(newPlace().folder, 'items.csv');
    const write = (content: string) =>
      writeOut({ out }, ledger.values, async () => writeFileSync(out, content));
    // A write that never ends stands for a process that was killed. The second one finds the file unedited.
    const killed = async () => {
      const begun = Promise.withResolvers<void>();
      const never = new Promise<void>(() => undefined);
      void writeOut({ out }, ledger.values, () => {
        begun.resolve();
        return never;
      });
      await begun.promise;
    };
    if (written !== undefined) await write(written);
    await killed();
    await killed();
    writeFileSync(out, 'mine');
    await expect(write('other')).rejects.toMatchObject({ code: 'not_our_file' });
    expect(readFileSync(out, 'utf8')).toBe('mine');
  },
);
