/** Turns the columns of a layout into functions of an item. */
import { Big } from 'big.js';
import type { Item } from '../../api/schemas.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import type { Cell } from '../../sheets/cell.ts';
import type { TableColumn } from '../../sheets/table-writer.ts';
import { dateTimeCell } from '../write/date-time-cell.ts';
import { itemColumns } from '../write/item-columns.ts';
import { parseFormula } from './formula.ts';
import { parseAll } from '../../where/where.ts';
import { currencyOf, type ItemValues, toBig } from '../../where/item-values.ts';
import type { CellFormat, ColumnSpec, Layout } from './layout.ts';
import { roundMoney } from '../../base/money.ts';
import { type OutputForm, roundTo, ValueFormatter } from './show-value.ts';
import { replacement } from './replacement.ts';
import { parsePattern } from './text-pattern.ts';
import { english } from '../../messages/message.ts';

export interface LayoutColumn extends TableColumn {
  cell: (item: Item) => Cell;
  /** For a column with totals: the amount that a row adds, and the format of the sum. */
  total?: LayoutTotal;
}

export interface LayoutTotal {
  /** money: a sum for each currency. */
  kind: 'money' | 'number';
  /** The amount as the row shows it, so that the displayed rows add up to the total. */
  amount: (item: Item) => Big | undefined;
  /** The text because of which there is no amount; undefined if the values are numbers or blank. */
  noNumber: (item: Item) => string | undefined;
  show: (sum: Big, currency: string) => Cell;
}

export interface CompileContext {
  look: OutputForm;
  values: ItemValues;
  /** XLSX: number format of amounts, if one fits all currencies in the rows. */
  moneyFormat: string | undefined;
  /** Id in lower case → name. */
  collectionNames: ReadonlyMap<string, string>;
  /** Names of all custom fields in the rows. */
  customFields: Iterable<string>;
  /** Called for each cell left blank because its text is too long for XLSX. */
  onTooLong: (item: Item, field: string) => void;
}

/** Left to right; `custom_fields` becomes a column for each custom field. */
export function compileColumns(layout: Layout, context: CompileContext): LayoutColumn[] {
  return layout.columns.flatMap((column) => {
    if (column === 'custom_fields' || (typeof column === 'object' && column.field === 'custom_fields')) {
      return plainColumns(['custom_fields'], context);
    }
    const spec: ColumnSpec = typeof column === 'string' ? { field: column } : column;
    return [compileColumn(spec, context)];
  });
}

/** Columns as in an export without a layout: importing them changes nothing, unless a locale is given. */
function plainColumns(names: readonly string[], context: CompileContext): LayoutColumn[] {
  const { look, customFields, collectionNames, onTooLong } = context;
  const valueLook = new ValueFormatter(look);
  return itemColumns({
    names,
    customFields,
    format: look.format,
    collectionNames,
    onTooLong,
    ...(look.locale === undefined
      ? {}
      : { showNumber: (value) => valueLook.number(new Big(String(value)), undefined) }),
  });
}

function compileColumn(spec: ColumnSpec, context: CompileContext): LayoutColumn {
  const { field, title, width } = spec;
  const format = spec.format ?? defaultFormat(spec, context.look);
  const common = {
    header: title ?? headerOf(spec),
    ...(width === undefined ? {} : { width }),
  };
  if (format === undefined && field !== undefined && spec.words === undefined && spec.blank === undefined) {
    const [plain] = plainColumns([field], context);
    if (plain !== undefined) return withTotal({ ...plain, ...common }, spec, undefined, context);
  }
  return withTotal({ ...common, ...shown(spec, format ?? 'text', context) }, spec, format, context);
}

function headerOf({ field, text, formula, constant }: ColumnSpec): string {
  return field ?? text ?? formula ?? String(constant ?? '');
}

/** undefined: the field is written as in an export without a layout. */
function defaultFormat({ field, formula }: ColumnSpec, look: OutputForm): CellFormat | undefined {
  if (formula !== undefined) return 'number';
  if (look.locale === undefined) return undefined;
  if (field === 'estimated_value') return 'money';
  return field === 'created_at' || field === 'updated_at' ? 'datetime' : undefined;
}

function shown(
  spec: ColumnSpec,
  format: CellFormat,
  context: CompileContext,
): Pick<LayoutColumn, 'kind' | 'cell'> {
  const { look } = context;
  const valueLook = new ValueFormatter(look);
  const blank: Cell = spec.blank ?? null;
  if (format === 'date' || format === 'datetime') {
    const field = spec.field ?? '';
    const cell = (item: Item): Cell => {
      const value = context.values.value(item, field);
      if (value === undefined || value === null || value === '') return blank;
      const { pattern } = spec;
      return pattern === undefined
        ? valueLook.date(value, format === 'datetime')
        : dayByPattern(dateTimeCell(value), pattern);
    };
    return { kind: look.format === 'csv' || spec.pattern !== undefined ? 'text' : format, cell };
  }
  if (format === 'text') {
    const text = textOf(spec, context);
    return {
      kind: 'text',
      cell: (item) => {
        const found = text(item);
        return found === '' ? blank : found;
      },
    };
  }
  const amount = amountOf(spec, context);
  const text = textOf(spec, context);
  const digits = spec.decimals === undefined ? undefined : formatOf(spec.decimals);
  const numberFormat = format === 'money' ? context.moneyFormat : digits;
  return {
    kind: 'number',
    ...(numberFormat === undefined ? {} : { numberFormat }),
    cell: (item) => {
      const found = amount(item);
      if (found === undefined) {
        // Text in place of a number is shown as it is, so that no value is lost.
        const words = spec.formula === undefined ? text(item) : '';
        return words === '' ? blank : words;
      }
      return format === 'money'
        ? valueLook.money(found, currencyOf(item))
        : valueLook.number(found, spec.decimals);
    },
  };
}

/** `dd.MM.yyyy`: for programs that accept only one form of date. Text that is not a time is unchanged. */
function dayByPattern(cell: Cell, pattern: string): Cell {
  if (typeof cell !== 'object' || cell?.kind !== 'date') return cell;
  const [year = '', month = '', day = ''] = cell.date.split('-');
  const parts: Record<string, string> = { yyyy: year, yy: year.slice(-2), MM: month, dd: day };
  return pattern.replaceAll(/yyyy|yy|MM|dd/g, (part) => parts[part] ?? part);
}

/** `#,##0.00`: the number format of a workbook for this number of digits. */
export function formatOf(digits: number): string {
  return digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`;
}

function textOf(spec: ColumnSpec, context: CompileContext): (item: Item) => string {
  const { field, text, constant, words, otherwise } = spec;
  const { values } = context;
  let plain: (item: Item) => string;
  if (field !== undefined) plain = (item) => values.text(item, field);
  else if (text === undefined) plain = () => String(constant ?? '');
  else {
    const pattern = parsePattern(text);
    if ('problem' in pattern) throw new TypeError(english(pattern.problem));
    plain = (item) => pattern.text((name) => values.text(item, name));
  }
  if (words === undefined || field === undefined) return plain;
  const replaced = replacement(field, words);
  return (item) => {
    const found = plain(item);
    return replaced(values.value(item, field), found) ?? (found === '' ? '' : (otherwise ?? found));
  };
}

function amountOf(spec: ColumnSpec, { values }: CompileContext): (item: Item) => Big | undefined {
  const { field, formula, constant } = spec;
  if (field !== undefined) return (item) => values.number(item, field);
  if (formula === undefined) {
    const number = toBig(constant);
    return () => number;
  }
  const parsed = parseFormula(formula);
  if ('problem' in parsed) throw new TypeError(english(parsed.problem));
  return (item) => parsed.value((name) => values.number(item, name));
}

function withTotal(
  column: LayoutColumn,
  spec: ColumnSpec,
  format: CellFormat | undefined,
  context: CompileContext,
): LayoutColumn {
  if (spec.total !== true) return column;
  const valueLook = new ValueFormatter(context.look);
  const money = format === 'money';
  const show = (sum: Big, currency: string) =>
    money ? valueLook.money(sum, currency) : valueLook.number(sum, spec.decimals);
  const exact = amountOf(spec, context);
  const amount = (item: Item) => {
    const found = exact(item);
    if (found === undefined) return undefined;
    return money ? roundMoney(found, currencyOf(item)) : roundTo(found, spec.decimals);
  };
  const { values } = context;
  const fields = numbersOf(spec);
  const noNumber = (item: Item) =>
    fields
      .filter((field) => values.number(item, field) === undefined)
      .map((field) => values.text(item, field))
      .find((text) => text !== '');
  const kind = money || fields.includes('estimated_value') ? 'money' : 'number';
  return { ...column, total: { kind, amount, noNumber, show } };
}

/** The fields that an amount is made of. A fraction or multiple of a value has its currency in any format. */
function numbersOf({ field, formula }: ColumnSpec): readonly string[] {
  if (field !== undefined) return [field];
  const parsed = parseFormula(formula ?? '0');
  return 'fields' in parsed ? parsed.fields : [];
}

/** All fields that a layout uses. */
export function fieldsOf(layout: Layout): Set<string> {
  const fields = new Set<string>(parseAll(layout.where).flatMap(({ fields: asked }) => asked));
  if (layout.sheets !== undefined) fields.add(layout.sheets);
  for (const sort of layout.sort ?? []) fields.add(typeof sort === 'string' ? sort : sort.by);
  for (const column of layout.columns) {
    const spec: ColumnSpec = typeof column === 'string' ? { field: column } : column;
    if (spec.field !== undefined) fields.add(spec.field);
    for (const parsed of [parsePattern(spec.text ?? ''), parseFormula(spec.formula ?? '0')]) {
      if ('fields' in parsed) for (const field of parsed.fields) fields.add(field);
    }
  }
  return fields;
}

/** The custom fields that a layout names, to find those that no row has. */
export function customFieldsNamed(layout: Layout): string[] {
  return [...fieldsOf(layout)].filter((field) => field.startsWith(CUSTOM_PREFIX));
}
