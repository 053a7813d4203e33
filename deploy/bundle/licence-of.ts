import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Licence {
  name: string;
  version: string;
  /** As the package names it, or the first line of its text; undefined where it has neither. */
  licence: string | undefined;
  texts: string[];
}

/** @param folder a package's; undefined for one that only says how its files are read */
export function licenceOf(folder: string): Licence | undefined {
  const { name, version, license, licenses } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as {
    name?: string;
    version?: string;
    license?: string;
    /** As old packages have it. */
    licenses?: { type: string }[];
  };
  if (name === undefined || version === undefined) return undefined;
  const texts = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const licence = license ?? licenses?.map(({ type }) => type).join(' OR ') ?? texts[0]?.split('\n')[0];
  return { name, version, licence, texts };
}
