/** Imports point one way, and a package stays in the folder that wraps it. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ENTRIES, LAYERS, ONLY, PACKAGES, STEPS } from './layers.ts';

const SRC = resolve(import.meta.dirname, '../../src');
const IMPORT = /^(?:import|export)\b[^'"`;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;

/** Each import: the file, and the file or package that it names; files as paths below src. */
const imports = globSync('**/*.ts', { cwd: SRC }).flatMap((file) =>
  [...readFileSync(join(SRC, file), 'utf8').matchAll(IMPORT)].map(([, from, bare, lazy]) => {
    const named = from ?? bare ?? lazy ?? '';
    return { file, named: named.startsWith('.') ? normalize(join(dirname(file), named)) : named };
  }),
);
const local = imports.filter(({ named }) => named.endsWith('.ts') && !named.startsWith('..'));

function folderOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : '';
}

function shown({ file, named }: { file: string; named: string }): string {
  return `${file} imports ${named}`;
}

it('every folder of src has a layer', () => {
  expect(imports.length).toBeGreaterThan(3000);
  const folders = new Set(imports.map(({ file }) => folderOf(file) || file));
  expect([...folders].filter((name) => !(name in LAYERS) && !ENTRIES.includes(name))).toEqual([]);
});

it('a folder imports only from the folders below it', () => {
  const wrong = local.filter(({ file, named }) => {
    const [from, to] = [folderOf(file), folderOf(named)];
    if (ENTRIES.includes(file) || from === to) return false;
    if (ENTRIES.includes(named)) return true;
    if (to === 'base' || to === 'messages' || to === 'packaged') return false;
    if (!(LAYERS[from] ?? []).includes(to)) return true;
    const only = ONLY[from]?.[to];
    return only !== undefined && !only.includes(named.slice(to.length + 1));
  });
  expect(wrong.map(shown)).toEqual([]);
});

it('a folder of src/import imports only from folders earlier in the list', () => {
  const stepOf = (path: string) => STEPS.indexOf(path.split('/')[1] ?? '');
  const wrong = local.filter(
    ({ file, named }) =>
      file.startsWith('import/') &&
      named.startsWith('import/') &&
      stepOf(file) >= 0 &&
      (stepOf(named) < 0 || stepOf(named) > stepOf(file)),
  );
  expect(wrong.map(shown)).toEqual([]);
});

it('a package is imported only by its wrapper', () => {
  const wrong = imports.filter(({ file, named }) => {
    const wrapped = Object.entries(PACKAGES).find(([name]) => named === name || named.startsWith(`${name}/`));
    return wrapped !== undefined && !wrapped[1].some((folder) => file.startsWith(`${folder}/`));
  });
  expect(wrong.map(shown)).toEqual([]);
});
