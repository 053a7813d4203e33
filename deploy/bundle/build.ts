/**
 * `npm run build`: what is published of src/. JavaScript in files that are loaded when a command needs them, and one file
 * of declarations for each entry of the package. Entries are those that package.json names.
 *
 * Packages are bundled, with their licences: what a command loads of them takes half the time so. Optional ones are
 * not. A package whose types ours name is a dependency all the same.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { code } from './code.ts';

const cwd = join(import.meta.dirname, '../..');
const { exports, bin, dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(cwd, 'package.json'), 'utf8'),
) as {
  exports: Record<string, { default: string } | string>;
  bin: Record<string, string>;
} & Record<'dependencies' | 'optionalDependencies' | 'peerDependencies', Record<string, string>>;

const library = entries(
  Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : [entry.default])),
);

rmSync(join(cwd, 'dist'), { recursive: true, force: true });
await build([
  code({
    cwd,
    input: { ...library, ...entries(Object.values(bin)) },
    external: Object.keys({ ...optionalDependencies, ...peerDependencies }),
    dir: 'dist',
  }),
  {
    cwd,
    input: library,
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
    plugins: [dts({ tsconfig: 'tsconfig.build.json', emitDtsOnly: true, logger: quiet() }), onlyKnownTypes()],
    // Types have none: without this, an import that nothing uses stays.
    treeshake: { moduleSideEffects: false },
    // For `await using`: a program's own target may be older.
    output: { dir: 'dist', banner: '/// <reference lib="esnext.disposable" />' },
    checks: { pluginTimings: false },
  },
]);

/** `./dist/cli/bin.js` is made of `src/cli/bin.ts`. */
function entries(files: readonly string[]): Record<string, string> {
  const names = files.map((file) => file.replace(/^(\.\/)?dist\/|\.js$/g, ''));
  return Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));
}

/** @throws where declarations import a package that a user's npm does not install */
function onlyKnownTypes(): Plugin {
  return {
    name: 'only-known-types',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        // The chunk's own list still has what is no longer used.
        const unknown = [...chunk.code.matchAll(/(?:from|import)\s*\(?"([^"./][^"]*)"/g)]
          .map(([, id = '']) => id)
          .filter((id) => !id.startsWith('node:') && !Object.hasOwn(dependencies, id));
        if (unknown.length > 0) this.error(`${chunk.fileName} imports types of ${unknown.join(', ')}.`);
      }
    },
  };
}

/** It says each time that the API of TypeScript 7 is experimental. */
function quiet() {
  const silent = () => undefined;
  return { info: silent, warn: silent, error: console.error };
}
