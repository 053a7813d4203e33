/** The interface of all table writers, whatever the format. */
import type { Message } from '../messages/params.ts';
import type { Writable } from 'node:stream';
import type { Cell } from './cell.ts';

export interface TableColumn {
  header: string;
  /**
   * Type of the cells. It only decides number formats (XLSX), and that a signed number in text form is not escaped
   * (CSV).
   */
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
  /** CSV: mode of the new file, less the umask. Default: as for any new file. */
  mode?: number;
  /** Receives the table instead of a file; the stream is not ended. */
  stream?: Writable;
}

/** As many values as columns, in their order; null and undefined are blank. */
export type TableValues = readonly (Cell | undefined)[];

export interface TableWriter {
  /** Appends rows; await it before the next call, or memory grows. */
  write(rows: readonly TableValues[]): Promise<void>;
  /** XLSX only: starts a new sheet, whose name is made valid and unique. */
  startSheet?(name: string): Promise<void>;
  /** XLSX only: the following rows of this sheet are not data, and stay outside its filter. */
  endOfTable?(): void;
  /** Completes the file; `rows` without the header. */
  finish(): Promise<WrittenTable>;
  /** Gives up; an existing file stays as it was. */
  abort(): Promise<void>;
}

export interface WrittenTable {
  rows: number;
  /** SHA-256 of the bytes written, lower-case hex. */
  sha256: string;
  /** Warnings for a person: cells that were cut, rows that went to further sheets. */
  warnings: Message[];
}
