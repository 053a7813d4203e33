/**
 * What an .xls workbook says of itself before its sheets: the globals substream (MS-XLS 2.1.7.20.3).
 */
import { SheetError } from '../../errors.ts';
import type { StreamPlace } from '../compound-file.ts';
import { limitError, limits } from '../limits.ts';
import { type FormatKind, builtInFormatKind, formatKind } from '../workbook/number-format.ts';
import { SharedStrings } from '../workbook/shared-strings.ts';
import { RECORD, RecordReader } from './record-reader.ts';
import { codePageName, readSharedTexts, shortText, type TextCoding } from './text.ts';

export interface XlsSheet {
  name: string;
  hidden: boolean;
  /** Where its records begin in the stream. */
  position: number;
}

export interface XlsBook {
  stream: StreamPlace;
  coding: TextCoding;
  /** Worksheets in the order of their tabs; charts and macro sheets are not among them. */
  sheets: XlsSheet[];
  epoch1904: boolean;
  sharedStrings: SharedStrings;
  /** Bytes of the sheets whose rows were looked at. */
  sheetBytes: number;
  /** By the index of the cell format. */
  formats: FormatKind[];
}

const BIFF5 = 0x0500;
const BIFF8 = 0x0600;

/** Reads the globals; the file is closed again. */
export async function readXlsBook(stream: StreamPlace): Promise<XlsBook> {
  const records = await RecordReader.open(stream, 0);
  try {
    return await new Globals(stream, records).read();
  } finally {
    await records.close();
  }
}

class Globals {
  private readonly file: string;
  private readonly records: RecordReader;
  private readonly book: XlsBook;
  private readonly customFormats = new Map<number, FormatKind>();
  /** Number formats of the cell formats. */
  private readonly formatIds: number[] = [];

  constructor(stream: StreamPlace, records: RecordReader) {
    this.file = stream.file;
    this.records = records;
    this.book = {
      stream,
      coding: 'utf-16',
      sheets: [],
      epoch1904: false,
      sheetBytes: 0,
      sharedStrings: new SharedStrings(stream.file),
      formats: [],
    };
  }

  async read(): Promise<XlsBook> {
    const { records, book } = this;
    const begins = (await records.next()) && records.type === RECORD.bof;
    if (!begins) throw records.damaged('it does not begin as a workbook');
    const version = records.data.readUInt16LE(0);
    if (version !== BIFF8 && version !== BIFF5) throw oldXlsError(this.file);
    if (version === BIFF5) book.coding = 'windows-1252';
    for (;;) {
      if (!(await records.next())) throw records.damaged('its list of sheets and formats is cut off');
      const { type, data } = records;
      if (type === RECORD.eof) break;
      await this.take(type, data);
    }
    book.formats = this.formatIds.map((id) => this.customFormats.get(id) ?? builtInFormatKind(id));
    return book;
  }

  private async take(type: number, data: Buffer): Promise<void> {
    const { book } = this;
    switch (type) {
      case RECORD.filePass:
        throw new SheetError(
          'password_protected',
          `${this.file} is an .xls workbook protected by a password.`,
          {
            position: { file: this.file },
            remedy: 'Open it in your spreadsheet program, remove the password and save it as .xlsx.',
          },
        );
      case RECORD.codePage:
        if (book.coding !== 'utf-16') book.coding = codePageName(data.readUInt16LE(0));
        break;
      case RECORD.dateMode:
        book.epoch1904 = data.readUInt16LE(0) === 1;
        break;
      case RECORD.boundSheet:
        this.addSheet(data);
        break;
      case RECORD.format: {
        const code = shortText(data, 2, book.coding === 'utf-16' ? 2 : 1, book.coding);
        this.customFormats.set(data.readUInt16LE(0), formatKind(code));
        break;
      }
      case RECORD.xf:
        this.formatIds.push(data.readUInt16LE(2));
        if (this.formatIds.length > limits.cellFormats) {
          const found = `The workbook has more than ${limits.cellFormats} cell formats.`;
          throw limitError('cell_formats', found, this.file);
        }
        break;
      case RECORD.sharedStrings:
        await readSharedTexts(this.records, book.sharedStrings);
        break;
      default:
    }
  }

  private addSheet(data: Buffer): void {
    const isWorksheet = data.readUInt8(5) === 0;
    if (!isWorksheet) return;
    if (this.book.sheets.length >= limits.xlsSheets) {
      throw this.records.damaged(`it lists over ${limits.xlsSheets} sheets`);
    }
    this.book.sheets.push({
      name: shortText(data, 6, 1, this.book.coding),
      // 1 is hidden, 2 hidden so that only a macro shows it.
      hidden: (data.readUInt8(4) & 3) !== 0,
      position: data.readUInt32LE(0),
    });
  }
}

/** Excel 4.0 and older wrote each sheet as a file, or as a stream of records without a workbook. */
export function oldXlsError(file: string): SheetError {
  return new SheetError('old_xls', `${file} is a workbook of Excel 4.0 or older, which is not read.`, {
    position: { file },
    remedy: 'Open it in a spreadsheet program and save it as .xlsx or as CSV.',
  });
}
