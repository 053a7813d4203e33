import { resolve } from 'node:path';

/** True for a path of a template, false for the name of a shipped one: as `--template` tells them apart. */
export function isTemplateFile(nameOrFile: string): boolean {
  return /[\\/]|\.ya?ml$/i.test(nameOrFile);
}

/** A path made absolute; a name as it is. */
export function templatePath(nameOrFile: string, folder: string): string {
  return isTemplateFile(nameOrFile) ? resolve(folder, nameOrFile) : nameOrFile;
}
