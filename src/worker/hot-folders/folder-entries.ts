/**
 * What lies in a folder. Names are bytes there: one of an older system is no UTF-8, and the text that it is read as
 * leads to no file.
 */
import { readdir } from 'node:fs/promises';
import { sep } from 'node:path';

export interface FolderEntry {
  path: Buffer;
  /** For people, and for names that we give. */
  name: string;
  kind: 'file' | 'folder' | 'link' | 'other';
}

export async function folderEntries(folder: string): Promise<FolderEntry[]> {
  const found = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  const start = Buffer.from(folder + sep);
  return found.map((entry) => ({
    path: Buffer.concat([start, entry.name]),
    name: textOf(entry.name),
    kind: entry.isFile()
      ? 'file'
      : entry.isDirectory()
        ? 'folder'
        : entry.isSymbolicLink()
          ? 'link'
          : 'other',
  }));
}

/** Windows-1252 gives every byte a letter, and most of the old names theirs. */
function textOf(name: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    return new TextDecoder('windows-1252').decode(name);
  }
}
