/**
 * Detects encoding, delimiter, quote and line ends of a text file from its first 256 KB.
 *
 * Pure. A guess is never final: it is shown to the person, and `--encoding` and `--delimiter` override it.
 */
import iconv from 'iconv-lite';
import { type Dialect, scanRecords } from './scan-records.ts';
import { type SniffedEncoding, sniffEncoding } from './sniff-encoding.ts';

export interface Sniffed extends SniffedEncoding {
  delimiter: string;
  quote: '"' | "'";
  /** Line ends of records, for the parser: the longest first. */
  lineEnds: string[];
  /** The file's first line is `sep=;`. */
  separatorLine: boolean;
  /** Number of cells of most records; 0 if there are no records. */
  width: number;
}

const DELIMITERS = [',', ';', '\t', '|'];

/** Sniffs `head`, the file's first bytes. `whole` is true if this is the whole file. */
export function sniff(
  head: Buffer,
  whole: boolean,
  wanted: { delimiter?: string; encoding?: string },
): Sniffed {
  const found = sniffEncoding(head, whole);
  const encoding = wanted.encoding ?? found.encoding;
  const bomBytes = encoding === found.encoding ? found.bomBytes : 0;
  const text = iconv.decode(head.subarray(bomBytes), encoding, { stripBOM: false });
  const separator = /^"?sep=(.)"?(?:\r\n|\n|\r)/u.exec(text);
  const body = separator === null ? text : text.slice(separator[0].length);
  const quote = sniffQuote(body);
  // The last record counts only where it is known to be whole.
  const records = whole ? `${body}\n` : body;
  const delimiter = wanted.delimiter ?? separator?.[1] ?? sniffDelimiter(records, quote);
  return {
    encoding,
    bomBytes,
    ascii: wanted.encoding === undefined && found.ascii,
    ...(wanted.encoding === undefined && found.other !== undefined ? { other: found.other } : {}),
    delimiter,
    quote,
    lineEnds: sniffLineEnds(body, { delimiter, quote }),
    separatorLine: separator !== null,
    width: usualWidth(scanRecords(records, { delimiter, quote }, 300).widths),
  };
}

/** `'` only if there is no `"` and several fields are wrapped in `'`. */
function sniffQuote(text: string): '"' | "'" {
  if (text.includes('"')) return '"';
  const wrapped = text.match(/(?:^|[,;\t|\n\r])'[^'\n\r]*'(?=[,;\t|\n\r]|$)/gu)?.length ?? 0;
  return wrapped >= 3 ? "'" : '"';
}

interface DelimiterGuess {
  delimiter: string;
  /** Cells of each of the first records. */
  widths: number[];
  score: number;
}

/**
 * The delimiter that cuts most records into the same number of cells; more cells win among equals.
 * Text with commas in a semicolon file loses because its number of commas changes from row to row.
 */
function sniffDelimiter(text: string, quote: '"' | "'"): string {
  const guesses = DELIMITERS.filter((delimiter) => text.includes(delimiter)).map((delimiter) => {
    const { widths } = scanRecords(text, { delimiter, quote }, 300);
    return { delimiter, widths, score: evenness(widths) };
  });
  const left = guesses.filter((each) => !guesses.some((other) => cutsHeaderOf(each, other)));
  return left.reduce((best, each) => (each.score > best.score + 1e-9 ? each : best), {
    delimiter: ',',
    score: 0,
  }).delimiter;
}

function evenness(widths: readonly number[]): number {
  const cut = Map.groupBy(
    widths.filter((width) => width > 1),
    (width) => width,
  );
  const scores = [...cut].map(([width, { length }]) => (length / widths.length) * (1 + Math.log2(width)));
  return Math.max(0, ...scores);
}

/** Whether `guess` leaves the header whole, as semicolons of HTML do, and `other` cuts it and most rows. */
function cutsHeaderOf(guess: DelimiterGuess, other: DelimiterGuess): boolean {
  const first = guess.widths.findIndex((width) => width > 1);
  if (first < 1) return false;
  // Below a title with a comma, the first record that the guess cuts is the header.
  const isCut = other.widths.slice(0, first + 1).every((width) => width > 1);
  return isCut && other.widths.filter((width) => width > 1).length * 2 > other.widths.length;
}

function sniffLineEnds(text: string, dialect: Dialect): string[] {
  const { carriageReturns, lineFeeds } = scanRecords(text, dialect, 2000);
  if (carriageReturns > lineFeeds) return ['\r\n', '\n', '\r'];
  return ['\r\n', '\n'];
}

/** The width that occurs most often; of several the greatest. */
function usualWidth(widths: readonly number[]): number {
  const uses = new Map<number, number>();
  for (const width of widths) uses.set(width, (uses.get(width) ?? 0) + 1);
  let best = 0;
  for (const [width, count] of uses) {
    const most = uses.get(best) ?? 0;
    if (count > most || (count === most && width > best)) best = width;
  }
  return best;
}
