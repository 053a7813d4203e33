import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from './run-shelflift.ts';

const STRANGE = 'Was;Graded as\nFalcon;MOC\nTie;Z7\nBus;damaged\nScout;MOC\n';

test('template infer, template check and import use the same template, in any folder', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('my toys.csv', STRANGE);
  const inferred = await place.call(['template', 'infer', 'my toys.csv', '--out', 'my.yaml']);
  expect(inferred.code).toBe(0);
  expect(inferred.stdout).toContain("shelflift template check 'my toys.csv' --template my.yaml");
  const schema = /\$schema=(.*)/.exec(readFileSync(join(place.folder, 'my.yaml'), 'utf8'))?.[1] ?? '';
  expect(existsSync(schema)).toBe(true);

  const checked = await place.call(['template', 'check', 'my toys.csv', '--template', 'my.yaml']);
  expect(checked.code).toBe(3);
  expect(checked.stdout).toContain('row 2\n  before  Was: Falcon · Graded as: MOC\n  after   name: Falcon');
  expect(checked.stdout).toMatch(
    /4 rows: 3 good, 1 invalid, 0 skipped\n {2}1 row: condition "Z7" is not known/,
  );
  const json = await place.call([
    'template',
    'check',
    'my toys.csv',
    '--template',
    'my.yaml',
    '--rows',
    '1',
    '--json',
  ]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    template: 'my toys',
    counts: { read: 4, valid: 3, invalid: 1 },
    rows: [{ row: 2, after: { name: 'Falcon', condition: 'mint_on_card' } }],
    problems: [
      { code: 'unknown_word', rows: 1, firstRows: [{ row: 3 }], inTemplate: expect.stringContaining('"Z7"') },
    ],
  });
  const argv = ['import', 'my toys.csv', '--template', './my.yaml', '--collection', 'Main', '--skip-invalid'];
  const imported = await place.call([...argv, '--json']);
  expect(JSON.parse(imported.stdout)).toMatchObject({ rows: { created: 3, invalid: 1 } });
});

test('template infer refuses the files that an import refuses, with the same remedy, and writes nothing', async () => {
  const place = newPlace();
  place.file('years.csv', 'brand,year\nAcme,1985\nKenner,1986\n');
  place.file('headerless.csv', 'Robot,Acme,1985\nBear,Kenner,1986\nBus,Acme,1987\n');
  for (const [file, code, says] of [
    ['years.csv', 'no_name_column', '--map name=HEADER'],
    ['headerless.csv', 'header_is_data', '--header-row 0'],
  ] as const) {
    const refused = await place.call(['template', 'infer', file, '--out', 'my.yaml']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`${file}, row 1`);
    expect(refused.stderr).toContain(says);
    expect(existsSync(join(place.folder, 'my.yaml'))).toBe(false);
    const json = await place.call(['template', 'infer', file, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code } });
  }
  expect((await place.call(['template', 'infer', 'headerless.csv', '--header-row', '0'])).code).toBe(0);
});

test('template infer --json lists each column, and a shipped template names an existing schema', async () => {
  const place = newPlace();
  place.file('toys.csv', STRANGE);
  const { stdout } = await place.call(['template', 'infer', 'toys.csv', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    rows: 4,
    columns: [
      {
        header: 'Was',
        letter: 'A',
        target: 'name',
        confidence: 'likely',
        reason: '4 different texts in 4 cells',
      },
      {
        header: 'Graded as',
        letter: 'B',
        target: 'condition',
        confidence: 'likely',
        reason: '3 of 4 filled cells are words for the condition',
      },
    ],
    template: expect.stringContaining('name: { from: Was, required: true }'),
  });
  const shown = await place.call(['template', 'show', 'generic']);
  expect(existsSync(/^# yaml-language-server: \$schema=(.*)$/m.exec(shown.stdout)?.[1] ?? '')).toBe(true);
});

test('without a terminal, an import that is unsure ends with exit code 2; a name column without a header needs --map', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', STRANGE);
  const argv = ['import', 'toys.csv', '--collection', 'Main', '--skip-invalid', '--strict'];
  const asked = await place.call([...argv, '--json']);
  expect(asked.code).toBe(2);
  expect(JSON.parse(asked.stdout)).toMatchObject({ error: { code: 'unsure_mapping' } });
  expect(asked.stderr).toContain('columns: Was → name');
  const agreed = await place.call([...argv, '--yes']);
  expect([agreed.code, agreed.stderr]).toEqual([2, expect.stringContaining('--yes --map name=Was')]);
  const named = [...argv, '--map', 'name=Was'];
  expect(await place.call([...named, '--yes'])).toMatchObject({ code: 3 });
  const again = await place.call([...named, '--force']);
  expect([again.code, again.stderr]).toEqual([3, expect.stringContaining('Columns as confirmed on ')]);
});

test('template new needs no key, and replaces nothing without confirmation', async () => {
  const place = newPlace();
  const first = await place.call(['template', 'new', 'form.xlsx']);
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('the collections are not known')]);
  const file = join(place.folder, 'form.xlsx');
  const { mtimeMs } = statSync(file);
  const second = await place.call(['template', 'new', 'form.xlsx', '--json']);
  expect([second.code, JSON.parse(second.stdout)]).toMatchObject([2, { error: { code: 'file_exists' } }]);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  expect((await place.call(['template', 'new', 'form.csv'])).code).toBe(2);
  expect((await place.call(['template', 'new', '--out', 'other.xlsx'])).code).toBe(0);
  expect((await place.call(['template', 'new'])).stderr).toContain('shelflift template new toys.xlsx');

  await using api = await startSandbox();
  const keyed = { SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key };
  const third = await place.call(['template', 'new', 'form.xlsx', '--yes', '--json'], keyed);
  const total = api.teams[0]?.collections.length;
  expect(JSON.parse(third.stdout)).toEqual({ file, collections: total });
});
