/**
 * What the first 256 KB of a text file say about it: encoding, delimiter, quote and line ends.
 *
 * Pure. A guess is never final: it is shown to the person, and `--encoding` and `--delimiter` win over it.
 */
import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { type Dialect, scanRecords } from './scan-records.ts';

export interface Sniffed {
  encoding: Encoding;
  /** Bytes of a byte order mark to leave out. */
  bomBytes: number;
  /** True where not a single byte beyond ASCII was seen: UTF-8 is then an assumption. */
  ascii: boolean;
  delimiter: string;
  quote: '"' | "'";
  /** Line ends of records, for the parser: the longest first. */
  lineEnds: string[];
  /** The file's first line is `sep=;`. */
  separatorLine: boolean;
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'shift_jis';

const DELIMITERS = [',', ';', '\t', '|'];

/** What `head`, the file's first bytes, looks like. `whole` says that the file ends with it. */
export function sniff(
  head: Buffer,
  whole: boolean,
  wanted: { delimiter?: string; encoding?: Encoding },
): Sniffed {
  const found = sniffEncoding(head, whole);
  const encoding = wanted.encoding ?? found.encoding;
  const bomBytes = encoding === found.encoding ? found.bomBytes : 0;
  const text = iconv.decode(head.subarray(bomBytes), encoding, { stripBOM: false });
  const separator = /^"?sep=(.)"?(?:\r\n|\n|\r)/u.exec(text);
  const body = separator === null ? text : text.slice(separator[0].length);
  const quote = sniffQuote(body);
  const delimiter = wanted.delimiter ?? separator?.[1] ?? sniffDelimiter(body, quote);
  return {
    encoding,
    bomBytes,
    ascii: found.ascii,
    delimiter,
    quote,
    lineEnds: sniffLineEnds(body, { delimiter, quote }),
    separatorLine: separator !== null,
  };
}

function sniffEncoding(
  head: Buffer,
  whole: boolean,
): { encoding: Encoding; bomBytes: number; ascii: boolean } {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) {
    return { encoding: 'utf-8', bomBytes: 3, ascii: false };
  }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', bomBytes: 2, ascii: false };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', bomBytes: 2, ascii: false };
  const wide = sniffWide(head);
  if (wide !== undefined) return { encoding: wide, bomBytes: 0, ascii: false };
  const ascii = !head.some((byte) => byte >= 0x80);
  const end = whole ? head.length : head.length - incompleteTail(head);
  const encoding = isUtf8(head.subarray(0, end)) || mostlyUtf8(head) ? 'utf-8' : 'windows-1252';
  return { encoding, bomBytes: 0, ascii };
}

/** UTF-16 without a mark: zero bytes on one side of most pairs (Latin letters, delimiters, line ends). */
function sniffWide(head: Buffer): Encoding | undefined {
  const pairs = Math.min(head.length >> 1, 2048);
  let even = 0;
  let odd = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    if (head[pair * 2] === 0) even += 1;
    if (head[pair * 2 + 1] === 0) odd += 1;
  }
  if (pairs > 1 && odd > pairs * 0.4 && even < pairs * 0.05) return 'utf-16le';
  if (pairs > 1 && even > pairs * 0.4 && odd < pairs * 0.05) return 'utf-16be';
  return undefined;
}

/** A damaged UTF-8 file is still UTF-8: far more whole sequences than bytes that fit none. */
function mostlyUtf8(head: Buffer): boolean {
  const text = head.toString('utf8');
  let good = 0;
  let bad = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) bad += 1;
    else if (code > 0x7f) good += 1;
  }
  return good > bad * 4;
}

/** Bytes at the end that begin a UTF-8 sequence which the next bytes would complete: 0 to 3. */
export function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? back : 0;
    }
  }
  return 0;
}

/** `'` only where no `"` is there and several fields are wrapped in it. */
function sniffQuote(text: string): '"' | "'" {
  if (text.includes('"')) return '"';
  const wrapped = text.match(/(?:^|[,;\t|\n\r])'[^'\n\r]*'(?=[,;\t|\n\r]|$)/gu)?.length ?? 0;
  return wrapped >= 3 ? "'" : '"';
}

/**
 * The delimiter that cuts most records into the same number of cells; more cells win among equals.
 * Text with commas in a semicolon file loses because its number of commas changes from row to row.
 */
function sniffDelimiter(text: string, quote: '"' | "'"): string {
  let best = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    if (!text.includes(delimiter)) continue;
    const widths = scanRecords(text, { delimiter, quote }, 300).widths;
    const uses = new Map<number, number>();
    for (const width of widths) if (width > 1) uses.set(width, (uses.get(width) ?? 0) + 1);
    for (const [width, count] of uses) {
      const score = (count / widths.length) * (1 + Math.log2(width));
      if (score > bestScore + 1e-9) {
        bestScore = score;
        best = delimiter;
      }
    }
  }
  return best;
}

function sniffLineEnds(text: string, dialect: Dialect): string[] {
  const { carriageReturns, lineFeeds } = scanRecords(text, dialect, 2000);
  if (carriageReturns > lineFeeds) return ['\r\n', '\n', '\r'];
  return ['\r\n', '\n'];
}
