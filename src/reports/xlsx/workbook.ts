/** A report as a workbook: a summary sheet, and a sheet for each section. */
import { english } from '../../messages/message.ts';
import type ExcelJS from 'exceljs';
import Workbook from 'exceljs/lib/doc/workbook.js';
import { numberedSheetName } from '../../sheets/xlsx/sheet-name.ts';
import type { Report } from '../model.ts';
import { currencyText, timeText } from '../value-text.ts';
import { addCharts } from './add-charts.ts';
import { cellValue, font, numberFormat, textCell } from './cell.ts';
import type { ChartSpec } from './chart-xml.ts';
import { fillSheet } from './section-sheet.ts';

export async function workbook(report: Report): Promise<Uint8Array> {
  const book = new Workbook();
  book.creator = 'shelflift';
  book.created = new Date(report.at);
  book.modified = new Date(report.at);
  book.title = report.title;
  // In footers & starts a command; && is a literal &.
  const foot = `&L${`${report.title}, ${timeText(report.at)}`.replaceAll('&', '&&')}&C&A&RPage &P of &N`;
  summarySheet(book.addWorksheet('Summary'), report, foot);
  const charts = new Map<number, ChartSpec[]>();
  for (const [index, section] of report.sections.entries()) {
    const sheet = book.addWorksheet(freeName(section.title, book));
    charts.set(index + 2, fillSheet(sheet, section, foot));
  }
  return addCharts(new Uint8Array(await book.xlsx.writeBuffer()), charts);
}

/** Excel ignores case in sheet names, and cuts long names. */
function freeName(title: string, book: ExcelJS.Workbook): string {
  const taken = new Set(book.worksheets.map(({ name }) => name.toLowerCase()));
  let name = numberedSheetName(title, 1);
  for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = numberedSheetName(title, number);
  return name;
}

function summarySheet(sheet: ExcelJS.Worksheet, report: Report, foot: string): void {
  sheet.columns = [{ width: 26 }, { width: 20 }, { width: 11 }, { width: 70 }];
  sheet.views = [{ showGridLines: false }];
  sheet.addRow([report.title]).font = font({ bold: true, size: 20 });
  sheet.addRow([`As read on ${timeText(report.at)}`]).font = font({ color: { argb: 'FF5B6670' } });
  for (const said of report.warnings)
    sheet.addRow([textCell(english(said))]).font = font({ bold: true, color: { argb: 'FF8A4B00' } });
  sheet.addRow([]);
  for (const { label, value, kind, currency, detail } of report.figures) {
    const row = sheet.addRow([
      label,
      value === null ? 'unknown' : cellValue(value, kind),
      currency === undefined ? null : textCell(currencyText(currency)),
      detail ?? null,
    ]);
    row.getCell(3).alignment = { indent: 1 };
    const cell = row.getCell(2);
    cell.font = font({ bold: true, size: 13 });
    cell.alignment = { horizontal: 'right' };
    const format = numberFormat(kind, currency);
    if (format !== undefined) cell.numFmt = format;
  }
  sheet.addRow([]);
  for (const [label, text] of report.facts) {
    const row = sheet.addRow([label, textCell(text)]);
    row.getCell(1).font = font({ color: { argb: 'FF5B6670' } });
  }
  Object.assign(sheet.pageSetup, {
    orientation: 'landscape',
    paperSize: 9,
    fitToPage: true,
    fitToWidth: 1,
    fitToHeight: 0,
  } satisfies Partial<ExcelJS.PageSetup>);
  sheet.headerFooter.oddFooter = foot;
}
