/** The parts of exceljs that write; its entry would also load what reads, with packages that nothing here needs. */
declare module 'exceljs/lib/doc/workbook.js' {
  import type { Workbook } from 'exceljs';

  const Constructor: typeof Workbook;
  export default Constructor;
}

declare module 'exceljs/lib/stream/xlsx/workbook-writer.js' {
  import type { stream } from 'exceljs';

  const Constructor: typeof stream.xlsx.WorkbookWriter;
  export default Constructor;
}
