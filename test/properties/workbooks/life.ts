/** The life of a workbook: imports, files of results that come back, corrections, undos; and whether it kept the promise. */
import { join } from 'node:path';
import type { Item } from '../../../src/api/schemas.ts';
import { ShelfliftError } from '../../../src/base/errors.ts';
import { correctAndReport } from '../../../src/import/correction/correct-job.ts';
import type { ImportRequest, RunOptions } from '../../../src/import/job/options.ts';
import type { JobOutcome } from '../../../src/import/results/summary.ts';
import { undoJob } from '../../../src/import/run.ts';
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts';
import * as fc from '../../support/fast-check.ts';
import { openImport, type OpenImport, QUIET_MS } from '../../support/open-import.ts';
import {
  book,
  type BookSpec,
  type Cell,
  HEADERS,
  type Mark,
  retyped,
  type Row,
  rowsOf,
  saved,
  shown,
  tableOf,
  templateOf,
  type Version,
  workbook,
  YEAR,
} from './workbook.ts';

const run = fc.record({
  skipInvalid: fc.boolean(),
  answer: fc.constantFrom<'onlyNew' | 'yes' | undefined>('onlyNew', 'onlyNew', 'yes', undefined),
});
/** Which rows: bit by bit. */
const bits = fc.integer({ min: 0, max: 2 ** 12 - 1 });
const job = fc.nat(3);
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('workbook' as const),
      corrects: bits,
      isLater: fc.boolean(),
      run,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('returned' as const),
      job,
      which: fc.constantFrom<'rejects' | 'results'>('rejects', 'rejects', 'results'),
      corrects: bits,
      keeps: fc.oneof(fc.constant(2 ** 12 - 1), bits),
      without: fc.constantFrom(undefined, undefined, undefined, '_sheet', '_job', '_error'),
      program: fc.constantFrom<'none' | 'csv' | 'xlsx'>('none', 'csv', 'xlsx'),
      isElsewhere: fc.integer({ max: 9 }).map((number) => number === 0),
      run,
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('mend' as const), job, corrects: bits }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('apply' as const), job, run }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('undo' as const), job }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type StepOf<W extends Step['what']> = Extract<Step, { what: W }>;

export interface Life {
  book: BookSpec;
  first: { skipInvalid: boolean };
  steps: Step[];
}

export const life: fc.Arbitrary<Life> = fc.record({
  book,
  first: fc.record({ skipInvalid: fc.boolean() }),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
});

/** A line of a file, and what it means there. */
interface Line {
  row: Row;
  version: Version;
  /** Its sheet, if its file has several, and its row there. */
  place: string;
}

interface Job {
  id: string;
  lines: readonly Line[];
  files: Record<'results' | 'rejects', string | undefined>;
  isUndone: boolean;
}

export interface Played {
  violations: string[];
  created: number;
  clean: number;
}

export async function play({ book: spec, first, steps }: Life): Promise<Played> {
  await using at = await openImport({ seed: 7, seedItems: 3 });
  const stage = new Stage(at, spec);
  await stage.workbook({
    what: 'workbook',
    corrects: 0,
    isLater: false,
    run: { ...first, answer: undefined },
  });
  for (const [index, each] of steps.entries()) {
    if (stage.isOver || stage.violations.length > 0) break;
    stage.now = `step ${index + 1}, ${each.what}`;
    if (each.what === 'workbook') await stage.workbook(each);
    else if (each.what === 'returned') await stage.returned(each);
    else if (each.what === 'mend') await stage.mend(each);
    else if (each.what === 'apply') await stage.apply(each);
    else await stage.undo(each);
  }
  return { violations: stage.violations, created: stage.live().length, clean: stage.clean };
}

class Stage {
  readonly violations: string[] = [];
  readonly #at: OpenImport;
  readonly #spec: BookSpec;
  readonly #rows: readonly Row[];
  readonly #added: Row;
  readonly #jobs: Job[] = [];
  /** Rows that the person has corrected in the workbook itself. */
  readonly #inBook = new Set<Row>();
  now = 'the first import';
  clean = 0;
  /** Rows were sent that nobody can tell from others: what is sent after them may be another thing. */
  isOver = false;
  #files = 0;

  constructor(at: OpenImport, spec: BookSpec) {
    this.#at = at;
    this.#spec = spec;
    ({ rows: this.#rows, added: this.#added } = rowsOf(spec));
  }

  live(name?: string): Item[] {
    return this.#at
      .items()
      .filter(
        (item) =>
          item.status !== 'archived' && (name === undefined ? /^Toy \d/.test(item.name) : item.name === name),
      );
  }

  async workbook({ corrects, isLater, run: given }: StepOf<'workbook'>): Promise<void> {
    const rows = isLater ? [...this.#rows, this.#added] : this.#rows;
    const isSingle = this.#spec.sheets.length === 1;
    const lines = rows.map((row, at) => ({
      row,
      version: isSet(corrects, at) || this.#inBook.has(row) ? row.sendable : row.original,
      place: `${isSingle ? '' : row.sheet}:${row.number}`,
    }));
    for (const { row, version } of lines) if (version !== row.original) this.#inBook.add(row);
    const file = await this.#file(
      'toys.xlsx',
      await workbook(rows, (row) => this.#inBook.has(row), this.#spec.mark),
    );
    const sheet = isSingle ? {} : { sheet: 'all' };
    await this.#import({ file, ...sheet, ...(await this.#request()), run: runOf(given) }, lines);
  }

  async returned({
    job: number,
    which,
    corrects,
    keeps,
    without,
    program,
    isElsewhere,
    run: given,
  }: StepOf<'returned'>): Promise<void> {
    const job = this.#job(number);
    const isUnknown = isElsewhere || without === '_job';
    const text = job?.files[isUnknown ? 'rejects' : which];
    if (job === undefined || text === undefined) return;
    const { mark } = this.#spec;
    const { headers, lines: all } = tableOf(text);
    const kept: Line[] = [];
    const table: Cell[][] = [];
    const cellOf = (cells: readonly string[], header: string) => cells[headers.indexOf(header)] ?? '';
    const shownMark = markOf(all.map((cells) => cellOf(cells, 'Value'))) ?? mark;
    for (const [at, cells] of all.entries()) {
      const place = `${cellOf(cells, '_sheet').replace(/^'(.*)'$/s, '$1')}:${cellOf(cells, '_row')}`;
      const line = job.lines.find((each) => each.place === place);
      if (line === undefined || line.row.name !== cellOf(cells, 'name')) {
        this.#say(`line ${at + 1} of the ${which} names no row, or another one: ${cells.join('|')}`);
        continue;
      }
      const { row } = line;
      if (!isSet(keeps, at) || (isUnknown && this.live(row.name).length > 0)) continue;
      // Rows that are on the server are edited, too; they must be held.
      const isSent = cellOf(cells, '_state') === 'created' && !job.isUndone;
      const isEdited =
        isSet(corrects, at) && line.version === row.original && (isSent || row.sendable === row.corrected);
      const version = isEdited ? row.corrected : line.version;
      kept.push({ row, version, place: `:${kept.length + 2}` });
      const now = headers.map((header, index) => {
        const cell = cells[index] ?? '';
        return isEdited ? (row.correction[header]?.(cell, shownMark) ?? cell) : cell;
      });
      table.push(
        program === 'none'
          ? now
          : now.map((cell, index) => {
              const typed = retyped(String(cell), mark);
              // What the program spoils before the person's eyes is no matter of ours.
              const meant = { Value: version.amount, 'custom_fields.paid': row.paid[0] }[
                headers[index] ?? ''
              ];
              return typeof typed === 'number' && meant !== undefined && typed !== meant ? cell : typed;
            }),
      );
    }
    const isThere = (_: unknown, index: number) => headers[index] !== without;
    const content = await saved(
      headers.filter(isThere),
      table.map((cells) => cells.filter(isThere)),
      program,
      mark,
    );
    const file = await this.#file(program === 'xlsx' ? 'back.xlsx' : 'back.csv', content);
    // What nobody knows as the file of a job is read as any other file.
    const request = isUnknown ? await this.#request() : {};
    this.isOver = isUnknown;
    if (!isElsewhere) return this.#import({ file, ...request, run: runOf(given) }, kept);
    await using ledger = openSqliteLedger(join(this.#at.folder, 'other.db'));
    await this.#import({ file, ...request, run: runOf(given) }, kept, ledger);
  }

  async mend({ job: number, corrects }: StepOf<'mend'>): Promise<void> {
    const job = this.#job(number);
    if (job === undefined) return;
    const changes = job.lines.flatMap(({ row, version, place }, at) =>
      !isSet(corrects, at) || version !== row.original || row.sendable === version
        ? []
        : Object.entries(row.correction).map(([column, change]) => {
            const [, sheet = '', number] = /^(.*):(\d+)$/s.exec(place) ?? [];
            const cell = row.cells[HEADERS.indexOf(column)]?.value ?? '';
            const text = shown(change(cell, this.#spec.mark), this.#spec.mark);
            return {
              type: 'cell' as const,
              row: Number(number),
              ...(sheet === '' ? {} : { sheet }),
              column,
              text,
            };
          }),
    );
    if (changes.length > 0)
      await this.#try(() => this.#at.run((deps) => correctAndReport(job.id, { changes }, deps)), true);
  }

  async apply({ job: number, run: given }: StepOf<'apply'>): Promise<void> {
    const job = this.#job(number);
    if (job === undefined) return;
    const outcome = await this.#try(() => this.#at.apply(job.id, runOf(given)));
    if (outcome?.exitCode === 0 && !job.isUndone)
      this.#judgeClean(job.lines.map(({ row }) => ({ row, version: row.original })));
  }

  async undo({ job: number }: StepOf<'undo'>): Promise<void> {
    const job = this.#job(number);
    if (job === undefined) return;
    job.isUndone = true;
    await this.#try(() =>
      this.#at.run((deps) => undoJob(job.id, deps, { run: { quietPeriodMs: QUIET_MS, yes: true } })),
    );
  }

  #job(number: number): Job | undefined {
    return this.#jobs[number % Math.max(1, this.#jobs.length)];
  }

  async #request(): Promise<Partial<ImportRequest>> {
    const { mark, isTold, template } = this.#spec;
    return {
      ...(isTold ? { decimal: mark } : {}),
      ...(template === 'none' ? {} : { template: await this.#at.file('toys.yaml', templateOf(template)) }),
    };
  }

  #file(name: string, content: string | Uint8Array): Promise<string> {
    this.#files += 1;
    return this.#at.file(`${this.#files} ${name}`, content);
  }

  async #import(request: ImportRequest, lines: readonly Line[], ledger = this.#at.ledger): Promise<void> {
    if (lines.length === 0) return;
    const outcome = await this.#try(() => this.#at.import({ collection: 'Trains', ...request }, { ledger }));
    if (outcome === undefined) return;
    const { summary, exitCode } = outcome;
    if (!this.#jobs.some(({ id }) => id === summary.job)) {
      const read = (path: string | undefined) => (path === undefined ? undefined : this.#at.read(path));
      const files = {
        results: await read(summary.files.results),
        rejects: await read(summary.files.rejects),
      };
      this.#jobs.push({ id: summary.job, lines, files, isUndone: false });
    }
    if (exitCode === 0) this.#judgeClean(lines);
  }

  async #try(command: () => Promise<JobOutcome>, isPlan = false): Promise<JobOutcome | undefined> {
    let outcome: JobOutcome | undefined;
    try {
      outcome = await command();
    } catch (error) {
      if (!(error instanceof ShelfliftError))
        this.#say(`it ended with a defect: ${String((error as Error).stack)}`);
    }
    for (const [name, items] of Map.groupBy(this.live(), (item) => item.name)) {
      const rows = [...this.#rows, this.#added].filter((row) => row.name === name);
      if (items.length > rows.length)
        this.#say(`there are ${items.length} items of ${rows.length} rows: ${name}`);
      for (const item of items)
        if (!rows.some((row) => isOf(item, row))) this.#say(`no row means ${JSON.stringify(item)}`);
    }
    const { invalid = 0, refused = 0, held = 0, pending = 0 } = outcome?.summary.rows ?? {};
    if (!isPlan && outcome?.exitCode === 0 && invalid + refused + held + pending > 0)
      this.#say(`exit 0 with ${JSON.stringify(outcome.summary.rows)}`);
    return outcome;
  }

  /** Nothing is wrong: each row has its item, and what a person has corrected is there. */
  #judgeClean(lines: readonly Pick<Line, 'row' | 'version'>[]): void {
    this.clean += 1;
    for (const [name, own] of Map.groupBy(lines, ({ row }) => row.name)) {
      const amounts = this.live(name).map((item) => item.estimated_value ?? null);
      if (amounts.length < own.length)
        this.#say(`exit 0, and there are ${amounts.length} items of ${own.length} rows: ${name}`);
      for (const { row, version } of own) {
        if (version === row.original) continue;
        const at = amounts.indexOf(version.amount ?? null);
        if (at < 0) this.#say(`exit 0, and no ${name} has its corrected amount: ${version.amount}`);
        else amounts.splice(at, 1);
      }
    }
  }

  #say(what: string): void {
    this.violations.push(`${this.now}: ${what}`);
  }
}

/** What a program makes of a brand if nobody knows that the file was ours. */
const OTHERWISE: Record<string, string[]> = { '007': ['7'], 'May 2024': ['May-24', '2024-05-01'] };

function isOf(item: Item, row: Row): boolean {
  const { estimated_value: amount = null, release_year: year, brand, custom_fields: custom } = item;
  return (
    row.sendable.amount === amount &&
    year === YEAR &&
    [row.brand, ...(OTHERWISE[row.brand] ?? [])].includes(String(brand ?? custom?.['brand'])) &&
    row.paid.includes((custom?.['paid'] ?? null) as Cell) &&
    (custom?.['bought'] ?? null) === row.bought
  );
}

const isSet = (bits: number, at: number) => Math.floor(bits / 2 ** (at % 12)) % 2 === 1;

function runOf({ skipInvalid, answer }: StepOf<'apply'>['run']): RunOptions {
  return { ...(skipInvalid ? { skipInvalid } : {}), ...(answer === undefined ? {} : { [answer]: true }) };
}

/** The mark that a column shows at first sight. */
function markOf(texts: readonly string[]): Mark | undefined {
  const [last] = texts.flatMap((text) => /([.,])(?!\d{3}\b)\d+(?![.,\d])/.exec(text)?.[1] ?? []);
  const [any] = texts.flatMap((text) => /[.,](?=\d+\D*$)/.exec(text)?.[0] ?? []);
  const found = last ?? any;
  return found === undefined ? undefined : found === ',' ? 'comma' : 'point';
}
