/** The content that a scheduled import has imported last: it is not imported again. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { RECIPES } from '../../import/stage/recipes.ts';
import { Reversals } from '../../import/history/reversals.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { SourceImport } from '../config/import-options.ts';
import { isTemplateFile, templatePath } from '../tasks/template-path.ts';
import type { Download } from './download.ts';

const SPACE = 'sources';

/** Content that was read, and how. */
export interface ReadContent extends Download {
  /** Hash of all else that an import depends on: with another one, the same file counts as new. */
  settings: string;
}

/** How a file is imported. Paths of the settings are relative to the folder of the configuration. */
export interface KnownSource {
  source: SourceImport;
  configFolder: string;
}

/** The content of the last successful run; undefined if there is none, or if it was read with other settings. */
export async function knownContent(
  { values }: Pick<Ledger, 'values'>,
  schedule: string,
  settings: string,
): Promise<Download | undefined> {
  const text = await values.get(SPACE, schedule);
  const known = text === undefined ? undefined : (JSON.parse(text) as ReadContent);
  return known?.settings === settings ? known : undefined;
}

export async function rememberContent(
  { values }: Pick<Ledger, 'values'>,
  schedule: string,
  content: ReadContent,
): Promise<void> {
  await values.put(SPACE, [{ key: schedule, value: JSON.stringify(content) }]);
}

/**
 * Hash of the settings, the template, and the undos of the store: as with a file that is dropped again, the import then
 * decides what is missing. Call it before the file is read: the template may change while its import waits.
 */
export async function settingsOf({ source, configFolder }: KnownSource, ledger: Ledger): Promise<string> {
  const { template, recipe } = source;
  const hash = createHash('sha256').update(JSON.stringify(source));
  // Any job may have sent rows of the content, so each undo counts; asking once too often costs one reading.
  hash.update((await Reversals.open(ledger)).version);
  if (recipe !== undefined) hash.update((await ledger.values.get(RECIPES, recipe)) ?? '');
  // A file that cannot be read is an error of the import.
  if (template !== undefined && isTemplateFile(template))
    hash.update(await readFile(templatePath(template, configFolder)).catch(() => ''));
  return hash.digest('hex');
}
