/**
 * The tables of one file, each with a mapping of its columns; rows are stored in the column order of the first table.
 */
import type { Message } from '../../messages/params.ts';
import { UsageError } from '../../base/errors.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { isOwnExport, isResultsFile } from '../../sheets/own-headers.ts';
import { repeatedTexts } from '../../mapping/columns/filler-rows.ts';
import { compileMapping } from '../../mapping/compile.ts';
import type { Mapping, MappingOptions } from '../../mapping/mapping.ts';
import { explicitTemplate, nameOf } from '../../mapping/template/explicit-template.ts';
import { shippedRecognisers } from '../../mapping/template/load-template.ts';
import { templateMode } from '../../mapping/template/template-mode.ts';
import { columnOptions, INFERRED, type Template } from '../../mapping/template/template.ts';
import type { Cell } from '../../sheets/cell.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { withOperands } from '../changes/table-change.ts';
import type { Judging } from '../job/judging.ts';
import type { ImportRequest } from '../job/options.ts';
import { checkedRates, refuseIdleRates } from '../job/rates.ts';
import type { TableChange, TagsMode } from '../engine/input.ts';
import { fillDownOffers, GroupColumns, offerNote } from './fill-down.ts';
import type { ReadTable } from './judge-row.ts';
import type { JobPlan } from '../../ledger/job-parts.ts';

const CURRENCIES_KEPT = 50;

export interface SourceTable extends ReadTable {
  table: SheetTable;
  /** How its columns are read. */
  options: MappingOptions & { template?: Template };
  /** True if columns that nothing maps are kept without anybody having asked for it. */
  keepsUnasked: boolean;
  /** Absent if no columns are watched for blank cells to fill. */
  groups?: GroupColumns;
}

export function planOf(
  tables: readonly ReadTable[],
): Pick<
  JobPlan,
  'noCollectionColumn' | 'ownExport' | 'quantityColumn' | 'filledColumns' | 'amounts' | 'likely'
> {
  const [{ mapping, template } = {}] = tables;
  const columns = mapping?.columns ?? [];
  const quantity = columns.findIndex(({ target }) => target === 'quantity');
  return {
    noCollectionColumn:
      !columns.some(({ target }) => target === 'collection') &&
      template?.constants?.['collection'] === undefined,
    ownExport: mapping?.ownExport === true,
    quantityColumn: quantity < 0 ? undefined : quantity,
    // Of all tables, as the rows of all of them are stored in the order of the first.
    filledColumns: [
      ...new Set(
        tables.flatMap((each) => each.mapping.filledColumns.map((column) => each.order.indexOf(column))),
      ),
    ],
    amounts: amountsOf(tables),
    likely: tables.flatMap(({ mapping }) => mapping.likely()),
  };
}

/**
 * The column of amounts, with the currencies seen in it, in the order of the stored cells; undefined if no amount shows
 * a currency.
 */
export function amountsOf(tables: readonly Pick<ReadTable, 'mapping' | 'order'>[]): JobPlan['amounts'] {
  const found = tables.flatMap(({ mapping, order }) => {
    const source = mapping.amountSource();
    return source === undefined ? [] : [{ order, source }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const { index, joined } = first.source;
  const place = (column: number) => first.order.indexOf(column);
  const seen = found.flatMap(({ source }) => source.seen).slice(0, CURRENCIES_KEPT);
  const places = joined === undefined ? {} : { joined: joined.map(place) };
  return { ...first.source, index: place(index), ...places, seen };
}

export class SourceTables {
  readonly mode: JobRecord['mode'];
  readonly match: string[];
  readonly tagsMode: TagsMode;
  readonly template: Template | undefined;
  /** The mapping options that do not depend on the table; they are part of the job's fingerprint. */
  readonly options: Omit<MappingOptions, 'headers' | 'letters' | 'format'>;
  readonly first: Mapping;
  readonly all: SourceTable[] = [];
  readonly #request: Pick<ImportRequest, 'template' | 'keepUnknown' | 'dropUnknown' | 'strict'>;
  /** `set --from`: the changes of the command besides the columns. */
  readonly change: TableChange | undefined;
  readonly #repeated: Readonly<Record<string, string>>;

  /**
   * Compiles the first table's mapping before anything is staged: a missing name column is an error of the command, not
   * a problem of each row.
   *
   * @param sample the first rows of the table
   * @throws UsageError with the position in the file
   */
  constructor(
    request: ImportRequest,
    template: Template | undefined,
    table: SheetTable,
    change?: TableChange,
    sample: readonly (readonly Cell[])[] = [],
  ) {
    this.template = template;
    this.change = change;
    const { headers, letters, format } = table;
    const asked = templateMode(template, {
      headers,
      letters,
      format,
      map: request.map ?? {},
      ...(request.mode === undefined ? {} : { mode: request.mode }),
      ...(request.match === undefined ? {} : { match: request.match }),
    });
    this.mode = asked.mode;
    this.match = asked.match;
    this.tagsMode = columnOptions(template, 'tags').mode ?? 'set';
    this.options = {
      map: request.map ?? {},
      defaults: request.defaults ?? {},
      mode: this.mode,
      match: this.match,
      ...(request.decimal === undefined ? {} : { decimal: request.decimal }),
      ...(request.keepUnknown === undefined ? {} : { keepUnknown: request.keepUnknown }),
      ...(request.rates === undefined ? {} : { rates: checkedRates(request.rates) }),
    };
    this.#request = request;
    this.#repeated = repeatedTexts(sample, (index) => nameOf(table, index));
    this.first = this.open(table).mapping;
  }

  /** The reading of the next table. */
  open(table: SheetTable): SourceTable {
    const [first] = this.all;
    if (first?.table === table) return first;
    const { headers, letters, format, sheet } = table;
    const { template } = this;
    const isForeign = !isOwnExport(headers);
    const keepsUnasked = this.#keepsUnasked && isForeign;
    const isLikely = this.#isBare && isForeign && !isResultsFile(headers) && this.#request.strict !== true;
    const options: SourceTable['options'] = {
      ...this.options,
      headers,
      letters,
      format,
      ...(keepsUnasked ? { keepUnknown: 'unasked' } : {}),
      ...(isLikely ? { likely: true, repeated: this.#repeated } : {}),
      ...(template === undefined ? {} : { template }),
    };
    // In a file of rows to correct, the rows above are not those of the source; for an existing item, a blank cell
    // changes nothing.
    const hasGroups = isForeign && !isResultsFile(headers) && format !== 'fields' && this.mode === 'create';
    const reading: SourceTable = {
      table,
      sheet,
      headers,
      letters,
      template,
      options,
      keepsUnasked,
      mapping: withOperands(compiled(options, table), this.change),
      order: orderOf(headers, first?.headers ?? headers),
      ...(hasGroups ? { groups: new GroupColumns(headers.length) } : {}),
    };
    this.all.push(reading);
    return reading;
  }

  /** True for the table whose column order applies to all rows. */
  isFirst(reading: SourceTable): boolean {
    return reading === this.all[0];
  }

  /** Decides each column's decimal mark; returns the tables in which ambiguous numbers are now clear. */
  resolveDecimals(): ReadonlySet<SourceTable> {
    return new Set(this.all.filter(({ mapping }) => mapping.resolveDecimals()));
  }

  /** The notes of the mappings, once all rows are read. */
  notes(jobId: string): Message[] {
    const tables = this.all.map((table) => ({ ...table, groups: table.groups?.found() }));
    return [
      ...tables.flatMap(({ mapping }) => mapping.notes(jobId)),
      ...fillDownOffers(tables).map((offer) => offerNote(offer, jobId)),
    ];
  }

  /**
   * The job's record of its columns. Complete after the last row.
   *
   * @throws UsageError `bad_rate` if there are rates, but no table has a column of amounts
   */
  plan(): JobPlan {
    const { rates } = this.options;
    const mappings = this.all.map(({ mapping }) => mapping);
    if (rates !== undefined) refuseIdleRates(rates, mappings);
    const kept = this.all.flatMap(({ table, mapping, keepsUnasked }) =>
      mapping.columns.flatMap(({ header, reason }, index) => {
        const name = nameOf(table, index);
        // A table may have any number of blank columns.
        const isData =
          header !== '' ||
          table.notes.some((note) => note.code === 'column_unnamed' && note.params.column === name);
        return keepsUnasked && isData && reason.code === 'kept' ? [name] : [];
      }),
    );
    return {
      ...planOf(this.all),
      ...(kept.length === 0 ? {} : { kept: [...new Set(kept)] }),
      ...(this.#recognised === undefined ? {} : { recognised: this.#recognised }),
    };
  }

  /** Data for judging the rows again without the file. Complete after the last row. */
  judging(rows: number): Judging {
    const { decimal } = this.options;
    return {
      revision: 0,
      pending: false,
      rows,
      ...(decimal === undefined ? {} : { decimal }),
      tagsMode: this.tagsMode,
      ...(this.change === undefined ? {} : { change: this.change }),
      tables: this.all.map(
        ({ table: { format }, sheet, headers, letters, options, mapping, order, groups }) => {
          const found = groups?.found() ?? [];
          return {
            ...(sheet === undefined ? {} : { sheet }),
            headers,
            letters,
            format,
            order,
            template: explicitTemplate(options, mapping.decimals()),
            ...(found.length === 0 ? {} : { groups: found }),
          };
        },
      ),
      steps: [],
    };
  }

  /**
   * Without a template, a new item keeps the contents of all its columns. This is not an option of the job, so that
   * files imported before this rule still have the same fingerprint.
   */
  get #keepsUnasked(): boolean {
    const { keepUnknown, dropUnknown } = this.#request;
    const isAsked = keepUnknown !== undefined || dropUnknown === true;
    return !isAsked && this.#isBare;
  }

  /** True if no option or template determines how new items are read. */
  get #isBare(): boolean {
    const isInferred = (this.template?.name ?? INFERRED) === INFERRED;
    return (isInferred || this.#recognised !== undefined) && this.mode === 'create';
  }

  /** The name of the template, if nobody asked for it. */
  get #recognised(): string | undefined {
    const name = this.template?.name ?? INFERRED;
    return this.#request.template === undefined && shippedRecognisers().has(name) ? name : undefined;
  }
}

/**
 * The indexes of the first table's columns, because sheets may have them in different orders, followed by columns that
 * only this table has.
 */
function orderOf(headers: readonly string[], first: readonly string[]): number[] {
  const left = headers.map((header) => header.toLowerCase());
  const order = first.map((header) => {
    const index = left.indexOf(header.toLowerCase());
    // Used up: the second of two columns with one name belongs to the second.
    if (index >= 0) left[index] = '\u0000';
    return index;
  });
  return [...order, ...left.flatMap((header, index) => (header === '\u0000' ? [] : [index]))];
}

function compiled(options: SourceTable['options'], table: SheetTable): Mapping {
  try {
    return compileMapping(options);
  } catch (error) {
    // The mapping does not know the file: add it to the error.
    if (!(error instanceof UsageError) || !error.code.endsWith('_column')) throw error;
    const sheet = table.sheet === undefined ? {} : { sheet: table.sheet };
    throw error.at({ file: table.file, ...sheet, row: table.headerRow });
  }
}
