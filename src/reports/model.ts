/**
 * A report as figures, before anybody decides how it looks: inventory, listings and sales build one, and the three
 * renderers (XLSX, HTML, CSV) show the same one. Amounts stay exact here; whoever shows one rounds it, once.
 */
import type { Big } from 'big.js';

export const REPORT_NAMES = ['inventory', 'listings', 'sales'] as const;
export type ReportName = (typeof REPORT_NAMES)[number];

/** null is unknown or not given: shown blank, never as 0. */
export type Value = string | number | Big | null;

/**
 * What a column holds. text and time (ISO 8601, UTC): string. count, plain (a year, an amount of minor units as the
 * API gives it) and days: integer, as a number or a Big. money: Big, exact, of the block's currency. share: a number,
 * 1 for the whole.
 */
export type Kind = 'text' | 'time' | 'count' | 'plain' | 'days' | 'money' | 'share';

export interface Column {
  /** Name of the measure in CSV. */
  key: string;
  title: string;
  kind: Kind;
  /** How a workbook computes it from other columns (by key), so that it stays right when a figure is changed. */
  formula?: { share: string } | { mean: string; by: string };
}

export interface Row {
  /** What the row is about, in CSV; '' where the items do not say (no brand, no year). */
  key: string;
  /** As many as columns. */
  values: readonly Value[];
}

/** Which columns (by key) a chart shows, one bar or point a row, in the order of the rows. */
export interface Chart {
  kind: 'bars' | 'columns' | 'lines';
  title: string;
  label: string;
  series: readonly string[];
}

/** Rows of one currency: nothing is ever added up across two blocks. */
export interface Block {
  /** Lower-case code; undefined where the rows hold no money. */
  currency: string | undefined;
  rows: readonly Row[];
  /** Sums of the count and money columns, computed from the items and not from the rows. */
  total?: Row;
  chart?: Chart;
}

export interface Section {
  /** snake_case; the section in CSV. */
  id: string;
  title: string;
  /** What a reader must know to understand the figures. */
  notes: readonly string[];
  columns: readonly Column[];
  blocks: readonly Block[];
  /** Said where there are no rows. */
  empty: string;
}

/** A figure at the head of the page. */
export interface Figure {
  label: string;
  value: Value;
  kind: Kind;
  currency?: string;
  /** A few words below it. */
  detail?: string;
}

export interface Report {
  name: ReportName;
  title: string;
  /** When it was read, ISO 8601, UTC, by our clock. */
  at: string;
  /** Where from, how complete, which selection: label and text. */
  facts: readonly (readonly [label: string, text: string])[];
  /** What should not be overlooked. */
  warnings: readonly string[];
  figures: readonly Figure[];
  sections: readonly Section[];
}
