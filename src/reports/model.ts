/**
 * A report as figures, independent of its format: inventory, listings and sales build one, and the three renderers
 * (XLSX, HTML, CSV) show it. Amounts are exact here; they are rounded once, when they are displayed.
 */
import type { Big } from 'big.js';
import type { Message } from '../messages/params.ts';

export const REPORT_NAMES = ['inventory', 'listings', 'sales'] as const;
export type ReportName = (typeof REPORT_NAMES)[number];

/** null means unknown or not given. It is shown blank, never as 0. */
export type Value = string | number | Big | null;

/**
 * The type of a column. text and time (ISO 8601, UTC): string. count, plain (a year, or an amount in minor units as
 * the API gives it) and days: integer, as a number or a Big. money: Big, exact, in the block's currency. share: a
 * number, 1 for the whole.
 */
export type Kind = 'text' | 'time' | 'count' | 'plain' | 'days' | 'money' | 'share';

export interface Column {
  /** Name of the measure in CSV. */
  key: string;
  title: string;
  kind: Kind;
  /** How a workbook computes it from other columns (by key), so that it follows when a figure is edited. */
  formula?: { share: string } | { mean: string; by: string };
}

export interface Row {
  /** The row's key in CSV; '' for items without the property (no brand, no year). */
  key: string;
  /** One value per column. */
  values: readonly Value[];
}

/** The columns (by key) of a chart, with a bar or point for each row, in row order. */
export interface Chart {
  kind: 'bars' | 'columns' | 'lines';
  title: string;
  label: string;
  series: readonly string[];
}

/** Rows of one currency: amounts of different blocks are never added together. */
export interface Block {
  /** Lower-case code of the rows' money, or of the items that they count; undefined if they have neither. */
  currency: string | undefined;
  rows: readonly Row[];
  /** Sums of the count and money columns, computed from the items rather than the rows. */
  total?: Row;
  chart?: Chart;
}

export interface Section {
  /** snake_case; the section in the CSV. */
  id: string;
  title: string;
  /** Notes that a reader needs to understand the figures. */
  notes: readonly string[];
  columns: readonly Column[];
  blocks: readonly Block[];
  /** Text to show if there are no rows. */
  empty: string;
}

/** A figure at the top of the page. */
export interface Figure {
  /** snake_case, stable when labels are reworded. Figures with the same key differ by currency. */
  key: string;
  label: string;
  value: Value;
  kind: Kind;
  currency?: string;
  /** A few words below the figure. */
  detail?: string;
}

export interface Report<Name extends string = string> {
  name: Name;
  title: string;
  /** When the data was read: ISO 8601, UTC, by our clock. */
  at: string;
  /** Source, completeness and selection, as label and text. */
  facts: readonly (readonly [label: string, text: string])[];
  /** Warnings that a reader should not overlook. */
  warnings: readonly Message[];
  figures: readonly Figure[];
  sections: readonly Section[];
}
