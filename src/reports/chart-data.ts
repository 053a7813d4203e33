/** The rows and columns of a block that its chart shows, for pages and workbooks. */
import type { Block, Column, Row } from './model.ts';

/** Maximum number of bars that a reader can distinguish. */
export const MAX_BARS = 12;

export interface ChartRows {
  /** The first rows of the block, as many as the chart shows. */
  rows: readonly Row[];
  label: number;
  /** Indexes of columns, and their titles. */
  series: readonly { index: number; column: Column }[];
}

/**
 * undefined if there is nothing to show: no row has a figure above 0, or there is only one row.
 *
 * Only leading rows are charted, so that they are adjacent in a workbook's sheet too.
 */
export function chartRows(block: Block, columns: readonly Column[]): ChartRows | undefined {
  const { chart } = block;
  if (chart === undefined) return undefined;
  const place = (key: string) => columns.findIndex((column) => column.key === key);
  const series = chart.series.flatMap((key) => {
    const index = place(key);
    const column = columns[index];
    return column === undefined ? [] : [{ index, column }];
  });
  const rows = chart.kind === 'bars' ? block.rows.slice(0, MAX_BARS) : block.rows;
  const positive = rows.some((row) => series.some(({ index }) => numberAt(row, index) > 0));
  return positive && rows.length > 1 ? { rows, label: place(chart.label), series } : undefined;
}

/** For drawing only: a float, 0 for unknown values. */
export function numberAt(row: Row, index: number): number {
  const value = row.values[index] ?? null;
  if (value === null || typeof value === 'string') return 0;
  const number = Number(value);
  return Number.isFinite(number) ? number : 0;
}
