/** The scenarios find what they were made for: defects that the sources once had are planted again, one at a time. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { DEFECTS, plant } from './plant.ts';

const MOST_SCENARIOS = 2000;
const run = promisify(execFile);

it.each(DEFECTS)(
  'the scenarios find: $name',
  async (defect) => {
    const folder = await mkdtemp(join(tmpdir(), 'shelflift-planted-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const part of ['package.json', 'src', 'templates', 'test/support', 'test/properties'])
      await cp(part, join(folder, part), { recursive: true });
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    plant(defect, folder);
    const script = join(folder, 'test/properties/planted/find.ts');
    const { stdout } = await run(process.execPath, [script, String(MOST_SCENARIOS)], { cwd: folder });
    const { found } = JSON.parse(stdout) as { found: string[] };
    expect(found).toContainEqual(expect.stringMatching(defect.shows));
  },
  600_000,
);
