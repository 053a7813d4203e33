/**
 * Builds the command line once for a whole run, as it is published: tests that start it a thousand times wait for it half
 * as long as from its source.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import { code } from '../../deploy/bundle/code.ts';

const cwd = resolve(import.meta.dirname, '../..');

export default async function buildCli(): Promise<() => void> {
  // Each project of a run asks for it; a run within a test has sources of its own.
  if (process.env['SHELFLIFT_TEST_BIN']?.startsWith(cwd) === true) return () => undefined;
  // Within the package, so that it finds its files, and the optional packages.
  const dir = mkdtempSync(join(cwd, '.cli-'));
  const { optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(cwd, 'package.json'), 'utf8'),
  ) as Record<'optionalDependencies' | 'peerDependencies', Record<string, string>>;
  const external = Object.keys({ ...optionalDependencies, ...peerDependencies });
  await build(code({ cwd, input: { bin: 'src/cli/bin.ts' }, external, dir }));
  process.env['SHELFLIFT_TEST_BIN'] = join(dir, 'bin.js');
  return () => rmSync(dir, { recursive: true, force: true });
}
