/** The files in the package besides its code: schemas, and assets of pages. */
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** Absolute path of a file or folder of this package, such as `templates/import.schema.json`. */
export function packageFile(path: string): string {
  return join(packageFolder(), path);
}

let folder: string | undefined;

/** The sources and the bundled package have different depths. */
function packageFolder(): string {
  folder ??= dirname(findPackageJSON(import.meta.url) ?? '');
  return folder;
}
