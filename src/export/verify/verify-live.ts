/**
 * Checks an export against the API: the same export is made again and the two files are compared row by row, so
 * that the same filters, layout and locale apply to both.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { english, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { type ExportDeps, exportResource } from '../export.ts';
import type { Manifest } from './manifest.ts';
import type { ExportRequest } from '../request.ts';
import { readManifest, type Verification } from './verify.ts';
import { headerOfField, writtenRows } from './written-rows.ts';

/** The differences between an exported file and the current items of the API. */
export interface LiveComparison {
  /** When the API was read. */
  startedAt: Date;
  /** When the reading ended. */
  endedAt: Date;
  /** `moved` if the list changed while it was read. */
  consistency: 'stable' | 'moved';
  /** Rows that are in both, with the same values. */
  same: number;
  /** Rows whose id is in both, with other values; 0 if no column of the file is the id. */
  changed: {
    /** Number of rows. */
    count: number;
    /** The first 20 ids; none if no column of the file is the id. */
    ids: string[];
  };
  /** Rows that only the API has. */
  added: {
    /** Number of rows. */
    count: number;
    /** The first 20 ids; none if no column of the file is the id. */
    ids: string[];
  };
  /** Rows that only the file has. */
  gone: {
    /** Number of rows. */
    count: number;
    /** The first 20 ids; none if no column of the file is the id. */
    ids: string[];
  };
  /** Rows that differ in any way. */
  differences: number;
  /** All of the above in words. */
  findings: string[];
  /** The findings as messages: `textOf(said, 'de')` gives one in German. */
  said: readonly Message[];
}

/** How many ids to list. */
const MAX_NAMED = 20;

/**
 * Items change, so a difference is not an error in the file: it shows changes since the export.
 *
 * @param verification result of verifyExport
 * @throws UsageError `no_live_changes`; the errors of exportResource
 */
export async function compareLive(
  { file, expected }: Verification,
  deps: ExportDeps,
): Promise<LiveComparison> {
  if ('report' in expected) {
    throw new UsageError('no_live_changes', message('no_live_report', { file }));
  }
  if (expected.changes !== undefined) {
    throw new UsageError('no_live_changes', message('no_live_changes', { file }));
  }
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-verify-'));
  try {
    const out = join(folder, `live.${expected.format}`);
    await exportResource(requestOf(expected, out), deps);
    // The export above has just written the manifest.
    const live = (await readManifest(out)) as Manifest;
    return await compare(await rowsOf(file, expected), await rowsOf(out, live), expected, live);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function requestOf(expected: Manifest, out: string): ExportRequest {
  const { resource, format, filters, layout, columnsAsked, delimiter, decimal, bom } = expected;
  // With only `--locale`, the layout was made from the locale, and produces the same file again.
  const request: ExportRequest = { resource, out, format };
  if (filters.status !== undefined) request.status = filters.status;
  if (filters.collection !== undefined) request.collection = filters.collection;
  if (filters.where !== undefined) request.where = filters.where;
  if (layout !== undefined) request.template = layout;
  else if (columnsAsked !== undefined) request.columns = columnsAsked;
  if (delimiter !== undefined) request.delimiter = delimiter;
  if (decimal !== undefined) request.decimal = decimal;
  if (bom !== undefined) request.bom = bom;
  return request;
}

interface FileRows {
  /** Id, or the row's fingerprint if there is no id → fingerprints, as rows without an id may be equal. */
  rows: Map<string, string[]>;
  byId: boolean;
}

async function rowsOf(file: string, manifest: Manifest): Promise<FileRows> {
  const id = headerOfField(manifest, 'id');
  const rows = new Map<string, string[]>();
  for await (const { rows: batch, totals } of writtenRows(file, manifest)) {
    // Totals follow from the rows above.
    if (totals) continue;
    for (const { headers, cells } of batch) {
      // A column that only one of the files has does not count if it is blank.
      const filled = headers
        .map((name, column): [string, string] => [name, cells[column] ?? ''])
        .filter(([name, text]) => text !== '' && name !== 'reported_at')
        .sort(byName);
      const print = createHash('sha256').update(JSON.stringify(filled)).digest('base64').slice(0, 16);
      const key = (id === undefined ? '' : cells[headers.indexOf(id)]) || print;
      rows.set(key, [...(rows.get(key) ?? []), print]);
    }
  }
  return { rows, byId: id !== undefined };
}

function byName([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : 1;
}

async function compare(
  file: FileRows,
  now: FileRows,
  expected: Manifest,
  live: Manifest,
): Promise<LiveComparison> {
  const changed: string[] = [];
  const added: string[] = [];
  const gone: string[] = [];
  let same = 0;
  for (const [key, prints] of file.rows) {
    const others = [...(now.rows.get(key) ?? [])];
    for (const print of prints) {
      const at = others.indexOf(print);
      if (at >= 0) {
        others.splice(at, 1);
        same += 1;
      } else if (others.length > 0 && file.byId) {
        others.pop();
        changed.push(key);
      } else gone.push(key);
    }
    added.push(...others.map(() => key));
  }
  for (const [key, prints] of now.rows) if (!file.rows.has(key)) added.push(...prints.map(() => key));
  const named = (ids: string[]) => ({ count: ids.length, ids: file.byId ? ids.slice(0, MAX_NAMED) : [] });
  const comparison = { same, changed: named(changed), added: named(added), gone: named(gone) };
  const said = findingsOf(comparison, expected, live);
  return {
    startedAt: new Date(live.startedAt),
    endedAt: new Date(live.endedAt),
    consistency: live.consistency,
    ...comparison,
    differences: changed.length + added.length + gone.length,
    findings: said.map((each, index) => `${index === 0 ? '' : '  '}${english(each)}`),
    said,
  };
}

function findingsOf(
  { same, changed, added, gone }: Pick<LiveComparison, 'same' | 'changed' | 'added' | 'gone'>,
  expected: Manifest,
  live: Manifest,
): Message[] {
  const named = ({ count: rows, ids }: { count: number; ids: string[] }) => ({ rows, ids });
  const team = [expected.team?.fingerprint, live.team?.fingerprint];
  const isOtherTeam = team[0] !== undefined && team[1] !== undefined && team[0] !== team[1];
  return [
    message('live_compared', { address: live.apiUrl, at: live.endedAt, same }),
    message('live_changed', named(changed)),
    message('live_new', named(added)),
    message('live_gone', named(gone)),
    ...(isOtherTeam ? [message('live_other_team', {})] : []),
    ...(live.consistency === 'moved' ? [message('live_moved', {})] : []),
  ];
}
