/** A table for review, in which single cells are marked: a plan, or the difference of two exports. */
import type { MarkedCell } from './xlsx/write-marked.ts';

export interface MarkedTable {
  title: string;
  /** Workbook: name of the sheet with the rows. */
  sheet: string;
  /** Name and value of each total. */
  summary: [string, string][];
  columns: string[];
  rows: () => AsyncGenerator<MarkedCell[][], void>;
}

/** The text for an empty value next to a new one. */
export const BLANK = '(blank)';

/** `old → new`, marked by whether either is empty. */
export function changedCell(from: string, to: string): MarkedCell {
  const text = `${from === '' ? BLANK : from} → ${to === '' ? BLANK : to}`;
  return { text, mark: to === '' ? 'emptied' : from === '' ? 'added' : 'changed' };
}
