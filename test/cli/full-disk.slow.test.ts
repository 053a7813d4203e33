/** Results on a disk that is full: said, with an exit code. Needs a disk of its own, which only root may mount. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { toys } from '../support/csv.ts';
import { DROP } from '../worker/example-config.ts';
import { openWorker } from '../worker/open-worker.ts';
import { newPlace } from './run-shelflift.ts';

/** A full disk at this path, but for so many bytes. @returns undefined where it cannot be mounted */
function mountFull(path: string, free: number): (Disposable & { makeRoom: () => void }) | undefined {
  mkdirSync(path, { recursive: true });
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', path]).status !== 0) return undefined;
  const filler = join(path, '.filler');
  writeFileSync(filler, Buffer.alloc(256 * 1024 - free));
  return { makeRoom: () => rmSync(filler), [Symbol.dispose]: () => void spawnSync('umount', [path]) };
}

test('an import that cannot write its results ends with exit code 6 and the command that writes them', async (context) => {
  await using sandbox = await startSandbox();
  const at = newPlace({ SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key });
  using disk = mountFull(join(at.folder, 'out'), 4096);
  if (disk === undefined) {
    context.skip();
    return;
  }
  at.file('toys.csv', toys(200));
  const run = await at.run(['import', 'toys.csv', '--collection', 'Main', '--out-dir', 'out', '--json']);
  expect([run.code, run.stderr]).toEqual([6, expect.stringMatching(/shelflift jobs results \S+/)]);
  const summary = JSON.parse(run.stdout) as { job: string };
  expect(summary).toMatchObject({
    state: 'done',
    rows: { created: 200, pending: 0 },
    files: {},
    error: { code: 'disk_full' },
  });
  disk.makeRoom();
  expect((await at.run(['jobs', 'results', summary.job])).code).toBe(0);
  expect((await at.run(['jobs', 'resume', summary.job])).code).toBe(0);
  expect(sandbox.control.items()).toHaveLength(200);
});

test('a dropped file waits in processing/ until there is room for its results', async (context) => {
  await using place = await openWorker(`retries: { backoff: 1ms }\n${DROP}`);
  using disk = mountFull(join(place.folder, 'drop'), 20 * 1024);
  if (disk === undefined) {
    context.skip();
    return;
  }
  place.dropper('drop')('toys.csv', toys(400));
  place.dropper('drop')('toys.csv.ready', '');
  const { exitCode, runs } = await place.once();
  expect([exitCode, runs[0]?.state, runs[0]?.tries]).toEqual([6, 'queued', 0]);
  expect(runs[0]?.error?.message).toMatch(/ENOSPC|full/);
  disk.makeRoom();
  expect(await place.once()).toMatchObject({ exitCode: 0, runs: [{ state: 'done', rows: 400 }] });
  expect(place.sandbox.control.items()).toHaveLength(400);
});
