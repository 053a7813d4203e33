/** The scenarios find what they were made for: defects that the sources once had are planted again, one at a time. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { seed } from '../../support/seed.ts';
import { BESIDE, ONCE_THERE, OTHERS } from './defects.ts';
import { plant } from './plant.ts';

/** What is copied; `test` and its configuration for the defects that a test finds. */
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

/** A third of those that are soon found; the next seed takes the next third. `npm run test:planted` plants all. */
const planted =
  process.env['PLANTED'] === 'all'
    ? [...ONCE_THERE, ...BESIDE, ...OTHERS]
    : [...ONCE_THERE, ...BESIDE].filter(({ isRare }, index) => isRare !== true && index % 3 === seed % 3);

it.each(planted)(
  'the tests detect a defect: $name',
  async (defect) => {
    const folder = await mkdtemp(join(tmpdir(), 'shelflift-planted-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const part of PARTS) await cp(part, join(folder, part), { recursive: true });
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    plant(defect, folder);
    const { foundBy, among } = defect;
    if (typeof foundBy === 'string') {
      const config = foundBy.includes('.slow.') ? 'vitest.slow.config.ts' : 'vitest.config.ts';
      const command = ['vitest', 'run', '--config', config, '--bail', '1', foundBy];
      const failed = await run('npx', command, { cwd: folder }).then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      );
      expect(failed).toMatch(/Tests .*\d+ failed/);
      return;
    }
    const script = join(folder, 'test/properties/planted/find.ts');
    const { stdout } = await run(
      process.execPath,
      [script, String(MAX_SCENARIOS), ...(among === undefined ? [] : [among])],
      { cwd: folder },
    );
    const { found } = JSON.parse(stdout) as { found: string[] };
    expect(found).toContainEqual(expect.stringMatching(foundBy));
  },
  600_000,
);
