import type { Message } from '../messages/params.ts';
import type { Writable } from 'node:stream';
import { type Cell, cellText } from './cell.ts';
import type { TableWriter, TableWriterOptions } from './table-writer.ts';
import { openWriteTarget } from './write-target.ts';

export interface NdjsonWriter {
  /** Appends one line of JSON for each value; await it before the next call. */
  write(values: readonly unknown[]): Promise<void>;
  finish(): Promise<{ rows: number; sha256: string; warnings: Message[] }>;
  abort(): Promise<void>;
}

/** JSON values, one a line, UTF-8, each line ended by LF. The file appears when complete. */
export async function createNdjsonWriter(options: {
  file: string;
  stream?: Writable;
}): Promise<NdjsonWriter> {
  const target = await openWriteTarget(options.file, options.stream);
  let rows = 0;
  return {
    async write(values) {
      if (values.length === 0) return;
      let text = '';
      for (const value of values) text += `${JSON.stringify(value)}\n`;
      rows += values.length;
      await target.write(text);
    },
    async finish() {
      const { sha256 } = await target.commit();
      return { rows, sha256, warnings: [] };
    },
    abort: () => target.abort(),
  };
}

/** A table as objects: the headers are the keys, blank cells are null, dates their ISO text. */
export async function createNdjsonTableWriter(options: TableWriterOptions): Promise<TableWriter> {
  const writer = await createNdjsonWriter(options);
  const headers = options.columns.map((column) => column.header);
  return {
    ...writer,
    write: (rows) =>
      writer.write(
        rows.map((row) =>
          Object.fromEntries(headers.map((header, column) => [header, jsonValue(row[column])])),
        ),
      ),
  };
}

function jsonValue(cell: Cell | undefined): string | number | boolean | null {
  if (cell === undefined || cell === null) return null;
  return typeof cell === 'object' ? cellText(cell) : cell;
}
