/**
 * Workbooks as a stream: exceljs packs (parts, styles, sheet heads), and shelflift writes the rows' XML.
 *
 * exceljs 4.4.0 has no backpressure (19 s and 900 MB a million rows, since nothing waits for the disk) and a style
 * object a cell doubles its time; so rows are written as text into a sheet stream that can be waited for. Texts are
 * always string cells: text that looks like a formula stays text.
 */
import type { Message } from '../../messages/params.ts';
import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import type ExcelJS from 'exceljs';
import WorkbookWriter from 'exceljs/lib/stream/xlsx/workbook-writer.js';
import { SheetError } from '../../base/errors.ts';
import { limits } from '../limits.ts';
import type {
  TableColumn,
  TableValues,
  TableWriter,
  TableWriterOptions,
  WrittenTable,
} from '../table-writer.ts';
import { TextPieces } from '../text-pieces.ts';
import { openWriteTarget, type WriteTarget } from '../write-target.ts';
import { encodeEscapes } from './escapes.ts';
import { addNumberFormat, sheetStream, useSheetStreams } from './exceljs-internals.ts';
import { RowXml } from './row-xml.ts';
import { numberedSheetName } from './sheet-name.ts';
import { byHand, message } from '../../messages/message.ts';

/** Size of the pieces for the zip and from it: each piece needs a turn of a thread, and zlib's default is 16 KB. */
const PIECE_BYTES = 128 * 1024;

const NUMBER_FORMATS: Partial<Record<TableColumn['kind'], string>> = {
  date: 'yyyy-mm-dd',
  datetime: 'yyyy-mm-dd hh:mm:ss',
};

export async function createXlsxWriter(options: TableWriterOptions): Promise<TableWriter> {
  const count = options.columns.length;
  if (count > limits.columns) {
    throw new SheetError(
      'limit_columns',
      message('too_many_columns', { most: limits.columns, columns: count }),
      {
        actions: [byHand('choose_fewer_columns', {})],
      },
    );
  }
  return new XlsxWriter(options, await openWriteTarget(options.file, options.stream));
}

interface OpenSheet {
  worksheet: ExcelJS.Worksheet;
  /** Rows so far, the header among them. */
  rows: number;
  /** The last row of the table, if rows that are not data follow. */
  lastRow?: number;
  /** XML of rows that was not passed on yet. */
  xml: TextPieces;
}

class XlsxWriter implements TableWriter {
  private readonly options: TableWriterOptions;
  private readonly target: WriteTarget;
  private readonly workbook: ExcelJS.stream.xlsx.WorkbookWriter;
  private readonly rowXml: RowXml;
  private readonly sinkFailed: Promise<never>;
  /** One piece is compressed while the next one is made. */
  private zipping: Promise<void> = Promise.resolve();
  private sheet: OpenSheet | undefined;
  private readonly sheetNames = new Set<string>();
  private sheetName: string;
  /** Number of sheets that were added because the sheet before them was full. */
  private overflows = 0;
  private rows = 0;

  constructor(options: TableWriterOptions, target: WriteTarget) {
    this.options = options;
    this.target = target;
    this.sheetName = options.sheetName ?? 'Sheet1';
    const write = callbackify((chunk: Buffer) => target.write(chunk));
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => write(chunk, done),
    });
    this.sinkFailed = new Promise((_, reject) => {
      sink.once('error', reject);
    });
    // Without a listener a full disk would end the process before the next write could say so.
    this.sinkFailed.catch(() => {});
    this.workbook = new WorkbookWriter({
      stream: sink,
      useStyles: true,
      zip: { zlib: { level: 3, chunkSize: PIECE_BYTES } },
    });
    useSheetStreams(this.workbook);
    this.rowXml = new RowXml(
      options.columns.map((column) => {
        const format = column.numberFormat ?? NUMBER_FORMATS[column.kind];
        return format === undefined ? undefined : addNumberFormat(this.workbook, format);
      }),
    );
  }

  async write(rows: readonly TableValues[]): Promise<void> {
    for (const row of rows) {
      const sheet = await this.sheetWithRoom();
      sheet.rows += 1;
      sheet.xml.add(this.rowXml.row(sheet.rows, row));
      this.rows += 1;
      if (sheet.xml.bytes >= PIECE_BYTES) await this.flush(sheet);
    }
  }

  async startSheet(name: string): Promise<void> {
    if (this.sheet !== undefined) await this.closeSheet(this.sheet);
    this.sheetName = name;
    this.sheet = undefined;
    await this.sheetWithRoom();
  }

  endOfTable(): void {
    if (this.sheet !== undefined) this.sheet.lastRow ??= this.sheet.rows;
  }

  async finish(): Promise<WrittenTable> {
    await this.closeSheet(await this.sheetWithRoom());
    await Promise.race([this.workbook.commit(), this.sinkFailed]);
    const { sha256 } = await this.target.commit();
    return { rows: this.rows, sha256, warnings: this.warnings() };
  }

  async abort(): Promise<void> {
    if (this.sheet !== undefined) sheetStream(this.sheet.worksheet).destroy();
    await this.target.abort();
  }

  private async sheetWithRoom(): Promise<OpenSheet> {
    if (this.sheet !== undefined && this.sheet.rows < limits.rows) return this.sheet;
    if (this.sheet !== undefined) {
      await this.closeSheet(this.sheet);
      this.overflows += 1;
    }
    const name = this.freeName();
    const worksheet = this.workbook.addWorksheet(name, { views: [{ state: 'frozen', ySplit: 1 }] });
    worksheet.columns = this.options.columns.map((column) => ({
      width: column.width ?? defaultWidth(column.header),
    }));
    const header = worksheet.addRow(this.options.columns.map((column) => encodeEscapes(column.header)));
    header.font = { bold: true };
    header.commit();
    this.sheet = { worksheet, rows: 1, xml: new TextPieces(PIECE_BYTES) };
    return this.sheet;
  }

  /** Excel compares names of sheets without regard to case. */
  private freeName(): string {
    for (let number = 1; ; number += 1) {
      const name = numberedSheetName(this.sheetName, number);
      const key = name.toLowerCase();
      if (this.sheetNames.has(key)) continue;
      this.sheetNames.add(key);
      return name;
    }
  }

  private async flush(sheet: OpenSheet): Promise<void> {
    await this.zipping;
    const taken = sheetStream(sheet.worksheet).writeAndWait(sheet.xml.take());
    this.zipping = Promise.race([taken, this.sinkFailed]);
    // The error is thrown to the caller that awaits this promise.
    this.zipping.catch(() => undefined);
  }

  private async closeSheet(sheet: OpenSheet): Promise<void> {
    await this.flush(sheet);
    await this.zipping;
    const columns = this.options.columns.length;
    if (columns > 0) {
      const row = sheet.lastRow ?? sheet.rows;
      sheet.worksheet.autoFilter = { from: { row: 1, column: 1 }, to: { row, column: columns } };
    }
    sheet.worksheet.commit();
  }

  private warnings(): Message[] {
    const warnings: Message[] = [];
    const { cutCells } = this.rowXml;
    if (cutCells > 0) warnings.push(message('cells_cut', { cells: cutCells }));
    if (this.overflows > 0) {
      warnings.push(message('rows_fill_sheets', { sheets: this.overflows + 1 }));
    }
    return warnings;
  }
}

function defaultWidth(header: string): number {
  return Math.min(60, Math.max(10, header.length + 4));
}
