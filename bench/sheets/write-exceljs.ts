/** exceljs's fastest: streaming, inline strings, no styles; it has nothing that could be waited for. */
import ExcelJS from 'exceljs';
import { HEADERS, row } from './rows.ts';

const [filename = '', count = '0'] = process.argv.slice(2);
const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
  filename,
  useSharedStrings: false,
  useStyles: false,
});
const sheet = workbook.addWorksheet('Sheet1');
sheet.addRow(HEADERS).commit();
for (let number = 0; number < Number(count); number += 1) {
  sheet.addRow(row(number)).commit();
  // Lets the zip work in between, as a program that fetches its rows would.
  if (number % 500 === 499) await new Promise((resolve) => setImmediate(resolve));
}
sheet.commit();
await workbook.commit();
