/**
 * `npm run build`: what is published of src/. JavaScript in files that are loaded when a command needs them, and one file
 * of declarations for each entry of the package. Entries are those that package.json names.
 *
 * Packages that a user's npm installs stay imports. Development packages that src/ imports are bundled, with their
 * licences: those that would bring many packages of which we use a part.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { adaptBundled } from './adapt.ts';
import { bundledLicences } from './licences.ts';

const cwd = join(import.meta.dirname, '../..');
const { exports, bin, dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(cwd, 'package.json'), 'utf8'),
) as {
  exports: Record<string, { default: string } | string>;
  bin: Record<string, string>;
} & Record<'dependencies' | 'optionalDependencies' | 'peerDependencies', Record<string, string>>;

const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
const library = entries(
  Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.default])),
);

rmSync(join(cwd, 'dist'), { recursive: true, force: true });
await build([
  {
    cwd,
    input: { ...library, ...entries(Object.values(bin)) },
    platform: 'node',
    external: (id) => installed.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [adaptBundled(), bundledLicences('third-party-licences.txt')],
    output: { dir: 'dist', chunkFileNames: '[name]-[hash].js' },
    checks: { pluginTimings: false },
  },
  {
    cwd,
    input: library,
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
    plugins: [dts({ tsconfig: 'tsconfig.build.json', emitDtsOnly: true, logger: quiet() })],
    output: { dir: 'dist' },
    checks: { pluginTimings: false },
  },
]);

/** `./dist/cli/bin.js` is made of `src/cli/bin.ts`. */
function entries(files: readonly string[]): Record<string, string> {
  const names = files.map((file) => file.replace(/^(\.\/)?dist\/|\.js$/g, ''));
  return Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));
}

/** It says each time that the API of TypeScript 7 is experimental. */
function quiet() {
  const silent = () => undefined;
  return { info: silent, warn: silent, error: console.error };
}
