/**
 * First stage: the file is read whole, each row mapped and judged, and everything is in the ledger. After
 * this the source file is not needed again.
 */
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { JobRecord, Ledger, NewRow, StoredIssue } from '../../ledger/ledger.ts';
import type { RowAction } from '../../ledger/states.ts';
import { compileMapping } from '../../mapping/compile.ts';
import { IssueGroups } from '../../mapping/group-issues.ts';
import { isResultsFile } from '../../mapping/headers.ts';
import type { RowIssue } from '../../mapping/issue.ts';
import { loadTemplate } from '../../mapping/template/load-template.ts';
import type { MappedRow, Mapping, MappingOptions } from '../../mapping/mapping.ts';
import { columnOptions, type Template } from '../../mapping/template/template.ts';
import { createFields } from '../../mapping/payload.ts';
import { templateMode } from '../../mapping/template/template-mode.ts';
import { cellText } from '../../sheets/cell.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { listSheets, openTables } from '../../sheets/open-table.ts';
import type { SheetRow, SheetTable } from '../../sheets/table.ts';
import type { Emit } from '../events.ts';
import type { ImportRequest, JobOptions } from '../options.ts';
import { newJobId } from '../jobs/job-id.ts';
import { agreeOnMapping, inferMapping } from './infer-mapping.ts';
import { isDupesFile } from '../similar/dupes-file.ts';
import { checkFolder, openOptions, stampField } from '../request-checks.ts';
import { encodeWishes, type TagsMode } from '../plan/wishes.ts';
import { rowPages } from '../results/row-pages.ts';
import { counted } from '../../counted.ts';

export interface StageDeps {
  ledger: Ledger;
  apiUrl: string;
  signal: AbortSignal;
  emit: Emit;
  /** Asks a person; absent where there is none to ask. */
  confirm?: (question: string) => Promise<boolean>;
}

/** States in a results file that a later import must not send again: done, or another job's to finish. */
const STATES_NOT_TO_SEND: ReadonlySet<string> = new Set([
  'created',
  'updated',
  'unchanged',
  'skipped',
  'pending',
  'held',
]);
const AMBIGUOUS = 'ambiguous_number';
const CURRENCIES_KEPT = 50;
/** What a reader finds wrong with a row as a whole: no second look at its numbers can mend it. */
const SHAPE_PROBLEMS: ReadonlySet<string> = new Set([
  'too_many_cells',
  'unclosed_quote',
  'bad_encoding',
  'merge_conflict',
]);

interface Reading {
  mapping: Mapping;
  table: SheetTable;
  /** Rows with a greater ordinal are this table's, up to the next one's. */
  from: number;
  /** For each column of the first table, the column of this one: sheets may order the same columns differently. */
  order: number[];
}

/**
 * Reads the file into a new job in state `planned`.
 *
 * @throws SheetError, UsageError: nothing is left in the ledger then
 */
export async function stageFile(request: ImportRequest, deps: StageDeps): Promise<JobRecord> {
  const asked = request.template === undefined ? undefined : await loadTemplate(request.template);
  const file = resolve(request.file);
  const [table, ...others] = await openTables(file, openOptions(request, deps.signal));
  if (table === undefined) throw new UsageError('no_rows', `${file} holds no table`);
  // Filled in and given back: it names items that are there, and must never create any.
  const given = asked ?? (isDupesFile(table.headers) ? await loadTemplate('dupes') : undefined);
  const inferred = given === undefined ? await inferMapping(request, table, deps.ledger) : undefined;
  try {
    const stager = new Stager(request, deps, given ?? inferred?.template, table);
    for (const message of inferred?.notes ?? []) deps.emit({ type: 'note', message });
    if (inferred !== undefined) await agreeOnMapping(inferred, request, table, deps);
    return await stageTables(request, deps, stager, [table, ...others]);
  } finally {
    await inferred?.close();
  }
}

async function stageTables(
  request: ImportRequest,
  deps: StageDeps,
  stager: Stager,
  tables: [SheetTable, ...SheetTable[]],
): Promise<JobRecord> {
  const [table] = tables;
  const { file } = table;
  const sha256 = await hashFile(file);
  const jobId = request.jobId ?? newJobId();
  const source: JobRecord['source'] = {
    file: resolve(request.knownAs ?? file),
    format: table.format,
    headers: table.headers,
    letters: table.letters,
    sha256,
    ...(table.delimiter === undefined ? {} : { delimiter: table.delimiter }),
  };
  const options = { ...stager.jobOptions(file, table) };
  await checkFolder(options.outDir);
  await deps.ledger.createJob({
    id: jobId,
    kind: 'import',
    mode: stager.mode,
    dryRun: request.dryRun === true,
    apiUrl: deps.apiUrl,
    source,
    options,
    collections: {},
    sheetRows: 0,
  });
  try {
    for (const each of tables) await stager.read(jobId, each);
    await stager.settleNumbers(jobId);
    await deps.ledger.finishStaging(jobId, {
      sheetRows: stager.sheetRows,
      options: { ...options, ...stager.afterReading() },
    });
  } catch (error) {
    await deps.ledger.discardJob(jobId);
    throw error;
  }
  await tellOtherSheets(request, tables, deps);
  stager.tell();
  return deps.ledger.findJob(jobId);
}

/** Of a workbook one sheet is read; a person may not know that there are others. */
async function tellOtherSheets(request: ImportRequest, tables: SheetTable[], deps: StageDeps): Promise<void> {
  const [table] = tables;
  if (request.sheet !== undefined || table?.sheet === undefined) return;
  const others = (await listSheets(table.file)).filter((name) => name !== table.sheet);
  if (others.length === 0) return;
  const names = others.map((name) => `"${name}"`).join(', ');
  deps.emit({
    type: 'note',
    message: `only sheet "${table.sheet}" is read; there is also ${names}: --sheet NAME, or --sheet all`,
  });
}

class Stager {
  readonly mode: JobRecord['mode'];
  sheetRows = 0;
  readonly #request: ImportRequest;
  readonly #deps: StageDeps;
  readonly #template: Template | undefined;
  readonly #match: string[];
  readonly #tagsMode: TagsMode;
  readonly #mappingOptions: Omit<MappingOptions, 'headers' | 'letters' | 'format'>;
  readonly #groups = new IssueGroups();
  readonly #first: Mapping;
  readonly #readings: Reading[] = [];
  #ordinal = 0;
  #alreadySent = 0;
  /** Some row must be looked at again; where none must, a pass over the job's rows is spared. */
  #sawAmbiguous = false;

  constructor(request: ImportRequest, deps: StageDeps, template: Template | undefined, table: SheetTable) {
    this.#request = request;
    this.#deps = deps;
    this.#template = template;
    const asked = templateMode(template, {
      headers: table.headers,
      letters: table.letters,
      format: table.format,
      map: request.map ?? {},
      ...(request.mode === undefined ? {} : { mode: request.mode }),
      ...(request.match === undefined ? {} : { match: request.match }),
    });
    this.mode = asked.mode;
    this.#match = asked.match;
    this.#tagsMode = columnOptions(template, 'tags').mode ?? 'set';
    this.#mappingOptions = {
      map: request.map ?? {},
      defaults: request.defaults ?? {},
      mode: this.mode,
      match: this.#match,
      ...(request.decimal === undefined ? {} : { decimal: request.decimal }),
      ...(request.keepUnknown === undefined ? {} : { keepUnknown: request.keepUnknown }),
    };
    // Compiled before anything is staged: a missing name column is an error of the command, not of rows.
    this.#first = this.#compile(table);
    this.#readings.push({
      mapping: this.#first,
      table,
      from: 0,
      order: table.headers.map((_, index) => index),
    });
    deps.emit({
      type: 'opened',
      file: table.file,
      detected: table.detected,
      columns: this.#first.columns.map(({ header, letter, target, reason }) => ({
        header: header === '' ? `(column ${letter})` : header,
        reason,
        ...(target === undefined ? {} : { target }),
      })),
    });
  }

  jobOptions(file: string, table: SheetTable): JobOptions {
    const { sheet, delimiter, encoding, headerRow, collection, stamp } = this.#request;
    const mapped = this.#first.columns.some((column) => column.target === 'collection');
    const options: JobOptions = {
      match: this.#match,
      noCollectionColumn: !mapped && this.#template?.constants?.['collection'] === undefined,
      skipInvalid: this.#request.skipInvalid === true,
      force: this.#request.force === true,
      noSettle: this.#request.noSettle === true,
      outDir: resolve(this.#request.outDir ?? dirname(file)),
      mappingHash: hashOf([
        this.#template ?? null,
        this.#mappingOptions,
        sheet,
        delimiter,
        encoding,
        headerRow,
      ]),
      ownExport: this.#first.ownExport,
      escapedSource: table.format === 'csv' && (this.#first.ownExport || isResultsFile(table.headers)),
    };
    const quantity = this.#first.columns.findIndex((column) => column.target === 'quantity');
    if (quantity >= 0) options.quantityColumn = quantity;
    if (collection !== undefined) options.collection = collection;
    if (this.#request.checkSimilar === true) options.checkSimilar = true;
    if (stamp !== undefined) options.stamp = stampField(stamp);
    return options;
  }

  async read(jobId: string, table: SheetTable): Promise<void> {
    const reading = this.#reading(table);
    for (const note of table.notes) this.#deps.emit({ type: 'note', message: note });
    const results = isResultsFile(table.headers) ? table.headers.indexOf('_state') : -1;
    for await (const batch of table.batches) {
      this.#deps.signal.throwIfAborted();
      const rows: NewRow[] = [];
      for (const row of batch) this.#stageRow(row, reading, results, rows);
      await this.#deps.ledger.stageRows(jobId, rows);
      this.#deps.emit({ type: 'staging', rows: this.sheetRows });
    }
    const { skipped } = table;
    const left = [
      skipped.blank > 0 ? `${skipped.blank} blank` : '',
      skipped.repeatedHeader > 0 ? `${skipped.repeatedHeader} repeated header` : '',
      skipped.totals > 0 ? `${skipped.totals} totals` : '',
    ].filter((part) => part !== '');
    if (left.length > 0)
      this.#deps.emit({ type: 'note', message: `rows that are no data were left out: ${left.join(', ')}` });
  }

  /** Once the whole file was seen, ambiguous numbers may have become clear: those rows are judged again. */
  async settleNumbers(jobId: string): Promise<void> {
    const changed = this.#readings.map(({ mapping }) => mapping.settleNumbers());
    if (!this.#sawAmbiguous) return;
    for await (const page of rowPages(this.#deps.ledger, jobId, { states: ['invalid'] })) {
      const again: NewRow[] = [];
      for (const row of page) {
        if (!row.issues.some((issue) => issue.code === AMBIGUOUS)) continue;
        const index = this.#readings.findLastIndex((each) => each.from < row.ordinal);
        const { mapping, order } = this.#readings[index] ?? { mapping: this.#first, order: [] };
        const source = JSON.parse(row.source ?? '[]') as string[];
        const cells: string[] = [];
        for (const [place, column] of order.entries()) cells[column] = source[place] ?? '';
        const mapped = mapping.mapRow(cells);
        mapped.issues.push(...row.issues.filter((issue) => SHAPE_PROBLEMS.has(issue.code)));
        if (changed[index] === true) {
          const judged: NewRow = { ...row, state: 'planned', issues: [] };
          this.#judge(judged, mapped, mapping);
          again.push(judged);
        }
        for (const issue of mapped.issues) if (row.copy === 0) this.#groups.add(row.sheetRow, issue);
      }
      await this.#deps.ledger.stageRows(jobId, again);
    }
  }

  /** What the job keeps of its file that only all of its rows say. */
  afterReading(): Pick<JobOptions, 'amounts'> {
    const found = this.#readings.flatMap(({ mapping }) => {
      const source = mapping.amountSource();
      return source === undefined ? [] : [{ mapping, source }];
    });
    const [first] = found;
    if (first === undefined) return {};
    // The rows' texts are kept in the order of the first table's columns.
    const place = (column: number) =>
      this.#first.columns.findIndex(({ header }) => header === first.mapping.columns[column]?.header);
    const { index, joined } = first.source;
    const inFirst = first.mapping.columns === this.#first.columns ? (column: number) => column : place;
    const seen = found.flatMap(({ source }) => source.seen).slice(0, CURRENCIES_KEPT);
    const places = joined === undefined ? {} : { joined: joined.map(inFirst) };
    return { amounts: { ...first.source, index: inFirst(index), ...places, seen } };
  }

  tell(): void {
    if (this.#ordinal > this.sheetRows) {
      const message = `${counted(this.sheetRows, 'row stands', 'rows stand')} for ${counted(this.#ordinal, 'item')} (quantity column)`;
      this.#deps.emit({ type: 'note', message });
    }
    const { emit } = this.#deps;
    for (const { mapping } of this.#readings)
      for (const note of mapping.notes()) emit({ type: 'note', message: note });
    if (this.#alreadySent > 0) {
      const message = `${counted(this.#alreadySent, 'row was', 'rows were')} skipped: _state says that ${this.#alreadySent === 1 ? 'it was sent, or belongs' : 'they were sent, or belong'} to a job`;
      emit({ type: 'note', message });
    }
    if (this.#groups.total > 0) emit({ type: 'issues', groups: this.#groups.groups() });
  }

  #reading(table: SheetTable): Reading {
    const [first] = this.#readings;
    if (first?.table === table) return first;
    const left = table.headers.map((header) => header.toLowerCase());
    const order = (first?.table.headers ?? []).map((header) => {
      const index = left.indexOf(header.toLowerCase());
      // Taken: of two columns with one name, the second goes with the second.
      if (index >= 0) left[index] = '\u0000';
      return index;
    });
    const reading = { mapping: this.#compile(table), table, from: this.#ordinal, order };
    this.#readings.push(reading);
    return reading;
  }

  #compile(table: SheetTable): Mapping {
    const { headers, letters, format } = table;
    const options = { ...this.#mappingOptions, headers, letters, format };
    try {
      return compileMapping(
        this.#template === undefined ? options : { ...options, template: this.#template },
      );
    } catch (error) {
      // The mapping knows columns only; a person wants to know of which file.
      if (!(error instanceof UsageError) || !error.code.endsWith('_column')) throw error;
      const { code, message, remedy } = error;
      const sheet = table.sheet === undefined ? {} : { sheet: table.sheet };
      throw new UsageError(code, message, {
        cause: error,
        position: { file: table.file, ...sheet, row: table.headerRow },
        ...(remedy === undefined ? {} : { remedy }),
      });
    }
  }

  #stageRow(row: SheetRow, reading: Reading, results: number, out: NewRow[]): void {
    const { table, mapping, order } = reading;
    this.sheetRows += 1;
    const cells = reading === this.#readings[0] ? row.cells : order.map((index) => row.cells[index] ?? '');
    const texts = table.format === 'csv' ? cells : cells.map(cellText);
    const base = {
      sheetRow: row.number,
      copy: 0,
      source: JSON.stringify(texts),
      ...(table.sheet === undefined ? {} : { sheet: table.sheet }),
    };
    const state = results < 0 ? '' : cellText(row.cells[results] ?? null).trim();
    if (STATES_NOT_TO_SEND.has(state)) {
      this.#alreadySent += 1;
      const issues: StoredIssue[] = [{ code: 'already_sent', message: `its _state is "${state}"` }];
      out.push({ ...this.#blank(base), state: 'skipped', issues });
      return;
    }
    const mapped = mapping.mapRow(row.cells);
    if (row.problem !== undefined) mapped.issues.push(row.problem);
    const ambiguous = mapped.issues.some((issue) => issue.code === AMBIGUOUS);
    if (ambiguous) this.#sawAmbiguous = true;
    // Ambiguous numbers are counted once it is known whether they stay so.
    if (!ambiguous) for (const issue of mapped.issues) this.#groups.add(row.number, issue, row.line);
    // Rows that are judged again keep their copies' places; other invalid rows are one row.
    const copies = mapped.issues.length === 0 || ambiguous ? mapped.copies : 1;
    const first = this.#blank(base);
    this.#judge(first, mapped, mapping);
    out.push(first);
    for (let copy = 1; copy < copies; copy += 1) {
      this.#ordinal += 1;
      out.push({ ...first, ordinal: this.#ordinal, copy });
    }
  }

  #blank(base: Pick<NewRow, 'sheetRow' | 'copy' | 'source' | 'sheet'>): NewRow {
    this.#ordinal += 1;
    const action: RowAction = this.mode === 'update' ? 'update' : 'create';
    return {
      ...base,
      ordinal: this.#ordinal,
      state: 'planned',
      action,
      payload: null,
      collection: null,
      itemId: null,
      issues: [],
    };
  }

  /** What a row becomes: planned with its payload, invalid with its issues, or skipped by a rule. */
  #judge(row: NewRow, mapped: MappedRow, mapping: Mapping): void {
    row.collection = mapped.collection ?? null;
    if (mapped.skip !== undefined) {
      row.state = 'skipped';
      row.issues = [{ code: 'skipped_by_rule', message: mapped.skip }];
    } else if (mapped.issues.length > 0) {
      row.state = 'invalid';
      row.issues = mapped.issues.map(storedIssue);
    } else if (this.mode === 'create') row.payload = JSON.stringify(createFields(mapped));
    else {
      const asCreate = this.mode === 'upsert' ? (each: MappedRow) => mapping.asCreate(each) : undefined;
      row.action = 'update';
      row.payload = encodeWishes(mapped, this.#tagsMode, asCreate);
    }
  }
}

function storedIssue(issue: RowIssue): StoredIssue {
  const where = issue.header === undefined || issue.header === '' ? issue.column : issue.header;
  const message =
    issue.expected === undefined ? issue.message : `${issue.message}: expected ${issue.expected}`;
  return { code: issue.code, message, ...(where === undefined ? {} : { column: where }) };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
