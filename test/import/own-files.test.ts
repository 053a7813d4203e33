/** Results and rejects: what is not written is said, what is out of date goes, and whoever may not read the source reads neither. */
import { nextText } from '../../src/cli/show/output.ts';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { showJob } from '../../src/import/results/outcome.ts';
import { leaveOutOutputs } from '../../src/import/results/own-outputs.ts';
import { writeResults } from '../../src/import/results/results.ts';
import { toys } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

const SOME_INVALID = 'name,release_year\nRobot,1985\nBear,99x\n';
const MENDED = 'name,release_year\nRobot,1985\nBear,1999\n';

describe.concurrent('results that cannot be written', () => {
  it('are reported with an exit code, an error and a command that writes them; the rows keep their states', async () => {
    await using it = await openImport();
    const outDir = join(it.folder, 'out');
    mkdirSync(outDir);
    const file = await it.file('toys.csv', toys(5));
    const { summary, exitCode, ...next } = await it.import(
      { file, outDir },
      { onEvent: ({ type }) => type === 'sending' && rmSync(outDir, { recursive: true, force: true }) },
    );
    expect(exitCode).toBe(3);
    expect(summary).toMatchObject({ state: 'done', rows: { created: 5 }, files: {} });
    expect(summary.error).toMatchObject({ code: 'cannot_write' });
    expect(summary.error?.message).toContain('its folder does not exist');
    expect(nextText(next, {})).toContain(`shelflift jobs results ${summary.job} --out-dir FOLDER`);

    mkdirSync(outDir);
    const again = await it.resume('last');
    expect(again).toMatchObject({ exitCode: 0, summary: { rows: { created: 5 } } });
    expect(await it.read(again.summary.files.results)).toContain('created');
    expect(it.items()).toHaveLength(5);
  });

  it('leave no file of an earlier run that could be mistaken for them', async () => {
    await using it = await openImport();
    const outDir = join(it.folder, 'out');
    mkdirSync(outDir);
    const file = await it.file('toys.csv', toys(5));
    const first = await it.import({ file, outDir, run: { first: 1 } });
    expect(first.summary.files.results).toBeDefined();
    rmSync(outDir, { recursive: true });
    const { summary, exitCode } = await it.resume('last');
    expect([exitCode, summary.state, summary.files]).toEqual([3, 'done', {}]);
    const shown = await it.run((deps) => showJob('last', deps));
    expect(shown.summary.files).toEqual({});
  });
});

describe.concurrent('rejects that are out of date', () => {
  it('are removed once every row of the file is imported, and a note gives the command that writes them again', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', SOME_INVALID);
    const { summary } = await it.import({ file, skipInvalid: true });
    const rejects = summary.files.rejects ?? '';
    expect(existsSync(rejects)).toBe(true);
    await it.file('toys.csv', MENDED);
    const notes: string[] = [];
    const { exitCode } = await it.import(
      { file, force: true },
      { onEvent: (event) => event.type === 'note' && notes.push(JSON.stringify(event.said)) },
    );
    expect([exitCode, existsSync(rejects)]).toEqual([0, false]);
    expect(notes.join('\n')).toContain(`"do":"results","job":"${summary.job}"`);
    const job = await it.ledger.jobs.find(summary.job);
    await writeResults(job, it.ledger, () => undefined);
    expect(existsSync(rejects)).toBe(true);
  });

  it.each([
    ['a person has changed them', async (path: string) => writeFileSync(path, 'name\nmine\n'), MENDED],
    ['some of their rows are not imported', async () => undefined, SOME_INVALID],
  ])('are kept if %s', async (_, change, next) => {
    await using it = await openImport();
    const file = await it.file('toys.csv', SOME_INVALID);
    const { summary } = await it.import({ file, skipInvalid: true });
    const rejects = summary.files.rejects ?? '';
    await change(rejects);
    await it.file('toys.csv', `${next}Rocket,1990\n`);
    await it.import({ file, skipInvalid: true, force: true });
    expect(existsSync(rejects)).toBe(true);
  });

  it('are kept if they belong to another file of the same name', async () => {
    await using it = await openImport();
    const { summary } = await it.import({ file: await it.file('toys.csv', SOME_INVALID), skipInvalid: true });
    await it.import({ file: await it.file('toys.tsv', 'name\nTrain\n') });
    expect(existsSync(summary.files.rejects ?? '')).toBe(true);
  });
});

describe.concurrent('an output file', () => {
  it.each([0o600, 0o640, 0o644])('gets the permissions of the source file', async (mode) => {
    await using it = await openImport();
    const file = await it.file('toys.csv', SOME_INVALID);
    chmodSync(file, mode);
    const { files } = (await it.import({ file, skipInvalid: true })).summary;
    for (const path of [files.results, files.rejects])
      expect((statSync(path ?? '').mode & 0o777).toString(8)).toBe((mode & ~process.umask()).toString(8));
  });
});

describe.concurrent('files that are imported together', () => {
  it('are imported without their output files', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', SOME_INVALID);
    const { files } = (await it.import({ file, skipInvalid: true })).summary;
    const { results = '', rejects = '' } = files;
    const manifest = await it.file('toys.csv.manifest.json', '{}');
    // Somebody's own file, which is only called so; and one whose source is not given.
    const own = await it.file('toys.rejects-2.csv', 'name\nMine\n');
    const alone = await it.file('bears.results.csv', await it.read(results));
    const all = [file, manifest, own, rejects, results, alone];
    expect(await leaveOutOutputs(all)).toEqual({
      sources: [file, own, alone],
      leftOut: [manifest, rejects, results].map((each) => ({ file: each, source: file })),
    });
    expect((await leaveOutOutputs([results, rejects])).leftOut).toEqual([]);
  });
});

/** Codes, and what spreadsheet programs make of them. */
const REWRITTEN = [
  ['007', '7'],
  ['4006874010028', '4.00687E+12'],
  ['TRUE', 'true'],
  ['3-4', '4-Mar'],
  ['12:30', '12:30:00'],
  ['(5)', '-5'],
  ['5%', '5.00%'],
  ['5%', '5.00\u00a0%'],
] as const;

it.each(REWRITTEN)(
  'a rejects file in which Excel rewrote %s as %s creates items with the original code',
  async (code, saved) => {
    await using it = await openImport();
    const file = await it.file('toys.csv', `name,release_year,shelf\nRobot,1985,${code}\nBear,99x,${code}\n`);
    const { summary } = await it.import({ file, skipInvalid: true });
    const text = await it.read(summary.files.rejects);
    const mended = await it.file('mended.csv', text.replace('99x', '1999').replace(code, saved));
    const warnings: string[] = [];
    const again = await it.import(
      { file: mended },
      { onEvent: (event) => event.type === 'warning' && warnings.push(event.message) },
    );
    expect(again).toMatchObject({ exitCode: 0, summary: { rows: { created: 1 } } });
    expect(it.items().map(({ custom_fields: fields }) => fields?.['shelf'])).toEqual([code, code]);
    expect(warnings).toEqual([expect.stringContaining(`such as ${saved} for ${code} in shelf`)]);
    // Nothing of the results file counts as edited either.
    const results = await it.read(again.summary.files.results);
    const saveAs = await it.file('results.csv', results.replace(code, saved));
    expect((await it.import({ file: saveAs })).summary.rows).toMatchObject({ skipped: 1, held: 0 });
  },
);

it('a wrong cell of a rejects file that a person corrects to a similar one is sent', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', 'name,release_year,sku\nBear,01985.0,007\n');
  const { summary } = await it.import({ file, skipInvalid: true });
  const text = await it.read(summary.files.rejects);
  const mended = await it.file('mended.csv', text.replace('01985.0', '1985').replace('007', '008'));
  expect(await it.import({ file: mended })).toMatchObject({ exitCode: 0 });
  expect(it.items()).toMatchObject([{ release_year: 1985, custom_fields: { sku: '008' } }]);
});
