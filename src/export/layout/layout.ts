/**
 * Export layouts: the columns of a file, their titles, the formats of values, and the order of rows. Layouts are data,
 * not code. templates/export/*.yaml has an example of each construct.
 */
import { z } from 'zod';
import { isItemField } from '../../where/item-values.ts';
import { BECAME_AFTER, BECAME_BY } from '../row.ts';
import { WhereOption } from '../../where/where.ts';
import { parseFormula } from './formula.ts';
import { parsePattern } from './text-pattern.ts';
import { inZod, problem } from '../../base/schema-words.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

export const CELL_FORMATS = ['text', 'number', 'money', 'date', 'datetime'] as const;
export type CellFormat = (typeof CELL_FORMATS)[number];

const Scalar = z.union([z.string(), z.number(), z.boolean()], {
  error: problem('expected_scalar', {}),
});

const ColumnSpec = z.strictObject({
  title: z.string().min(1).optional().describe('Header. Default: the field’s name.'),
  field: z.string().optional().describe('A field of the item, collection_name, or custom_fields.NAME.'),
  text: z
    .string()
    .optional()
    .describe(
      'A text with fields in braces: "{brand} {name}". A part in [square brackets] is left out if one of its fields is blank.',
    ),
  formula: z
    .string()
    .optional()
    .describe(
      'Arithmetic on numbers and fields: + - * / ( ) and round(x, digits). Blank if a field is blank.',
    ),
  constant: Scalar.optional().describe('The same in every row.'),
  words: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Replacements for values, ignoring case: { mint_on_card: New }. For tags, it is enough that one of an item’s tags is listed.',
    ),
  otherwise: z
    .string()
    .optional()
    .describe('Replacement for values that are not in `words`. Default: the value itself.'),
  required: z
    .boolean()
    .optional()
    .describe(
      'A row without a value that can be read in the format, or whose value is not in words, is left out and named, and the export ends with 3.',
    ),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, problem('expected_currency_code', {}))
    .optional()
    .describe(
      'With format money: rows in another currency are left out and named, and the export ends with 3.',
    ),
  blank: z.string().optional().describe('Text for a blank value.'),
  format: z
    .enum(CELL_FORMATS)
    .optional()
    .describe('Default: depends on the field. money is rounded by ISO 4217.'),
  pattern: z
    .string()
    .regex(/^(?:yyyy|yy|MM|dd|[^A-Za-z])+$/, problem('expected_date_pattern', {}))
    .optional()
    .describe(
      'With format date: how a day is written, such as ddMM or dd.MM.yyyy. The cell is then text, not a date.',
    ),
  decimals: z.int().min(0).max(10).optional().describe('With format number: digits after the decimal mark.'),
  width: z.int().min(1).max(255).optional().describe('XLSX: width in characters.'),
  total: z.boolean().optional().describe('Summed in the totals rows; money has a row for each currency.'),
});
export type ColumnSpec = z.infer<typeof ColumnSpec>;

const SortSpec = z.union(
  [z.string(), z.strictObject({ by: z.string(), order: z.enum(['ascending', 'descending']).optional() })],
  { error: problem('expected_sort', {}) },
);

type Bad = (path: (string | number)[], said: Message) => void;

export const Layout = z
  .strictObject({
    name: z.string().min(1),
    description: z.string().optional(),
    columns: z.array(z.union([z.string(), ColumnSpec])).min(1),
    sort: z
      .array(SortSpec)
      .min(1)
      .optional()
      .describe('By the first field, then the second …; blanks come last.'),
    where: WhereOption.optional(),
    sheets: z.string().optional().describe('XLSX: a sheet for each value of this field.'),
    totals: z
      .union([z.boolean(), z.string().min(1)])
      .optional()
      .describe('Adds totals rows at the end (of each sheet); a text is their label. Default: none.'),
    locale: z
      .string()
      .optional()
      .describe(
        'CSV: language tag for the format of dates, money and numbers, such as de-DE. Default: as the API has them.',
      ),
    delimiter: z.string().optional().describe('CSV: one character, or tab.'),
    decimal: z.enum(['point', 'comma']).optional().describe('CSV: decimal mark of numbers.'),
    bom: z.boolean().optional().describe('CSV: start with a byte order mark.'),
  })
  .superRefine((layout, context) => {
    const bad: Bad = (path, said) => context.addIssue({ code: 'custom', path, message: inZod(said) });
    const field = (path: (string | number)[], name: string) => {
      if (!isItemField(name) && name !== BECAME_AFTER && name !== BECAME_BY)
        bad(path, message('expected_item_field', { found: name }));
    };
    for (const [index, column] of layout.columns.entries())
      checkColumn(column, ['columns', index], bad, field);
    for (const [index, sort] of (layout.sort ?? []).entries()) {
      field(['sort', index], typeof sort === 'string' ? sort : sort.by);
    }
    if (layout.sheets !== undefined) field(['sheets'], layout.sheets);
    if (layout.locale !== undefined && !isLocale(layout.locale)) {
      bad(['locale'], message('expected_language_tag', { found: layout.locale }));
    }
    const titles = new Set<string>();
    for (const [index, column] of layout.columns.entries()) {
      const title = titleOf(column);
      if (titles.has(title)) bad(['columns', index], message('title_twice', { title }));
      titles.add(title);
    }
    if (layout.totals !== undefined && layout.totals !== false && !layout.columns.some(isSummed)) {
      bad(['totals'], message('no_column_total', {}));
    }
    if (layout.totals !== undefined && layout.totals !== false && layout.columns.every(isSummed)) {
      bad(['totals'], message('every_column_total', {}));
    }
  });
export type Layout = z.infer<typeof Layout>;

/** Whether Intl accepts it as a language tag. */
export function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

export function titleOf(column: string | ColumnSpec): string {
  if (typeof column === 'string') return column;
  return column.title ?? column.field ?? column.text ?? column.formula ?? String(column.constant ?? '');
}

function isSummed(column: string | ColumnSpec): boolean {
  return typeof column !== 'string' && column.total === true;
}

function checkColumn(
  column: string | ColumnSpec,
  path: (string | number)[],
  bad: Bad,
  field: (path: (string | number)[], name: string) => void,
): void {
  if (typeof column === 'string') {
    field(path, column);
    return;
  }
  const { field: name, text, formula, constant } = column;
  const given = [name, text, formula, constant].filter((each) => each !== undefined);
  if (given.length !== 1)
    bad(
      path,
      message('expected', {
        expected: message('one_of', { words: ['field', 'text', 'formula', 'constant'] }),
      }),
    );
  if (name !== undefined) field([...path, 'field'], name);
  for (const [key, parsed] of [
    ['text', text === undefined ? undefined : parsePattern(text)],
    ['formula', formula === undefined ? undefined : parseFormula(formula)],
  ] as const) {
    if (parsed === undefined) continue;
    if ('problem' in parsed) bad([...path, key], parsed.problem);
    else for (const each of parsed.fields) field([...path, key], each);
  }
  if (name === 'custom_fields' && Object.keys(column).length > 1) {
    bad(path, message('custom_fields_alone', {}));
  }
  const numeric = formula !== undefined || name === 'estimated_value' || column.format === 'number';
  if (column.total === true && !numeric && column.format !== 'money') {
    bad([...path, 'total'], message('only_for', { what: message('numbers_and_money', {}) }));
  }
  const needs = (option: keyof ColumnSpec, key: string, holds: boolean) => {
    if (column[option] !== undefined && !holds) bad([...path, option], message('only_with', { key }));
  };
  needs('decimals', 'format: number', column.format === 'number');
  needs('otherwise', 'words', column.words !== undefined);
  needs('required', 'field', name !== undefined);
  needs('pattern', 'format: date', column.format === 'date');
  needs('words', 'field', name !== undefined);
  needs('currency', 'format: money', column.format === 'money');
  if (column.otherwise !== undefined && column.required === true)
    bad([...path, 'otherwise'], message('not_with_required', {}));
}
