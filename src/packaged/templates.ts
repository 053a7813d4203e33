/**
 * The templates and layouts that come with shelflift: the text of each, by name. The build puts the values of the modules in
 * this folder into the code (deploy/bundle/packaged.ts): a program that bundles the library has no files of ours beside it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const IMPORT_TEMPLATES: Readonly<Record<string, string>> = textsIn('import');
export const EXPORT_LAYOUTS: Readonly<Record<string, string>> = textsIn('export');

function textsIn(kind: string): Record<string, string> {
  const folder = join(import.meta.dirname, '../../templates', kind);
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return Object.fromEntries(
    files.sort().map((file) => [basename(file, '.yaml'), readFileSync(join(folder, file), 'utf8')]),
  );
}
