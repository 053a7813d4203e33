/** The scenarios find what they were made for: defects that the sources once had are planted again, one at a time. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const MOST_SCENARIOS = 4000;
const run = promisify(execFile);

it.each([
  ['plan-not-confirmed', /made key "\w+" again/],
  ['cancel-ignored', /sent a row at \d+, cancelled/],
  ['update-not-read-again', /somebody had made it/],
])(
  '%s',
  async (defect, shows) => {
    const folder = await mkdtemp(join(tmpdir(), 'shelflift-planted-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const part of ['package.json', 'src', 'templates', 'test/support', 'test/properties'])
      await cp(part, join(folder, part), { recursive: true });
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    await run('git', ['apply', '-p1', resolve(import.meta.dirname, `${defect}.patch`)], { cwd: folder });
    const script = join(folder, 'test/properties/planted/find.ts');
    const { stdout } = await run(process.execPath, [script, String(MOST_SCENARIOS)], { cwd: folder });
    const { found } = JSON.parse(stdout) as { found: string[] };
    expect(found).toContainEqual(expect.stringMatching(shows));
  },
  600_000,
);
