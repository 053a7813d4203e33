/**
 * CSV rows in batches: our decoding, csv-parse's tokens, and the row and line numbers that people count by.
 *
 * The parser's `push` is overridden rather than `on_record` used: `on_record` builds an object of its whole state
 * for each record (5.0 s and 126 MB against 4.6 s and 67 MB a million rows of 12 columns). Rows are taken after
 * each piece of the file, so that the file is read no faster than the rows are used.
 */
import { createReadStream } from 'node:fs';
import { CsvError, Parser } from 'csv-parse';
import { SheetError } from '../../errors.ts';
import { fileError } from '../file-error.ts';
import { limits } from '../limits.ts';
import type { RawRow, ReadOptions, RowSource } from '../raw-row.ts';
import { createDecoder, type Decoder } from './decode.ts';
import type { Sniffed } from './sniff.ts';

/** 64 KB: larger pieces made the parser slower, not faster (4.7 s against 4.5 s a million rows). */
const PIECE_BYTES = 64 * 1024;

/** How far a file was read. */
interface Cursor {
  parser: RowParser;
  decoder: Decoder;
  /** Bytes of the file that were parsed. */
  offset: number;
  /** The piece before was valid UTF-8. */
  wasValid: boolean;
  ended: boolean;
}

/**
 * Rows of a text file; every record is one row, blank lines are rows too, a `sep=` line is none.
 *
 * Reading goes on where the look at the head stopped, with the same parser: the code that V8 makes for the first
 * parser of a process runs a tenth slower in the second.
 */
export class CsvRows implements RowSource {
  private readonly file: string;
  private readonly sniffed: Sniffed;
  private started: { cursor: Cursor; rows: RawRow[] } | undefined;

  constructor(file: string, sniffed: Sniffed) {
    this.file = file;
    this.sniffed = sniffed;
  }

  async head(count: number, signal?: AbortSignal): Promise<RawRow[]> {
    const started = { cursor: this.newCursor(), rows: [] as RawRow[] };
    for await (const rows of this.advance(started.cursor, [], signal)) {
      for (const row of rows) started.rows.push(row);
      if (started.rows.length >= count) break;
    }
    this.started = started;
    return started.rows.slice(0, count);
  }

  async *read({ notes, signal }: ReadOptions): AsyncGenerator<RawRow[], void, undefined> {
    const { cursor, rows } = this.started ?? { cursor: this.newCursor(), rows: [] };
    this.started = undefined;
    if (rows.length > 0) yield rows;
    if (!cursor.ended) yield* this.advance(cursor, notes, signal);
  }

  private newCursor(): Cursor {
    return {
      parser: new RowParser(this.sniffed),
      decoder: createDecoder(this.sniffed),
      offset: this.sniffed.bomBytes,
      wasValid: true,
      ended: false,
    };
  }

  private async *advance(
    cursor: Cursor,
    notes: string[],
    signal?: AbortSignal,
  ): AsyncGenerator<RawRow[], void, undefined> {
    const { parser, decoder } = cursor;
    try {
      const stream = createReadStream(this.file, {
        start: cursor.offset,
        highWaterMark: PIECE_BYTES,
        ...(signal === undefined ? {} : { signal }),
      });
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        cursor.offset += chunk.length;
        const piece = decoder.next(chunk, notes);
        await parser.feed(piece.bytes);
        const rows = takeChecked(cursor, piece.valid);
        if (rows.length > 0) yield rows;
      }
      const rest = decoder.end();
      if (rest.bytes.length > 0) await parser.feed(rest.bytes);
      await parser.finish();
      cursor.ended = true;
      const rows = takeChecked(cursor, rest.valid);
      if (rows.length > 0) yield rows;
    } catch (cause) {
      throw cause instanceof CsvError
        ? structureError(this.file, cause, parser)
        : fileError(this.file, cause);
    }
  }
}

/** A row that ends in a valid piece may have begun in the one before. */
function takeChecked(cursor: Cursor, valid: boolean): RawRow[] {
  const rows = cursor.parser.takeRows();
  if (!valid || !cursor.wasValid) markBadEncoding(rows);
  cursor.wasValid = valid;
  return rows;
}

class RowParser extends Parser {
  /** Line on which the next record begins. */
  nextLine = 1;
  nextNumber = 1;
  private rows: RawRow[] = [];
  private parsedLines = 0;
  private skipFirst: boolean;
  /** A closing quote with text after it was met in this record. */
  private strayQuote = false;

  constructor(sniffed: Sniffed) {
    super({
      delimiter: sniffed.delimiter,
      quote: sniffed.quote,
      escape: sniffed.quote,
      record_delimiter: sniffed.lineEnds,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: limits.recordCharacters,
    });
    this.skipFirst = sniffed.separatorLine;
    this.noticeStrayQuotes();
    // Errors reach the caller through the callbacks of feed and finish.
    this.on('error', () => {});
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null);
    const line = this.nextLine;
    // The parser counts a CRLF within a cell twice: its count only tells that there are such cells.
    const parsedLines = this.info.lines;
    const severalLines = parsedLines - this.parsedLines > 1;
    this.parsedLines = parsedLines;
    this.nextLine += 1;
    if (severalLines) this.nextLine += lineBreaks(record);
    const strayQuote = this.strayQuote;
    this.strayQuote = false;
    if (this.skipFirst) {
      this.skipFirst = false;
      return true;
    }
    const row: RawRow = { number: this.nextNumber, line, cells: record };
    this.nextNumber += 1;
    if (strayQuote && this.nextLine > line + 1) {
      row.problem = {
        code: 'unclosed_quote',
        message: `a quote is opened in line ${line} and not closed there: what follows up to line ${this.nextLine - 1} was taken into one cell`,
      };
    }
    this.rows.push(row);
    return true;
  }

  /**
   * The parser tells nobody of a quoted cell that goes on after its closing quote, and mends it by putting the
   * opening quote back: that call is the only trace (csv-parse 7.0.3).
   */
  private noticeStrayQuotes(): void {
    const { field } = (this as unknown as { state: { field: { prepend(quote: Buffer): void } } }).state;
    const prepend = field.prepend.bind(field);
    field.prepend = (quote) => {
      this.strayQuote = true;
      prepend(quote);
    };
  }

  takeRows(): RawRow[] {
    const rows = this.rows;
    this.rows = [];
    return rows;
  }

  feed(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  finish(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.once('error', reject);
      this.once('finish', resolve);
      this.end();
    });
  }
}

function lineBreaks(record: readonly string[]): number {
  let breaks = 0;
  for (const cell of record) {
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.match(/\r\n|\r|\n/gu)?.length ?? 0;
  }
  return breaks;
}

function markBadEncoding(rows: readonly RawRow[]): void {
  for (const row of rows) {
    if (row.problem !== undefined) continue;
    if (!row.cells.some((cell) => typeof cell === 'string' && cell.includes('\uFFFD'))) continue;
    row.problem = {
      code: 'bad_encoding',
      message: 'bytes that are not UTF-8 were found here: mend the row, or name the encoding with --encoding',
    };
  }
}

function structureError(file: string, cause: CsvError, parser: RowParser): SheetError {
  const position = { file, row: parser.nextNumber, line: parser.nextLine };
  if (cause.code === 'CSV_MAX_RECORD_SIZE') {
    return new SheetError(
      'limit_record_size',
      `The row that begins in line ${parser.nextLine} is longer than ${Math.floor(limits.recordCharacters / 1_000_000)} million characters.`,
      {
        cause,
        position,
        remedy: 'Mostly a quote is opened in that line and never closed: close it, or write it twice ("").',
      },
    );
  }
  if (cause.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new SheetError(
      'unclosed_quote',
      `A quote is opened in line ${parser.nextLine} and never closed, so that the rest of the file is one cell.`,
      {
        cause,
        position,
        remedy: 'Close the quote in that line, or write it twice ("") if it is part of the text.',
      },
    );
  }
  return new SheetError('broken_csv', `The file cannot be cut into rows at line ${parser.nextLine}.`, {
    cause,
    position,
    remedy: 'Look at that line in a text editor, or save the table again as CSV from a spreadsheet program.',
  });
}
