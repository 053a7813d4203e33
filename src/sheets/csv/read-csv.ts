/**
 * Reads CSV rows in batches with csv-parse. Rows are taken after each piece of the file, so the file is read no faster
 * than the rows are used.
 */
import { createReadStream } from 'node:fs';
import { CsvError } from 'csv-parse';
import { SheetError } from '../../base/errors.ts';
import { fileError } from '../file-error.ts';
import { limits } from '../limits.ts';
import { type RawRow, type ReadOptions, type RowSource, rowProblem } from '../raw-row.ts';
import { createDecoder, type Decoder } from './decode.ts';
import { RowParser } from './row-parser.ts';
import { byHand, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { encodingName } from './sniff-encoding.ts';
import type { Sniffed } from './sniff.ts';

/** 64 KB: larger pieces made the parser slower, not faster (4.7 s against 4.5 s a million rows). */
const PIECE_BYTES = 64 * 1024;

/** The position up to which a file was read. */
interface Cursor {
  parser: RowParser;
  decoder: Decoder;
  /** Bytes of the file that were parsed. */
  offset: number;
  /** The previous piece was valid UTF-8. */
  wasValid: boolean;
  ended: boolean;
}

/**
 * Rows of a text file; every record is one row; blank lines are rows, too, but a `sep=` line is not.
 *
 * Reading continues after the head, with the same parser: the code that V8 makes for the first
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
    // A small file has ended with its head.
    if (cursor.ended) noteOddQuotes(cursor.parser, notes);
    else yield* this.advance(cursor, notes, signal);
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
    notes: Message[],
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
        parser.feed(piece);
        const rows = this.takeChecked(cursor, piece.valid);
        if (rows.length > 0) yield rows;
      }
      const rest = decoder.end();
      parser.feed(rest);
      parser.finish();
      cursor.ended = true;
      noteOddQuotes(parser, notes);
      const rows = this.takeChecked(cursor, rest.valid);
      if (rows.length > 0) yield rows;
    } catch (cause) {
      throw cause instanceof CsvError
        ? structureError(this.file, cause, parser)
        : fileError(this.file, cause);
    }
  }

  /** A row that ends in a valid piece may have begun in the previous piece. */
  private takeChecked(cursor: Cursor, valid: boolean): RawRow[] {
    const rows = cursor.parser.takeRows();
    if (!valid || !cursor.wasValid) markBadEncoding(rows, encodingName(this.sniffed.encoding));
    cursor.wasValid = valid;
    return rows;
  }
}

function noteOddQuotes({ oddQuotes }: RowParser, notes: Message[]): void {
  if (oddQuotes === undefined) return;
  const { rows, firstLine } = oddQuotes;
  notes.push(message('odd_quotes', { rows, line: firstLine }));
}

function markBadEncoding(rows: readonly RawRow[], encoding: string): void {
  for (const row of rows) {
    if (row.problem !== undefined) continue;
    if (!row.cells.some((cell) => typeof cell === 'string' && cell.includes('\uFFFD'))) continue;
    row.problem = rowProblem('bad_encoding', message('bytes_not_readable', { encoding }));
  }
}

function structureError(file: string, cause: CsvError, parser: RowParser): SheetError {
  const { row, line, byte } = parser.position;
  const position = { file, row, line };
  const where = { line, byte };
  if (cause.code === 'CSV_MAX_RECORD_SIZE') {
    const millions = Math.floor(limits.recordCharacters / 1_000_000);
    return new SheetError('limit_record_size', message('record_too_long', { ...where, millions }), {
      cause,
      position,
      actions: [byHand('close_likely_quote', {})],
    });
  }
  if (cause.code === 'CSV_QUOTE_NOT_CLOSED') {
    return new SheetError('unclosed_quote', message('quote_takes_rest', where), {
      cause,
      position,
      actions: [byHand('close_quote', {})],
    });
  }
  return new SheetError('broken_csv', message('rows_not_split', where), {
    cause,
    position,
    actions: [byHand('look_at_line', {})],
  });
}
