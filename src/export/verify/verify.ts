/** Checks an export or report against the manifest beside it. */
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SheetError, UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { castExactTags } from '../../mapping/casts/tags.ts';
import { toBig } from '../../where/item-values.ts';
import { parseAll } from '../../where/where.ts';
import { ValueTotals } from '../write/value-totals.ts';
import { Manifest, manifestPath, ReportManifest } from './manifest.ts';
import { counted } from '../../base/counted.ts';
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
  const problems: string[] = [];
  if (bytes !== expected.bytes) problems.push(`The file has ${bytes} bytes; ${expected.bytes} were written.`);
  if (sha256 !== expected.sha256) {
    problems.push(`The file was changed: its SHA-256 is ${sha256}; it was ${expected.sha256}.`);
  }
  // A report has figures, not rows, so its bytes are compared.
  const checked = 'report' in expected ? { rows: null, problems: [] } : await checkRows(path, expected);
  problems.push(...checked.problems);
  return {
    file: path,
    manifest: manifestPath(path),
    verified: problems.length === 0,
    problems,
    sha256,
    bytes,
    rows: checked.rows,
    expected,
  };
}

async function checkRows(path: string, expected: Manifest): Promise<Pick<Verification, 'rows' | 'problems'>> {
  const found = await readBack(path, expected);
  const rows = found === null ? null : found.rows - (expected.totalsRows ?? 0);
  const problems: string[] = [];
  if (rows === null) problems.push('The file cannot be read as a table.');
  else if (rows !== expected.rows)
    problems.push(`The file has ${counted(rows, 'row')}; the manifest says ${expected.rows}.`);
  const strange = found?.strange ?? 0;
  if (strange > 0)
    problems.push(
      `The file was changed: ${counted(strange, 'amount is not a number', 'amounts are not numbers')}.`,
    );
  const outside = found?.outside ?? 0;
  if (outside > 0) {
    problems.push(
      `${counted(outside, 'row is', 'rows are')} not what the export selected: ${expected.filters.where?.join(', ') ?? ''}.`,
    );
  }
  const statuses = found?.statuses && Object.fromEntries(found.statuses);
  problems.push(
    ...otherFigures(statuses, expected.statuses, (name) => `Rows of status ${name}:`),
    ...otherFigures(found?.values, expected.values, (name) => `Values in ${name}:`),
  );
  return { rows, problems };
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
  const written = asJson(text);
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

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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

/** Currencies or statuses whose figures differ from the manifest, one sentence each. */
function otherFigures(
  found: Readonly<Record<string, string | number>> | undefined,
  recorded: Readonly<Record<string, string | number>> | undefined,
  what: (name: string) => string,
): string[] {
  if (found === undefined || recorded === undefined) return [];
  return [...new Set([...Object.keys(recorded), ...Object.keys(found)])]
    .filter((name) => found[name] !== recorded[name])
    .map(
      (name) =>
        `${what(name)} ${found[name] ?? 'none'} in the file; the manifest says ${recorded[name] ?? 'none'}.`,
    );
}
