/**
 * The cells of a simple line: quotes, if any, enclose whole cells and are closed in the same line. Most lines of most
 * files are simple, and reading them takes a tenth of the time that csv-parse takes. Pure.
 */
import type { Dialect } from './scan-records.ts';

/** @returns undefined for any other line: csv-parse reads it */
export function plainCells(line: string, { delimiter, quote }: Dialect): string[] | undefined {
  // The parser treats a lone carriage return as a line end in some places, and as text in others.
  if (line.includes('\r')) return undefined;
  let nextQuote = line.indexOf(quote);
  if (nextQuote < 0) return line.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; ; ) {
    let end: number;
    if (nextQuote === at) {
      const close = line.indexOf(quote, at + 1);
      end = close + 1;
      // A quote that is not closed in this line, a doubled quote, or text after the quote.
      if (close < 0 || (end < line.length && line[end] !== delimiter)) return undefined;
      cells.push(line.slice(at + 1, close));
      nextQuote = line.indexOf(quote, end);
    } else {
      end = line.indexOf(delimiter, at);
      if (end < 0) end = line.length;
      // A quote within a cell.
      if (nextQuote >= 0 && nextQuote < end) return undefined;
      cells.push(line.slice(at, end));
    }
    if (end === line.length) return cells;
    at = end + 1;
  }
}
