/** The manifest beside a file: its content, the guarantees about it, and the evidence for them. */
import { stat } from 'node:fs/promises';
import { UsageError } from '../../base/errors.ts';
import { byHand, english, message } from '../../messages/message.ts';
import { messageSchema } from '../../messages/schema.ts';
import type { Message } from '../../messages/params.ts';
import { z } from 'zod';
import { openAtomicFile } from '../../sheets/atomic-file.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import type { Period } from '../keep/period.ts';
import { Layout } from '../layout/layout.ts';
import { EXPORT_FORMATS, EXPORT_RESOURCES } from '../request.ts';

const Ids = z.object({ count: z.int(), ids: z.array(z.string()) });

/** Fields of every manifest: FILE.manifest.json. Version 1 may get further fields. */
const Written = z.object({
  manifest: z.literal(1),
  /** Version of shelflift that wrote it. */
  shelflift: z.string(),
  /** Name of the file without its folder, because both may be moved together. */
  file: z.string(),
  /** The command that writes such a file, without the options of the connection. */
  command: z.string().optional(),
  bytes: z.int(),
  /** Lower-case hex. */
  sha256: z.string(),
  /** Not counting the header and totals rows. */
  rows: z.int(),
  filters: z.object({
    status: z.array(z.string()).optional(),
    /** Id of the collection. */
    collection: z.string().optional(),
    /** Expressions that every row matches, including those of the layout. */
    where: z.array(z.string()).optional(),
  }),
  /** The team that the items belong to; null if the key may not read collections. */
  team: z.object({ fingerprint: z.string(), collections: z.int() }).nullable().optional(),
  /** Base address of the API; never the key. */
  apiUrl: z.string(),
  /** ISO 8601, by the exporting machine's clock: every row shows the state at some moment between these two times. */
  startedAt: z.string(),
  endedAt: z.string(),
  /** If an interrupted run was continued: the rows it had kept, and when this run began. */
  resumed: z.object({ rows: z.int(), at: z.string() }).optional(),
  /** X-Request-Id of the first and the last response. */
  requests: z.object({ first: z.string().nullable(), last: z.string().nullable() }),
  consistency: z.enum(['stable', 'moved']),
  passes: z.int(),
  /** The assumptions behind the promise. */
  premise: z.string(),
  /** The evidence, in a sentence. */
  explanation: z.string(),
  warnings: z.array(z.string()),
  /** The warnings as messages, for other languages; absent in older manifests. */
  said: z.array(messageSchema()).optional().catch(undefined),
});

/** The manifest of an export. */
export const Manifest = Written.extend({
  resource: z.enum(EXPORT_RESOURCES),
  format: z.enum(EXPORT_FORMATS),
  /** CSV only. */
  delimiter: z.string().optional(),
  decimal: z.enum(['point', 'comma']).optional(),
  bom: z.boolean().optional(),
  /** The complete layout that was used; absent if rows were written without a layout. */
  layout: Layout.optional(),
  /** Number of rows that a layout left out because its recipient does not accept their values. */
  leftOut: z.int().optional(),
  /** Values that the totals lack, because they are texts. */
  notInTotals: z.int().optional(),
  /** Cells left blank, because their texts are too long for XLSX. */
  leftBlank: z.int().optional(),
  /** Totals rows that a layout added. */
  totalsRows: z.int().optional(),
  /** Headers, left to right; absent in NDJSON with whole items. */
  columns: z.array(z.string()).optional(),
  /** Requested columns; absent if all columns were requested. */
  columnsAsked: z.array(z.string()).optional(),
  /** Items and listings: currency → sum of the values, exact and rounded once by ISO 4217. */
  values: z.record(z.string(), z.string()).optional(),
  /** Columns of money that a layout adds up: header, and currency → sum of what the rows show. */
  amounts: z.array(z.object({ title: z.string(), totals: z.record(z.string(), z.string()) })).optional(),
  /** Present if the export has only changes since the last export of its name. */
  changes: z
    .object({
      name: z.string(),
      /** When the last export of the name began to read; null for the first. */
      since: z.string().nullable(),
      /** With `--became`: the status to which all items have changed since. */
      became: z.string().optional(),
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
  seen: z.object({
    /** Distinct entries read, before filters. */
    distinct: z.int(),
    countBefore: z.int().nullable(),
    countAfter: z.int().nullable(),
    createdMeanwhile: z.int(),
    removedAtLeast: z.int(),
    /** Upper bound of the entries that existed at the beginning and were not read; null if unknown. */
    missingAtMost: z.int().nullable(),
  }),
  listings: z.object({ compared: z.boolean(), notListed: Ids, notForSale: Ids }).optional(),
});
export type Manifest = z.infer<typeof Manifest>;

/** The manifest of a report. */
export const ReportManifest = Written.extend({
  report: z.string(),
  format: z.enum(['xlsx', 'html', 'csv', 'zip']),
  /** Hash of the figures, lower-case hex: equal for equal figures, in any format and locale of the file. */
  dataSha256: z.string(),
  /** The main figures of the report, as plain digits; null if unknown. */
  figures: z.array(
    z.object({
      label: z.string(),
      value: z.string().nullable(),
      /** plain: minor units, as in the API. */
      kind: z.string(),
      currency: z.string().optional(),
    }),
  ),
  /**
   * The period of the figures; absent if they are those at the time of the reading. ISO 8601, from `from` to before
   * `to`.
   */
  period: z.object({ name: z.string(), from: z.string(), to: z.string(), timeZone: z.string() }).optional(),
  /** When the report for comparison was read; null if there is none. */
  comparedWith: z.string().nullable(),
  /** The changes since that report, by currency: the steps from its total to this one's, as plain digits. */
  steps: z
    .array(
      z.object({
        currency: z.string(),
        step: z.string(),
        items: z.number().nullable(),
        value: z.string().nullable(),
      }),
    )
    .optional(),
});
export type ReportManifest = z.infer<typeof ReportManifest>;

/** The meaning of "stable" for each resource, and the assumptions behind it. */
export const PREMISES: Record<Manifest['resource'], string> = {
  items:
    'Assumes that the API deletes nothing, that a page shows the list at one moment, and that the server gives later items later times. ' +
    'Then the file has every item that existed when the reading began and when it ended, once, in a version from between the two. Filters were applied to that version.',
  listings:
    'The list of listings both grows and shrinks. Stable means that two complete passes showed the same entries. ' +
    'Moved means that the list changed while it was read; the file has everything that any pass showed.',
  collections:
    'Stable means that the list came in one response, or that two complete passes showed the same entries.',
  sales:
    'One response of the API, as reported at that time. The API does not say which period or currency it covers.',
};

/** `items.csv` → `items.csv.manifest.json` */
export function manifestPath(file: string): string {
  return `${file}.manifest.json`;
}

/**
 * Writes the manifest of a file that is in its place, with the file's permissions because it contains sums of it. An
 * older manifest is replaced when the new one is complete.
 *
 * @throws UsageError `not_our_file` if another command has replaced the file meanwhile
 */
export async function writeManifest(
  file: string,
  about: (bytes: number) => Manifest | ReportManifest,
): Promise<{ manifest: string; bytes: number }> {
  const { size, mode } = await stat(file);
  const content = about(size);
  const manifest = manifestPath(file);
  const written = await openAtomicFile(manifest, mode & 0o777);
  try {
    await written.write(`${JSON.stringify(content, null, 2)}\n`);
    await written.commit();
  } catch (error) {
    await written.abort();
    throw error;
  }
  // Two commands may interleave. Of the two, the one that writes its manifest last sees the file of the other.
  if ((await hashFile(file)) !== content.sha256) {
    throw new UsageError('not_our_file', message('file_replaced_meanwhile', { file }), {
      actions: [byHand('write_to_two_files', {})],
    });
  }
  return { manifest, bytes: size };
}

/** The warnings of a manifest. */
export function warned(said: readonly Message[]): Pick<Manifest, 'warnings' | 'said'> {
  return { warnings: said.map(english), ...(said.length === 0 ? {} : { said: [...said] }) };
}

/** A period of a manifest. */
export function recordedPeriod({ name, start, end, timeZone }: Period): ReportManifest['period'] {
  return { name, from: new Date(start).toISOString(), to: new Date(end).toISOString(), timeZone };
}
