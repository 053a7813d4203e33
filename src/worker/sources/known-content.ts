/** The content that a scheduled import has imported last: it is not imported again. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { RECIPES } from '../../import/stage/recipes.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import type { SourceImport } from '../config/import-options.ts';
import { isTemplateFile, templatePath } from '../tasks/template-path.ts';
import type { Download } from './download.ts';

const SPACE = 'sources';

interface Known extends Download {
  /** Hash of the import's settings and template: with other ones, the same file counts as new. */
  settings: string;
}

/** A scheduled import. Paths of its settings are relative to the folder of the configuration. */
export interface KnownSource {
  schedule: string;
  source: SourceImport;
  configFolder: string;
}

/** The content of the last successful run; undefined if there is none, or if the settings have changed. */
export async function knownContent(values: KeyValues, from: KnownSource): Promise<Download | undefined> {
  const text = await values.get(SPACE, from.schedule);
  const known = text === undefined ? undefined : (JSON.parse(text) as Known);
  return known !== undefined && known.settings === (await settingsOf(from, values)) ? known : undefined;
}

export async function rememberContent(
  values: KeyValues,
  from: KnownSource,
  content: Download,
): Promise<void> {
  const known: Known = { ...content, settings: await settingsOf(from, values) };
  await values.put(SPACE, [{ key: from.schedule, value: JSON.stringify(known) }]);
}

async function settingsOf({ source, configFolder }: KnownSource, values: KeyValues): Promise<string> {
  const { template, recipe } = source;
  const hash = createHash('sha256').update(JSON.stringify(source));
  if (recipe !== undefined) hash.update((await values.get(RECIPES, recipe)) ?? '');
  // A file that cannot be read is an error of the import.
  if (template !== undefined && isTemplateFile(template))
    hash.update(await readFile(templatePath(template, configFolder)).catch(() => ''));
  return hash.digest('hex');
}
