/**
 * Web pages with a table: programs save them as .xls. Each table of the page is a sheet; a layout table does not
 * include the text of the tables within it. The page is read as a stream, as a browser would: no mark-up is refused.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';
import { Parser } from 'htmlparser2';
import iconv from 'iconv-lite';
import { SheetError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { encodingOption, incompleteTail } from '../csv/sniff-encoding.ts';
import { readFileHead } from '../file-kind.ts';
import { limitError, limits } from '../limits.ts';
import type { RawRow, ReadOptions } from '../raw-row.ts';
import type { OpenOptions } from '../table.ts';
import { RowAssembler, rowSource } from '../workbook/row-assembler.ts';
import type { Workbook } from '../workbook/tables.ts';

const BATCH_ROWS = 500;
/** Limit of the HTML standard. */
const MAX_COLSPAN = 1000;
/** `comment` is LibreOffice's element for the comment of a cell. */
const NO_TEXT: ReadonlySet<string> = new Set(['comment', 'noscript', 'script', 'style', 'template', 'title']);
const NEW_LINE: ReadonlySet<string> = new Set(['br', 'p', 'div', 'li']);

/** Each table of the page that has a row below its first one. @throws SheetError `html` if no table has one */
export async function openHtml(file: string, options: OpenOptions): Promise<Workbook> {
  const { size } = await stat(file);
  if (size > limits.htmlBytes) throw noTable(file, 'html_too_large');
  const encoding = await encodingOf(file, options.encoding);
  const tables: { name: string; rows: number }[] = [];
  const reader = new TableReader(file, {
    caption: (table, text) => Object.assign(tables[table] ?? {}, { name: text }),
    begin: (table) => tables.push({ name: `Table ${table + 1}`, rows: 0 }),
    row: (table) => {
      const found = tables[table];
      if (found !== undefined) found.rows += 1;
    },
  });
  for await (const piece of pieces(file, encoding)) {
    options.signal?.throwIfAborted();
    reader.write(piece);
  }
  const sheets = tables.flatMap(({ name, rows }, index) => {
    const read = (asked: ReadOptions) => readTable(file, encoding, index, asked);
    return rows < 2 ? [] : [{ name, hidden: false, rows: rowSource(read) }];
  });
  if (sheets.length === 0) throw noTable(file, 'html_without_table');
  return { file, format: 'html', sheets };
}

async function* readTable(
  file: string,
  encoding: string,
  table: number,
  { signal, lastColumn }: ReadOptions,
): AsyncGenerator<RawRow[], void, undefined> {
  const assembler = new RowAssembler(lastColumn);
  const reader = new TableReader(file, {
    row(of, number, cells) {
      if (of !== table) return;
      assembler.begin(number);
      for (const [column, text] of cells) assembler.put(column, text);
      assembler.end();
    },
  });
  for await (const piece of pieces(file, encoding)) {
    signal?.throwIfAborted();
    reader.write(piece);
    if (assembler.rows.length >= BATCH_ROWS) yield assembler.take();
  }
  if (assembler.rows.length > 0) yield assembler.take();
}

async function* pieces(file: string, encoding: string): AsyncGenerator<string, void, undefined> {
  const decoder = iconv.getDecoder(encoding);
  for await (const bytes of createReadStream(file)) yield decoder.write(bytes as Buffer);
  yield decoder.end() ?? '';
}

/**
 * The encoding, as browsers find it: the person's choice, a byte order mark, the page's declaration; then UTF-8 if the
 * bytes are valid.
 */
async function encodingOf(file: string, asked: string | undefined): Promise<string> {
  if (asked !== undefined) return encodingOption(asked);
  const { bytes } = await readFileHead(file);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const said = /<meta\b[^>]{0,200}\bcharset\s*=\s*["']?([\w-]{1,40})/iu.exec(
    bytes.toString('latin1', 0, 4096),
  );
  const name = said?.[1]?.toLowerCase().replace(/^(?:iso-8859-1|us-ascii|latin1)$/u, 'windows-1252');
  const isValid = isUtf8(bytes.subarray(0, bytes.length - incompleteTail(bytes)));
  if (name !== undefined && iconv.encodingExists(name) && !/^utf-?16/u.test(name)) return name;
  return isValid ? 'utf-8' : 'windows-1252';
}

interface TableEvents {
  begin?(table: number): void;
  caption?(table: number, text: string): void;
  /** `cells`: 0-based column and text. `number` is 1-based. */
  row(table: number, number: number, cells: [column: number, text: string][]): void;
}

/** An open table. */
interface Open {
  table: number;
  rows: number;
  cells: [column: number, text: string][] | undefined;
  /** Column of the next cell. */
  column: number;
  /** Column → number of rows that a cell of an earlier row still spans. */
  spans: Map<number, number>;
  /** Text of the open cell or caption. */
  text: ShownText | undefined;
}

/** Text as a browser shows it: line breaks of the source are spaces, those of the page are elements. */
class ShownText {
  readonly #pieces: string[] = [];
  #length = 0;
  /** True if there has been only white space since the last line break or the beginning. */
  #isLineEmpty = true;
  #endsInSpace = true;

  /** @returns false if the text is longer than any cell could need */
  add(text: string): boolean {
    const spaced = text.replaceAll(/[\s\u00a0]+/gu, ' ');
    const shown = this.#endsInSpace && spaced.startsWith(' ') ? spaced.slice(1) : spaced;
    if (shown === '') return true;
    this.#pieces.push(shown);
    this.#length += shown.length;
    this.#isLineEmpty &&= shown === ' ';
    this.#endsInSpace = shown.endsWith(' ');
    return this.#length <= limits.xmlTextCharacters;
  }

  newLine(): void {
    if (this.#isLineEmpty) return;
    this.#pieces.push('\n');
    this.#isLineEmpty = true;
    this.#endsInSpace = true;
  }

  whole(): string {
    return this.#pieces.join('').replaceAll(' \n', '\n').trim();
  }
}

class TableReader {
  readonly #file: string;
  readonly #events: TableEvents;
  readonly #parser: Parser;
  readonly #open: Open[] = [];
  #tables = 0;
  #depth = 0;
  #withoutText = 0;
  /** Number of cells covered by cells of rows above. */
  #covered = 0;

  constructor(file: string, events: TableEvents) {
    this.#file = file;
    this.#events = events;
    this.#parser = new Parser({
      onopentag: (name, attributes) => this.#begin(name, attributes),
      ontext: (text) => this.#text(text),
      onclosetag: (name) => this.#end(name),
    });
  }

  write(html: string): void {
    this.#parser.write(html);
  }

  #begin(name: string, attributes: Record<string, string>): void {
    this.#depth += 1;
    if (this.#depth > limits.htmlDepth) throw noTable(this.#file, 'html_too_deep');
    if (NO_TEXT.has(name)) this.#withoutText += 1;
    if (name === 'table') {
      this.#events.begin?.(this.#tables);
      const table = this.#tables;
      this.#tables += 1;
      this.#open.push({ table, rows: 0, cells: undefined, column: 0, spans: new Map(), text: undefined });
      return;
    }
    const open = this.#open.at(-1);
    if (open === undefined) return;
    if (name === 'tr') this.#beginRow(open);
    else if (name === 'td' || name === 'th') this.#beginCell(open, attributes);
    else if (name === 'caption') open.text = new ShownText();
    else if (NEW_LINE.has(name)) open.text?.newLine();
  }

  #beginRow(open: Open): void {
    open.rows += 1;
    if (open.rows > limits.rows)
      throw limitError('rows', message('too_many_rows', { most: limits.rows }), this.#file);
    open.cells = [];
    open.column = 0;
  }

  #beginCell(open: Open, { colspan, rowspan }: Record<string, string>): void {
    if (open.cells === undefined) this.#beginRow(open);
    while ((open.spans.get(open.column) ?? 0) >= open.rows) {
      open.column += 1;
      this.#covered += 1;
    }
    if (this.#covered > limits.repeatedCells)
      throw limitError(
        'repeated_cells',
        message('too_many_merged', { most: limits.repeatedCells }),
        this.#file,
      );
    if (open.column >= limits.columns)
      throw limitError(
        'columns',
        message('row_too_wide', { row: open.rows, most: limits.columns }),
        this.#file,
      );
    const columns = spanOf(colspan, MAX_COLSPAN);
    const last = open.rows + spanOf(rowspan, limits.rows) - 1;
    for (let at = open.column; at < open.column + columns; at += 1)
      if (last > open.rows) open.spans.set(at, last);
    open.cells?.push([open.column, '']);
    open.column += columns;
    open.text = new ShownText();
  }

  #text(text: string): void {
    if (this.#withoutText > 0 || this.#open.at(-1)?.text?.add(text) !== false) return;
    throw limitError(
      'xml_text',
      message('cell_too_long', { file: this.#file, most: limits.xmlTextCharacters }),
      this.#file,
    );
  }

  #end(name: string): void {
    this.#depth -= 1;
    if (NO_TEXT.has(name)) this.#withoutText -= 1;
    const open = this.#open.at(-1);
    if (open === undefined) return;
    if (name === 'td' || name === 'th') {
      const cell = open.cells?.at(-1);
      if (cell !== undefined && open.text !== undefined) cell[1] = open.text.whole();
      open.text = undefined;
    } else if (name === 'caption') {
      const text = open.text?.whole() ?? '';
      if (text !== '') this.#events.caption?.(open.table, text);
      open.text = undefined;
    } else if (name === 'tr') this.#endRow(open);
    else if (name === 'table') {
      if (open.cells !== undefined) this.#endRow(open);
      this.#open.pop();
    } else if (name !== 'br' && NEW_LINE.has(name)) open.text?.newLine();
  }

  #endRow(open: Open): void {
    if (open.cells !== undefined) this.#events.row(open.table, open.rows, open.cells);
    open.cells = undefined;
  }
}

function spanOf(text: string | undefined, most: number): number {
  const count = Number(text ?? 1);
  return Number.isInteger(count) && count > 0 ? Math.min(count, most) : 1;
}

function noTable(file: string, code: 'html_too_large' | 'html_without_table' | 'html_too_deep'): SheetError {
  const resave = message('resave', {});
  return new SheetError('html', message(code, { file }), {
    position: { file },
    actions: [{ do: 'byHand', label: resave }],
  });
}
