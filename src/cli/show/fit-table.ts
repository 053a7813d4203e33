/** Fits a table to the terminal: the widest columns become narrower, and cut text ends with an ellipsis. */
import { oneLine } from './words.ts';

const GAP = '  ';
/** Columns do not become narrower than this. */
const MIN_WIDTH = 8;

/** @param width characters of a line */
export function fitTable(rows: readonly (readonly string[])[], width: number): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, length(cell));
  const room = Math.max(width - GAP.length * (widths.length - 1), MIN_WIDTH * widths.length);
  while (sum(widths) > room) {
    const widest = widths.indexOf(Math.max(...widths));
    const next = Math.max(0, ...widths.filter((_, index) => index !== widest));
    // In one step: down to the width of the next column, or as far as needed.
    const excess = sum(widths) - room;
    widths[widest] = Math.max(
      MIN_WIDTH,
      Math.min((widths[widest] ?? 0) - 1, Math.max(next, (widths[widest] ?? 0) - excess)),
    );
  }
  return rows
    .map((row) =>
      row
        .map((cell, index) => pad(cut(cell, widths[index] ?? 0), widths[index] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function sum(widths: readonly number[]): number {
  return widths.reduce((all, each) => all + each, 0);
}

function length(text: string): number {
  return [...text].length;
}

function cut(text: string, width: number): string {
  const clean = oneLine(text);
  return length(clean) <= width ? clean : `${[...clean].slice(0, Math.max(0, width - 1)).join('')}…`;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - length(text)));
}
