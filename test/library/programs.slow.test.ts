/**
 * The README's program, as printed, and those of examples/, against the packed package: they run, and their types are
 * checked with the types of the package and of all that it imports.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTable } from '../../src/sheets/open-table.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';

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

const README = 'library.ts';
/** The blocks of docs/library.md, one after the other. */
const PAGE = 'page.ts';
/** The examples of docblocks. */
const DOCBLOCKS = docblockPrograms();
const EXAMPLES = readdirSync(join(root, 'examples')).filter((name) => /\.(ts|cjs)$/.test(name));
const postgres = usePostgres(POSTGRES.at(-1));

const STRICT =
  '--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --noUncheckedIndexedAccess --checkJs --allowJs ' +
  '--target es2024 --lib es2024,esnext.disposable,esnext.array --types node';

/** Each prints what is wrong, and fails. */
test.each(['typescript', 'typescript-6'])(
  'all programs compile with %s, with nodenext and bundler',
  (compiler) => {
    writeFileSync(join(folder, README), readmeProgram());
    writeFileSync(join(folder, PAGE), pageProgram());
    for (const name of EXAMPLES) copyFileSync(join(root, 'examples', name), join(folder, name));
    for (const [name, program] of Object.entries(DOCBLOCKS)) writeFileSync(join(folder, name), program);
    const tsc = join(root, 'node_modules', compiler, compiler === 'typescript' ? 'bin/tsc' : 'lib/tsc.js');
    for (const module of ['--module nodenext', '--module esnext --moduleResolution bundler'])
      expect(
        run(tsc, ...`${STRICT} ${module}`.split(' '), README, PAGE, ...EXAMPLES, ...Object.keys(DOCBLOCKS)),
        `${compiler} ${module}`,
      ).toBe('');
  },
);

test.each(['typescript', 'typescript-6'])(
  'the declarations compile with %s without the types of Node',
  (compiler) => {
    const project = join(folder, 'untyped');
    mkdirSync(project, { recursive: true });
    for (const entry of ['', '/client', '/sandbox'])
      writeFileSync(join(project, `all${basename(entry)}.ts`), `export * from 'shelflift${entry}';\n`);
    const compilerOptions = { strict: true, noEmit: true, target: 'es2024', module: 'nodenext', types: [] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const tsc = join(root, 'node_modules', compiler, compiler === 'typescript' ? 'bin/tsc' : 'lib/tsc.js');
    expect(run(tsc, '-p', project)).toBe('');
  },
);

function readmeProgram(): string {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const program = /<!-- test: library\.ts -->\n```ts\n([\s\S]*?)```/.exec(text)?.[1];
  if (program === undefined) throw new Error('the README has no program');
  return program;
}

function pageProgram(): string {
  const text = readFileSync(join(root, 'docs/library.md'), 'utf8');
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n');
}

/** Each example as a program, after what it takes for granted. */
function docblockPrograms(): Record<string, string> {
  const given = `
import { open, openLedger, runWorker } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

void [openLedger, runWorker];
await using practice = await startSandbox();
const { url: apiUrl, key } = practice;
const toys = [{ title: 'Star Cruiser', year: 1984 }];
await using shelf = await open({ apiUrl, key, store: ':memory:' });
await shelf.import({ rows: [{ name: 'Kite', status: 'sold' }] }, { collection: 'Main' });
void toys;
`;
  const programs: Record<string, string> = {};
  for (const file of globSync('src/**/*.ts', { cwd: root }).sort()) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, block = ''] of text.matchAll(/@example\n((?: *\*(?: .*)?\n)*?) *\*\//g)) {
      const lines = block.split('\n').map((line) => line.replace(/^ *\* ?/, ''));
      const imports = lines.filter((line) => /^import \{ (?!open|startSandbox)/.test(line));
      const rest = lines.filter((line) => !line.startsWith('import '));
      const name = `docblock-${Object.keys(programs).length + 1}-${basename(file)}`;
      programs[name] = `${imports.join('\n')}${given}{\n${rest.join('\n')}\n}\nconsole.log('ends');\n`;
    }
  }
  return programs;
}

/** What it printed; with its errors if it failed. */
function run(program: string, ...args: string[]): string {
  try {
    return execFileSync(node, [program, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...environment },
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}\n${stderr}`;
  }
}

/** All import the same package: most of a short run would be compiling it. */
const environment: Record<string, string> = { NODE_COMPILE_CACHE: join(folder, '.compiled') };

test('the program in the README imports and exports', async () => {
  writeFileSync(join(folder, README), readmeProgram());
  writeFileSync(
    join(folder, 'toys.csv'),
    'name,year,condition\nStar Cruiser,1984,loose_good\nMoon Rover,1986,\n',
  );
  const printed = run(README);
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

test('the program in docs/library.md runs', () => {
  writeFileSync(join(folder, PAGE), pageProgram());
  writeFileSync(join(folder, 'toys.csv'), 'name,year\nPlane,1984\n');
  const printed = run(PAGE);
  expect(printed).toMatch(/^done 2\n/);
  expect(printed).toContain('no_such_file');
  expect(printed).not.toContain('Error');
});

const PRINTS: Record<string, string[]> = {
  'rows-from-array.ts': ['done 2'],
  'database-cursor.ts': ['created 3'],
  'own-mapping.ts': ['done 2', 'already_applied 0'],
  'progress-bar.ts': ['] 100 of 100', 'done'],
  'stop-and-resume.ts': ['interrupted true', 'done 200'],
  'export-as-objects.ts': ['stable', 'file true 64'],
  'report-as-data.ts': ['stable 500'],
  'postgres-ledger.ts': ['done 2'],
  'plan-and-apply.ts': ['to change true', ': status sold → archived', 'applied true done', 'undone true'],
  'mend-by-actions.ts': [
    'not sent 3',
    'unclear_currency EUR USD',
    'wrong_currency EUR USD',
    'ready 3',
    'sent 3',
  ],
  'embedded-worker.ts': ['true done', '0 1 2'],
  'paced-client.ts': ['created Moon Rover true', 'full: limit_reached no', '\n2\n'],
  'errors-by-code.ts': [
    'no_such_file false false true',
    'limit true 1',
    '\ntrue\n',
    'rows_sent_before',
    'done 1 2',
  ],
  'commonjs.cjs': ['items 500'],
};

test.each(Object.entries(PRINTS))('examples/%s runs', async (name, expected) => {
  copyFileSync(join(root, 'examples', name), join(folder, name));
  if (name.startsWith('postgres')) environment['LEDGER'] = await postgres.newDatabase();
  const printed = run(name);
  for (const line of expected) expect(printed).toContain(line);
});

const STOP_ONCE_IT_LISTENS = `const looking = setInterval(() => {
  if (process.listenerCount('SIGTERM') === 0) return;
  clearInterval(looking);
  process.kill(process.pid, 'SIGTERM');
}, 50);`;

test.each(Object.keys(DOCBLOCKS))('the example of %s runs', async (name) => {
  const location = name.endsWith('ledger.ts') ? await postgres.newDatabase() : '';
  const program = (DOCBLOCKS[name] ?? '')
    .replace(/postgres:[^']+/, location)
    // The example runs until it is stopped, which it can be once it listens for that.
    .replace(/^await runWorker/m, `${STOP_ONCE_IT_LISTENS}\n$&`);
  writeFileSync(join(folder, name), program);
  writeFileSync(join(folder, 'toys.csv'), `name\n${name}\n`);
  writeFileSync(join(folder, 'shelflift.yaml'), 'profiles: {}\n');
  expect(run(name)).toMatch(/(^|\n)ends\n$/);
});

test('each program in examples/ has a test', () => {
  expect(EXAMPLES.sort()).toEqual(Object.keys(PRINTS).sort());
});
