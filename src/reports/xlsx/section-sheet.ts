/** A section as a sheet: title, notes and header, then the blocks one below the other, with charts beside them. */
import type ExcelJS from 'exceljs';
import { columnLetter } from '../../sheets/cell.ts';
import { chartRows } from '../chart-data.ts';
import { foldRows } from '../fold-rows.ts';
import type { Block, Column, Row, Section, Value } from '../model.ts';
import { currencyText, humanText } from '../value-text.ts';
import { cachedMoney, cellValue, font, formulaDigits, numberFormat, textCell, TIME_FORMAT } from './cell.ts';
import { CHART_COLUMNS, CHART_ROWS, type ChartSpec } from './chart-xml.ts';
import { counted } from '../../base/counted.ts';

/** Rows of a block; exceljs needs about 17 kB for each. */
const MAX_ROWS = 1000;
/** Format of amounts along an axis: all digits of millions would overlap. */
const AXIS_MONEY = '[>=1000000000]0.0,,,"B";[>=1000000]0.0,,"M";#,##0';
/** Maximum number of blocks (currencies) of a sheet with a chart. */
const MAX_CHARTS = 4;

const WIDTHS: Record<Column['kind'], number> = {
  text: 24,
  time: 17,
  count: 13,
  plain: 13,
  days: 9,
  money: 16,
  share: 9,
};

/** Fills the sheet, and returns the charts that belong on it. */
export function fillSheet(sheet: ExcelJS.Worksheet, section: Section, foot: string): ChartSpec[] {
  const writer = new SheetWriter(sheet, section);
  writer.head(foot);
  const charts = section.blocks.flatMap((block) => writer.block(block));
  const placed = charts.slice(0, MAX_CHARTS).map((chart, index, all) => {
    const above = index === 0 ? -1 : (all[index - 1]?.at.row ?? 0) + CHART_ROWS;
    chart.at.row = Math.max(chart.at.row, above);
    return chart;
  });
  printWith(sheet, placed);
  return placed;
}

/** Sets the print area: otherwise the page ends at the last used cell and cuts off a chart. */
function printWith(sheet: ExcelJS.Worksheet, charts: readonly ChartSpec[]): void {
  const columns = charts.map(({ at }) => at.column + CHART_COLUMNS + 1);
  const rows = charts.map(({ at }) => at.row + CHART_ROWS);
  if (charts.length === 0) return;
  sheet.pageSetup.printArea = `A1:${columnLetter(Math.max(...columns) - 1)}${Math.max(sheet.rowCount, ...rows)}`;
}

class SheetWriter {
  readonly #sheet: ExcelJS.Worksheet;
  readonly #section: Section;
  /** Columns before the section's own: 1 for the currency if there is money. */
  readonly #offset: number;
  /** Row of the header, from 1. */
  #header = 0;
  /** Next free row. */
  #next = 1;

  constructor(sheet: ExcelJS.Worksheet, section: Section) {
    this.#sheet = sheet;
    this.#section = section;
    this.#offset = section.blocks.some(({ currency }) => currency !== undefined) ? 1 : 0;
  }

  head(foot: string): void {
    const { title, notes, columns, blocks, empty } = this.#section;
    const all = [...(this.#offset === 1 ? ['Currency'] : []), ...columns.map((column) => column.title)];
    this.#sheet.columns = [
      ...(this.#offset === 1 ? [{ width: 10 }] : []),
      ...columns.map(({ kind }, index) => ({ width: index === 0 && kind === 'text' ? 34 : WIDTHS[kind] })),
    ];
    this.#add([title]).font = font({ bold: true, size: 16 });
    for (const note of blocks.length === 0 ? [...notes, empty] : notes)
      this.#add([textCell(note)]).font = font({ italic: true, color: { argb: 'FF5B6670' } });
    this.#next += 1;
    this.#header = this.#next;
    const header = this.#add(all);
    header.font = font({ bold: true, color: { argb: 'FFFFFFFF' } });
    header.height = 32;
    header.alignment = { vertical: 'middle', wrapText: true };
    for (const [index] of all.entries()) {
      const cell = header.getCell(index + 1);
      cell.fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FF1F7A83' } };
      const kind = columns[index - this.#offset]?.kind;
      if (kind !== undefined && kind !== 'text' && kind !== 'time')
        cell.alignment = { horizontal: 'right', vertical: 'middle', wrapText: true };
    }
    this.#sheet.views = [{ state: 'frozen', ySplit: this.#header, showGridLines: false }];
    Object.assign(this.#sheet.pageSetup, {
      orientation: 'landscape',
      paperSize: 9,
      fitToPage: true,
      fitToWidth: 1,
      fitToHeight: 0,
      printTitlesRow: `${this.#header}:${this.#header}`,
    } satisfies Partial<ExcelJS.PageSetup>);
    this.#sheet.headerFooter.oddFooter = foot;
  }

  /** Rows, the total, and the chart if there is one. */
  block(block: Block): ChartSpec[] {
    const { columns } = this.#section;
    const { rows, rest, left } = foldRows(block, columns, MAX_ROWS);
    const first = this.#next;
    const last = first + rows.length + (rest === undefined ? 0 : 1) - 1;
    const totalRow = block.total === undefined ? undefined : last + 1;
    for (const row of rest === undefined ? rows : [...rows, rest]) this.#row(row, block, totalRow);
    if (block.total !== undefined) this.#total(block.total, block, first, last);
    if (left > 0 && rest === undefined)
      this.#add([`${counted(left, 'more row is', 'more rows are')} in the .csv report.`]).font = font({
        italic: true,
      });
    this.#next += 1;
    return this.#chart(block, first);
  }

  #row(row: Row, block: Block, totalRow: number | undefined): void {
    const number = this.#next;
    this.#write(row, block, (column, index, value) =>
      column.formula === undefined || totalRow === undefined || value === null
        ? cellValue(value, column.kind)
        : this.#formula(column, index, row, block, number, totalRow),
    );
  }

  #total(total: Row, block: Block, first: number, last: number): void {
    const number = this.#next;
    const row = this.#write(total, block, (column, index, value) => {
      if (index === 0 || column.kind === 'text') return cellValue(value, column.kind);
      if (column.formula !== undefined) return this.#formula(column, index, total, block, number, number);
      // Some columns are not added up: values then and now, of which an item may have several.
      if (value === null) return null;
      const range = `${this.#letter(index)}${first}:${this.#letter(index)}${last}`;
      if (column.kind !== 'money') return { formula: `SUM(${range})`, result: Number(value) };
      // Doubles: their sum may differ from the exact one after 15 digits.
      const digits = formulaDigits(value, block.currency ?? '');
      return {
        formula: `IF(COUNT(${range})=0,"",ROUND(SUM(${range}),${digits}))`,
        result: cachedMoney(value, block.currency ?? ''),
      };
    });
    row.font = font({ bold: true });
    row.eachCell((cell) => {
      cell.border = { top: { style: 'medium', color: { argb: 'FF1F7A83' } } };
    });
  }

  /** The formula of a share of the total, or of a mean; cells are found by their columns' keys. */
  #formula(
    { formula }: Column,
    index: number,
    row: Row,
    block: Block,
    number: number,
    totalRow: number,
  ): ExcelJS.CellValue {
    const { columns } = this.#section;
    const place = (key: string) => columns.findIndex((column) => column.key === key);
    const at = (key: string, rowNumber: number | string) => `${this.#letter(place(key))}${rowNumber}`;
    const value = row.values[index] ?? null;
    if (formula === undefined) return null;
    if ('share' in formula) {
      const [part, whole] = [at(formula.share, number), at(formula.share, `$${totalRow}`)];
      return {
        formula: `IF(N(${whole})=0,"",${part}/${whole})`,
        result: value === null ? '' : Number(value),
      };
    }
    const [sum, count] = [at(formula.mean, number), at(formula.by, number)];
    const digits = formulaDigits(value, block.currency ?? '');
    return {
      formula: `IF(N(${count})=0,"",ROUND(${sum}/${count},${digits}))`,
      result: cachedMoney(value, block.currency ?? ''),
    };
  }

  #write(
    row: Row,
    { currency }: Block,
    toCell: (column: Column, index: number, value: Value) => ExcelJS.CellValue,
  ): ExcelJS.Row {
    const { columns } = this.#section;
    const code = this.#offset === 1 ? [currency === undefined ? null : textCell(currencyText(currency))] : [];
    const written = this.#add([
      ...code,
      ...columns.map((column, index) => toCell(column, index, row.values[index] ?? null)),
    ]);
    for (const [index, { kind }] of columns.entries()) {
      const format = numberFormat(kind, currency);
      const cell = written.getCell(index + 1 + this.#offset);
      if (format !== undefined) cell.numFmt = format;
      cell.alignment = { vertical: 'top', wrapText: kind === 'text' };
    }
    return written;
  }

  #add(values: readonly ExcelJS.CellValue[]): ExcelJS.Row {
    const row = this.#sheet.getRow(this.#next);
    row.values = [...values];
    this.#next += 1;
    return row;
  }

  #chart(block: Block, first: number): ChartSpec[] {
    const { columns, title } = this.#section;
    const data = chartRows(block, columns);
    if (data === undefined || block.chart === undefined) return [];
    const rows = data.rows.slice(0, MAX_ROWS);
    const last = first + rows.length - 1;
    const name = `'${this.#sheet.name.replaceAll("'", "''")}'`;
    const range = (index: number, from: number, to: number) => {
      const letter = `$${this.#letter(index)}$`;
      return `${name}!${letter}${from}${from === to ? '' : `:${letter}${to}`}`;
    };
    const label = columns[data.label];
    const time = label?.kind === 'time';
    const { currency } = block;
    const code = currency === undefined ? '' : `, ${currencyText(currency)}`;
    return [
      {
        kind: block.chart.kind,
        title:
          block.chart.title +
          code +
          (data.rows.length < block.rows.length ? ` (first ${data.rows.length})` : ''),
        description: `${title}${code}: the figures are in the table beside it.`,
        categories: {
          reference: range(data.label, first, last),
          values: rows.map((row) =>
            time
              ? serial(row.values[data.label] ?? null)
              : humanText(row.values[data.label] ?? null, 'text', undefined),
          ),
        },
        ...(time ? { categoryFormat: TIME_FORMAT } : {}),
        series: data.series.map(({ index, column }) => ({
          name: { reference: range(index, this.#header, this.#header), values: [column.title] },
          values: {
            reference: range(index, first, last),
            values: rows.map((row) => {
              const value = row.values[index] ?? null;
              const number = value === null || typeof value === 'string' ? Number.NaN : Number(value);
              return Number.isFinite(number) ? number : null;
            }),
          },
          numberFormat:
            column.kind === 'money' ? AXIS_MONEY : (numberFormat(column.kind, currency) ?? 'General'),
        })),
        at: { column: columns.length + this.#offset + 1, row: first - 1 },
      },
    ];
  }

  #letter(index: number): string {
    return columnLetter(index + this.#offset);
  }
}

/** Days since 1899-12-30, as Excel counts. */
function serial(value: Value): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : ms / 86_400_000 + 25_569;
}
