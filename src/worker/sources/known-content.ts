/** The content that a scheduled import has imported last: it is not imported again. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { RECIPES } from '../../import/stage/recipes.ts';
import { Reversals } from '../../import/history/reversals.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { SourceImport } from '../config/import-options.ts';
import { isTemplateFile, templatePath } from '../tasks/template-path.ts';
import type { Download } from './download.ts';

const SPACE = 'sources';

/** Content that was read, and how. */
export interface ReadContent extends Download {
  /** Hash of the import's settings and template: with other ones, the same file counts as new. */
  settings: string;
}

/** Content that was imported. */
interface ImportedContent extends ReadContent {
  /** The job that answers for it. */
  job: string;
}

/** How a file is imported. Paths of the settings are relative to the folder of the configuration. */
export interface KnownSource {
  source: SourceImport;
  configFolder: string;
}

/**
 * The content of the last successful run; undefined if there is none, if it was read with other settings, or if its
 * import was undone: as with a file that is dropped again, the import then decides what is missing.
 */
export async function knownContent(
  ledger: Ledger,
  schedule: string,
  settings: string,
): Promise<Download | undefined> {
  const text = await ledger.values.get(SPACE, schedule);
  const known = text === undefined ? undefined : (JSON.parse(text) as ImportedContent);
  if (known?.settings !== settings) return undefined;
  return (await Reversals.open(ledger)).isTouched(known.job) ? undefined : known;
}

export async function rememberContent(
  values: KeyValues,
  schedule: string,
  content: ImportedContent,
): Promise<void> {
  await values.put(SPACE, [{ key: schedule, value: JSON.stringify(content) }]);
}

/** Call it before the file is read: the template may change while its import waits. */
export async function settingsOf({ source, configFolder }: KnownSource, values: KeyValues): Promise<string> {
  const { template, recipe } = source;
  const hash = createHash('sha256').update(JSON.stringify(source));
  if (recipe !== undefined) hash.update((await values.get(RECIPES, recipe)) ?? '');
  // A file that cannot be read is an error of the import.
  if (template !== undefined && isTemplateFile(template))
    hash.update(await readFile(templatePath(template, configFolder)).catch(() => ''));
  return hash.digest('hex');
}
