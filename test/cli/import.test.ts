import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { label, makeXls, number } from '../sheets/support/make-xls.ts';
import { csv, toys } from '../support/csv.ts';
import { newPlace, type Run } from './run-shelflift.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** design §2, JSON: these keys and no others. */
const KEYS = ['files', 'job', 'requests', 'rows', 'seconds', 'sheet_rows', 'state'];
const ROW_KEYS = [
  'created',
  'held',
  'invalid',
  'pending',
  'read',
  'refused',
  'skipped',
  'unchanged',
  'updated',
];

function place() {
  return newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'l.db',
  });
}

/** stdout is exactly one object and a line feed. */
function jsonOf({ stdout }: Run): Record<string, never> & { rows: Record<string, number>; job: string } {
  expect(stdout.endsWith('}\n')).toBe(true);
  return JSON.parse(stdout) as never;
}

function sum(rows: Record<string, number>): number {
  return Object.entries(rows).reduce((total, [key, value]) => total + (key === 'read' ? 0 : value), 0);
}

describe('--progress json', () => {
  const lines = ({ stderr }: Run) =>
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; [key: string]: unknown });

  it('writes one object per line to stderr: stages, issues, and the error at the end', async () => {
    const at = place();
    at.file('toys.csv', toys(30, 'Lines'));
    const run = await at.run(['import', 'toys.csv', '--collection', 'Main', '--progress', 'json']);
    expect(run.code).toBe(0);
    const sending = lines(run).filter(({ type }) => type === 'sending');
    expect(sending.at(-1)).toMatchObject({ done: 30, total: 30, per_second: expect.any(Number) as number });
    const exported = await at.run(['export', 'items', '--out', 'all.csv', '--progress', 'json']);
    expect(lines(exported).map(({ type }) => type)).toEqual(expect.arrayContaining(['reading', 'writing']));
    const toBook = [
      'export',
      'items',
      '--out',
      'all.xlsx',
      '--bom',
      '--language',
      'de',
      '--progress',
      'json',
    ];
    expect(lines(await at.run(toBook))).toContainEqual({
      type: 'warning',
      code: 'only_for_csv',
      message: expect.stringMatching(/^--bom applies only to CSV/) as string,
      params: { options: ['--bom'], file: 'all.xlsx' },
    });
    at.file('bad.csv', csv(['name', 'year'], [['Bad', 'soon']]));
    const bad = await at.run(['import', 'bad.csv', '--collection', 'Main', '--progress', 'json', '--json']);
    expect(lines(bad)).toContainEqual(
      expect.objectContaining({ type: 'issues', code: 'not_a_year', column: 'year', rows: 1 }),
    );
    const wrong = await at.run(['import', 'nowhere.csv', '--collection', 'Main', '--progress', 'json']);
    expect(lines(wrong).at(-1)).toMatchObject({
      type: 'error',
      code: 'no_such_file',
      message: expect.stringContaining('nowhere.csv') as string,
    });
  });
});

describe('import --json', () => {
  it('imports an .xls like any other workbook', async () => {
    const at = place();
    const rows = (brand: string) => [
      ...['name', 'brand', 'year'].map((header, column) => label(0, column, header)),
      ...[1, 2, 3].flatMap((row) => [
        label(row, 0, `Old toy ${row} ${brand}`),
        label(row, 1, brand),
        number(row, 2, 1990 + row),
      ]),
    ];
    const sheets = ['Steiff', 'Schuco'].map((name) => ({ name, records: rows(name) }));
    writeFileSync(`${at.folder}/toys.xls`, makeXls({ sheets }));
    const run = await at.call(['import', 'toys.xls', '--sheet', 'Schuco', '--collection', 'Main', '--json']);
    expect(run.code).toBe(0);
    expect(jsonOf(run)).toMatchObject({ state: 'done', sheet_rows: 3, rows: { read: 3, created: 3 } });
    expect(readFileSync(`${at.folder}/toys.results.csv`, 'utf8')).toContain(
      'Old toy 1 Schuco,Schuco,1991,2,created',
    );
  });

  it('prints exactly one object with the pinned keys, and the counts add up', async () => {
    const at = place();
    at.file('toys.csv', toys(12, 'Json'));
    const run = await at.call(['import', 'toys.csv', '--collection', 'Main', '--json']);
    expect(run.code).toBe(0);
    const json = jsonOf(run);
    expect(Object.keys(json).sort()).toEqual(KEYS);
    expect(Object.keys(json.rows).sort()).toEqual(ROW_KEYS);
    expect(json).toMatchObject({ state: 'done', sheet_rows: 12, requests: { limited: 0, retried: 0 } });
    expect(json.rows['read']).toBe(sum(json.rows));
    expect(json['files']).toEqual({ results: `${at.folder}/toys.results.csv` });
    // The same file again, and the same object at a resume.
    const again = await at.call(['import', 'toys.csv', '--collection', 'Main', '--json']);
    expect(jsonOf(again)).toMatchObject({ state: 'already_applied', rows: { read: 12, skipped: 12 } });
    expect(again.code).toBe(0);
    const resumed = await at.call(['jobs', 'resume', 'last', '--json']);
    expect(resumed.code).toBe(0);
    expect(jsonOf(resumed)).toMatchObject({ job: json.job, state: 'done', rows: json.rows });
  });

  it('adds the plan in a dry run, which jobs apply sends', async () => {
    const at = place();
    at.file('toys.csv', toys(5, 'Dry'));
    const run = await at.call(['import', 'toys.csv', '--collection', 'Main', '--dry-run', '--json']);
    expect(run.code).toBe(0);
    const json = jsonOf(run);
    expect(Object.keys(json).sort()).toEqual([...KEYS, 'actions', 'changes', 'plan'].sort());
    expect(json).toMatchObject({ state: 'planned', plan: { create: 5 }, rows: { pending: 5 } });
    const none = await at.call(['jobs', 'resume', 'last', '--json']);
    expect(none.code).toBe(2);
    expect(jsonOf(none)).toMatchObject({ error: { code: 'no_such_job' } });
    const wrong = await at.call(['jobs', 'resume', json.job, '--json']);
    expect(wrong.code).toBe(2);
    expect(jsonOf(wrong)).toMatchObject({
      job: json.job,
      rows: { pending: 5 },
      error: { code: 'is_a_dry_run' },
    });
    // For apply, `last` is the newest job of all.
    const applied = await at.call(['jobs', 'apply', 'last', '--json']);
    expect(applied.code).toBe(0);
    expect(jsonOf(applied)).toMatchObject({ job: json.job, state: 'done', rows: { created: 5 } });
    const last = await at.call(['jobs', 'apply', 'last', '--json']);
    expect([last.code, last.stderr.includes(json.job)]).toEqual([2, true]);
    expect(jsonOf(last)).toMatchObject({ error: { code: 'not_a_plan' } });
  });

  it('sends nothing if rows are invalid, and writes a rejects file whose corrected rows are imported once', async () => {
    const at = place();
    at.file(
      'bad.csv',
      csv(
        ['name', 'year'],
        [
          ['Bad A', 1990],
          ['Bad B', 'soon'],
        ],
      ),
    );
    const run = await at.call(['import', 'bad.csv', '--collection', 'Main', '--json']);
    expect(run.code).toBe(3);
    expect(jsonOf(run)).toMatchObject({ state: 'planned', rows: { invalid: 1, pending: 1 } });
    const rest = await at.call(['jobs', 'apply', 'last', '--skip-invalid', '--json']);
    expect(rest.code).toBe(3);
    expect(jsonOf(rest)).toMatchObject({ state: 'done', rows: { invalid: 1, created: 1 } });
    const path = `${at.folder}/bad.rejects.csv`;
    writeFileSync(path, readFileSync(path, 'utf8').replace('soon', '1991'));
    const mended = await at.call(['import', 'bad.rejects.csv', '--collection', 'Main', '--json']);
    expect(mended.code).toBe(0);
    expect(jsonOf(mended)).toMatchObject({ rows: { read: 1, created: 1 } });
  });

  it.each([
    [['import', 'toys.csv', '--collection', 'Nowhere'], 'unknown_collection'],
    [['import', 'missing.csv', '--collection', 'Main'], 'no_such_file'],
    [['import', 'toys.csv'], 'no_collection'],
    [['import', 'toys.csv', '--collection', 'Main', '--match', 'id'], 'match_without_mode'],
    [['jobs', 'resume', 'nothing'], 'no_such_job'],
  ])('refuses %j with exit code 2 and %s', async (argv, code) => {
    const at = place();
    at.file('toys.csv', toys(2));
    const run = await at.call([...argv, '--json']);
    expect(run.code).toBe(2);
    expect(jsonOf(run)).toMatchObject({ error: { code } });
  });

  it('reports each of several files, even if one cannot be read', async () => {
    const at = place();
    at.file('first.csv', toys(2, 'First'));
    at.file('third.csv', toys(1, 'Third'));
    const run = await at.call([
      'import',
      'first.csv',
      'missing.csv',
      'third.csv',
      '--collection',
      'Main',
      '--json',
    ]);
    expect(run.code).toBe(2);
    expect(jsonOf(run)).toMatchObject({
      jobs: [
        // Of each its own: collections, the first page of the list, and a create a row.
        { state: 'done', rows: { created: 2 }, requests: { sent: 4 } },
        { file: 'missing.csv', error: { code: 'no_such_file' } },
        { state: 'done', rows: { created: 1 }, requests: { sent: 3 } },
      ],
      error: { code: 'no_such_file' },
    });
  });

  it('ends with exit code 2 if the folder of the store cannot be created', async () => {
    const at = place();
    at.file('toys.csv', toys(1));
    const run = await at.call([
      'import',
      'toys.csv',
      '--collection',
      'Main',
      '--store',
      '/proc/none/l.db',
      '--json',
    ]);
    expect(run.code).toBe(2);
    expect(jsonOf(run)).toMatchObject({ error: { code: 'store_unwritable' } });
  });

  it('ends with exit code 5 and a job that can be resumed if the key is wrong', async () => {
    const at = place();
    at.file('toys.csv', toys(2, 'Key'));
    const run = await at.call(['import', 'toys.csv', '--collection', 'Main', '--json'], {
      SHELFLIFT_API_KEY: 'wrong-key-wrong-key',
    });
    expect(run.code).toBe(5);
    expect(jsonOf(run)).toMatchObject({
      state: 'parked_unauthorised',
      rows: { pending: 2 },
      error: { code: 'unauthorized' },
    });
    expect(`${run.stdout}${run.stderr}`).not.toContain('wrong-key-wrong-key');
    expect((await at.call(['jobs', 'resume', 'last', '--json'])).code).toBe(0);
  });
});

it('`import *.csv` leaves out results and rejects, and says so', async () => {
  const at = place();
  at.file('boats.csv', 'name,release_year\nTug,1985\nFerry,99x\n');
  await at.call(['import', 'boats.csv', '--collection', 'Main', '--skip-invalid', '--yes']);
  const list = () => readdirSync(at.folder).filter((name) => name.endsWith('.csv'));
  const names = ['boats.csv', 'boats.rejects.csv', 'boats.results.csv'];
  expect(list().sort()).toEqual(names);
  const run = await at.call([
    'import',
    ...names,
    '--collection',
    'Main',
    '--json',
    '--skip-invalid',
    '--yes',
  ]);
  const leftOut = names.slice(1).map((file) => ({ file, source: 'boats.csv' }));
  expect(JSON.parse(run.stdout)).toMatchObject({ jobs: [{ state: 'already_applied' }], left_out: leftOut });
  expect(run.stderr).toContain(
    'boats.rejects.csv was left out, because it is an output of boats.csv, which is also named.',
  );
  expect(list().sort()).toEqual(names);
});
