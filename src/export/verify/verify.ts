/** Checks an export or report against the manifest beside it. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SheetError, UsageError } from '../../base/errors.ts';
import { jsonOrNot } from '../../base/json-or-not.ts';
import { english, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { castExactTags } from '../../mapping/casts/tags.ts';
import { toBig } from '../../where/item-values.ts';
import { parseAll } from '../../where/where.ts';
import { ValueTotals } from '../write/value-totals.ts';
import { Manifest, manifestPath, ReportManifest } from './manifest.ts';
import { defined } from '../../base/defined.ts';
import { headerOfField, writtenRows } from './written-rows.ts';
import { inWords, saidIn } from '../../base/schema-words.ts';

export interface Verification {
  /** Absolute paths. */
  file: string;
  manifest: string;
  /** True if every byte of the file is as it was written, and its rows agree with the manifest. */
  verified: boolean;
  /** The differences, one sentence each. */
  problems: string[];
  /** The differences as messages, for other languages. */
  said: Message[];
  /** As found now; rows are null for a report, and if the file can no longer be read as a table. */
  sha256: string;
  bytes: number;
  rows: number | null;
  /** The manifest. */
  expected: Manifest | ReportManifest;
}

/**
 * Recomputes size, hash and number of rows, and, if the file has unformatted columns for them, rows by status and
 * values by currency.
 *
 * @throws UsageError `no_manifest`, `bad_manifest`; SheetError if the file cannot be read
 */
export async function verifyExport(file: string): Promise<Verification> {
  const path = resolve(file);
  const sha256 = await hashFile(path);
  const expected = await readManifest(path);
  const { size: bytes } = await stat(path);
  const said: Message[] = [];
  if (bytes !== expected.bytes)
    said.push(message('file_bytes_differ', { found: bytes, written: expected.bytes }));
  if (sha256 !== expected.sha256)
    said.push(message('file_hash_differs', { found: sha256, written: expected.sha256 }));
  // A report has figures, not rows, so its bytes are compared.
  const checked = 'report' in expected ? { rows: null, said: [] } : await checkRows(path, expected);
  said.push(...checked.said);
  return {
    file: path,
    manifest: manifestPath(path),
    verified: said.length === 0,
    problems: said.map((each) => english(each)),
    said,
    sha256,
    bytes,
    rows: checked.rows,
    expected,
  };
}

async function checkRows(path: string, expected: Manifest): Promise<Pick<Verification, 'rows' | 'said'>> {
  const found = await readBack(path, expected);
  const rows = found === null ? null : found.rows - (expected.totalsRows ?? 0);
  const said: Message[] = [];
  if (rows === null) said.push(message('file_no_table', {}));
  else if (rows !== expected.rows)
    said.push(message('file_rows_differ', { found: rows, expected: expected.rows }));
  const strange = found?.strange ?? 0;
  if (strange > 0) said.push(message('amounts_no_numbers', { amounts: strange }));
  const outside = found?.outside ?? 0;
  if (outside > 0) {
    const where = expected.filters.where?.join(', ') ?? '';
    said.push(message('rows_not_selected', { rows: outside, where }));
  }
  const statuses = found?.statuses && Object.fromEntries(found.statuses);
  for (const status of otherFigures(statuses, expected.statuses))
    said.push(
      message('status_rows_differ', {
        status,
        found: statuses?.[status] ?? 0,
        expected: expected.statuses?.[status] ?? 0,
      }),
    );
  for (const currency of otherFigures(found?.values, expected.values))
    said.push(
      message('currency_values_differ', {
        currency,
        ...defined({ found: found?.values?.[currency], expected: expected.values?.[currency] }),
      }),
    );
  return { rows, said };
}

/** @throws UsageError `no_manifest`, `bad_manifest` */
export async function readManifest(file: string): Promise<Manifest | ReportManifest> {
  const path = manifestPath(file);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new UsageError('no_manifest', message('no_manifest', { manifest: path }), {
      cause,
      position: { file: path },
      actions: [{ do: 'byHand', label: message('keep_manifest', {}) }],
    });
  }
  const written = jsonOrNot(text);
  const isReport = typeof written === 'object' && written !== null && 'report' in written;
  const parsed = (isReport ? ReportManifest : Manifest).safeParse(written, { error: inWords });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UsageError(
    'bad_manifest',
    message('bad_manifest', {
      manifest: path,
      place: issue?.path.join('.') ?? '',
      problem: saidIn(issue?.message ?? ''),
    }),
    { position: { file: path } },
  );
}

interface Found {
  /** Including totals rows. */
  rows: number;
  /** Status → rows, and sums of values as in a manifest; undefined if no column has them. */
  statuses: Map<string, number> | undefined;
  values: Record<string, string> | undefined;
  /** Number of amounts that are not numbers. */
  strange: number;
  /** Number of rows for which an expression of the export does not hold. */
  outside: number;
}

/** The content of the file; null if it is not a table. */
async function readBack(file: string, expected: Manifest): Promise<Found | null> {
  const status = headerOfField(expected, 'status');
  const value = headerOfField(expected, 'estimated_value');
  const currency = headerOfField(expected, 'currency');
  const statuses = new Map<string, number>();
  const values = new ValueTotals();
  let rows = 0;
  let strange = 0;
  let outside = 0;
  const selects = selectionTest(expected);
  try {
    for await (const batch of writtenRows(file, expected)) {
      rows += batch.rows.length;
      if (batch.totals) continue;
      for (const { headers, cells } of batch.rows) {
        const text = (name: string) => cells[headers.indexOf(name)] ?? '';
        if (!selects(text)) outside += 1;
        const found = status === undefined ? '' : text(status);
        if (found !== '') statuses.set(found, (statuses.get(found) ?? 0) + 1);
        const amount = value === undefined ? '' : text(value);
        if (amount === '' || currency === undefined) continue;
        const number = Number(expected.decimal === 'comma' ? amount.replace(',', '.') : amount);
        // Only an edited file has amounts that are not numbers.
        if (Number.isFinite(number)) values.add(number, text(currency));
        else strange += 1;
      }
    }
  } catch (error) {
    if (error instanceof SheetError) return null;
    throw error;
  }
  return {
    rows,
    strange,
    outside,
    statuses: status === undefined ? undefined : statuses,
    values: value === undefined || currency === undefined ? undefined : values.texts(),
  };
}

/**
 * Whether a row passes the expressions of the export, as far as the file has unformatted columns for their fields.
 * Exports of changes are not checked, because they contain items that left the selection.
 */
function selectionTest(expected: Manifest): (text: (header: string) => string) => boolean {
  if (expected.changes !== undefined) return () => true;
  const expressions = parseAll(expected.filters.where);
  const headers = new Map<string, string>();
  const judged = expressions.filter(({ fields }) =>
    fields.every((field) => {
      const header = headerOfField(expected, field);
      if (header === undefined || expected.columns?.includes(header) !== true) return false;
      headers.set(field, header);
      return true;
    }),
  );
  return (textOf) => {
    const text = (field: string) => textOf(headers.get(field) ?? '');
    const values = {
      text,
      value: (field: string) => (field === 'tags' ? castExactTags(text(field)) : text(field)),
      number: (field: string) =>
        toBig(expected.decimal === 'comma' ? text(field).replace(',', '.') : text(field)),
    };
    return judged.every(({ matches }) => matches(values));
  };
}

/** Currencies or statuses whose figures differ from the manifest. */
function otherFigures(
  found: Readonly<Record<string, string | number>> | undefined,
  recorded: Readonly<Record<string, string | number>> | undefined,
): string[] {
  if (found === undefined || recorded === undefined) return [];
  return [...new Set([...Object.keys(recorded), ...Object.keys(found)])].filter(
    (name) => found[name] !== recorded[name],
  );
}
