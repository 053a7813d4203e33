/** CSV files: rows as text, in pieces on their way to the disk. */
import { message } from '../../messages/message.ts';
import { type Cell, cellText, plainNumber } from '../cell.ts';
import { escapeText, isSignedNumber } from '../escape.ts';
import type { TableColumn, TableWriter, TableWriterOptions } from '../table-writer.ts';
import { TextPieces } from '../text-pieces.ts';
import { openWriteTarget } from '../write-target.ts';
import { rowText } from './row-text.ts';

/** Bytes per write to the disk: each write needs a turn of a thread. */
const PIECE_BYTES = 256 * 1024;

export async function createCsvWriter(options: TableWriterOptions): Promise<TableWriter> {
  const target = await openWriteTarget(options.file, options.stream, options.mode);
  const toText = options.columns.map(({ kind }) => cellWriter(kind, options.decimal === 'comma'));
  // One for all rows: creating one for each row would burden the garbage collector.
  const cells = options.columns.map(() => '');
  const text = rowText({
    delimiter: options.delimiter ?? ',',
    lineEnd: options.lineEnd ?? '\r\n',
    columns: options.columns.length,
  });
  let rows = 0;
  /** Column → cells that were left blank because UTF-8 cannot hold their text. */
  const blanked = new Map<number, number>();
  const pending = new TextPieces(PIECE_BYTES);
  pending.add(
    (options.bom === true ? '\uFEFF' : '') + text(options.columns.map(({ header }) => escapeText(header))),
  );

  // One piece is on its way while the next one is made.
  let writing: Promise<void> = Promise.resolve();
  const flush = async () => {
    await writing;
    writing = target.write(pending.take());
    // The error is thrown to the caller that awaits this promise.
    writing.catch(() => undefined);
  };

  return {
    async write(values) {
      for (const row of values) {
        for (let column = 0; column < toText.length; column += 1) {
          const cell = toText[column]?.(row[column]) ?? '';
          // Another character in its place would be imported as a change; a blank cell changes nothing.
          cells[column] = cell.isWellFormed() ? cell : '';
          if (cell !== '' && cells[column] === '') blanked.set(column, (blanked.get(column) ?? 0) + 1);
        }
        pending.add(text(cells));
        if (pending.bytes >= PIECE_BYTES) await flush();
      }
      rows += values.length;
    },
    async finish() {
      await flush();
      await writing;
      const { sha256 } = await target.commit();
      const inOrder = [...blanked].sort(([a], [b]) => a - b);
      const warnings = inOrder.map(([column, count]) => {
        const header = options.columns[column]?.header ?? '';
        return message('half_characters_blanked', { cells: count, column: header });
      });
      return { rows, sha256, warnings };
    },
    async abort() {
      await writing.catch(() => undefined);
      await target.abort();
    },
  };
}

function cellWriter(kind: TableColumn['kind'], comma: boolean): (cell: Cell | undefined) => string {
  return (cell) => {
    if (typeof cell === 'string') return kind === 'number' && isSignedNumber(cell) ? cell : escapeText(cell);
    if (typeof cell === 'number') return comma ? plainNumber(cell).replace('.', ',') : plainNumber(cell);
    if (cell === undefined || cell === null) return '';
    // Spreadsheet programs recognise a time in CSV by the space, not by ISO's T.
    return typeof cell === 'object' && cell.kind === 'date'
      ? cellText(cell).replace('T', ' ')
      : cellText(cell);
  };
}
