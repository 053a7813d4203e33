/**
 * Last stage: what became of each row, as files for people.
 *
 * `NAME.results.csv` holds every row; `NAME.rejects.csv` only those to mend, so that it can be corrected and
 * imported as it is. Held rows are not among the rejects: they may exist, and importing them would double them.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { JobRecord, Ledger, LedgerRow } from '../ledger/ledger.ts';
import type { RowState } from '../ledger/states.ts';
import { escapeText } from '../sheets/escape.ts';
import { createTableWriter, type TableWriter } from '../sheets/write-table.ts';
import type { Emit } from './events.ts';
import type { JobOptions } from './options.ts';

const OUR_COLUMNS = [
  '_row',
  '_state',
  '_action',
  '_item_id',
  '_error_code',
  '_error_column',
  '_error',
  '_request_id',
];
const TO_MEND: ReadonlySet<RowState> = new Set(['invalid', 'refused']);
const PAGE = 1000;

/** Paths of what was written; `rejects` only where there are any. */
export interface ResultFiles {
  results?: string;
  rejects?: string;
}

/**
 * Writes both files beside the source or into the job's folder. A file of that name that a person has changed
 * since is kept under another name.
 *
 * @param which `rejects` writes no results file (a dry run has no results)
 */
export async function writeResults(
  job: JobRecord,
  ledger: Ledger,
  emit: Emit,
  which: 'both' | 'rejects' = 'both',
): Promise<ResultFiles> {
  const { outDir } = job.options as unknown as JobOptions;
  const name = basename(job.source.file, extname(job.source.file));
  const counts = await ledger.counts(job.id);
  const targets: { kind: 'results' | 'rejects'; writer: TableWriter; path: string }[] = [];
  // A results file that is imported and has results of its own keeps its columns once.
  const kept = job.source.headers.flatMap((header, index) => (OUR_COLUMNS.includes(header) ? [] : [index]));
  const headers = [...kept.map((index) => headerText(job.source.headers[index] ?? '')), ...OUR_COLUMNS];

  const open = async (kind: 'results' | 'rejects') => {
    const path = join(outDir, `${name}.${kind}.csv`);
    await keepAside(path, ledger, emit);
    const writer = await createTableWriter({
      file: path,
      format: 'csv',
      columns: headers.map((header) => ({ header, kind: 'text' as const })),
      // Escaped here, because a number in a person's column must stay a number.
      escapeFormulas: false,
      ...(job.source.delimiter === undefined ? {} : { delimiter: job.source.delimiter }),
    });
    targets.push({ kind, writer, path });
  };
  if (which === 'both') await open('results');
  if (counts.invalid + counts.refused > 0) await open('rejects');
  if (targets.length === 0) return {};

  const files: ResultFiles = {};
  const written: JobRecord['files'] = { ...job.files };
  try {
    for (let after = 0; ; ) {
      const rows = await ledger.rows(job.id, { after, limit: PAGE });
      if (rows.length === 0) break;
      after = rows.at(-1)?.ordinal ?? after;
      for (const { kind, writer } of targets) {
        const chosen = kind === 'results' ? rows : rows.filter((row) => TO_MEND.has(row.state));
        await writer.write(chosen.map((row) => line(row, kept)));
      }
    }
    for (const { kind, writer, path } of targets) {
      const { sha256 } = await writer.finish();
      await ledger.noteFile(sha256);
      files[kind] = path;
      written[kind] = { path, sha256 };
    }
  } catch (error) {
    for (const { writer } of targets) await writer.abort();
    throw error;
  }
  await ledger.updateJob(job.id, { files: written });
  return files;
}

function line(row: LedgerRow, kept: number[]): string[] {
  const source = JSON.parse(row.source ?? '[]') as string[];
  const [issue, ...others] = row.issues;
  const more = others.map((each) => each.message);
  return [
    ...kept.map((index) => sourceText(source[index] ?? '')),
    String(row.sheetRow),
    stateWord(row),
    row.action,
    row.itemId ?? '',
    issue?.code ?? '',
    escapeText(issue?.column ?? ''),
    issue === undefined ? '' : escapeText([issue.message, ...more].join('; ')),
    escapeText(row.requestId ?? ''),
  ];
}

/** The words of the summary: what is planned, sending or unknown is pending. */
function stateWord(row: LedgerRow): string {
  switch (row.state) {
    case 'done':
      return row.action === 'create' ? 'created' : 'updated';
    case 'planned':
    case 'sending':
    case 'unknown':
      return 'pending';
    default:
      return row.state;
  }
}

/** Text that looks like a formula is escaped; numbers never are (DESIGN §6). */
function sourceText(text: string): string {
  return /^[-+]?[\d.,]*\d[\d.,]*\s*%?$/.test(text) ? text : escapeText(text);
}

function headerText(header: string): string {
  return escapeText(header);
}

/** A file that was written by us and not changed since may be replaced; anything else is somebody's work. */
async function keepAside(path: string, ledger: Ledger, emit: Emit): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) return;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (await ledger.wroteFile(hash.digest('hex'))) return;
  const aside = path.replace(/\.csv$/, `.kept-${Date.now().toString(36)}.csv`);
  await rename(path, aside);
  emit({ type: 'note', message: `${path} was changed by hand: it is kept as ${aside}` });
}
