/** The part of an .xls workbook before its sheets: the globals substream (MS-XLS 2.1.7.20.3). */
import type { StreamPlace } from '../compound-file.ts';
import { oldXlsError } from '../file-kind.ts';
import { message } from '../../messages/message.ts';
import { limitError, limits } from '../limits.ts';
import { unlock } from '../protected/unlock.ts';
import { type RecordCipher, readXlsProtection } from '../protected/xls.ts';
import type { FilePassword } from '../table.ts';
import { builtInFormat, formatOf, type NumberFormat } from '../workbook/number-format.ts';
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
  /** Present if a password protects the workbook. */
  cipher?: RecordCipher;
  /** Worksheets in the order of their tabs; charts and macro sheets are not among them. */
  sheets: XlsSheet[];
  epoch1904: boolean;
  sharedStrings: SharedStrings;
  /** Bytes of the sheets whose rows were examined. */
  sheetBytes: number;
  /** What each cell format shows, by its index. */
  formats: NumberFormat[];
}

const BIFF5 = 0x0500;
const BIFF8 = 0x0600;

/** Reads the globals; the file is closed again. */
export async function readXlsBook(stream: StreamPlace, ask: FilePassword | undefined): Promise<XlsBook> {
  const records = await RecordReader.open(stream, 0);
  try {
    return await new Globals(stream, records, ask).read();
  } finally {
    await records.close();
  }
}

class Globals {
  private readonly file: string;
  private readonly records: RecordReader;
  private readonly ask: FilePassword | undefined;
  private readonly book: XlsBook;
  private readonly customFormats = new Map<number, NumberFormat>();
  /** Number formats of the cell formats. */
  private readonly formatIds: number[] = [];

  constructor(stream: StreamPlace, records: RecordReader, ask: FilePassword | undefined) {
    this.file = stream.file;
    this.records = records;
    this.ask = ask;
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
    book.formats = this.formatIds.map((id) => this.customFormats.get(id) ?? builtInFormat(id));
    return book;
  }

  private async take(type: number, data: Buffer): Promise<void> {
    const { book } = this;
    switch (type) {
      case RECORD.filePass:
        book.cipher = await unlock(this.file, readXlsProtection(this.file, data), this.ask);
        this.records.cipher = book.cipher;
        break;
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
        this.customFormats.set(data.readUInt16LE(0), formatOf(code));
        break;
      }
      case RECORD.xf:
        this.formatIds.push(data.readUInt16LE(2));
        if (this.formatIds.length > limits.cellFormats) {
          const found = message('too_many_formats', { most: limits.cellFormats });
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
