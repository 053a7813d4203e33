/** The tables of one file, each with a mapping of its own columns; rows are stored in the first table's order. */
import { UsageError } from '../../errors.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { compileMapping } from '../../mapping/compile.ts';
import type { Mapping, MappingOptions } from '../../mapping/mapping.ts';
import { templateMode } from '../../mapping/template/template-mode.ts';
import { columnOptions, type Template } from '../../mapping/template/template.ts';
import type { SheetTable } from '../../sheets/table.ts';
import type { ImportRequest } from '../job/options.ts';
import type { TagsMode } from '../changes/row-patch.ts';
import type { JobOptions } from '../../ledger/job-options.ts';

const CURRENCIES_KEPT = 50;

/** A table that is being read or was read. */
export interface SourceTable {
  mapping: Mapping;
  table: SheetTable;
  /** Rows with a greater ordinal belong to this table, up to the next one's. */
  from: number;
  /** For each column of the first table, the column of this one: sheets may have the columns in different orders. */
  order: number[];
}

export class SourceTables {
  readonly mode: JobRecord['mode'];
  /** Fields that identify the items of rows; none for creates. */
  readonly match: string[];
  readonly tagsMode: TagsMode;
  readonly template: Template | undefined;
  /** The options of the mapping that do not depend on the table. */
  readonly options: Omit<MappingOptions, 'headers' | 'letters' | 'format'>;
  readonly first: Mapping;
  readonly #all: SourceTable[] = [];

  /**
   * Compiles the first table's mapping before anything is staged: a missing name column is an error of the command, not
   * of each row.
   *
   * @throws UsageError with the position in the file
   */
  constructor(request: ImportRequest, template: Template | undefined, table: SheetTable) {
    this.template = template;
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
    };
    this.first = this.#compile(table);
    this.#all.push({ mapping: this.first, table, from: 0, order: headers.map((_, index) => index) });
  }

  /** The reading of a table that is next; `from` rows came before it. */
  open(table: SheetTable, from: number): SourceTable {
    const [first] = this.#all;
    if (first?.table === table) return first;
    const left = table.headers.map((header) => header.toLowerCase());
    const order = (first?.table.headers ?? []).map((header) => {
      const index = left.indexOf(header.toLowerCase());
      // Used up: the second of two columns with one name belongs to the second.
      if (index >= 0) left[index] = '\u0000';
      return index;
    });
    const reading = { mapping: this.#compile(table), table, from, order };
    this.#all.push(reading);
    return reading;
  }

  /** True for the table whose order of columns all rows have. */
  isFirst(reading: SourceTable): boolean {
    return reading === this.#all[0];
  }

  /** Settles what the columns' numbers have left open; gives the sourceTables in which something has become clear. */
  resolveDecimals(): ReadonlySet<SourceTable> {
    return new Set(this.#all.filter(({ mapping }) => mapping.settleNumbers()));
  }

  /** The reading that a row came from. */
  of(ordinal: number): SourceTable | undefined {
    return this.#all.findLast((each) => each.from < ordinal);
  }

  /** The notes of the mappings, once all rows are read. */
  notes(): string[] {
    return this.#all.flatMap(({ mapping }) => mapping.notes());
  }

  /** The column of amounts and their currencies, if any amount shows one. */
  amounts(): JobOptions['amounts'] {
    const found = this.#all.flatMap(({ mapping }) => {
      const source = mapping.amountSource();
      return source === undefined ? [] : [{ mapping, source }];
    });
    const [first] = found;
    if (first === undefined) return undefined;
    // Rows are stored in the order of the first table's columns.
    const place = (column: number) =>
      this.first.columns.findIndex(({ header }) => header === first.mapping.columns[column]?.header);
    const { index, joined } = first.source;
    const inFirst = first.mapping.columns === this.first.columns ? (column: number) => column : place;
    const seen = found.flatMap(({ source }) => source.seen).slice(0, CURRENCIES_KEPT);
    const places = joined === undefined ? {} : { joined: joined.map(inFirst) };
    return { ...first.source, index: inFirst(index), ...places, seen };
  }

  #compile(table: SheetTable): Mapping {
    const { headers, letters, format } = table;
    const options = { ...this.options, headers, letters, format };
    try {
      return compileMapping(this.template === undefined ? options : { ...options, template: this.template });
    } catch (error) {
      // The mapping does not know the file: add it to the error.
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
}
