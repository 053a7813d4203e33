/**
 * The records of a BIFF stream (MS-XLS 2.1.4): a type and a length of two bytes each, then the data.
 */
import type { RecordCipher } from '../protected/xls.ts';
import { StreamReader, type StreamPlace, damaged } from '../compound-file.ts';

/** Types of the records that a table needs (MS-XLS 2.3). */
export const RECORD = {
  formula: 0x0006,
  eof: 0x000a,
  dateMode: 0x0022,
  filePass: 0x002f,
  continue: 0x003c,
  codePage: 0x0042,
  columnInfo: 0x007d,
  boundSheet: 0x0085,
  multipleRk: 0x00bd,
  multipleBlank: 0x00be,
  richString: 0x00d6,
  xf: 0x00e0,
  sharedStrings: 0x00fc,
  labelShared: 0x00fd,
  blank: 0x0201,
  number: 0x0203,
  label: 0x0204,
  booleanOrError: 0x0205,
  string: 0x0207,
  row: 0x0208,
  /** A formula as Excel 3.0 and 4.0 wrote it, and some programs still do; the same layout as `formula` up to its result. */
  formula3: 0x0206,
  formula4: 0x0406,
  rk: 0x027e,
  format: 0x041e,
  bof: 0x0809,
} as const;

/**
 * Records that are never encrypted (MS-XLS 2.2.10): the beginnings of streams, and records that name the
 * user who has the file open.
 */
const PLAIN_RECORDS: ReadonlySet<number> = new Set([
  RECORD.bof,
  RECORD.filePass,
  0x00e1,
  0x0138,
  0x0194,
  0x0195,
  0x0196,
]);

/** More than two of the longest records, which are 4 + 65,535 bytes. */
const BUFFER_BYTES = 256 * 1024;
const HEAD_BYTES = 4;

/**
 * Steps through records. `step` needs no promise while records are in the buffer, as there are a million of them:
 *
 *     do while (reader.step()) …; while (await reader.fill());
 */
export class RecordReader {
  /** Type of the current record. */
  type = 0;
  /** Data of the current record; valid until the next `fill`. */
  data: Buffer = Buffer.alloc(0);

  private readonly source: StreamReader;
  private readonly buffer: Buffer = Buffer.alloc(BUFFER_BYTES);
  private at = 0;
  private filled = 0;
  /** Position in the stream at which the buffer ends. */
  private position: number;

  /** Decrypts the data of the following records. */
  cipher: RecordCipher | undefined;

  private constructor(source: StreamReader, position: number, cipher: RecordCipher | undefined) {
    this.source = source;
    this.position = position;
    this.cipher = cipher;
  }

  static async open(place: StreamPlace, position: number, cipher?: RecordCipher): Promise<RecordReader> {
    return new RecordReader(await StreamReader.open(place), position, cipher);
  }

  /** Bytes of the records so far. */
  steppedBytes = 0;

  /** Goes to the next record; false if it is not completely in the buffer. */
  step(): boolean {
    if (this.filled - this.at < HEAD_BYTES) return false;
    const end = this.at + HEAD_BYTES + this.buffer.readUInt16LE(this.at + 2);
    if (end > this.filled) return false;
    this.type = this.buffer.readUInt16LE(this.at);
    this.data = this.buffer.subarray(this.at + HEAD_BYTES, end);
    if (this.cipher !== undefined) this.decrypt(this.cipher);
    this.steppedBytes += end - this.at;
    this.at = end;
    return true;
  }

  private decrypt(cipher: RecordCipher): void {
    if (PLAIN_RECORDS.has(this.type)) return;
    // A sheet's place in the stream stays readable.
    const plain = this.type === RECORD.boundSheet ? 4 : 0;
    const position = this.position - this.filled + this.at + HEAD_BYTES + plain;
    cipher.decrypt(position, this.data.subarray(plain));
  }

  /** Reads on; false at the end of the stream. */
  async fill(): Promise<boolean> {
    this.buffer.copyWithin(0, this.at, this.filled);
    this.filled -= this.at;
    this.at = 0;
    const bytes = await this.source.read(this.buffer.subarray(this.filled), this.position);
    this.position += bytes;
    this.filled += bytes;
    return bytes > 0;
  }

  /** Goes to the next record; false if the stream has no more. */
  async next(): Promise<boolean> {
    return this.step() || ((await this.fill()) && this.step());
  }

  /** The type of the next record, which does not become the current one; undefined at the end. */
  async peek(): Promise<number | undefined> {
    if (this.filled - this.at < HEAD_BYTES) await this.fill();
    return this.filled - this.at < HEAD_BYTES ? undefined : this.buffer.readUInt16LE(this.at);
  }

  /** The error for a malformed record. */
  damaged(what: string, sheet?: string): Error {
    return damaged(this.source.place.file, what, sheet);
  }

  async close(): Promise<void> {
    await this.source.close();
  }
}
