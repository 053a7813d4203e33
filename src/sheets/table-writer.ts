/** What every writer of tables takes and gives, whatever the format. */
import type { Message } from '../messages/params.ts';
import type { Writable } from 'node:stream';
import type { Cell } from './cell.ts';

export interface TableColumn {
  header: string;
  /** What the cells are: decides number formats (XLSX), that a signed number in text form is one (CSV), and nothing else. */
  kind: 'text' | 'number' | 'boolean' | 'date' | 'datetime' | 'json';
  /** XLSX: number format of the column's numbers, such as `#,##0.00`. */
  numberFormat?: string;
  /** XLSX: width in characters. Default: the header's, at least 10, at most 60. */
  width?: number;
}

export interface TableWriterOptions {
  /** Path; `-` is standard output (not for XLSX). */
  file: string;
  format: 'csv' | 'xlsx' | 'ndjson';
  columns: TableColumn[];
  /** XLSX: default `Sheet1`; made valid and cut to 31 characters. */
  sheetName?: string;
  /** CSV: default `,`. */
  delimiter?: string;
  /** CSV: mark of numbers' fractions. Default point. */
  decimal?: 'point' | 'comma';
  /** CSV: a UTF-8 byte order mark, by which Excel knows the encoding. Default false. */
  bom?: boolean;
  /** CSV: default CRLF, as RFC 4180 says. */
  lineEnd?: '\r\n' | '\n';
  /** Rights of the file that is made, less the umask. Default as for any new file. CSV. */
  mode?: number;
  /** Written to instead of a file; it is not ended. */
  stream?: Writable;
}

/** As many values as columns, in their order; null and undefined are blank. */
export type TableValues = readonly (Cell | undefined)[];

export interface TableWriter {
  /** Appends rows; await it before the next call, or memory grows. */
  write(rows: readonly TableValues[]): Promise<void>;
  /** XLSX only: what follows stands on a sheet of its own, whose name is made valid and unique. */
  startSheet?(name: string): Promise<void>;
  /** XLSX only: rows of this sheet that follow are no data, and stay outside its filter. */
  endOfTable?(): void;
  /** Completes the file; `rows` without the header. */
  finish(): Promise<WrittenTable>;
  /** Gives up; a file that was there before stays as it was. */
  abort(): Promise<void>;
}

export interface WrittenTable {
  rows: number;
  /** SHA-256 of the bytes written, lower-case hex. */
  sha256: string;
  /** What a person should know: cells that were cut, rows that went to further sheets. */
  warnings: Message[];
}
