/** The rejects file of a job is imported, and rows of the job equal its lines. */
import { describe, expect, it } from 'vitest';
import { correctJob } from '../../src/import/correction/correct-job.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { undoJob } from '../../src/import/run.ts';
import { csv } from '../support/csv.ts';
import { openImport, type OpenImport, QUIET_MS } from '../support/open-import.ts';
import { again, alive, BEAR, HEADERS, refusing, ROBOT } from './rejects.ts';

/** Imports rows of which the server refuses some. */
async function refused(
  at: OpenImport,
  numbers: number[],
  { rows = [ROBOT, ROBOT, ROBOT], ...request }: { rows?: string[][] } & Partial<ImportRequest> = {},
) {
  const file = await at.file('a.csv', csv(HEADERS, rows));
  const outcome = await at.import({ file, ...request }, refusing(...numbers));
  expect(outcome.summary.rows).toMatchObject({ refused: numbers.length });
  const { job, files } = outcome.summary;
  return { job, file, rejects: files.rejects ?? '', results: files.results ?? '' };
}

const undo = (at: OpenImport, job: string, rows?: { from: number; to: number }[]) =>
  at.run((deps) =>
    undoJob(job, deps, {
      ...(rows === undefined ? {} : { rows }),
      run: { quietPeriodMs: QUIET_MS, yes: true },
    }),
  );

/** Gives an invalid year a value: in the lines of a file, and in its job. */
const corrected = (lines: Record<string, string>[]) =>
  lines.map((line) => ({ ...line, release_year: '1984' }));
const YEAR_OF_ROW_3 = [{ type: 'cell', row: 3, column: 'release_year', text: '1984' } as const];

describe('a line of a rejects file', () => {
  it.each([{ yes: true }, { onlyNew: true }, {}])(
    'is sent, although equal rows of its job were sent: %j',
    async (run) => {
      await using at = await openImport();
      const { file, rejects } = await refused(at, [2]);
      // Unchanged, and under its own name.
      const first = await at.import({ file: rejects, run });
      expect(first).toMatchObject({ exitCode: 0, summary: { rows: { created: 1, skipped: 0 } } });
      expect(await at.import({ file: rejects, run })).toMatchObject({
        summary: { state: 'already_applied' },
      });
      const second = await again(at, rejects);
      expect(second).toMatchObject({ exitCode: 0, summary: { rows: { created: 0, skipped: 1 } } });
      expect(second.told).toContain('The row was sent before (by job');
      await expect(again(at, rejects, {})).rejects.toMatchObject({ code: 'rows_sent_before' });
      // The file from which all of them came.
      const whole = await at.import({ file, run: { onlyNew: true } });
      expect(whole.summary.rows).toMatchObject({ created: 0, skipped: 3 });
      expect(alive(at)).toBe(3);
    },
  );

  it.each([[[3]], [[1, 3]], [[1, 2, 3]]])(
    'may be one of the copies of a quantity: refused %j',
    async (numbers) => {
      await using at = await openImport();
      const file = await at.file('a.csv', 'name,brand,Qty\nRobot,Kenner,3\nBear,Steiff,1\n');
      const request = { map: { quantity: 'Qty' } };
      const { summary } = await at.import({ file, ...request }, refusing(...numbers));
      expect(summary.rows).toMatchObject({ refused: numbers.length });
      const rejects = summary.files.rejects ?? '';
      expect((await again(at, rejects)).summary.rows).toMatchObject({ created: numbers.length, skipped: 0 });
      expect((await again(at, rejects)).summary.rows).toMatchObject({ created: 0, skipped: numbers.length });
      expect(alive(at)).toBe(4);
    },
  );

  it('is sent once if the lines of one file are imported in two parts', async () => {
    await using at = await openImport();
    const { rejects } = await refused(at, [1, 2]);
    expect((await again(at, rejects, {}, (lines) => lines.slice(0, 1))).summary.rows).toMatchObject({
      created: 1,
    });
    expect((await again(at, rejects, {}, (lines) => lines.slice(1))).summary.rows).toMatchObject({
      created: 1,
    });
    expect((await again(at, rejects)).summary.rows).toMatchObject({ created: 0, skipped: 2 });
    expect(alive(at)).toBe(3);
  });

  it('is sent if an import of it was refused, too', async () => {
    await using at = await openImport();
    const { rejects } = await refused(at, [1, 2]);
    const second = await again(at, rejects, {}, undefined, refusing(1));
    expect(second.summary.rows).toMatchObject({ created: 1, refused: 1 });
    const third = await again(at, second.summary.files.rejects ?? '', {});
    expect(third.summary.rows).toMatchObject({ created: 1, skipped: 0 });
    for (const file of [rejects, second.summary.files.rejects ?? ''])
      expect((await again(at, file)).summary.rows).toMatchObject({ created: 0 });
    expect(alive(at)).toBe(3);
  });

  it.each(['before', 'after'])(
    'is another item than a row of another file, sent %s, that is one of the others',
    async (when) => {
      await using at = await openImport();
      const send = async (name: string, rows: string[][]) =>
        at.import({ file: await at.file(name, csv(HEADERS, rows)), run: { yes: true } });
      if (when === 'before') await send('other.csv', [ROBOT]);
      const { file, rejects } = await refused(at, [2], { run: { onlyNew: true } });
      if (when === 'after') await send('other.csv', [ROBOT, BEAR]);
      expect((await again(at, rejects)).summary.rows).toMatchObject({ created: 1, skipped: 0 });
      expect((await again(at, rejects)).summary.rows).toMatchObject({ created: 0, skipped: 1 });
      expect((await at.import({ file, run: { onlyNew: true } })).summary.rows).toMatchObject({ created: 0 });
      expect(at.names().filter((name) => name === 'Robot')).toHaveLength(3);
    },
  );

  it.each([{ yes: true }, { onlyNew: true }, {}])(
    'of a job with --all-rows is sent, although another file had sent an equal row before: %j',
    async (run) => {
      await using at = await openImport();
      const other = await at.file('other.csv', csv(HEADERS, [ROBOT]));
      await at.import({ file: other });
      // In two steps, as somebody who looks at the plan first.
      const file = await at.file('a.csv', csv(HEADERS, [ROBOT, ROBOT, BEAR]));
      const dry = await at.import({ file, dryRun: true });
      const { summary } = await at.apply(dry.summary.job, { allRows: true }, refusing(2));
      expect(summary.rows).toMatchObject({ created: 2, refused: 1 });
      const rejects = summary.files.rejects ?? '';
      expect((await again(at, rejects, run)).summary.rows).toMatchObject({ created: 1, skipped: 0 });
      expect((await again(at, rejects)).summary.rows).toMatchObject({ created: 0, skipped: 1 });
      expect(alive(at)).toBe(4);
    },
  );

  it('was sent if a file that has nothing to do with its job has sent its row since', async () => {
    await using at = await openImport();
    const { rejects } = await refused(at, [2]);
    const whole = await at.file('all.csv', csv(HEADERS, [ROBOT, ROBOT, ROBOT, BEAR]));
    expect((await at.import({ file: whole, run: { yes: true } })).summary.rows).toMatchObject({ created: 2 });
    expect((await again(at, rejects)).summary.rows).toMatchObject({ created: 0, skipped: 1 });
    expect(alive(at)).toBe(4);
  });

  it('of a job that the store does not know is sent once, and the line of an equal row, too', async () => {
    await using at = await openImport();
    const { job, rejects } = await refused(at, [1, 2], { rows: [ROBOT, ROBOT, BEAR] });
    await undo(at, job);
    const moved = (lines: Record<string, string>[]) =>
      lines.map((line) => ({ ...line, _job: '200101-00000000' }));
    const part = (from: number) => (lines: Record<string, string>[]) => moved(lines).slice(from, from + 1);
    const created = [];
    for (const edit of [part(0), part(0), part(1), moved]) {
      const { rows } = (await again(at, rejects, { onlyNew: true }, edit)).summary;
      created.push(rows.created);
    }
    expect(created).toEqual([1, 0, 1, 0]);
  });

  it('is sent after an undo, and so is the file from which it came', async () => {
    await using at = await openImport();
    const { job, file, rejects: written } = await refused(at, [2]);
    // The import of the whole file leaves no rejects, and removes the file.
    const rejects = await at.file('kept.csv', await at.read(written));
    await undo(at, job);
    const first = await again(at, rejects, {});
    expect(first.summary.rows).toMatchObject({ created: 1 });
    expect((await again(at, rejects)).summary.rows).toMatchObject({ created: 0, skipped: 1 });
    await undo(at, first.summary.job);
    expect((await again(at, rejects, {})).summary.rows).toMatchObject({ created: 1 });
    const whole = await at.import({ file, run: { onlyNew: true } });
    expect(whole.summary.rows).toMatchObject({ created: 2, skipped: 1 });
    expect(alive(at)).toBe(3);
  });

  it('was sent if its job has sent the row since', async () => {
    await using at = await openImport();
    const rows = [ROBOT, ['Robot', 'Kenner', 'x'], ROBOT];
    const file = await at.file('a.csv', csv(HEADERS, rows));
    const { summary } = await at.import({ file, skipInvalid: true });
    const rejects = await at.file('kept.csv', await at.read(summary.files.rejects));
    await at.run((deps) => correctJob(summary.job, { changes: YEAR_OF_ROW_3 }, deps));
    expect((await at.apply(summary.job)).summary.rows).toMatchObject({ created: 3 });
    expect((await again(at, rejects, { yes: true }, corrected)).summary.rows).toMatchObject({
      created: 0,
      skipped: 1,
    });
    expect(alive(at)).toBe(3);
  });

  it('of an invalid row that was corrected is sent, and its job does not send it again', async () => {
    await using at = await openImport();
    const rows = [ROBOT, ['Robot', 'Kenner', 'x'], ROBOT];
    const file = await at.file('a.csv', csv(HEADERS, rows));
    const { summary } = await at.import({ file, skipInvalid: true });
    expect((await again(at, summary.files.rejects ?? '', {}, corrected)).summary.rows).toMatchObject({
      created: 1,
    });
    await at.run((deps) => correctJob(summary.job, { changes: YEAR_OF_ROW_3 }, deps));
    const { rows: now } = (await at.apply(summary.job, { yes: true })).summary;
    expect(now).toMatchObject({ created: 2, skipped: 1 });
    expect(alive(at)).toBe(3);
  });
});

describe('a line of a rejects file that was sent with other values', () => {
  const year =
    (...years: string[]) =>
    (lines: Record<string, string>[]) =>
      lines.map((line, index) => ({ ...line, release_year: years[index] ?? '' }));
  const rowThree = (text: string) => ({
    changes: [{ type: 'cell', row: 3, column: 'release_year', text } as const],
  });

  async function invalid(at: OpenImport) {
    const file = await at.file('a.csv', csv(HEADERS, [ROBOT, ['Robot', 'Kenner', 'x'], BEAR]));
    const { summary } = await at.import({ file, skipInvalid: true });
    return { job: summary.job, rejects: await at.file('kept.csv', await at.read(summary.files.rejects)) };
  }

  it('is held if another correction of it was imported', async () => {
    await using at = await openImport();
    const { rejects } = await invalid(at);
    const first = await again(at, rejects, {}, year('1985'));
    expect(first.summary.rows).toMatchObject({ created: 1 });
    const run = { onlyNew: true };
    const second = await again(at, rejects, run, year('1986'));
    expect(second).toMatchObject({ exitCode: 3, summary: { rows: { created: 0, held: 1 } } });
    const [held] = await at.ledger.rows.list(second.summary.job, { limit: 1 });
    expect(held?.issues[0]).toMatchObject({ code: 'row_changed', sentAs: { job: first.summary.job } });
    // It has the values of the item again.
    expect((await again(at, rejects, run, year('1985'))).summary.rows).toMatchObject({
      created: 0,
      skipped: 1,
    });
    await undo(at, first.summary.job);
    expect((await again(at, rejects, run, year('1987'))).summary.rows).toMatchObject({ created: 1, held: 0 });
    expect(alive(at)).toBe(3);
  });

  it('is held if its job was mended and has sent the row', async () => {
    await using at = await openImport();
    const { job, rejects } = await invalid(at);
    await at.run((deps) => correctJob(job, rowThree('1985'), deps));
    expect((await at.apply(job)).summary.rows).toMatchObject({ created: 3 });
    const second = await again(at, rejects, { yes: true }, year('1986'));
    expect(second).toMatchObject({ exitCode: 3, summary: { rows: { created: 0, held: 1 } } });
    expect(alive(at)).toBe(3);
  });

  it('keeps its job, once mended, from sending the row', async () => {
    await using at = await openImport();
    const { job, rejects } = await invalid(at);
    expect((await again(at, rejects, {}, year('1985'))).summary.rows).toMatchObject({ created: 1 });
    await at.run((deps) => correctJob(job, rowThree('1986'), deps));
    expect(await at.apply(job, { yes: true })).toMatchObject({
      exitCode: 3,
      summary: { rows: { created: 2, held: 1 } },
    });
    expect(alive(at)).toBe(3);
  });

  it('counts as sent, although another line of its quantity has other values', async () => {
    await using at = await openImport();
    const file = await at.file(
      'a.csv',
      'name,brand,release_year,Qty\nRobot,Kenner,1984,2\nBear,Steiff,1950,1\n',
    );
    const { summary } = await at.import({ file, map: { quantity: 'Qty' } }, refusing(1, 2));
    const rejects = summary.files.rejects ?? '';
    const both = year('1985', '1986');
    expect((await again(at, rejects, {}, both)).summary.rows).toMatchObject({ created: 2 });
    const one = await again(at, rejects, { yes: true }, (lines) => both(lines).slice(0, 1));
    expect(one.summary.rows).toMatchObject({ created: 0, skipped: 1 });
    expect(alive(at)).toBe(3);
  });

  it.each([[[2]], [[1, 2]], [[1, 2, 3]]])(
    'is sent again for the copies that were refused: %j',
    async (numbers) => {
      await using at = await openImport();
      const file = await at.file(
        'a.csv',
        'name,brand,release_year,Qty\nRobot,Kenner,x,3\nBear,Steiff,1950,1\n',
      );
      const { summary } = await at.import({ file, map: { quantity: 'Qty' }, skipInvalid: true });
      const rejects = summary.files.rejects ?? '';
      const first = await again(at, rejects, {}, year('1985'), refusing(...numbers));
      expect(first.summary.rows).toMatchObject({ refused: numbers.length });
      const second = await again(at, first.summary.files.rejects ?? '', { yes: true });
      expect(second.summary.rows).toMatchObject({ created: numbers.length, skipped: 0 });
      expect(alive(at)).toBe(4);
    },
  );
});

describe('a line of a results file', () => {
  it.each(['as it is', 'sorted'])('that was refused is sent, the others are not: %s', async (order) => {
    await using at = await openImport();
    const { results } = await refused(at, [2]);
    const edit = (lines: Record<string, string>[]) =>
      order === 'sorted' ? lines.toSorted((a) => (a['_state'] === 'refused' ? -1 : 1)) : lines;
    expect((await again(at, results, {}, edit)).summary.rows).toMatchObject({ created: 1, skipped: 2 });
    expect((await again(at, results, { yes: true }, edit)).summary.rows).toMatchObject({
      created: 0,
      skipped: 3,
    });
    expect(alive(at)).toBe(3);
  });

  it('is sent if only its row was undone', async () => {
    await using at = await openImport();
    const { job, results } = await refused(at, []);
    await undo(at, job, [{ from: 2, to: 2 }]);
    expect((await again(at, results, {})).summary.rows).toMatchObject({ created: 1, skipped: 2 });
    expect(alive(at)).toBe(3);
  });

  it('counts as new if a person has added it', async () => {
    await using at = await openImport();
    const { rejects } = await refused(at, [2]);
    const added = (lines: Record<string, string>[]) => [
      ...lines,
      ...lines.map((line) => ({ ...line, _job: '', _row: '', _state: '', _error: '' })),
    ];
    // It may be one of the two that were sent.
    expect((await again(at, rejects, { yes: true }, added)).summary.rows).toMatchObject({
      created: 1,
      skipped: 1,
    });
    expect(alive(at)).toBe(3);
  });
});

describe('a row of another file is one row of a file, whoever has found it', () => {
  const INVALID = ['Robot', 'Kenner', 'x'];
  const rowNumber = (row: number) => (lines: Record<string, string>[]) =>
    lines.filter((line) => line['_row'] === String(row));
  const robots = (at: OpenImport) => at.names().filter((name) => name === 'Robot').length;
  const sendOther = async (at: OpenImport, rows: string[][] = [ROBOT]) =>
    at.import({ file: await at.file('other.csv', csv(HEADERS, rows)), run: { yes: true } });

  it.each([
    [2, 3],
    [3, 2],
  ])('if the rejects are imported in parts: line %i before line %i', async (first, second) => {
    await using at = await openImport();
    const { rejects, file } = await refused(at, [1, 2], { rows: [ROBOT, ROBOT, BEAR] });
    await sendOther(at);
    const created = [];
    for (const row of [first, second, first, second]) {
      const { exitCode, summary } = await again(at, rejects, { onlyNew: true }, rowNumber(row));
      expect(exitCode).toBe(0);
      created.push(summary.rows.created);
    }
    expect(created).toEqual([0, 1, 0, 0]);
    expect((await again(at, rejects)).summary.rows).toMatchObject({ created: 0, skipped: 2 });
    expect((await at.import({ file, run: { onlyNew: true } })).summary.rows).toMatchObject({ created: 0 });
    expect(robots(at)).toBe(2);
  });

  it('if the lines are copies of a quantity', async () => {
    await using at = await openImport();
    const file = await at.file(
      'a.csv',
      'name,brand,release_year,Qty\nRobot,Kenner,1984,3\nBear,Steiff,1950,1\n',
    );
    const { summary } = await at.import({ file, map: { quantity: 'Qty' } }, refusing(1, 2, 3));
    await sendOther(at);
    const rejects = summary.files.rejects ?? '';
    const created = [];
    for (const index of [0, 1, 2]) {
      const part = (lines: Record<string, string>[]) => lines.slice(index, index + 1);
      created.push((await again(at, rejects, { onlyNew: true }, part)).summary.rows.created);
    }
    expect(created).toEqual([0, 1, 1]);
    expect((await again(at, rejects, { onlyNew: true })).summary.rows).toMatchObject({
      created: 0,
      skipped: 3,
    });
    expect(robots(at)).toBe(3);
  });

  it('if another row of the file is corrected in its job', async () => {
    await using at = await openImport();
    await sendOther(at);
    const file = await at.file('a.csv', csv(HEADERS, [BEAR, INVALID, ROBOT]));
    const { summary } = await at.import({ file, skipInvalid: true, run: { onlyNew: true } });
    expect(summary.rows).toMatchObject({ created: 1, skipped: 1, invalid: 1 });
    await at.run((deps) => correctJob(summary.job, { changes: YEAR_OF_ROW_3 }, deps));
    expect((await at.apply(summary.job, { yes: true })).summary.rows).toMatchObject({
      created: 2,
      skipped: 1,
    });
    expect(robots(at)).toBe(2);
  });

  it('if the rejects have one of the rows, and its job the other', async () => {
    await using at = await openImport();
    const file = await at.file('a.csv', csv(HEADERS, [BEAR, INVALID, INVALID]));
    const { summary } = await at.import({ file, skipInvalid: true });
    await sendOther(at);
    const edit = (lines: Record<string, string>[]) => corrected(rowNumber(4)(lines));
    expect(
      (await again(at, summary.files.rejects ?? '', { onlyNew: true }, edit)).summary.rows,
    ).toMatchObject({
      skipped: 1,
    });
    await at.run((deps) => correctJob(summary.job, { changes: YEAR_OF_ROW_3 }, deps));
    expect((await at.apply(summary.job, { yes: true })).summary.rows).toMatchObject({ created: 2 });
    expect(robots(at)).toBe(2);
  });
});

it('an undo of an undo does not take the line of a refused row for a row that it restores', async () => {
  await using at = await openImport();
  const { job, rejects } = await refused(at, [2]);
  const { summary } = await undo(at, job);
  await again(at, rejects, {});
  expect((await undo(at, summary.job)).summary.rows).toMatchObject({ updated: 2, held: 0 });
  expect(alive(at)).toBe(3);
});
