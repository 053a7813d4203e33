export interface Dialect {
  delimiter: string;
  quote: string;
}

export interface Scan {
  /** Cells of each record that is not blank. */
  widths: number[];
  /** Records that end in a lone CR, and in LF or CRLF. */
  carriageReturns: number;
  lineFeeds: number;
}

/**
 * The shape of a text's first records under one delimiter and quote, without building any cell.
 * A quote counts only at the beginning of a cell, as in the parser. The last, cut record is left out unless it
 * is the only one.
 */
export function scanRecords(text: string, dialect: Dialect, maxRecords: number): Scan {
  const delimiter = dialect.delimiter.charCodeAt(0);
  const quote = dialect.quote.charCodeAt(0);
  const scan: Scan = { widths: [], carriageReturns: 0, lineFeeds: 0 };
  let width = 1;
  let cellStart = 0;
  let recordStart = 0;
  let records = 0;
  for (let at = 0; at < text.length && records < maxRecords; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote && at === cellStart) {
      at = closingQuote(text, at, dialect.quote);
    } else if (code === delimiter) {
      width += 1;
      cellStart = at + 1;
    } else if (code === 0x0a || code === 0x0d) {
      const feed = code === 0x0a || text.charCodeAt(at + 1) === 0x0a;
      if (feed) scan.lineFeeds += 1;
      else scan.carriageReturns += 1;
      if (at > recordStart) scan.widths.push(width);
      if (feed && code === 0x0d) at += 1;
      width = 1;
      cellStart = at + 1;
      recordStart = cellStart;
      records += 1;
    }
  }
  if (scan.widths.length === 0 && text.length > recordStart) scan.widths.push(width);
  return scan;
}

/** For each cell of one record, whether it is in quotes. */
export function quotedCells(record: string, { delimiter, quote }: Dialect): boolean[] {
  const quoted: boolean[] = [];
  for (let at = 0; at >= 0; ) {
    const isQuoted = record[at] === quote;
    quoted.push(isQuoted);
    const end = record.indexOf(delimiter, isQuoted ? closingQuote(record, at, quote) : at);
    at = end < 0 ? -1 : end + delimiter.length;
  }
  return quoted;
}

function closingQuote(text: string, open: number, quote: string): number {
  let at = open;
  for (;;) {
    at = text.indexOf(quote, at + 1);
    if (at === -1) return text.length;
    if (text[at + 1] !== quote) return at;
    at += 1;
  }
}
