/** What the files of a report show, as tables of plain values. */
import ExcelJS from 'exceljs';
import { parse } from 'csv-parse/sync';
import { shown } from './money.ts';

/** Cells in one form, whatever the file: see `shown`. */
export interface Line {
  currency: string;
  cells: string[];
}
/** By the title of the section. */
export type Tables = Map<string, Line[]>;

export const FILES: Record<string, string> = {
  'inventory.csv': 'Items owned at the end of the month',
  'listings.csv': 'For sale or trade at the end of the month',
  'items-sold.csv': 'Items sold in the month',
  'movements.csv': 'What came, left, moved and changed value',
  'roll-forward.csv': 'From opening to closing, values',
  'roll-forward-items.csv': 'From opening to closing, items',
  'sales-period.csv': 'Sales: In the period',
  'sales-period-counts.csv': 'Sales: In the period, counts',
  'sales-restatements.csv': 'Sales: Restatements',
};
const SECTIONS: Record<string, string> = {
  changes: 'Changes since the last report',
  period: 'In the period',
  period_counts: 'In the period, counts',
};

export function rowsOf(text: string): Record<string, string>[] {
  return parse(text, { bom: true, columns: true });
}

/** A table of a package. */
export function tableIn(text: string): Line[] {
  const [header = [], ...lines] = parse(text, { bom: true });
  const from = header[0] === 'currency' ? 1 : 0;
  return lines.map((line) => lineOf(from === 1 ? (line[0] ?? '') : '', line.slice(from)));
}

/** A report for programs: a figure per row. */
export function figuresIn(text: string): Tables {
  const found: Tables = new Map();
  const rows = rowsOf(text).filter(({ section }) => section !== 'report');
  for (const [place, figures] of Map.groupBy(rows, (row) =>
    JSON.stringify([row['section'], row['currency'], row['key']]),
  )) {
    const [section = '', currency = '', key = ''] = JSON.parse(place) as string[];
    const id = section.replace(/_total$/, '');
    const title = SECTIONS[id] ?? id.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
    const dimension = id.replace(/^by_/, '');
    const cells = figures.map(({ value = '' }) => value);
    // What the key says already is left out.
    if (id.startsWith('by_') && figures[0]?.['measure'] !== dimension)
      cells.unshift(section === id ? key : 'Total');
    found.set(title, [...(found.get(title) ?? []), lineOf(currency, cells)]);
  }
  return found;
}

export function pageTables(html: string): Tables {
  const found: Tables = new Map();
  for (const [, title = '', body = ''] of html.matchAll(
    /<section class="card" id="[^"]*"><h2>(.*?)<\/h2>(.*?)<\/section>/gs,
  )) {
    const lines: Line[] = [];
    for (const [, caption = '', table = ''] of body.matchAll(/<caption>(.*?)<\/caption>(.*?)<\/table>/gs))
      for (const [, row = ''] of [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].slice(1))
        lines.push(
          lineOf(
            caption.slice(title.length + 2),
            [...row.matchAll(/<t[dh][^>]*?(?: data-v="([^"]*)")?>(.*?)<\/t[dh]>/gs)].map(
              ([, value, text = '']) => value ?? text.replace('&#39;', "'"),
            ),
          ),
        );
    found.set(title, lines);
  }
  return found;
}

export async function workbookTables(content: Uint8Array): Promise<Tables> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(content.buffer.slice(content.byteOffset) as ArrayBuffer);
  const found: Tables = new Map();
  for (const sheet of book.worksheets.slice(1)) {
    const [view] = sheet.views;
    const header = view?.state === 'frozen' ? (view.ySplit ?? 0) : 0;
    const width = sheet.getRow(header).cellCount;
    const hasCurrency = sheet.getRow(header).getCell(1).value === 'Currency';
    const lines: Line[] = [];
    for (let number = header + 1; number <= sheet.rowCount; number += 1) {
      const cells = Array.from({ length: width }, (_, at) => cellText(sheet.getRow(number).getCell(at + 1)));
      if (cells.every((cell) => cell === '')) continue;
      lines.push(lineOf(hasCurrency ? (cells[0] ?? '') : '', cells.slice(hasCurrency ? 1 : 0)));
    }
    found.set(sheet.getRow(1).getCell(1).text, lines);
  }
  return found;
}

function cellText({ value, result }: ExcelJS.Cell): string {
  const plain = value !== null && typeof value === 'object' && 'formula' in value ? result : value;
  if (plain instanceof Date) return plain.toISOString();
  return typeof plain === 'string' || typeof plain === 'number' ? String(plain) : '';
}

function lineOf(currency: string, cells: readonly string[]): Line {
  const code = currency.toLowerCase();
  return { currency: code, cells: cells.map((cell) => shown(cell, code)) };
}
