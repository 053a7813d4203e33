/** The README's program, as printed, and those of examples/: types are checked and they run, against the packed package. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTable } from '../../src/sheets/open-table.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'shelflift-readme-'));
const node = process.execPath;

beforeAll(() => {
  const npm = (args: string[]) =>
    execFileSync('npm', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  npm(['run', '--silent', 'build']);
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder])) as [
    { filename: string },
  ];
  const home = join(folder, 'node_modules/shelflift');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', home]);
  // The package's own dependencies and nothing else of ours: what it forgot to name would be missing here.
  const { dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of [...Object.keys(dependencies), '@types/node', 'undici-types']) {
    const scope = name.includes('/') ? name.split('/')[0] : undefined;
    if (scope !== undefined) mkdirSync(join(folder, 'node_modules', scope), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STRICT = (
  '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2024 ' +
  '--lib es2024,esnext.disposable --types node'
).split(' ');

function checkTypes(program: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(node, [compiler, ...STRICT, program], { cwd: folder, encoding: 'utf8' });
}

function run(program: string): string {
  return execFileSync(node, [program], { cwd: folder, encoding: 'utf8' });
}

test('the program in the README passes the type checker, imports and exports', async () => {
  const program = /<!-- test: library\.ts -->\n```ts\n([\s\S]*?)```/.exec(
    readFileSync(join(root, 'README.md'), 'utf8'),
  )?.[1];
  expect(program).toBeDefined();
  writeFileSync(join(folder, 'library.ts'), program ?? '');
  writeFileSync(
    join(folder, 'toys.csv'),
    'name,year,condition\nStar Cruiser,1984,loose_good\nMoon Rover,1986,\n',
  );
  checkTypes('library.ts');

  const printed = run('library.ts');
  expect(printed).toContain('done 2');
  expect(printed).toContain('2 stable');
  const table = await openTable(join(folder, 'items.xlsx'), {});
  const rows = (await Array.fromAsync(table.batches)).flat();
  expect(new Set(rows.map((row) => row.cells[table.headers.indexOf('name')]))).toEqual(
    new Set(['Moon Rover', 'Star Cruiser']),
  );
  // Beside what the program names, an import leaves its results and nothing else.
  expect(readdirSync(folder)).toEqual(
    expect.arrayContaining(['toys.results.csv', 'items.xlsx.manifest.json', 'ledger.db']),
  );
});

test.each([
  ['import-and-resume.ts', ['interrupted true', 'done 200']],
  ['plan-and-undo.ts', ['applied true done', 'undone true']],
  ['export-and-verify.ts', ['true stable', 'verified true']],
])('examples/%s passes the type checker and runs', (name, expected) => {
  copyFileSync(join(root, 'examples', name), join(folder, name));
  checkTypes(name);
  const printed = run(name);
  for (const line of expected) expect(printed).toContain(line);
});

test('each program in examples/ is run here', () => {
  const programs = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));
  expect(programs).toHaveLength(3);
});
