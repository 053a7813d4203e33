/** The content that a scheduled import has imported last: it is not imported again. */
import { createHash } from 'node:crypto';
import type { KeyValues } from '../../ledger/key-values.ts';
import type { SourceImport } from '../config/import-options.ts';
import type { Download } from './download.ts';

const SPACE = 'sources';

interface Known extends Download {
  /** Hash of the import's settings: with other settings, the same file counts as new. */
  settings: string;
}

/** The content of the last successful run; undefined if there is none, or if the settings have changed. */
export async function knownContent(
  values: KeyValues,
  schedule: string,
  source: SourceImport,
): Promise<Download | undefined> {
  const text = await values.get(SPACE, schedule);
  const known = text === undefined ? undefined : (JSON.parse(text) as Known);
  return known?.settings === settingsOf(source) ? known : undefined;
}

export async function rememberContent(
  values: KeyValues,
  schedule: string,
  source: SourceImport,
  content: Download,
): Promise<void> {
  const known: Known = { ...content, settings: settingsOf(source) };
  await values.put(SPACE, [{ key: schedule, value: JSON.stringify(known) }]);
}

function settingsOf(source: SourceImport): string {
  return createHash('sha256').update(JSON.stringify(source)).digest('hex');
}
