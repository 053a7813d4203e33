/** Writes rows by a layout: sorted, with a sheet for each value, and totals at the end of each sheet. */
import type { Item } from '../../api/schemas.ts';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { minorDigits } from '../../base/minor-digits.ts';
import type { TableValues, TableWriter } from '../../sheets/table-writer.ts';
import { openWriter } from '../write/open-writer.ts';
import { CHANGE_COLUMN } from '../row.ts';
import type { RowTally } from '../write/row-tally.ts';
import type { Query } from '../query.ts';
import type { Rows } from '../read/read-rows.ts';
import type { ExportSource } from '../read/source.ts';
import { compileColumns, customFieldsNamed, formatOf, type LayoutColumn } from './compile-columns.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { type Layout, titleOf } from './layout.ts';
import { LayoutTotals, totalsLabel } from './layout-totals.ts';
import { Requirements } from './requirements.ts';
import { type SortKey, sortRows } from './sort-rows.ts';

/** Excel opens more sheets, but nobody would find one among them. */
const MAX_SHEETS = 255;
const NO_VALUE = '(blank)';

export interface WrittenLayout {
  sha256: string;
  columns: string[];
  totalsRows: number;
  /** Columns of money with totals, and their sums. */
  amounts?: { title: string; totals: Record<string, string> }[];
  /** Number of rows left out because the layout's recipient does not accept their values. */
  leftOut: number;
  /** Values that the totals lack, because they are texts; absent if they lack none. */
  notInTotals?: number;
  /** The rows of the file, if others were left out. */
  kept?: RowTally;
  /** Field → ids of items whose text is too long for XLSX. */
  blanked: ReadonlyMap<string, readonly string[]>;
}

/** @throws UsageError `too_many_sheets` */
export async function writeByLayout(
  layout: Layout,
  query: Query,
  rows: Rows,
  source: ExportSource,
): Promise<WrittenLayout> {
  const { format, decimal } = query.request;
  const blanked = new Map<string, string[]>();
  const { changedSinceLast, became } = query.request;
  // With `--became`, `_change` would be the same in every row, and a program that reads the layout
  // accepts no further column.
  const withChange =
    changedSinceLast === undefined || became !== undefined
      ? layout
      : { ...layout, columns: [...layout.columns, CHANGE_COLUMN] };
  checkFields(layout, rows);
  const columns = compileColumns(withChange, {
    look: { format, decimal, locale: layout.locale },
    values: query.values,
    moneyFormat: moneyFormat(rows),
    collectionNames: query.collectionNames,
    customFields: rows.customFields,
    onTooLong: (item, field) => blanked.set(field, [...(blanked.get(field) ?? []), item.id]),
  });
  for (const name of customFieldsNamed(layout)) {
    if (rows.count > 0 && !rows.customFields.has(name.slice('custom_fields.'.length))) {
      source.warn(message('layout_field_in_no_row', { layout: layout.name, field: name }));
    }
  }
  const writer = await openWriter(query.request, columns);
  try {
    const pour = new LayoutPour(layout, columns, writer, query);
    const requirements = new Requirements(layout, query.values);
    const batches = requirements.filter(rows.batches() as AsyncIterable<Item[]>);
    await pour.all(sorted(layout, query, batches), source);
    const { sha256, warnings } = await writer.finish();
    for (const warning of warnings) source.warn(warning);
    if (requirements.warning !== undefined) source.warn(requirements.warning);
    for (const warning of pour.warnings()) source.warn(warning);
    const { leftOut, kept } = requirements;
    const amounts = pour.amounts();
    return {
      sha256,
      columns: columns.map(({ header }) => header),
      totalsRows: pour.totalsRows,
      ...(amounts.length === 0 ? {} : { amounts }),
      leftOut,
      ...(pour.notInTotals === 0 ? {} : { notInTotals: pour.notInTotals }),
      ...(leftOut === 0 || kept === undefined ? {} : { kept }),
      blanked,
    };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/**
 * If no row has a required field, nobody fills it in, and a file without rows would look like a month
 * without sales.
 *
 * @throws UsageError `layout_needs_field`
 */
function checkFields(layout: Layout, rows: Rows): void {
  if (rows.count === 0) return;
  for (const column of layout.columns) {
    if (typeof column === 'string' || column.required !== true || column.words !== undefined) continue;
    const { field = '' } = column;
    if (!field.startsWith(CUSTOM_PREFIX) || rows.customFields.has(field.slice(CUSTOM_PREFIX.length)))
      continue;
    throw new UsageError(
      'layout_needs_field',
      message('layout_needs_field', {
        layout: layout.name,
        column: titleOf(column),
        field,
        items: rows.count,
      }),
      {
        actions: [
          { do: 'byHand', label: message('fill_field', { field }) },
          {
            do: 'run',
            label: message('to_start_layout', {}),
            command: 'template show',
            args: [layout.name],
          },
        ],
      },
    );
  }
}

/** With the digits of the most precise currency; undefined if a currency is unknown and may need any number. */
function moneyFormat({ values }: Rows): string | undefined {
  let most = 0;
  for (const currency of values?.totals().keys() ?? []) {
    const digits = minorDigits(currency);
    if (digits === undefined) return undefined;
    most = Math.max(most, digits);
  }
  return formatOf(most);
}

function sorted(
  layout: Layout,
  query: Query,
  batches: AsyncIterable<readonly Item[]>,
): AsyncIterable<readonly Item[]> {
  const keys: SortKey[] = (layout.sort ?? []).map((sort) => {
    const { by, order } = typeof sort === 'string' ? { by: sort, order: undefined } : sort;
    return { field: by, descending: order === 'descending' };
  });
  if (layout.sheets !== undefined) keys.unshift({ field: layout.sheets, descending: false, asText: true });
  if (keys.length === 0) return batches;
  const { locale } = layout;
  return sortRows(batches, { keys, values: query.values, ...(locale === undefined ? {} : { locale }) });
}

class LayoutPour {
  totalsRows = 0;
  readonly #layout: Layout;
  readonly #columns: readonly LayoutColumn[];
  readonly #writer: TableWriter;
  readonly #query: Query;
  readonly #totals: LayoutTotals;
  #sheet: string | undefined;
  #sheets = 0;

  constructor(layout: Layout, columns: readonly LayoutColumn[], writer: TableWriter, query: Query) {
    this.#layout = layout;
    this.#columns = columns;
    this.#writer = writer;
    this.#query = query;
    this.#totals = new LayoutTotals(columns, totalsLabel(layout.totals) ?? '');
  }

  amounts(): { title: string; totals: Record<string, string> }[] {
    return this.#totals.amounts();
  }

  warnings(): Message[] {
    return this.#totals.warnings();
  }

  get notInTotals(): number {
    return this.#totals.lacking;
  }

  async all(batches: AsyncIterable<readonly Item[]>, source: ExportSource): Promise<void> {
    let count = 0;
    for await (const batch of batches) {
      source.throwIfAborted();
      let values: TableValues[] = [];
      for (const item of batch) {
        if (this.#layout.sheets !== undefined) {
          const sheet = this.#query.values.text(item, this.#layout.sheets);
          if (sheet !== this.#sheet) {
            await this.#writer.write(values);
            values = [];
            await this.#startSheet(sheet);
          }
        }
        this.#totals.add(item);
        values.push(this.#columns.map((column) => column.cell(item)));
      }
      await this.#writer.write(values);
      count += batch.length;
      source.emit({ type: 'written', rows: count });
    }
    await this.#writeTotals();
  }

  async #startSheet(value: string): Promise<void> {
    if (this.#sheet !== undefined) await this.#writeTotals();
    this.#sheet = value;
    this.#sheets += 1;
    if (this.#sheets > MAX_SHEETS) {
      throw new UsageError(
        'too_many_sheets',
        message('too_many_sheets', { field: this.#layout.sheets ?? '', sheets: MAX_SHEETS }),
      );
    }
    await this.#writer.startSheet?.(value === '' ? NO_VALUE : value);
  }

  async #writeTotals(): Promise<void> {
    const sums = this.#totals.take();
    const { format } = this.#query.request;
    // Programs read NDJSON, and would mistake a total for an item.
    const rows = totalsLabel(this.#layout.totals) === undefined || format === 'ndjson' ? [] : sums;
    this.totalsRows += rows.length;
    this.#writer.endOfTable?.();
    await this.#writer.write(rows);
  }
}
