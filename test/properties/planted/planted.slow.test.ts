/** The scenarios find what they were made for: defects that the sources once had are planted again, one at a time. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { seed } from '../../support/seed.ts';
import { BESIDE, DEFECTS, ONCE_THERE } from './defects.ts';
import { type Defect, plant } from './plant.ts';

/** What is copied for the defects that a test finds. */
const PARTS = [
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'vitest.slow.config.ts',
  'vitest.reports.ts',
  'src',
  'templates',
  'samples',
  'deploy',
  'docs',
  'test',
];
const MAX_SCENARIOS = 2000;
const run = promisify(execFile);

/**
 * Those that scenarios soon find, from the seed of each; and a third of those that a test finds, of which the next seed
 * takes the next third. `npm run test:planted` plants all, and looks for each with the seed of the run.
 */
const isAll = process.env['PLANTED'] === 'all';
const soon = [...ONCE_THERE, ...BESIDE].filter(({ isRare }) => isRare !== true);
const chosen = isAll
  ? DEFECTS
  : soon.filter(({ foundBy }, index) => typeof foundBy !== 'string' || index % 3 === seed % 3);

it.each(chosen)(
  'the tests detect a defect: $name',
  async (defect) => {
    const { foundBy } = defect;
    if (typeof foundBy === 'string') {
      expect(await failuresOf(foundBy, defect)).toMatch(/Tests .*\d+ failed/);
      return;
    }
    const { stdout } = await run(
      process.execPath,
      [join(import.meta.dirname, 'find.ts'), String(MAX_SCENARIOS), defect.name],
      {
        env: {
          ...process.env,
          // All but one of the modules are the same each time.
          NODE_COMPILE_CACHE: join(tmpdir(), 'shelflift-test-compile-cache'),
          PROPERTY_SEED: String(isAll ? seed : (defect.seed ?? seed)),
        },
      },
    );
    const { found } = JSON.parse(stdout) as { found: string[] };
    expect(found).toContainEqual(expect.stringMatching(foundBy));
  },
  600_000,
);

/** What vitest prints of the test file, run in a copy of the sources into which the defect was planted. */
async function failuresOf(file: string, defect: Defect): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-planted-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const part of PARTS) await cp(part, join(folder, part), { recursive: true });
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  plant(defect, folder);
  const config = file.includes('.slow.') ? 'vitest.slow.config.ts' : 'vitest.config.ts';
  const command = ['vitest', 'run', '--config', config, '--bail', '1', file];
  return run('npx', command, { cwd: folder }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}
