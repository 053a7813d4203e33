import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The packages that a program loads from node_modules. */
function packagesOf(program: string): string[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { registerHooks } from 'node:module';
      const loaded = new Set();
      registerHooks({
        load(url, context, next) {
          const name = /\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
          if (name !== undefined) loaded.add(name);
          return next(url, context);
        },
      });
      ${program};
      console.log(JSON.stringify([...loaded].sort()));`,
    ],
    { encoding: 'utf8' },
  );
  expect(stderr).toBe('');
  return JSON.parse(stdout) as string[];
}

const source = (file: string) => JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href);

it('importing the library loads no package except the one that checks options', () => {
  expect(packagesOf(`await import(${source('index.ts')})`)).toEqual(['zod']);
});

it('reading a CSV file loads no workbook reader', () => {
  const csv = JSON.stringify(join(import.meta.dirname, '../../samples/die-cast.csv'));
  const packages = packagesOf(
    `const { openTable } = await import(${source('sheets/open-table.ts')}); await openTable(${csv}, {})`,
  );
  expect(packages).toContain('csv-parse');
  expect(packages.filter((name) => ['yauzl', 'saxes', 'exceljs', 'fflate'].includes(name))).toEqual([]);
});
