/**
 * Bytes → rows: csv-parse's tokens, the row and line numbers that people count by, and a way to continue after a quote
 * that was never closed.
 *
 * csv-parse's parser is called without the stream around it, and without `on_record`, which builds an object of
 * its whole state for each record (5.0 s and 126 MB against 4.6 s and 67 MB a million rows of 12 columns).
 *
 * Simple lines at the beginning of the file (plain-line.ts) do not go through csv-parse, which takes 6 µs instead of 1
 * µs for a line of 12 cells: a quarter of a dry run. csv-parse reads everything from the first other line on.
 *
 * A stray quote makes one cell of all lines up to the next quote. Such a record is read again from its second line on
 * if those lines look like rows of this table; its first line is a row with a problem. The bytes that are read again
 * are limited, so that no file can make a reader slow by its quotes.
 */
import { message } from '../../messages/message.ts';
import { Parser } from 'csv-parse';
import type { CsvError } from 'csv-parse';
import iconv from 'iconv-lite';
import { limits } from '../limits.ts';
import { type RawRow, rowProblem } from '../raw-row.ts';
import type { Piece } from './decode.ts';
import { plainCells } from './plain-line.ts';
import { quotedCells } from './scan-records.ts';
import type { Sniffed } from './sniff.ts';
import { linesEachOfWidth, literalCells, lookLikeRows, secondLine } from './swallowed-lines.ts';

/** The parts of csv-parse 7.0.3 that are used beneath its public stream. */
interface Internals {
  api: {
    parse(
      bytes: Buffer | undefined,
      end: boolean,
      push: (record: string[]) => void,
      close: () => void,
    ): CsvError | undefined;
  };
  info: { lines: number; bytes: number };
  state: {
    quoting: boolean;
    record: string[];
    field: { prepend(quote: Buffer): void; toString(encoding: string): string };
  };
}

/** At this size an open record is examined for swallowed lines, and again at each doubling. */
const FIRST_LOOK_BYTES = 64 * 1024;
/** A tail of at most this size may be one bad row; more would be most of the file. */
const BAD_TAIL_BYTES = 64 * 1024;
/** Minimum cost of reading again, in bytes of the budget: a new parser must be made. */
const MIN_COST = 4096;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Longer lines are left to csv-parse, which does not examine a line's beginning again with each piece. */
const MAX_PLAIN_BYTES = 64 * 1024;
/** Thrown out of the parser when the record that it just ended is to be read again from its second line on. */
const SWALLOWED = Symbol('swallowed lines');

export class RowParser {
  private readonly sniffed: Sniffed;
  private parser!: Internals;
  /** Where the parser's own count of bytes began. */
  private base = 0;
  /** Where the current record begins: row and line from 1, `offset` in bytes of the input. */
  private readonly place = { number: 1, line: 1, offset: 0 };
  private rows: RawRow[] = [];
  private pieces: (Piece & { from: number })[] = [];
  private fed = 0;
  private parsedLines = 0;
  private nextLook = FIRST_LOOK_BYTES;
  /** Bytes that may still be read again. */
  private again: number = limits.rereadBytes;
  private skipFirst: boolean;
  /** Rows of one line whose quotes do not follow RFC 4180; undefined if there are none. */
  oddQuotes: { rows: number; firstLine: number } | undefined;
  /** True if this record has a closing quote followed by text. */
  private strayQuote = false;
  /** True if no line has needed csv-parse so far. */
  private isPlain: boolean;

  constructor(sniffed: Sniffed) {
    this.sniffed = sniffed;
    this.skipFirst = sniffed.separatorLine;
    this.isPlain = !sniffed.separatorLine && !sniffed.lineEnds.includes('\r');
    this.start();
  }

  /** @throws CsvError for a record that is too long */
  feed(piece: Piece): void {
    if (piece.bytes.length === 0) return;
    this.pieces.push({ ...piece, from: this.fed });
    this.fed += piece.bytes.length;
    if (this.isPlain) this.takePlainLines();
    else this.parseOn(piece.bytes);
    this.letGo();
    while (this.parser.state.quoting && this.fed - this.place.offset >= this.nextLook) {
      this.nextLook *= 2;
      if (!this.goOnBehindFirstLine(false)) break;
    }
  }

  /** Call after the last piece. @throws CsvError if an open quote took the rest of the file, and that rest is not rows */
  finish(): void {
    if (this.isPlain) this.leavePlain();
    for (;;) {
      const error = this.parse(undefined, true);
      if (error === undefined) break;
      if (error.code === 'CSV_QUOTE_NOT_CLOSED' && this.goOnBehindFirstLine(true)) continue;
      if (error.code !== 'CSV_QUOTE_NOT_CLOSED' || this.fed - this.place.offset > BAD_TAIL_BYTES) throw error;
      const { record, field } = this.parser.state;
      this.addRow([...record, field.toString('utf8')], this.restTaken());
      break;
    }
    this.pieces = [];
  }

  takeRows(): RawRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  /** Where the next row begins; `byte` is the file's. */
  get position(): { row: number; line: number; byte: number } {
    const { number: row, line, offset } = this.place;
    return { row, line, byte: this.fileByte(offset) };
  }

  private takePlainLines(): void {
    const bytes = this.slice(this.place.offset, this.fed);
    for (let from = 0; ; ) {
      const end = bytes.indexOf(LINE_FEED, from);
      if ((end < 0 ? bytes.length : end) - from > MAX_PLAIN_BYTES) return this.leavePlain();
      if (end < 0) return;
      const line = bytes.toString('utf8', from, bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
      const cells = plainCells(line, this.sniffed);
      if (cells === undefined) return this.leavePlain();
      this.rows.push({ number: this.place.number, line: this.place.line, cells });
      this.place.number += 1;
      this.place.line += 1;
      this.place.offset += end + 1 - from;
      from = end + 1;
    }
  }

  /** Switches to csv-parse, from the current line on. */
  private leavePlain(): void {
    this.isPlain = false;
    this.base = this.place.offset;
    this.parseOn(this.slice(this.place.offset, this.fed));
  }

  private parseOn(bytes: Buffer): void {
    const error = this.parse(bytes, false);
    if (error !== undefined) throw error;
  }

  private start(): void {
    const { delimiter, quote, lineEnds } = this.sniffed;
    this.parser = new Parser({
      delimiter,
      quote,
      escape: quote,
      record_delimiter: lineEnds,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: limits.recordCharacters,
    }) as unknown as Internals;
    this.base = this.place.offset;
    // The parser counts a line at the beginning of the next line: when the first record ends, its count
    // is still 1.
    this.parsedLines = 0;
    this.nextLook = FIRST_LOOK_BYTES;
    this.noticeStrayQuotes();
  }

  /**
   * The parser does not report a quoted cell that continues after its closing quote; it repairs the cell by putting the
   * opening quote back, and that call is the only trace (csv-parse 7.0.3).
   */
  private noticeStrayQuotes(): void {
    const { field } = this.parser.state;
    const prepend = field.prepend.bind(field);
    field.prepend = (quote) => {
      this.strayQuote = true;
      prepend(quote);
    };
  }

  private parse(bytes: Buffer | undefined, end: boolean): CsvError | undefined {
    let next = bytes;
    for (;;) {
      try {
        const error = this.parser.api.parse(next, end && next === undefined, this.onRecord, () => {});
        if (error !== undefined || !end || next === undefined) return error;
        next = undefined;
      } catch (thrown) {
        if (thrown !== SWALLOWED) throw thrown;
        next = this.restart();
      }
    }
  }

  private readonly onRecord = (record: string[]): void => {
    const { info } = this.parser;
    // The parser counts a CRLF within a cell twice, so its count shows only that there are such cells.
    const severalLines = info.lines - this.parsedLines > 1;
    this.parsedLines = info.lines;
    const { line, number, offset } = this.place;
    const strayQuote = this.strayQuote;
    this.strayQuote = false;
    const end = this.base + info.bytes;
    const lines = severalLines ? 1 + lineBreaks(record) : 1;
    if (lines > 1 && this.hasSwallowed(record, offset, end, strayQuote)) throw SWALLOWED;
    this.place.line = line + lines;
    this.place.offset = end;
    this.nextLook = FIRST_LOOK_BYTES;
    if (this.skipFirst) {
      this.skipFirst = false;
      return;
    }
    this.place.number = number + 1;
    const row: RawRow = { number, line, cells: record };
    if (lines === 1) this.mendQuotes(record, strayQuote, { line, from: offset, to: end });
    if (strayQuote && lines > 1) {
      const place = { line, byte: this.fileByte(offset), last: line + lines - 1 };
      row.problem = rowProblem('unclosed_quote', message('quote_takes_lines', place));
    }
    this.rows.push(row);
  };

  /** Removes quotes that the parser left on a cell because text or spaces are next to them. */
  private mendQuotes(
    record: string[],
    strayQuote: boolean,
    { line, from, to }: { line: number; from: number; to: number },
  ): void {
    const { quote, width } = this.sniffed;
    let quoted: boolean[] | undefined;
    let isOdd = width > 1 && record.length > width && joinSpacedQuotes(record, this.sniffed);
    for (const [index, cell] of record.entries()) {
      const first = cell.charCodeAt(0);
      const isSpaced = (first === 32 || first === 9) && cell.trimStart().startsWith(quote);
      if (strayQuote ? !cell.includes(quote) : !isSpaced) continue;
      // A cell that really begins with a space and a quote is in quotes itself.
      quoted ??= quotedCells(this.slice(from, to).toString('utf8'), this.sniffed);
      if (!strayQuote && quoted[index] === true) continue;
      isOdd = true;
      record[index] = withoutOuterQuotes(cell, quote);
    }
    if (!isOdd) return;
    this.oddQuotes ??= { rows: 0, firstLine: line };
    this.oddQuotes.rows += 1;
  }

  /** True if the lines of a finished record are separate rows, and may be read again. */
  private hasSwallowed(record: string[], from: number, to: number, strayQuote: boolean): boolean {
    const { width } = this.sniffed;
    const cost = Math.max(MIN_COST, to - from);
    if (width < 2 || (!strayQuote && record.length === width) || this.again < cost) return false;
    const raw = this.slice(from, to);
    // Without a stray quote the record may be intended, unless each line is a complete row by itself.
    const isSwallowed = strayQuote
      ? lookLikeRows(raw.subarray(secondLine(raw)), this.sniffed, true)
      : linesEachOfWidth(raw, this.sniffed);
    if (isSwallowed) this.again -= cost;
    return isSwallowed;
  }

  /** Gives up a record that is still open; `isWhole`: the file has ended. */
  private goOnBehindFirstLine(isWhole: boolean): boolean {
    const cost = Math.max(MIN_COST, this.fed - this.place.offset);
    const raw = this.slice(this.place.offset, this.fed);
    const rest = raw.subarray(secondLine(raw));
    if (this.again < cost || rest.length === 0 || !lookLikeRows(rest, this.sniffed, isWhole)) return false;
    this.again -= cost;
    const error = this.parse(this.restart(), false);
    if (error !== undefined) throw error;
    this.letGo();
    return true;
  }

  /** Turns the first line of the current record into a bad row; the text after that line is parsed again. */
  private restart(): Buffer {
    const raw = this.slice(this.place.offset, this.fed);
    const second = secondLine(raw);
    this.addFirstLine(raw.subarray(0, second));
    this.place.offset += second;
    this.strayQuote = false;
    this.start();
    return raw.subarray(second);
  }

  private addFirstLine(line: Buffer): void {
    const place = { line: this.place.line, byte: this.fileByte(this.place.offset) };
    this.addRow(
      literalCells(line, this.sniffed),
      rowProblem('unclosed_quote', message('quote_read_as_text', place)),
    );
    this.place.line += 1;
  }

  private addRow(cells: string[], problem: NonNullable<RawRow['problem']>): void {
    this.rows.push({ number: this.place.number, line: this.place.line, cells, problem });
    this.place.number += 1;
  }

  private restTaken(): NonNullable<RawRow['problem']> {
    const { line, offset } = this.place;
    return rowProblem('unclosed_quote', message('quote_never_closed', { line, byte: this.fileByte(offset) }));
  }

  /** Drops pieces that ended before the current record. */
  private letGo(): void {
    const { offset } = this.place;
    let done = 0;
    while (done < this.pieces.length) {
      const piece = this.pieces[done];
      if (piece === undefined || piece.from + piece.bytes.length > offset) break;
      done += 1;
    }
    if (done > 0) this.pieces.splice(0, done);
  }

  private slice(from: number, to: number): Buffer {
    const parts: Buffer[] = [];
    for (const piece of this.pieces) {
      const end = piece.from + piece.bytes.length;
      if (end > from && piece.from < to) {
        parts.push(piece.bytes.subarray(Math.max(0, from - piece.from), to - piece.from));
      }
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** Position in the file, from 0, of byte `offset` of the input. */
  private fileByte(offset: number): number {
    const piece = this.pieces.findLast((each) => each.from <= offset);
    if (piece === undefined) return offset;
    const within = offset - piece.from;
    if (piece.encoding === undefined) return piece.fileByte + within;
    return piece.fileByte + iconv.encode(piece.bytes.toString('utf8', 0, within), piece.encoding).length;
  }
}

/** `"Falcon" ` is Falcon, `"a \\"b\\""` is a "b", `""A" Cell"` is "A" Cell; anything else stays as it is. */
function withoutOuterQuotes(cell: string, quote: string): string {
  const text = cell.trim();
  if (text.length < 2 || !text.startsWith(quote) || !text.endsWith(quote)) return cell;
  return text
    .slice(1, -1)
    .replaceAll(`\\${quote}`, quote)
    .replaceAll(quote + quote, quote);
}

/**
 * Joins quoted cells after a space that delimiters have cut (`1, "red, blue", 2`), if the record then has as many cells
 * as there are columns.
 */
function joinSpacedQuotes(record: string[], { delimiter, quote, width }: Sniffed): boolean {
  const cells: string[] = [];
  for (let at = 0; at < record.length; at += 1) {
    const cell = record[at] ?? '';
    const opens = /^[ \t]/.test(cell) && cell.trimStart().startsWith(quote) && !closes(cell, quote);
    const end = opens ? record.findIndex((next, place) => place > at && closes(next, quote)) : -1;
    cells.push(end < 0 ? cell : withoutOuterQuotes(record.slice(at, end + 1).join(delimiter), quote));
    if (end >= 0) at = end;
  }
  if (cells.length !== width) return false;
  record.splice(0, record.length, ...cells);
  return true;
}

/** Whether a quote that was opened after a space ends with the cell. */
function closes(cell: string, quote: string): boolean {
  const text = cell.trim();
  return text.length > 1 && text.endsWith(quote);
}

function lineBreaks(record: readonly string[]): number {
  let breaks = 0;
  for (const cell of record) {
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.match(/\r\n|\r|\n/gu)?.length ?? 0;
  }
  return breaks;
}
