/** The results file of a job is imported again, as a person or a spreadsheet program has left it. */
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { correctJob } from '../../src/import/correction/correct-job.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { openImport, type OpenImport, QUIET_MS } from '../support/open-import.ts';

const FILE = 'name,SKU,estimated_value,Bought\nRobot,S1,1.5,2024-05-01\nBear,S2,2,2024-05-02\nCar,S3,3,\n';
const MAP = { map: { 'custom_fields.SKU': 'SKU', 'custom_fields.Bought': 'Bought' } };

/** Imports a file, and gives its results file and an import of that. */
async function sent(at: OpenImport, text = FILE, request: Partial<ImportRequest> = MAP) {
  const file = await at.file('toys.csv', text);
  const { summary } = await at.import({ file, ...request });
  const results = summary.files.results ?? '';
  const again = async (given: Partial<ImportRequest> = {}) => {
    const told: string[] = [];
    const outcome = await at.import(
      { file: results, ...given },
      {
        onEvent: (event) => (event.type === 'note' || event.type === 'warning') && told.push(event.message),
      },
    );
    return { ...outcome, told: told.join('\n') };
  };
  const edit = async (from: string | RegExp, to: string) => {
    const before = await readFile(results, 'utf8');
    const after = before.replace(from, to);
    expect(after).not.toBe(before);
    await writeFile(results, after);
  };
  return { file, job: summary.job, results, again, edit };
}

const heldRows = async (at: OpenImport, { summary }: JobOutcome) => {
  const rows = await at.ledger.rows.list(summary.job, { states: ['held'], limit: 10 });
  return rows.map(({ sheetRow, issues }) => [sheetRow, issues[0]?.code, issues[0]?.itemId]);
};

const values = (at: OpenImport) =>
  Object.fromEntries(at.items().map(({ name, estimated_value: value }) => [name, value]));

describe('an edited row of a results file', () => {
  it('is held, shows its item, and is sent once a person confirms it', async () => {
    await using at = await openImport();
    const { job, again, edit } = await sent(at);
    const before = at.items().find(({ name }) => name === 'Bear');
    await edit('Bear,S2,2,', 'Bear,S2,25,');
    const first = await again();
    expect(first).toMatchObject({ exitCode: 3, summary: { rows: { skipped: 2, held: 1, created: 0 } } });
    expect(await heldRows(at, first)).toEqual([[3, 'row_changed', before?.id]]);
    expect(first.told).toContain(`job ${job}`);
    expect(values(at)).toEqual({ Robot: 1.5, Bear: 2, Car: 3 });
    // Asked twice, it is still wrong.
    const second = await again();
    expect(second).toMatchObject({ exitCode: 3, summary: { rows: { held: 1 } } });

    const decided = await at.run((deps) => resolveRow(second.summary.job, 3, { as: 'mine' }, deps));
    expect(decided.exitCode).toBe(0);
    expect(await at.resume(second.summary.job)).toMatchObject({
      exitCode: 0,
      summary: { rows: { updated: 1 } },
    });
    expect(values(at)).toEqual({ Robot: 1.5, Bear: 25, Car: 3 });
    expect(at.items()).toHaveLength(3);
  });

  it.each([
    ['theirs', 2],
    ['skip', 2],
  ] as const)('stays as it was sent if a person decides for %s', async (as, value) => {
    await using at = await openImport();
    const { again, edit } = await sent(at);
    await edit('Bear,S2,2,', 'Bear,S2,25,');
    const { summary } = await again();
    await at.run((deps) => resolveRow(summary.job, 3, { as }, deps));
    expect((await at.resume(summary.job)).exitCode).toBe(0);
    expect(values(at)).toMatchObject({ Bear: value });
  });

  it('is held even if a cell cannot be read or the row would be left out', async () => {
    await using at = await openImport();
    const { again, edit } = await sent(at);
    await edit('Bear,S2,2,', 'Bear,S2,much,');
    await edit('Car,S3', ',S3');
    const outcome = await again();
    expect(outcome).toMatchObject({ exitCode: 3, summary: { rows: { held: 2, invalid: 0, skipped: 1 } } });
    expect(at.items()).toHaveLength(3);
    for (const as of ['mine', 'retry'] as const)
      await expect(at.run((deps) => resolveRow(outcome.summary.job, 3, { as }, deps))).rejects.toMatchObject({
        code: 'bad_resolution',
      });
  });

  it('is found in a sorted file, and does not delay corrected rows', async () => {
    await using at = await openImport();
    const text = `${FILE}Doll,S4,much,\n`;
    const { results, again, edit } = await sent(at, text, { ...MAP, skipInvalid: true });
    await edit('Bear,S2,2,', 'Bear,S2,25,');
    await edit('Doll,S4,much,', 'Doll,S4,4,');
    const [header = '', ...lines] = (await readFile(results, 'utf8')).trim().split(/\r?\n/);
    await writeFile(results, `${[header, ...lines.toReversed()].join('\n')}\n`);
    const outcome = await again();
    expect(outcome).toMatchObject({ exitCode: 3, summary: { rows: { skipped: 2, held: 1, created: 1 } } });
    expect(values(at)).toEqual({ Robot: 1.5, Bear: 2, Car: 3, Doll: 4 });
  });

  it('is held without the other copies of its quantity', async () => {
    await using at = await openImport();
    const text = 'name,Quantity,estimated_value\nRobot,3,5\nBear,1,6\n';
    const { again, edit } = await sent(at, text, { map: { quantity: 'Quantity' } });
    await edit(/Robot,3,5(?=,2,created,create,[^\n]*\n.*Bear)/, 'Robot,3,7');
    const outcome = await again();
    expect(outcome).toMatchObject({ exitCode: 3, summary: { rows: { skipped: 3, held: 1 } } });
    expect(at.items()).toHaveLength(4);
  });

  it('gets no further copies when its job is mended', async () => {
    await using at = await openImport();
    const text = 'name,Quantity,estimated_value\nRobot,3,5\nBear,1,6\n';
    const { again, edit } = await sent(at, text, { map: { quantity: 'Quantity' } });
    await edit(/Robot,3,5(?=,2,created,create,[^\n]*\n.*Bear)/, 'Robot,3,7');
    const { job } = (await again()).summary;
    const changes = [{ type: 'omit', row: 2 } as const];
    await at.run((deps) => correctJob(job, { changes }, deps));
    expect(await at.ledger.rows.counts(job)).toMatchObject({ skipped: 3, held: 1, planned: 0 });
    expect(await at.apply(job)).toMatchObject({ exitCode: 3, summary: { rows: { read: 4, created: 0 } } });
    expect(at.items()).toHaveLength(4);
  });

  it.each(['update', 'upsert'] as const)('of an %s is held and can be sent', async (mode) => {
    await using at = await openImport();
    await sent(at);
    const request = { ...MAP, mode, match: ['custom_fields.SKU'] };
    const second = await sent(
      at,
      FILE.replace('Robot,S1,1.5', 'Robot,S1,9').replace('Bear,', 'Bear 2,'),
      request,
    );
    expect(values(at)).toEqual({ Robot: 9, 'Bear 2': 2, Car: 3 });
    await second.edit('Robot,S1,9', 'Robot,S1,10');
    const outcome = await second.again();
    expect(outcome).toMatchObject({ exitCode: 3, summary: { rows: { skipped: 2, held: 1, updated: 0 } } });
    const { job } = outcome.summary;
    await at.run((deps) => resolveRow(job, 2, { as: 'mine' }, deps));
    expect(await at.resume(job)).toMatchObject({ exitCode: 0, summary: { rows: { updated: 1 } } });
    expect(values(at)).toEqual({ Robot: 10, 'Bear 2': 2, Car: 3 });
  });

  it('of a set from a file is held and can be left out', async () => {
    await using at = await openImport();
    await sent(at);
    const prices = await at.file('prices.csv', 'SKU,price\nS1,10\nS2,20\n');
    const request = { match: ['custom_fields.SKU=SKU'], changes: ['estimated_value=@price'] };
    const set = (from: string) =>
      at.run((deps) => setItems({ ...request, from, run: { quietPeriodMs: QUIET_MS, yes: true } }, deps));
    const { summary } = await set(prices);
    expect(summary.rows.updated).toBe(2);
    const results = summary.files.results ?? '';
    await writeFile(results, (await readFile(results, 'utf8')).replace('S2,20', 'S2,21'));
    const outcome = await set(results);
    expect(outcome).toMatchObject({ exitCode: 3, summary: { rows: { skipped: 1, held: 1, updated: 0 } } });
    await at.run((deps) => resolveRow(outcome.summary.job, 3, { as: 'theirs' }, deps));
    expect((await at.resume(outcome.summary.job)).exitCode).toBe(0);
    expect(values(at)).toEqual({ Robot: 10, Bear: 20, Car: 3 });
  });
});

describe('a results file that is given to another command', () => {
  it('changes the items of its edited rows', async () => {
    await using at = await openImport();
    const { results, again, edit } = await sent(at);
    await edit('Bear,S2,2,', 'Bear,S2,25,');
    const update = await again({ ...MAP, mode: 'update', match: ['custom_fields.SKU'] });
    expect(update).toMatchObject({ exitCode: 0, summary: { rows: { updated: 1, unchanged: 2 } } });
    await edit('Car,S3,3,', 'Car,S3,33,');
    const request = { from: results, match: ['custom_fields.SKU=SKU'] };
    const changes = ['estimated_value=@estimated_value'];
    const set = await at.run((deps) => setItems({ ...request, changes, run: { yes: true } }, deps));
    expect(set).toMatchObject({ exitCode: 0, summary: { rows: { updated: 1, unchanged: 2 } } });
    expect(values(at)).toEqual({ Robot: 1.5, Bear: 25, Car: 33 });
  });
});

describe('a returned results file', () => {
  it('ends with exit code 0 if a spreadsheet program has only rewritten its cells', async () => {
    await using at = await openImport();
    const { again, edit } = await sent(at);
    await edit('S1,1.5,', 'S1,1.50,');
    await edit('Bear,S2,2,', 'Bear,S2,2.0,');
    await edit('2024-05-01', '2024-05-01T00:00:00Z');
    const outcome = await again();
    expect(outcome).toMatchObject({ exitCode: 0, summary: { rows: { skipped: 3, held: 0 } } });
  });

  it('ends with exit code 0 if a row contains a correction of its job', async () => {
    await using at = await openImport();
    const file = await at.file('toys.csv', FILE.replace('Car,S3,3', 'Car,S3,much'));
    const { summary } = await at.import({ file, ...MAP });
    const cell = { type: 'cell', row: 4, column: 'estimated_value', text: '3' } as const;
    await at.run((deps) => correctJob(summary.job, { changes: [cell] }, deps));
    const results = (await at.apply(summary.job)).summary.files.results ?? '';
    const same = { exitCode: 0, summary: { rows: { skipped: 3 } } };
    expect(await at.import({ file: results })).toMatchObject(same);
    await writeFile(results, (await readFile(results, 'utf8')).replace('Car,S3,much', 'Car,S3,3'));
    expect(await at.import({ file: results })).toMatchObject(same);
  });

  it('reports that it cannot be compared if the store does not know the job', async () => {
    await using at = await openImport();
    const { results, edit } = await sent(at);
    await edit('Bear,S2,2,', 'Bear,S2,25,');
    await using other = openSqliteLedger(`${at.folder}/other.db`);
    const told: string[] = [];
    const outcome = await at.import(
      { file: results, ...MAP },
      { ledger: other, onEvent: (event) => event.type === 'warning' && told.push(event.said?.code ?? '') },
    );
    expect(outcome).toMatchObject({ exitCode: 0, summary: { rows: { skipped: 3, created: 0 } } });
    expect(told).toContain('sent_rows_unknown');
  });

  it('of a job that was undone is treated like any other file', async () => {
    await using at = await openImport();
    const { job, again, edit } = await sent(at);
    await at.run((deps) => undoJob(job, deps, { run: { quietPeriodMs: QUIET_MS, yes: true } }));
    await edit('Bear,S2,2,', 'Bear,S2,25,');
    expect(await again()).toMatchObject({ exitCode: 0, summary: { rows: { created: 3, skipped: 0 } } });
    const alive = at.items().filter(({ status }) => status !== 'archived');
    expect(alive).toHaveLength(3);
    expect(alive.find(({ name }) => name === 'Bear')).toMatchObject({ estimated_value: 25 });
  });

  it('of an undone job has a line for each copy of a quantity', async () => {
    await using at = await openImport();
    const text = 'name,Quantity,estimated_value\nRobot,3,5\nBear,1,6\n';
    const { job, again } = await sent(at, text, { map: { quantity: 'Quantity' } });
    const run = { quietPeriodMs: QUIET_MS, yes: true };
    await at.run((deps) => undoJob(job, deps, { rows: [{ from: 2, to: 2 }], run }));
    const first = await again();
    expect(first).toMatchObject({ exitCode: 0, summary: { rows: { created: 3, skipped: 1 } } });
    await at.run((deps) => undoJob(first.summary.job, deps, { run }));
    await at.run((deps) => undoJob(job, deps, { run }));
    expect(await again()).toMatchObject({ exitCode: 0, summary: { rows: { created: 4 } } });
    expect(at.items().filter(({ status }) => status !== 'archived')).toHaveLength(4);
  });

  it('has a line for each invalid copy of a quantity', async () => {
    await using at = await openImport();
    const text = 'name,Quantity,collection\nRobot,3,Nowhere\nBear,1,Main\n';
    const { edit, again } = await sent(at, text, {
      map: { quantity: 'Quantity', collection: 'collection' },
      skipInvalid: true,
    });
    await edit(/Nowhere(?=,2)/g, 'Main');
    expect(await again()).toMatchObject({ exitCode: 0, summary: { rows: { created: 3, skipped: 1 } } });
  });

  it.each(['create', 'update'] as const)(
    'ends with exit code 3 while the job of an %s holds a row',
    async (mode) => {
      await using at = await openImport();
      const { again, edit } = await sent(at);
      const request = mode === 'create' ? {} : { ...MAP, mode, match: ['custom_fields.SKU'] };
      const held =
        mode === 'create' ? { again, edit } : await sent(at, FILE.replace('S1,1.5', 'S1,9'), request);
      await held.edit('Bear,S2,2,', 'Bear,S2,25,');
      const { summary } = await held.again();
      expect(summary.rows).toMatchObject({ held: 1 });
      const file = summary.files.results ?? '';
      expect(await at.import({ file })).toMatchObject({
        exitCode: 3,
        summary: { rows: { skipped: 3, held: 0 } },
      });
      await at.run((deps) => resolveRow(summary.job, 3, { as: 'theirs' }, deps));
      expect(await at.import({ file, force: true })).toMatchObject({ exitCode: 0 });
    },
  );

  it('imports rows again that were undone', async () => {
    await using at = await openImport();
    const { job, again } = await sent(at);
    const run = { quietPeriodMs: QUIET_MS, yes: true };
    await at.run((deps) => undoJob(job, deps, { rows: [{ from: 3, to: 3 }], run }));
    expect(await again()).toMatchObject({ exitCode: 0, summary: { rows: { created: 1, skipped: 2 } } });
  });
});

it('a row that still waits in its job is missing however many files of results it has passed through', async () => {
  await using at = await openImport();
  const file = await at.file('toys.csv', 'name,release_year\nRobot,1984\nBear,soon\n');
  let { summary } = await at.import({ file });
  const { job } = summary;
  expect(summary.rows).toMatchObject({ pending: 1, invalid: 1 });
  for (const name of ['once.csv', 'twice.csv']) {
    const text = (await at.read(summary.files.results)).replace(/^Bear.*\n/m, '');
    const again = await at.import({ file: await at.file(name, text) });
    expect(again).toMatchObject({ exitCode: 3, summary: { unsentElsewhere: { rows: 1, jobs: [job] } } });
    ({ summary } = again);
  }
});
