/** Reports as data: the figures that a page or workbook shows, in plain values. */
import { english } from '../messages/message.ts';
import type { MadeReport } from '../reports/report.ts';
import type * as model from '../reports/model.ts';
import { machineText } from '../reports/value-text.ts';

/** null means unknown or not given, never 0. Money is an exact decimal text in major units: `1234.50`. */
export type ReportValue = string | number | null;

/** Kind of a column or figure. `share`: 1 is the whole. `plain`: a year, or an amount in minor units. */
export type ReportKind = 'text' | 'time' | 'count' | 'plain' | 'days' | 'money' | 'share';

/** A figure of the whole report. */
export interface ReportFigure {
  /** snake_case, stable. Figures of one key differ by `currency`. */
  key: string;
  /** Label for people. */
  label: string;
  /** The value of the figure. */
  value: ReportValue;
  /** The kind of value. */
  kind: ReportKind;
  /** Currency of a money value, in lower case. */
  currency?: string;
  /** A short explanation. */
  detail?: string;
}

/** A column of a section. */
export interface ReportColumn {
  /** snake_case. */
  key: string;
  /** Heading, for people. */
  title: string;
  /** The kind of its values. */
  kind: ReportKind;
}

/** A row of a section: its values by the keys of the columns. */
export interface ReportRow {
  /** The property value that the row is about; '' for items without the property. */
  key: string;
  /** Key of a column → value. */
  values: Record<string, ReportValue>;
}

/** The rows of one currency. Amounts of different blocks are never added together. */
export interface ReportBlock {
  /** Code in lower case; undefined if the rows have no money. */
  currency?: string;
  /** In reading order. */
  rows: ReportRow[];
  /** Sums of counts and money. */
  total?: ReportRow;
}

/** A table of a report. */
export interface ReportSection {
  /** snake_case. */
  id: string;
  /** Heading, for people. */
  title: string;
  /** Notes that explain the figures. */
  notes: string[];
  /** Columns from left to right. */
  columns: ReportColumn[];
  /** One for each currency; one if there is no money. */
  blocks: ReportBlock[];
}

/** A report: its figures, and the completeness of the data behind them. */
export interface Report {
  /** Which report it is. */
  name: 'inventory' | 'listings' | 'sales';
  /** Heading, for people. */
  title: string;
  /** When the data was read. */
  at: Date;
  /** Number of items, listings or readings of sales in it. */
  rows: number;
  /** `moved` if the list changed while it was read: items may be missing. */
  consistency: 'stable' | 'moved';
  /** How often the list was read. */
  passes: number;
  /** When the inventory for comparison was read; null if there is none. */
  comparedWith: Date | null;
  /** Source, selection and completeness: label and text. */
  facts: {
    /** Label of the figure. */
    label: string;
    /** As the report writes it. */
    text: string;
  }[];
  /** Warnings. */
  warnings: string[];
  /** The main figures. */
  figures: ReportFigure[];
  /** The tables. */
  sections: ReportSection[];
  /** Present if a file was requested. */
  written?: {
    /** Absolute path. */
    file: string;
    /** The format, from the ending of the path. */
    format: 'xlsx' | 'html' | 'csv';
    /** Size of the file. */
    bytes: number;
    /** Hash of the file, in hexadecimal digits. */
    sha256: string;
    /** Absolute path of its manifest. */
    manifest: string;
  };
}

/** The report in plain values. */
export function reportData({ report, written, rows, consistency, passes, comparedWith }: MadeReport): Report {
  const { name, title, at, facts, warnings, figures, sections } = report;
  return {
    name,
    title,
    at: new Date(at),
    rows,
    consistency,
    passes,
    comparedWith: comparedWith === null ? null : new Date(comparedWith),
    facts: facts.map(([label, text]) => ({ label, text })),
    warnings: warnings.map(english),
    figures: figures.map((figure) => ({
      ...figure,
      value: plain(figure.value, figure.kind, figure.currency),
    })),
    sections: sections.map((section) => ({
      id: section.id,
      title: section.title,
      notes: [...section.notes],
      columns: section.columns.map(({ key, title: heading, kind }) => ({ key, title: heading, kind })),
      blocks: section.blocks.map((block) => blockData(block, section.columns)),
    })),
    ...(written === undefined ? {} : { written }),
  };
}

function blockData({ currency, rows, total }: model.Block, columns: readonly model.Column[]): ReportBlock {
  const rowData = ({ key, values }: model.Row): ReportRow => ({
    key,
    values: Object.fromEntries(
      columns.map(({ key: column, kind }, index) => [column, plain(values[index] ?? null, kind, currency)]),
    ),
  });
  return {
    ...(currency === undefined ? {} : { currency }),
    rows: rows.map(rowData),
    ...(total === undefined ? {} : { total: rowData(total) }),
  };
}

function plain(value: model.Value, kind: model.Kind, currency: string | undefined): ReportValue {
  if (value === null || typeof value === 'string') return value;
  if (kind === 'money') return machineText(value, kind, currency);
  const number = Number(value);
  // A sum of minor units may be longer than a number is exact.
  return kind === 'share' || Number.isSafeInteger(number) ? number : machineText(value, kind, currency);
}
