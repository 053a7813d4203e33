import exceljs from 'exceljs';
import { COLUMNS, pages } from './pages.ts';

const workbook = new exceljs.stream.xlsx.WorkbookWriter({ filename: process.argv[2] ?? '' });
const sheet = workbook.addWorksheet('items');
sheet.columns = COLUMNS.map((header) => ({ header, key: header }));
for await (const page of pages()) for (const row of page) sheet.addRow(row).commit();
await workbook.commit();
