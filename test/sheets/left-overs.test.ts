import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openAtomicFile } from '../../src/sheets/atomic-file.ts';

const MODULE = resolve(import.meta.dirname, '../../src/sheets/atomic-file.ts');

test('the next write removes temporary files of killed processes, and keeps those of running processes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'a.csv');
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { openAtomicFile } from ${JSON.stringify(MODULE)};
       const file = await openAtomicFile(${JSON.stringify(file)});
       await file.write('half'); console.log('written'); setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  const others = [
    '.b.csv.00000000-1-000000000000.tmp',
    '.a.csv.notes.tmp',
    '.a.csv.00000000-1-000000000000.tmp',
  ];
  for (const name of others) writeFileSync(join(folder, name), '');
  const left = () => readdirSync(folder).filter((name) => !others.includes(name));
  const first = await openAtomicFile(file);
  expect(left()).toHaveLength(2);
  await first.abort();
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  expect(left()).toHaveLength(1);
  const second = await openAtomicFile(file);
  await second.write('whole');
  await second.commit();
  expect(left()).toEqual(['a.csv']);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(others));
});

test('many files written to a folder with thousands of others list it once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (let index = 0; index < 1_000; index += 1) writeFileSync(join(folder, `${index}`), '');
  const listing = vi.spyOn(fs, 'readdir');
  syncBuiltinESMExports();
  onTestFinished(() => {
    listing.mockRestore();
    syncBuiltinESMExports();
  });
  for (const name of ['a.csv', 'b.csv', 'c.csv']) {
    const file = await openAtomicFile(join(folder, name));
    await file.commit();
  }
  expect(listing).toHaveBeenCalledTimes(1);
});
