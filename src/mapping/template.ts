/**
 * Import templates: which column means which field, and how its cells are read. Data only: no code, no regular
 * expressions. Each construct is shown in templates/import/*.yaml.
 */
import { z } from 'zod';
import { WRITABLE_FIELDS } from '../api/schemas.ts';
import { isCurrencyCode } from './casts/amount.ts';
import { WORD_FIELDS, type WordField } from './word-lists.ts';

/** What a column or a constant can be given to. Beside these, `custom_fields.NAME`. */
export const TARGETS: readonly string[] = [
  ...WRITABLE_FIELDS.filter((field) => field !== 'custom_fields'),
  'id',
  'collection',
  'quantity',
];
export const CUSTOM_PREFIX = 'custom_fields.';

/** Whether a name can be a target: a field of the contract, id, collection, quantity, custom_fields.NAME. */
export function isTarget(name: string): boolean {
  return name.startsWith(CUSTOM_PREFIX) || TARGETS.includes(name);
}

/** Whether a field has a word list. */
export function isWordField(name: string): name is WordField {
  return Object.hasOwn(WORD_FIELDS, name);
}

const Headers = z.union([z.string(), z.array(z.string()).min(1)], {
  error: 'expected a header, or a list of headers',
});

const ColumnOptions = z.strictObject({
  from: Headers.optional().describe('Header, or several candidates: the first that the file has is used.'),
  column: z
    .string()
    .regex(/^[A-Za-z]{1,3}$/)
    .optional()
    .describe('Column letter, where the header is no help.'),
  required: z.boolean().optional().describe('The file is refused without this column.'),
  onlyForMatch: z.boolean().optional().describe('Used when matched by this field, and ignored otherwise.'),
  words: z
    .record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]))
    .optional()
    .describe('condition, packaging, status: what words mean. A map of fields sets several at once.'),
  builtInWords: z.boolean().optional().describe('false: only the contract’s words and those of `words`.'),
  blankWords: z.array(z.string()).optional().describe('Further texts that say nothing.'),
  blank: z.enum(['leave', 'clear']).optional().describe('Updates: what a blank cell does. Default: leave.'),
  decimal: z.enum(['point', 'comma']).optional().describe('estimated_value: the decimal mark.'),
  currency: z.string().optional().describe('estimated_value: an amount with another currency is an issue.'),
  approximate: z.boolean().optional().describe('release_year: take `c. 1985` and `1985?` as 1985.'),
  separators: z.array(z.string().length(1)).min(1).optional().describe('tags: where they are split.'),
});
export type ColumnOptions = z.infer<typeof ColumnOptions>;

const SkipRule = z.strictObject({
  from: Headers,
  is: z.array(z.string()).min(1).optional().describe('Skip where the cell is one of these words.'),
  blank: z.literal(true).optional().describe('Skip where the cell is blank.'),
  filled: z.literal(true).optional().describe('Skip where the cell is not blank.'),
  optional: z.boolean().optional().describe('No error where the file has no such column.'),
});
export type SkipRule = z.infer<typeof SkipRule>;

const Scalar = z.union([z.string(), z.number(), z.boolean()], {
  error: 'expected a text, a number, or true or false',
});

export const Template = z
  .strictObject({
    name: z.string().min(1),
    description: z.string().optional(),
    mode: z.enum(['create', 'update', 'upsert']).optional(),
    match: z
      .array(z.union([z.string(), z.array(z.string()).min(1)]))
      .min(1)
      .optional()
      .describe('How items are found, in order of preference: the first whose columns the file has.'),
    columns: z
      .record(
        z.string(),
        z.union([z.string(), z.array(z.string()).min(1), ColumnOptions], {
          error: 'expected a header, a list of headers, or a map of options',
        }),
      )
      .default({}),
    defaults: z.record(z.string(), Scalar).optional().describe('Creates: used where the row has none.'),
    constants: z.record(z.string(), Scalar).optional().describe('Set on every row.'),
    skip: z.array(SkipRule).optional(),
    ignore: z.array(z.string()).optional().describe('Headers that are never used.'),
    keepUnknown: z
      .union([z.boolean(), z.array(z.string())])
      .optional()
      .describe('Columns that nothing maps become custom fields: all, or those listed.'),
    guess: z.boolean().optional().describe('false: only the columns named here. Default: true.'),
  })
  .superRefine((template, context) => {
    const bad = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const fieldNames = `${TARGETS.join(', ')} or ${CUSTOM_PREFIX}NAME`;
    for (const part of ['columns', 'defaults', 'constants'] as const) {
      for (const name of Object.keys(template[part] ?? {})) {
        if (!isTarget(name)) bad([part, name], `expected a field: ${fieldNames}`);
        else if (part !== 'columns' && (name === 'id' || name === 'quantity')) {
          bad([part, name], `${name} comes from a column only`);
        }
      }
    }
    for (const name of Object.keys(template.constants ?? {})) {
      if (Object.hasOwn(template.columns, name)) {
        bad(['constants', name], `${name} has a column too: keep one of them`);
      }
    }
    for (const [name, column] of Object.entries(template.columns)) {
      if (typeof column === 'object' && !Array.isArray(column)) checkColumn(name, column, bad);
    }
    for (const [index, rule] of (template.skip ?? []).entries()) {
      const conditions = [rule.is, rule.blank, rule.filled].filter((part) => part !== undefined).length;
      if (conditions !== 1) bad(['skip', index], 'expected one of: is, blank, filled');
    }
    for (const [index, key] of (template.match ?? []).entries()) {
      for (const name of [key].flat()) {
        if (!isTarget(name)) bad(['match', index], `expected a field: ${fieldNames}`);
      }
    }
  });
export type Template = z.infer<typeof Template>;

/** A template as a person writes it in code: what has a default may be left out. */
export type TemplateInput = z.input<typeof Template>;

function checkColumn(
  name: string,
  column: ColumnOptions,
  bad: (path: string[], message: string) => void,
): void {
  const path = ['columns', name];
  const only = (option: keyof ColumnOptions, allowed: boolean, where: string) => {
    if (column[option] !== undefined && !allowed) bad([...path, option], `only for ${where}`);
  };
  only('words', isWordField(name), Object.keys(WORD_FIELDS).join(', '));
  only('builtInWords', isWordField(name), Object.keys(WORD_FIELDS).join(', '));
  only('decimal', name === 'estimated_value', 'estimated_value');
  only('currency', name === 'estimated_value', 'estimated_value');
  only('approximate', name === 'release_year', 'release_year');
  only('separators', name === 'tags', 'tags');
  if (column.currency !== undefined && !isCurrencyCode(column.currency)) {
    bad([...path, 'currency'], 'expected a currency code of three letters, such as eur');
  }
  if (!isWordField(name)) return;
  for (const [word, meaning] of Object.entries(column.words ?? {})) {
    const pairs = typeof meaning === 'string' ? [[name, meaning]] : Object.entries(meaning);
    for (const [field = '', value = ''] of pairs) {
      if (!isWordField(field)) {
        bad([...path, 'words', word], `expected condition, packaging or status, found ${field}`);
      } else if (!(WORD_FIELDS[field] as readonly string[]).includes(value)) {
        bad([...path, 'words', word], `expected ${WORD_FIELDS[field].join(', ')}, found ${value}`);
      }
    }
  }
}

/** A column's options whatever short form it was written in. */
export function columnOptions(template: Template | undefined, target: string): ColumnOptions {
  if (template === undefined || !Object.hasOwn(template.columns, target)) return {};
  const column = template.columns[target] ?? {};
  return typeof column === 'string' || Array.isArray(column) ? { from: column } : column;
}
