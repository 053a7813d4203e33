/** Reads back the rows of an exported file, and distinguishes a layout's totals rows from the others. */
import { saidOf, SheetError } from '../../base/errors.ts';
import type { Message } from '../../messages/params.ts';
import { bareCell, cellText } from '../../sheets/cell.ts';
import { openTables } from '../../sheets/open-table.ts';
import { readNdjson } from '../../sheets/read-ndjson.ts';
import { titleOf } from '../layout/layout.ts';
import { totalsLabel } from '../layout/layout-totals.ts';
import type { Manifest } from './manifest.ts';

export interface WrittenRow {
  /** Row as a spreadsheet program shows it, or line of an NDJSON file. */
  row: number;
  headers: readonly string[];
  /** As many as headers, in text form. */
  cells: readonly string[];
  /** Why the row differs from rows that an export writes: too few or too many cells. */
  problem?: Message;
}

/** The facts about an export that are needed to read its rows. */
export type WrittenAs = Pick<Manifest, 'format' | 'delimiter' | 'layout' | 'totalsRows'>;

/** Rows of one sheet, or of an NDJSON file, in batches; `totals` is true for the batch of totals at its end. */
export interface WrittenBatch {
  rows: readonly WrittenRow[];
  totals: boolean;
}

/**
 * Every row below the header, including rows that an import would not treat as data.
 *
 * @throws SheetError if the file cannot be read
 */
export async function* writtenRows(file: string, manifest: WrittenAs): AsyncGenerator<WrittenBatch, void> {
  const isTotals = totalsTest(manifest);
  for await (const sheet of sheetsOf(file, manifest)) {
    let held: WrittenRow[] = [];
    for await (const batch of sheet) {
      const rows: WrittenRow[] = [];
      for (const row of batch) {
        if (isTotals(row)) held.push(row);
        else {
          rows.push(...held, row);
          held = [];
        }
      }
      yield { rows, totals: false };
    }
    yield { rows: held, totals: true };
  }
}

/** The header of the column with a field's unformatted value; undefined if there is none. */
export function headerOfField(manifest: Manifest, field: string): string | undefined {
  const { layout, columns, columnsAsked } = manifest;
  if (layout === undefined) {
    // NDJSON has no header: items are whole, or reduced to the requested columns.
    const names = columns ?? columnsAsked;
    return names === undefined || names.includes(field) ? field : undefined;
  }
  if (layout.locale !== undefined && field === 'estimated_value') return undefined;
  const column = layout.columns.find(
    (each) =>
      each === field ||
      (typeof each === 'object' &&
        each.field === field &&
        each.format === undefined &&
        each.words === undefined &&
        each.blank === undefined),
  );
  if (column === undefined) return undefined;
  return titleOf(column);
}

/** A totals row has its label and sums, and nothing else (layout-totals.ts). */
function totalsTest({ layout, totalsRows = 0 }: WrittenAs): (row: WrittenRow) => boolean {
  const label = totalsLabel(layout?.totals);
  if (layout === undefined || label === undefined || totalsRows === 0) return () => false;
  const summed = new Set(
    layout.columns.flatMap((column) =>
      typeof column === 'object' && column.total === true ? [titleOf(column)] : [],
    ),
  );
  const isLabel = (text: string) => text === label || text.startsWith(`${label} `);
  return ({ headers, cells }) => {
    let labels = 0;
    for (const [index, header] of headers.entries()) {
      const text = cells[index] ?? '';
      if (text === '') continue;
      if (isLabel(text)) labels += 1;
      else if (!summed.has(header)) return false;
    }
    return labels === 1;
  };
}

async function* sheetsOf(
  file: string,
  manifest: WrittenAs,
): AsyncGenerator<AsyncIterable<readonly WrittenRow[]>, void> {
  const { format, delimiter } = manifest;
  if (format === 'ndjson') {
    yield linesOf(file);
    return;
  }
  const options =
    format === 'csv'
      ? { headerRow: 1, everyRow: true, escaped: true, ...(delimiter === undefined ? {} : { delimiter }) }
      : { headerRow: 1, everyRow: true, sheet: 'all' };
  try {
    for (const { headers, batches } of await openTables(file, options)) {
      yield (async function* () {
        for await (const batch of batches)
          yield batch.map(({ number, cells, problem }) => ({
            row: number,
            headers,
            cells: cells.map((cell) => cellText(bareCell(cell))),
            ...(problem === undefined ? {} : { problem: saidOf(problem) }),
          }));
      })();
    }
  } catch (error) {
    if (!(error instanceof SheetError) || error.code !== 'no_rows') throw error;
  }
}

async function* linesOf(file: string): AsyncGenerator<WrittenRow[], void> {
  let row = 0;
  for await (const values of readNdjson(file)) {
    yield values.map((value) => ({
      row: (row += 1),
      headers: Object.keys(value ?? {}),
      cells: Object.values(value ?? {}).map(jsonText),
    }));
  }
}

function jsonText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
