/**
 * Opens a workbook of any kind.
 */
import type { FileKind } from './file-kind.ts';
import { openHtml } from './html/open-html.ts';
import { isOpenDocument, openFlatOds, openOds } from './ods/open-ods.ts';
import { openCompound } from './open-compound.ts';
import type { OpenOptions } from './table.ts';
import { openPackage } from './workbook/package.ts';
import type { Workbook } from './workbook/tables.ts';
import { openXlsx } from './xlsx/open-xlsx.ts';

type WorkbookKind = Exclude<FileKind, 'text'>;

/** The reader of each kind of workbook. */
const READERS: Record<WorkbookKind, (file: string, options: OpenOptions) => Promise<Workbook>> = {
  zip: openZip,
  compound: openCompound,
  fods: openFlatOds,
  html: openHtml,
};

/** Only the first rows are read here; nothing stays open. */
export function openWorkbook(kind: WorkbookKind, file: string, options: OpenOptions): Promise<Workbook> {
  return READERS[kind](file, options);
}

async function openZip(file: string): Promise<Workbook> {
  const parts = await openPackage({ file });
  try {
    return await (isOpenDocument(parts) ? openOds(parts) : openXlsx(parts));
  } finally {
    parts.close();
  }
}
