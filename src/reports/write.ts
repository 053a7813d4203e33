/** Writes a report in the format asked for. */
import type { Report } from './model.ts';
import type { ReportFormat } from './request.ts';
import { writeCsv } from './write-csv.ts';

/** The file appears, complete, when the promise resolves; else nothing changes. */
export async function writeReport(
  report: Report,
  format: ReportFormat,
  file: string,
): Promise<{ sha256: string }> {
  if (format === 'csv') return writeCsv(report, file);
  if (format === 'html') {
    const { htmlPage } = await import('./html/page.ts');
    return writeWhole(file, htmlPage(report));
  }
  const { workbook } = await import('./xlsx/workbook.ts');
  return writeWhole(file, await workbook(report));
}

async function writeWhole(file: string, content: string | Uint8Array): Promise<{ sha256: string }> {
  const { openAtomicFile } = await import('../sheets/atomic-file.ts');
  const target = await openAtomicFile(file);
  try {
    await target.write(content);
    return await target.commit();
  } catch (error) {
    await target.abort();
    throw error;
  }
}
