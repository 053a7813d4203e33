/** Turns the records of a worksheet into cells (MS-XLS 2.1.7.20.5). */
import { type Cell, type CellError, columnLetter, NO_RESULT } from '../cell.ts';
import { message } from '../../messages/message.ts';
import { limitError } from '../limits.ts';
import { numberCell } from '../workbook/serial-date.ts';
import type { XlsBook, XlsSheet } from './book.ts';
import { RECORD, RecordReader } from './record-reader.ts';
import { CellText } from './text.ts';

/** Columns of an .xls worksheet, A to IV. */
export const XLS_COLUMNS = 256;

/** Values of error cells (MS-XLS 2.5.10). */
const ERRORS: Record<number, string> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
};

/** Records that begin with the row and column of a cell. */
export const CELL_RECORDS: ReadonlySet<number> = new Set([
  RECORD.formula,
  RECORD.formula3,
  RECORD.formula4,
  RECORD.multipleRk,
  RECORD.multipleBlank,
  RECORD.richString,
  RECORD.labelShared,
  RECORD.blank,
  RECORD.number,
  RECORD.label,
  RECORD.booleanOrError,
  RECORD.rk,
]);

/** Steps through the records of one worksheet; those of charts within it are left out. */
export class SheetRecords {
  private readonly records: RecordReader;
  private readonly sheet: XlsSheet;
  /** Substreams that are open: the sheet, and charts in it. */
  private depth = 1;

  private constructor(records: RecordReader, sheet: XlsSheet) {
    this.records = records;
    this.sheet = sheet;
  }

  static async open(book: XlsBook, sheet: XlsSheet): Promise<SheetRecords> {
    const records = await RecordReader.open(book.stream, sheet.position, book.cipher);
    if ((await records.next()) && records.type === RECORD.bof) return new SheetRecords(records, sheet);
    await records.close();
    throw records.damaged(`there is nothing where sheet "${sheet.name}" must be`, sheet.name);
  }

  get type(): number {
    return this.records.type;
  }

  /** Bytes of the sheet so far. */
  get steppedBytes(): number {
    return this.records.steppedBytes;
  }

  /** Valid until the next `fill`. */
  get data(): Buffer {
    return this.records.data;
  }

  /** Goes to the sheet's next record; false if `fill` must come first, and at the sheet's end. */
  step(): boolean {
    const { records } = this;
    while (this.depth > 0 && records.step()) {
      if (records.type === RECORD.bof) this.depth += 1;
      else if (records.type === RECORD.eof) this.depth -= 1;
      else if (this.depth === 1) return true;
    }
    return false;
  }

  /** Reads on; false at the end of the sheet. */
  async fill(): Promise<boolean> {
    if (this.depth === 0) return false;
    if (await this.records.fill()) return true;
    throw this.damaged('has no end');
  }

  /** The error for a damaged sheet; `what` is a clause without its subject. */
  damaged(what: string): Error {
    return this.records.damaged(`sheet "${this.sheet.name}" ${what}`, this.sheet.name);
  }

  async close(): Promise<void> {
    await this.records.close();
  }
}

/** Receives cells in the order of the file. Rows and columns are 0-based; null is a formatted cell without a value. */
export interface CellSink {
  cell(row: number, column: number, cell: Cell): void;
  hiddenRow(): void;
  hiddenColumns(first: number, last: number): void;
}

export class CellReader {
  private readonly book: XlsBook;
  private readonly records: SheetRecords;
  private readonly sheet: string;
  private readonly sink: CellSink;
  /** A text that goes on in the next record. */
  private text: { row: number; column: number; content: CellText } | undefined;
  /** A formula whose result is a text, which comes in a record of its own. */
  private formula: { row: number; column: number } | undefined;

  constructor(book: XlsBook, sheet: XlsSheet, records: SheetRecords, sink: CellSink) {
    this.book = book;
    this.records = records;
    this.sheet = sheet.name;
    this.sink = sink;
  }

  /** Takes the record at hand. */
  take(): void {
    const { type, data } = this.records;
    if (this.text !== undefined) this.continueText(type, data);
    else if (type === RECORD.string) this.takeResult(data);
    else if (CELL_RECORDS.has(type)) {
      this.endFormula();
      this.takeCell(type, data);
    } else if (type === RECORD.row) {
      if ((data.readUInt16LE(12) & 0x20) !== 0) this.sink.hiddenRow();
    } else if (type === RECORD.columnInfo && (data.readUInt16LE(8) & 1) !== 0) {
      const last = data.readUInt16LE(2);
      // As in other workbooks, people often hide everything to the right of the table.
      if (last < XLS_COLUMNS - 1) this.sink.hiddenColumns(data.readUInt16LE(0), last);
    }
  }

  /** After the last record. */
  end(): void {
    if (this.text !== undefined) throw this.cutText(this.text);
    this.endFormula();
  }

  private takeCell(type: number, data: Buffer): void {
    const row = data.readUInt16LE(0);
    const column = data.readUInt16LE(2);
    switch (type) {
      case RECORD.labelShared: {
        const index = data.readUInt32LE(6);
        this.put(row, column, this.book.sharedStrings.get(index) ?? error('#REF!'));
        break;
      }
      case RECORD.number:
        this.putNumber(row, column, data.readDoubleLE(6), data.readUInt16LE(4));
        break;
      case RECORD.rk:
        this.putNumber(row, column, rkNumber(data.readInt32LE(6)), data.readUInt16LE(4));
        break;
      case RECORD.multipleRk:
        // Pairs of format and number, and the last column behind them.
        for (let at = 4, index = 0; at + 8 <= data.length; at += 6, index += 1) {
          const value = rkNumber(data.readInt32LE(at + 2));
          this.putNumber(row, column + index, value, data.readUInt16LE(at));
        }
        break;
      case RECORD.label:
      case RECORD.richString: {
        const content = new CellText(data, 6, this.book.coding);
        if (content.whole) this.put(row, column, content.text);
        else this.text = { row, column, content };
        break;
      }
      case RECORD.booleanOrError:
        this.put(row, column, booleanOrError(data.readUInt8(6), data.readUInt8(7) !== 0));
        break;
      case RECORD.formula:
      case RECORD.formula3:
      case RECORD.formula4:
        this.takeFormula(row, column, data);
        break;
      default:
        this.put(row, column, null);
    }
  }

  /**
   * Reads a formula's result, which is in the place of the number; a result that is not a number is marked by two bytes
   * of 0xFF (MS-XLS 2.5.133).
   */
  private takeFormula(row: number, column: number, data: Buffer): void {
    const kind = data.readUInt8(6);
    if (data.readUInt16LE(12) !== 0xffff) {
      this.putNumber(row, column, data.readDoubleLE(6), data.readUInt16LE(4));
    } else if (kind === 0) this.formula = { row, column };
    else if (kind === 3) this.put(row, column, '');
    else this.put(row, column, booleanOrError(data.readUInt8(8), kind === 2));
  }

  private takeResult(data: Buffer): void {
    if (this.formula === undefined) return;
    const { row, column } = this.formula;
    this.formula = undefined;
    const content = new CellText(data, 0, this.book.coding);
    if (content.whole) this.put(row, column, content.text);
    else this.text = { row, column, content };
  }

  private continueText(type: number, data: Buffer): void {
    const { text } = this;
    if (text === undefined) return;
    if (type !== RECORD.continue) throw this.cutText(text);
    text.content.append(data);
    if (!text.content.whole) return;
    this.text = undefined;
    this.put(text.row, text.column, text.content.text);
  }

  private endFormula(): void {
    if (this.formula === undefined) return;
    const { row, column } = this.formula;
    this.formula = undefined;
    this.put(row, column, error(NO_RESULT));
  }

  private putNumber(row: number, column: number, value: number, format: number): void {
    const { formats, epoch1904 } = this.book;
    const cell = Number.isFinite(value) ? numberCell(value, formats[format], epoch1904) : error('#NUM!');
    this.put(row, column, cell);
  }

  private put(row: number, column: number, cell: Cell): void {
    if (column >= XLS_COLUMNS) {
      const place = { cell: columnLetter(column), last: columnLetter(XLS_COLUMNS - 1) };
      const found = message('cell_beyond_last', { sheet: this.sheet, ...place });
      throw limitError('columns', found, this.book.stream.file);
    }
    this.sink.cell(row, column, cell);
  }

  private cutText({ row }: { row: number }): Error {
    return this.records.damaged(`has a text in row ${row + 1} that is cut off`);
  }
}

const bits = new DataView(new ArrayBuffer(8));

/**
 * The upper 30 bits are an integer or the upper bits of a double; the lower two bits show which, and
 * whether the number is in hundredths.
 */
function rkNumber(rk: number): number {
  let value = rk >> 2;
  if ((rk & 2) === 0) {
    bits.setInt32(0, rk & ~3);
    value = bits.getFloat64(0);
  }
  return (rk & 1) === 0 ? value : value / 100;
}

function booleanOrError(value: number, isError: boolean): Cell {
  return isError ? error(ERRORS[value] ?? '#N/A') : value !== 0;
}

function error(text: string): CellError {
  return { kind: 'error', text };
}
