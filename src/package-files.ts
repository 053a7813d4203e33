/** The files that the package brings along beside its code: templates, what pages load, package.json. */
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** Absolute path of a file or folder of this package, such as `templates/import`. */
export function packageFile(path: string): string {
  return join(packageFolder(), path);
}

/** Version of this package. */
export function shelfliftVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version;
}

let folder: string | undefined;

/** Sources and the bundled package lie at different depths. */
function packageFolder(): string {
  folder ??= dirname(findPackageJSON(import.meta.url) ?? '');
  return folder;
}
