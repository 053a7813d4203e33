/** The manifest beside an export: what is in the file, what is promised of it, and what was seen. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { openAtomicFile } from '../../sheets/atomic-file.ts';
import { Layout } from '../layout/layout.ts';
import { EXPORT_FORMATS, EXPORT_RESOURCES } from '../request.ts';

const Ids = z.object({ count: z.int(), ids: z.array(z.string()) });

/** FILE.manifest.json. Fields may be added within version 1. */
export const Manifest = z.object({
  manifest: z.literal(1),
  /** Version of shelflift that wrote it. */
  shelflift: z.string(),
  resource: z.enum(EXPORT_RESOURCES),
  /** Name of the file without its folder: both may be moved together. */
  file: z.string(),
  format: z.enum(EXPORT_FORMATS),
  /** CSV only. */
  delimiter: z.string().optional(),
  decimal: z.enum(['point', 'comma']).optional(),
  bom: z.boolean().optional(),
  /** The layout as it was used, whole; absent where rows were written as they are. */
  layout: Layout.optional(),
  bytes: z.int(),
  /** Lower-case hex. */
  sha256: z.string(),
  /** Without the header, and without rows of totals. */
  rows: z.int(),
  /** Rows of totals that a layout added. */
  totalsRows: z.int().optional(),
  /** Headers, left to right; absent in NDJSON that holds whole items. */
  columns: z.array(z.string()).optional(),
  filters: z.object({
    status: z.array(z.string()).optional(),
    /** Id of the collection. */
    collection: z.string().optional(),
  }),
  /** Which team the items are of; null where the key may not read collections. */
  team: z.object({ fingerprint: z.string(), collections: z.int() }).nullable().optional(),
  /** Columns that were asked for; absent where it was all of them. */
  columnsAsked: z.array(z.string()).optional(),
  /** Items and listings: currency → sum of the values, exact, rounded once by ISO 4217. */
  values: z.record(z.string(), z.string()).optional(),
  /** An export of what changed since the last one of its name. */
  changes: z
    .object({
      name: z.string(),
      /** When the last export of the name began to read; null for the first. */
      since: z.string().nullable(),
      created: z.int(),
      changed: z.int(),
      left: z.int(),
      unchanged: z.int(),
      notSeen: z.int(),
      explanation: z.string(),
    })
    .optional(),
  /** Items and listings: rows by status. */
  statuses: z.record(z.string(), z.int()).optional(),
  /** Base address of the API; never the key. */
  apiUrl: z.string(),
  /** ISO 8601, by the clock of the machine that exported: every row is as it was at some moment between the two. */
  startedAt: z.string(),
  endedAt: z.string(),
  /** Where an interrupted run was gone on with: rows it had kept, and when this one began. */
  resumed: z.object({ rows: z.int(), at: z.string() }).optional(),
  /** X-Request-Id of the first and the last answer. */
  requests: z.object({ first: z.string().nullable(), last: z.string().nullable() }),
  consistency: z.enum(['stable', 'moved']),
  passes: z.int(),
  /** What the promise rests on. */
  premise: z.string(),
  /** What was seen, in a sentence. */
  explanation: z.string(),
  seen: z.object({
    /** Distinct entries read, before filters. */
    distinct: z.int(),
    countBefore: z.int().nullable(),
    countAfter: z.int().nullable(),
    createdMeanwhile: z.int(),
    removedAtLeast: z.int(),
    /** Entries of the beginning that were not read, at most; null: not known. */
    missingAtMost: z.int().nullable(),
  }),
  listings: z.object({ compared: z.boolean(), notListed: Ids, notForSale: Ids }).optional(),
  warnings: z.array(z.string()),
});
export type Manifest = z.infer<typeof Manifest>;

/** What stable means for each resource, and what must hold for it. */
export const PREMISES: Record<Manifest['resource'], string> = {
  items:
    'The API deletes nothing, a page shows the list at one moment, and the server gives later items later times. ' +
    'Then the file holds every item that stood when the reading began and still stood when it ended, once, as it really was at some moment between; filters were applied to that version.',
  listings:
    'The list of listings both grows and shrinks. Stable means that two passes from end to end showed the same; ' +
    'moved means that it changed while it was read, and that the file holds everything that any pass showed.',
  collections:
    'Stable means that the list came in one answer, or that two passes from end to end showed the same.',
  sales:
    'One answer of the API, as reported at its time. The contract names neither the period nor the currency.',
};

/** `items.csv` → `items.csv.manifest.json` */
export function manifestPath(file: string): string {
  return `${file}.manifest.json`;
}

/**
 * Replaces an older one when it is complete.
 * @param mode that of the file beside it, of which it tells the sums
 */
export async function writeManifest(path: string, manifest: Manifest, mode: number): Promise<void> {
  const file = await openAtomicFile(path, mode);
  try {
    await file.write(`${JSON.stringify(manifest, null, 2)}\n`);
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/** Version of this package. */
export function shelfliftVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
