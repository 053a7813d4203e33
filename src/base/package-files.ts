/** The files that the package brings along beside its code: schemas, and what pages load. */
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** Absolute path of a file or folder of this package, such as `templates/import.schema.json`. */
export function packageFile(path: string): string {
  return join(packageFolder(), path);
}

let folder: string | undefined;

/** Sources and the bundled package lie at different depths. */
function packageFolder(): string {
  folder ??= dirname(findPackageJSON(import.meta.url) ?? '');
  return folder;
}
