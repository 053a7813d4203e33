/** The tables of one file, each with the mapping of its own columns; their rows are kept in the first one's order. */
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

/** A table that is read, or was. */
export interface Reading {
  mapping: Mapping;
  table: SheetTable;
  /** Rows with a greater ordinal are this table's, up to the next one's. */
  from: number;
  /** For each column of the first table, the column of this one: sheets may order the same columns differently. */
  order: number[];
}

export class Readings {
  readonly mode: JobRecord['mode'];
  /** Fields by which rows find their items; none for creates. */
  readonly match: string[];
  readonly tagsMode: TagsMode;
  readonly template: Template | undefined;
  /** What flags say of the mapping, whatever the table. */
  readonly options: Omit<MappingOptions, 'headers' | 'letters' | 'format'>;
  readonly first: Mapping;
  readonly #all: Reading[] = [];

  /**
   * Compiles the first table's mapping before anything is staged: a missing name column is an error of the command,
   * not of rows.
   *
   * @throws UsageError with the file's place
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
  open(table: SheetTable, from: number): Reading {
    const [first] = this.#all;
    if (first?.table === table) return first;
    const left = table.headers.map((header) => header.toLowerCase());
    const order = (first?.table.headers ?? []).map((header) => {
      const index = left.indexOf(header.toLowerCase());
      // Taken: of two columns with one name, the second goes with the second.
      if (index >= 0) left[index] = '\u0000';
      return index;
    });
    const reading = { mapping: this.#compile(table), table, from, order };
    this.#all.push(reading);
    return reading;
  }

  /** True for the table whose order of columns all rows are kept in. */
  isFirst(reading: Reading): boolean {
    return reading === this.#all[0];
  }

  /** Settles what the columns' numbers have left open; gives the readings in which something has become clear. */
  settleNumbers(): ReadonlySet<Reading> {
    return new Set(this.#all.filter(({ mapping }) => mapping.settleNumbers()));
  }

  /** The reading that a row came from. */
  of(ordinal: number): Reading | undefined {
    return this.#all.findLast((each) => each.from < ordinal);
  }

  /** What the mappings have to say, once all rows are read. */
  notes(): string[] {
    return this.#all.flatMap(({ mapping }) => mapping.notes());
  }

  /** Which column holds the amounts, and in which currencies they were, where any showed one. */
  amounts(): JobOptions['amounts'] {
    const found = this.#all.flatMap(({ mapping }) => {
      const source = mapping.amountSource();
      return source === undefined ? [] : [{ mapping, source }];
    });
    const [first] = found;
    if (first === undefined) return undefined;
    // The rows' texts are kept in the order of the first table's columns.
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
}
