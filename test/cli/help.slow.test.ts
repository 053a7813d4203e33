import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nearest } from '../../src/base/nearest.ts';
import { ITEM_CONDITIONS } from '../../src/api/schemas.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { type Answer, atTerminal } from './terminal.ts';
import { ended, newPlace, type Place, type Run, SOURCE, TOYS } from './run-shelflift.ts';

/** Every command with its --help, found by reading the help of the one above it. */
async function everyHelp(place: Place): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const visit = async (command: string[]): Promise<void> => {
    const { stdout, code } = await place.call([...command, '--help']);
    expect(code).toBe(0);
    found.set(command.join(' '), stdout);
    const below = [
      ...stdout.matchAll(/^ {2}shelflift ([a-z]+(?: [a-z]+)*)(?: (?:<[^>]+>|\[[^\]]+\]))? {2,}\S/gm),
    ]
      .map((match) => (match[1] ?? '').split(' '))
      .filter((words) => words.length > command.length && words[0] !== 'completion');
    for (const each of below) await visit(each);
  };
  await visit([]);
  return found;
}

function examplesOf(help: string): string[] {
  return (/^Examples:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('  shelflift '))
    .map((line) => line.trim());
}

/** Makes what must be there before an example makes sense, and gives the line to run. */
async function prepare(example: string, place: Place, api: Sandbox): Promise<string> {
  place.file('toys.csv', TOYS);
  if (example.includes('toys.xlsx')) {
    const { makeWorkbook } = await import('./make-workbook.ts');
    await makeWorkbook(join(place.folder, 'toys.xlsx'), [
      ['Name', 'Line', 'Year', 'Condition'],
      ['Robot', 'Space', 1985, ITEM_CONDITIONS[0]],
    ]);
  }
  if (example.includes('--rate')) place.file('toys.csv', 'name,estimated_value\nRobot,12.50 $\nRover,10 €\n');
  if (example.includes('Titel')) place.file('toys.csv', 'Titel,a,b,c,d,Wert\nRobot,,,,,12.50\n');
  if (example.includes('changes.csv')) {
    const { stdout } = await place.call(['export', 'items', '--out', '-', '--columns', 'id']);
    place.file('changes.csv', `id,status\n${stdout.split('\n')[1] ?? ''},sell\n`);
  }
  if (example.includes('orders.csv')) {
    api.control.insertItems([{ name: 'Robot', custom_fields: { sku: 'R-1' } }]);
    place.file('orders.csv', 'SKU,Price\nR-1,12.50\n');
  }
  if (example.includes('sold.csv'))
    await place.call(['export', 'items', '--out', 'sold.csv', '--columns', 'id']);
  if (/^shelflift jobs (resume|show|cancel|undo|results)/.test(example))
    await place.call(['import', 'toys.csv', '--collection', 'Main', '--first', '1']);
  if (example.startsWith('shelflift jobs mend')) {
    const rows = Array.from(
      { length: 20 },
      (_, row) => `Toy ${row},${row === 5 && example.includes('C7') ? 'C7' : 'damaged'},5`,
    );
    place.file('toys.csv', `name,condition,Price\n${rows.join('\n')}\n`);
    await place.call(['import', 'toys.csv', '--collection', 'Main', '--first', '1']);
    if (example.includes('--undo')) await place.call(['jobs', 'mend', 'last', '--row', '17', '--omit']);
  }
  if (example.startsWith('shelflift template forget'))
    await place.call(['import', 'toys.csv', '--collection', 'Main', '--save-as', 'trains']);
  if (example.endsWith('--as theirs')) {
    // Somebody changes the item of row 18 after the plan.
    const ids = api.control.insertItems(Array.from({ length: 17 }, (_, toy) => ({ name: `Toy ${toy}` })));
    place.file('changes.csv', `id,status\n${ids.map((id) => `${id},sell\n`).join('')}`);
    place.file('theirs.csv', `id\n${ids.at(-1)}\n`);
    const plan = await place.call(['import', 'changes.csv', '--mode', 'update', '--dry-run', '--json']);
    await place.call(['set', 'status=trade', '--ids-from', 'theirs.csv', '--store', 'other.db']);
    const { job } = JSON.parse(plan.stdout) as { job: string };
    await place.call(['jobs', 'apply', job, '--recheck', '0s']);
  } else if (example.startsWith('shelflift jobs resolve')) {
    // Rows 2 to 16 go through; the answer to row 17 is lost, and nobody may look it up.
    place.file('toys.csv', `name\n${Array.from({ length: 17 }, (_, row) => `Toy ${row}`).join('\n')}\n`);
    const one = ['--max-concurrency', '1', '--quiet-period', '1ms'];
    await place.call(['import', 'toys.csv', '--collection', 'Main', '--no-settle', '--first', '15', ...one]);
    api.control.failNext('dropBefore', 'createItem');
    await place.call(['jobs', 'resume', 'last', ...one]);
  }
  if (example.startsWith('shelflift jobs apply')) {
    const dry = await place.call(['import', 'toys.csv', '--collection', 'Main', '--dry-run', '--json']);
    return example.replace(/\S+$/, (JSON.parse(dry.stdout) as { job: string }).job);
  }
  if (example.includes('shelflift.yaml')) {
    const { scheduleYaml } = await import('../worker/example-config.ts');
    place.file('shelflift.yaml', scheduleYaml(api.url));
  }
  if (example.startsWith('shelflift store')) await place.call(['import', 'toys.csv', '--collection', 'Main']);
  if (example.startsWith('shelflift why')) {
    await place.call(['import', 'toys.csv', '--collection', 'Main']);
    const { stdout } = await place.call(['export', 'items', '--out', '-', '--columns', 'id']);
    return example.replace(/(?<=why )[\da-f-]+/, ({ length }) =>
      (stdout.split('\n')[1] ?? '').slice(0, length),
    );
  }
  if (example.startsWith('shelflift diff')) {
    place.file('toys.csv', 'name,custom_fields.sku\nRobot,R-1\n');
    await place.call(['import', 'toys.csv', '--collection', 'Main']);
    for (const [name] of example.matchAll(/(?:may|june)\.\w+/g))
      await place.call(['export', 'items', '--out', name]);
  }
  if (example.startsWith('shelflift store copy'))
    return example.replace('ledger.db', '.state/shelflift/ledger.db').replace(/postgres:\S+/, 'other.db');
  if (example.includes('./reports')) await place.shell('mkdir reports');
  if (example.includes('--root collection')) await place.shell('mkdir collection');
  if (example.includes('export verify')) await place.call(['export', 'items', '--out', 'items.xlsx']);
  if (example.includes('address-and-key.txt'))
    place.file('address-and-key.txt', 'https://example.com\nkey\n');
  if (example.includes('profile use'))
    await place.call(['profile', 'add', 'main', '--api-url', 'https://example.com', '--key-env', 'KEY']);
  return example;
}

/** What is typed for worker init. */
const ANSWERS: Answer[] = [
  ['Address', 'https://example.com'],
  ['key be', '1'],
  ['variable', ''],
  ['Time zone', 'UTC'],
  ['should the worker run', '1'],
  ['time', ''],
  ['be delivered', '1'],
  ['Folder', ''],
  ['else', 'n'],
  ['mail', ''],
];

async function runExample(example: string, place: Place): Promise<Run> {
  if (/^shelflift (?:sandbox|ui)/.test(example)) {
    // They serve until Ctrl-C; the usual port may be taken on this machine, which may have no browser.
    const quiet = example.startsWith('shelflift ui') ? ['--no-open'] : [];
    const words = example
      .split(' ')
      .slice(1)
      .filter((word) => !quiet.includes(word));
    const child = place.start([...words, '--port', '0', ...quiet]);
    const run = ended(child);
    await once(child.stdout ?? child, 'data');
    child.kill('SIGINT');
    return run;
  }
  if (example === 'shelflift worker init') {
    const { code, text } = await atTerminal(place, example, ANSWERS);
    return { code, stdout: text, stderr: '' };
  }
  if (example.startsWith('shelflift profile add main --api-url'))
    return place.shell(`echo the-key | ${example}`);
  if (/[<>|']/.test(example)) return place.shell(example);
  return place.call(example.split(' ').slice(1));
}

test('each command has an example in its --help, and each example works unchanged', async () => {
  const helps = await everyHelp(newPlace());
  expect([...helps.keys()]).toEqual(
    expect.arrayContaining([
      'import',
      'jobs resume',
      'export verify',
      'profile add',
      'doctor',
      'sandbox',
      'template new',
      'template infer',
      'template check',
    ]),
  );
  const examples = new Set<string>();
  for (const [command, help] of helps) {
    const own = examplesOf(help);
    const isGroup = command !== '' && /^Commands:/m.test(help) && !help.includes('Positionals:');
    if (!isGroup) expect(own, `shelflift ${command} --help`).not.toHaveLength(0);
    for (const example of own) examples.add(example);
  }
  expect(examples.size).toBeGreaterThan(20);

  for (const example of examples) {
    await using api = await startSandbox({ seed: 7, seedItems: 12 });
    api.control.addCollection('Main');
    const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
    const run = await runExample(await prepare(example, place, api), place);
    // A new store has no readings of a past day: test/reports/two-months.slow.test.ts has.
    const isPast = / --as-of | --period | report month /.test(example);
    expect(run.code, `${example}\n${run.stdout}\n${run.stderr}`).toBe(isPast ? 2 : 0);
    if (isPast) expect(run.stderr).toContain('There is no reading');
  }
});

test('--version and --help load no client, server, schemas or workbook reader', async () => {
  const place = newPlace();
  const hook = place.file(
    'hook.mjs',
    `import { registerHooks } from 'node:module';
     registerHooks({ load(url, context, next) { process.stderr.write(url + '\\n'); return next(url, context); } });`,
  );
  for (const argv of [['--version'], ['--help'], ['import', '--help'], ['sandbox', '--help']]) {
    const child = spawn(process.execPath, ['--import', hook, SOURCE, ...argv], { env: place.environment });
    const { code, stderr, stdout } = await ended(child);
    expect(code).toBe(0);
    expect(stdout).not.toBe('');
    expect(stderr).toContain('/cli/main.ts');
    expect(stderr).not.toMatch(
      /node_modules\/(exceljs|hono|@hono|undici|zod|bottleneck|yaml|pino|csv-parse)\//,
    );
  }
});

test('--version prints the version of the package', async () => {
  const { stdout, code } = await newPlace().run(['--version']);
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string;
  };
  expect({ stdout, code }).toEqual({ stdout: `${version}\n`, code: 0 });
});

const MISTAKES: [argv: string, hint: string][] = [
  ['imprt toys.csv', 'Did you mean import?'],
  ['jobs resme last', 'Did you mean resume?'],
  ['import toys.csv --colection Main', 'There is no flag --colection here. Did you mean --collection?'],
  ['import --dryRun toys.csv', 'Did you mean --dry-run?'],
  ['import toys.csv --max-rte=5', 'Did you mean --max-rate?'],
  ['export itms', 'Did you mean items?'],
  ['import', 'Usage: shelflift import <file..>'],
  ['import toys.csv --first --json', '--first needs a value'],
  ['export items more', 'Unknown argument: more.'],
  ['export items --out a.csv --changed-since-last= --json', '--changed-since-last is empty'],
  ['', 'Name a command.'],
];

test.each(MISTAKES)('shelflift %s fails with %s', async (words, hint) => {
  const { code, stderr, stdout } = await newPlace().call(words.split(' ').filter((word) => word !== ''));
  expect(code).toBe(2);
  expect(stderr).toContain(hint);
  expect(stderr).not.toContain('    at ');
  if (words.includes('--json')) expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'usage' } });
});

test('a mistake is reported in English, whatever the language of the terminal', async () => {
  const { stderr } = await newPlace({ LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' }).run([
    'import',
    '--foo',
    'x',
  ]);
  expect(stderr).toContain('There is no flag --foo here.');
});

test('only a similar name is suggested', () => {
  const known = ['collection', 'columns', 'max-rate', 'out', 'yes'];
  expect(nearest('colection', known)).toBe('collection');
  expect(nearest('cloumns', known)).toBe('columns');
  expect(nearest('rate', known)).toBe('max-rate');
  expect(nearest('oout', known)).toBe('out');
  expect(nearest('zzz', known)).toBeUndefined();
  expect(nearest('ye', known)).toBe('yes');
});

test('the shell completes commands and flags', async () => {
  const place = newPlace();
  const line = `source <(shelflift completion)
    complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _shelflift_yargs_completions; echo "\${COMPREPLY[@]}"; }
    complete_words shelflift imp; complete_words shelflift jobs res; complete_words shelflift import --coll`;
  const { stdout } = await place.shell(line);
  expect(stdout.split('\n')).toEqual(['import', 'resume results resolve', '--collection', '']);
});

test.each([
  ['bun', 'Bun'],
  ['deno', 'Deno'],
])('on %s the command says at once that it needs Node', async (key, name) => {
  const place = newPlace();
  const hook = place.file(
    'other.mjs',
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, ${key}: '1.0.0' } });`,
  );
  const { code, stderr } = await ended(spawn(process.execPath, ['--import', hook, SOURCE, '--version']));
  expect(code).toBe(2);
  expect(stderr).toContain(`shelflift needs Node 24 or newer, and this is ${name}.`);
});

test('an older Node is reported with the version that is needed', async () => {
  const place = newPlace();
  const hook = place.file(
    'old.mjs',
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.0' } });`,
  );
  const { code, stderr } = await ended(spawn(process.execPath, ['--import', hook, SOURCE, '--version']));
  expect(code).toBe(2);
  expect(stderr).toContain('shelflift needs Node 24 or newer, and this is Node 18.20.0');
});
