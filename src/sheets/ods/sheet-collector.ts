/**
 * Turns the events of an OpenDocument table into rows (OpenDocument part 3, 9.1).
 *
 * Rows and cells have no numbers: each says how often it is repeated. A million blank rows below the table are one
 * element, and take no longer than one row. Covered cells of a merge are treated like other cells, as in XLSX.
 */
import { type Cell, columnLetter } from '../cell.ts';
import { message } from '../../messages/message.ts';
import { limitError, limits } from '../limits.ts';
import type { RowAssembler } from '../workbook/row-assembler.ts';
import type { XmlHandlers } from '../workbook/xml.ts';
import { CellText, countOf } from './cell-text.ts';
import { cellValue } from './cell-value.ts';
import type { StyleCollector } from './styles.ts';

/** Elements within a cell that are not part of its text: comments, reading aids, tables and forms. */
const IGNORED: ReadonlySet<string> = new Set([
  'office:annotation',
  'office:forms',
  'table:table',
  'table:detective',
  'text:note',
  'text:ruby-text',
]);

export class SheetCollector implements XmlHandlers {
  /** True once the sheet has ended; the rest of the part is not needed. */
  done = false;
  /** Row number → how many times a finished row occurs in the sheet, if more than once. */
  readonly repeats = new Map<number, number>();

  private readonly place: { file: string; sheet: string };
  private readonly index: number;
  private readonly styles: StyleCollector;
  private readonly assembler: RowAssembler;
  private readonly content = new CellText();
  private sheets = 0;
  private isInSheet = false;
  /** Elements that are open from an ignored one on. */
  private ignored = 0;
  private rowNumber = 1;
  private rowRepeat = 1;
  private rowAttributes: Record<string, string> = {};
  private filledInRow = 0;
  private column = 0;
  private cell: Record<string, string> | undefined;
  private repeatedCells = 0;
  private columns = 0;
  private readonly columnStyles: { last: number; style: string }[] = [];

  /** @param index 0-based place of the sheet among all sheets */
  constructor(
    place: { file: string; sheet: string },
    index: number,
    styles: StyleCollector,
    assembler: RowAssembler,
  ) {
    this.place = place;
    this.index = index;
    this.styles = styles;
    this.assembler = assembler;
  }

  open(name: string, attributes: Record<string, string>, parent: string): void {
    if (name === 'table:table' && parent === 'office:spreadsheet') {
      this.isInSheet = this.sheets === this.index;
      this.sheets += 1;
      return;
    }
    if (!this.isInSheet) return;
    if (this.ignored > 0 || IGNORED.has(name)) {
      this.ignored += 1;
      return;
    }
    switch (name) {
      case 'table:table-cell':
      case 'table:covered-table-cell':
        this.cell = attributes;
        this.content.clear();
        break;
      case 'table:table-row':
        this.openRow(attributes);
        break;
      case 'table:table-column':
        this.openColumn(attributes);
        break;
      default:
        if (this.cell === undefined) return;
        this.content.open(name, attributes);
        this.checkLength();
    }
  }

  text(text: string): void {
    if (this.cell === undefined || this.ignored > 0) return;
    this.content.characters(text);
    this.checkLength();
  }

  close(name: string): void {
    if (!this.isInSheet) return;
    if (this.ignored > 0) {
      this.ignored -= 1;
      return;
    }
    switch (name) {
      case 'table:table-cell':
      case 'table:covered-table-cell':
        this.closeCell();
        break;
      case 'table:table-row':
        this.closeRow();
        break;
      case 'table:table':
        this.isInSheet = false;
        this.done = true;
        break;
      default:
        if (this.cell !== undefined) this.content.close(name);
    }
  }

  private openRow(attributes: Record<string, string>): void {
    this.rowAttributes = attributes;
    this.rowRepeat = countOf(attributes['table:number-rows-repeated']);
    this.column = 0;
    this.filledInRow = 0;
  }

  private closeRow(): void {
    if (this.filledInRow > 0) {
      this.assembler.end();
      if (this.rowRepeat > 1) {
        this.countRepeated(this.filledInRow * (this.rowRepeat - 1));
        this.repeats.set(this.rowNumber, this.rowRepeat);
      }
    }
    this.rowNumber += this.rowRepeat;
  }

  private closeCell(): void {
    const attributes = this.cell ?? {};
    this.cell = undefined;
    const repeat = countOf(attributes['table:number-columns-repeated']);
    const value = cellValue(attributes, this.content.text, () =>
      this.styles.formatOf(this.styleOf(attributes)),
    );
    if (value !== null) this.put(value, repeat);
    this.column += repeat;
  }

  private put(value: Cell, repeat: number): void {
    if (this.filledInRow === 0) this.beginRow();
    if (this.column + repeat > limits.columns) {
      const place = { cell: columnLetter(this.column + repeat - 1), last: columnLetter(limits.columns - 1) };
      const found = message('cell_beyond_last', { sheet: this.place.sheet, ...place });
      throw limitError('columns', found, this.place.file);
    }
    this.filledInRow += repeat;
    if (repeat > 1) this.countRepeated(repeat - 1);
    for (let copy = 0; copy < repeat; copy += 1) this.assembler.put(this.column + copy, value);
  }

  /** Begins a row at its first filled cell, so that blank rows take no time. */
  private beginRow(): void {
    const last = this.rowNumber + this.rowRepeat - 1;
    if (last > limits.rows) {
      const place = { sheet: this.place.sheet, row: String(last), last: limits.rows };
      throw limitError('rows', message('row_beyond_last', place), this.place.file);
    }
    this.assembler.begin(this.rowNumber);
    const visibility = this.rowAttributes['table:visibility'] ?? 'visible';
    if (visibility !== 'visible') this.assembler.hideRow(this.rowRepeat);
  }

  private openColumn(attributes: Record<string, string>): void {
    const first = this.columns;
    if (first >= limits.columns) return;
    this.columns += countOf(attributes['table:number-columns-repeated']);
    const last = this.columns - 1;
    const style = attributes['table:default-cell-style-name'];
    if (style !== undefined) this.columnStyles.push({ last, style });
    if ((attributes['table:visibility'] ?? 'visible') !== 'visible') this.assembler.hideColumns(first, last);
  }

  /** A cell without a style has its row's, else its column's. */
  private styleOf(attributes: Record<string, string>): string {
    return (
      attributes['table:style-name'] ??
      this.rowAttributes['table:default-cell-style-name'] ??
      this.columnStyles.find(({ last }) => last >= this.column)?.style ??
      ''
    );
  }

  private checkLength(): void {
    if (!this.content.isTooLong) return;
    const found = message('text_too_long', { sheet: this.place.sheet });
    throw limitError('xml_text', found, this.place.file);
  }

  private countRepeated(cells: number): void {
    this.repeatedCells += cells;
    if (this.repeatedCells <= limits.repeatedCells) return;
    throw limitError(
      'repeated_cells',
      message('too_many_repeated', { sheet: this.place.sheet, most: limits.repeatedCells }),
      this.place.file,
    );
  }
}
