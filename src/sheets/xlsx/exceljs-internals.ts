/**
 * The four internals of exceljs 4.4.0 that shelflift uses for packing, with their types. The public API has neither a
 * stream that can be awaited nor a number format without a style object for each cell.
 */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type ExcelJS from 'exceljs';

type WorkbookWriter = ExcelJS.stream.xlsx.WorkbookWriter;

interface WorkbookInternals {
  zip: { append(stream: NodeJS.ReadableStream, entry: { name: string }): void };
  styles: { addStyleModel(model: { numFmt: string }): number };
  _openStream(path: string): SheetStream;
}

/** A worksheet's stream inside the zip: each write waits for the compressor, which waits for the disk. */
export class SheetStream extends PassThrough {
  /** exceljs writes its own text buffers, which have `toBuffer`. */
  override write(chunk: unknown): boolean {
    return super.write(hasBuffer(chunk) ? Buffer.from(chunk.toBuffer()) : chunk);
  }

  async writeAndWait(xml: Buffer): Promise<void> {
    if (xml.length > 0 && !this.write(xml)) await once(this, 'drain');
  }
}

function hasBuffer(chunk: unknown): chunk is { toBuffer(): Buffer } {
  return typeof chunk === 'object' && chunk !== null && 'toBuffer' in chunk;
}

/** From now on the workbook's worksheets write into streams with backpressure. */
export function useSheetStreams(workbook: WorkbookWriter): void {
  const internals = workbook as unknown as WorkbookInternals;
  internals._openStream = (path) => {
    const stream = new SheetStream();
    internals.zip.append(stream, { name: path });
    stream.once('finish', () => stream.emit('zipped'));
    return stream;
  };
}

export function sheetStream(worksheet: ExcelJS.Worksheet): SheetStream {
  return (worksheet as unknown as { stream: SheetStream }).stream;
}

/** Index of a cell style that only has this number format. */
export function addNumberFormat(workbook: WorkbookWriter, format: string): number {
  return (workbook as unknown as WorkbookInternals).styles.addStyleModel({ numFmt: format });
}

/** Adds one rule for a whole range; the public API would make one for each cell. */
export function addValidation(sheet: ExcelJS.Worksheet, range: string, rule: ExcelJS.DataValidation): void {
  const { dataValidations } = sheet as unknown as {
    dataValidations: { add(range: string, rule: ExcelJS.DataValidation): void };
  };
  dataValidations.add(range, rule);
}
