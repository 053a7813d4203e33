import ExcelJS from 'exceljs';

/** A workbook of one sheet. */
export async function makeWorkbook(file: string, rows: (string | number | undefined)[][]): Promise<void> {
  const workbook = new ExcelJS.Workbook();
  workbook.addWorksheet('Toys').addRows(rows);
  await workbook.xlsx.writeFile(file);
}
