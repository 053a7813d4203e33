/** The rows that every side writes: twelve columns as in SPEED's tables, texts and numbers. */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { makeOds, odsContent, odsNumber, odsRow, odsText } from '../../test/sheets/support/make-ods.ts';
import { makeXls, number, shared, sharedTexts } from '../../test/sheets/support/make-xls.ts';

export const HEADERS = Array.from({ length: 12 }, (_, column) => `Column ${column + 1}`);

export function row(number: number): (string | number)[] {
  return HEADERS.map((_, column) =>
    column % 3 === 0 ? number + column / 4 : `Item ${number}, series ${column}`,
  );
}

/** A CSV of toys: eleven columns that are mapped, and one that is ignored. */
export function writeToys(file: string, rows: number): void {
  const handle = openSync(file, 'w');
  writeSync(
    handle,
    'name,brand,series,year,condition,packaging,status,tags,estimated value,custom_fields.sku,custom_fields.shelf,comment\n',
  );
  for (let from = 1; from <= rows; from += 1000) {
    const lines = Array.from({ length: Math.min(1000, rows - from + 1) }, (_, at) => {
      const toy = from + at;
      return `Star Cruiser No. ${toy},Halloway Plastics,Deep ${toy % 40},${1970 + (toy % 50)},loose_good,opened,keep,space;blue,${(toy % 900) + 0.5},SKU-${toy},A${toy % 30},"bought at a fair, boxed"\n`;
    });
    writeSync(handle, lines.join(''));
  }
  closeSync(handle);
}

/** An OpenDocument spreadsheet of the rows that the XLSX has. */
export function writeOds(file: string, rows: number): void {
  const [before = '', after = ''] = odsContent({ sheets: '@@' }).split('@@');
  const cells = (number: number) =>
    row(number)
      .map((value) => (typeof value === 'number' ? odsNumber(value) : odsText(value)))
      .join('');
  function* content() {
    yield before + odsRow(HEADERS.map((header) => odsText(header)).join(''));
    for (let number = 0; number < rows; number += 1) yield odsRow(cells(number));
    yield after;
  }
  writeFileSync(file, makeOds({ sheets: '', extra: { 'content.xml': content() } }));
}

/** An .xls of the rows that the XLSX has, each text in the table of texts. */
export function writeXls(file: string, rows: number): void {
  const texts: string[] = [];
  const records = [HEADERS, ...Array.from({ length: rows }, (_, index) => row(index))].flatMap((values, at) =>
    values.map((value, column) =>
      typeof value === 'number' ? number(at, column, value) : shared(at, column, texts.push(value) - 1),
    ),
  );
  writeFileSync(file, makeXls({ sheets: [{ name: 'Items', records }], globals: [sharedTexts(texts)] }));
}
