import { resolve } from 'node:path';

/** True for the path of a template, false for the name of a shipped one, by the same rule as `--template`. */
export function isTemplateFile(nameOrFile: string): boolean {
  return /[\\/]|\.ya?ml$/i.test(nameOrFile);
}

/** An absolute path; a name is unchanged. */
export function templatePath(nameOrFile: string, folder: string): string {
  return isTemplateFile(nameOrFile) ? resolve(folder, nameOrFile) : nameOrFile;
}
