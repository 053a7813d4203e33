/**
 * Workbooks in a compound file: .xls, and newer ones that a password protects.
 */
import { readCompoundFile } from './compound-file.ts';
import { binaryError } from './file-kind.ts';
import { unlockPackage } from './protected/unlock.ts';
import type { OpenOptions } from './table.ts';
import { openPackage } from './workbook/package.ts';
import type { Workbook } from './workbook/tables.ts';
import { openXls } from './xls/open-xls.ts';
import { openXlsx } from './xlsx/open-xlsx.ts';
import { xlsbError } from './xlsx/workbook.ts';

export async function openCompound(file: string, { password }: OpenOptions): Promise<Workbook> {
  const compound = await readCompoundFile(file);
  const encrypted = compound.find('EncryptedPackage', true);
  if (encrypted !== undefined) {
    // Before the file is decrypted, only its name shows this.
    const ask = /\.xlsb$/iu.test(file) ? () => Promise.reject(xlsbError(file)) : password;
    const parts = await openPackage({ file, bytes: await unlockPackage(file, compound, encrypted, ask) });
    try {
      return await openXlsx(parts);
    } finally {
      parts.close();
    }
  }
  // A file may have both streams, for Excel 97 and for Excel 95.
  const stream = compound.find('Workbook') ?? compound.find('Book');
  if (stream === undefined) throw binaryError(file, 'OLE (.doc, .ppt, .msg)');
  return openXls(stream, password);
}
