/**
 * Import templates: which column is which field, and how its cells are read. They are data, never code. Every option is
 * shown in docs/templates.md, whose examples a test runs.
 */
import { z } from 'zod';
import { knownKeys } from '../../base/yaml-file.ts';
import { isTarget, TARGET_NAMES } from '../targets.ts';
import { checkColumn, Column, type ColumnOptions, Scalar } from './template-column.ts';
import { checkWhen, Condition, When } from './template-rules.ts';
import { inZod, problem } from '../../base/schema-words.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

const Values = z.record(z.string(), Scalar, { error: problem('expected_values', {}) });

export const Template = knownKeys({
  name: z.string({ error: problem('expected_template_name', {}) }).min(1),
  description: z.string().optional(),
  source: z.string().optional().describe('Address where the columns of such files can be seen.'),
  recognise: z
    .array(z.string(), { error: problem('expected_list_of_headers', {}) })
    .min(3)
    .optional()
    .describe(
      'A set of headers that occurs together only in files of this program. The template is suggested for such files.',
    ),
  mode: z.enum(['create', 'update', 'upsert']).optional(),
  match: z
    .array(z.union([z.string(), z.array(z.string()).min(1)]))
    .min(1)
    .optional()
    .describe('Keys to find items by, in order of preference: the first whose columns the file has is used.'),
  columns: z
    .record(z.string(), Column, { error: problem('expected_columns', {}) })
    .default({})
    .describe('Field → the column that it comes from.'),
  defaults: Values.optional().describe('Creates: values for rows without one.'),
  constants: Values.optional().describe('Values for every row.'),
  conditions: z
    .array(Condition, { error: problem('expected_conditions', {}) })
    .optional()
    .describe('Values that depend on other cells; later ones win.'),
  skip: z
    .array(When, { error: problem('expected_rules', {}) })
    .optional()
    .describe('Rows to leave out.'),
  ignore: z.array(z.string()).optional().describe('Headers to ignore.'),
  keepUnknown: z
    .union([z.boolean(), z.array(z.string())])
    .optional()
    .describe('Unmapped columns that become custom fields: all of them, or those listed.'),
  guess: z.boolean().optional().describe('false: uses only the columns named here. Default: true.'),
}).superRefine((template, context) => {
  const bad = (path: (string | number)[], said: Message) =>
    context.addIssue({ code: 'custom', path, message: inZod(said) });
  const noField = message('expected_field', { fields: TARGET_NAMES });
  const settable = (path: (string | number)[], names: string[]) => {
    for (const name of names) {
      if (!isTarget(name)) bad([...path, name], noField);
      else if (name === 'id' || name === 'quantity')
        bad([...path, name], message('from_column_only', { field: name }));
    }
  };
  for (const [name, column] of Object.entries(template.columns)) {
    if (!isTarget(name)) bad(['columns', name], noField);
    else if (typeof column === 'object' && !Array.isArray(column)) checkColumn(name, column, bad);
  }
  settable(['defaults'], Object.keys(template.defaults ?? {}));
  settable(['constants'], Object.keys(template.constants ?? {}));
  for (const name of Object.keys(template.constants ?? {})) {
    if (Object.hasOwn(template.columns, name)) {
      bad(['constants', name], message('has_column_too', { field: name }));
    }
  }
  for (const [index, condition] of (template.conditions ?? []).entries()) {
    checkWhen(condition.when, (path, said) => bad(['conditions', index, 'when', ...path], said));
    settable(['conditions', index, 'set'], Object.keys(condition.set));
  }
  for (const [index, when] of (template.skip ?? []).entries()) {
    checkWhen(when, (path, said) => bad(['skip', index, ...path], said));
  }
  for (const [index, key] of (template.match ?? []).entries()) {
    for (const name of [key].flat()) {
      if (!isTarget(name)) bad(['match', index], noField);
    }
  }
});
export type Template = z.infer<typeof Template>;

/** A template as written in code: keys with defaults may be absent. */
export type TemplateInput = z.input<typeof Template>;

/** Name of a template made by inference; messages then mention the columns' values. */
export const INFERRED = 'inferred';

/** A column's options, with short forms expanded. */
export function columnOptions(template: Template | undefined, target: string): ColumnOptions {
  if (template === undefined || !Object.hasOwn(template.columns, target)) return {};
  const column = template.columns[target] ?? {};
  return typeof column === 'string' || Array.isArray(column) ? { from: column } : column;
}

/** The columns whose ticks are tags. */
export function tickedNames({ ticked = [] }: ColumnOptions): string[] {
  return Array.isArray(ticked) ? ticked : Object.keys(ticked);
}

/** Whether the options name a column; `tags: { ticked: … }` alone needs none. */
export function hasSource(spec: ColumnOptions): boolean {
  return spec.from !== undefined || spec.column !== undefined || spec.join !== undefined;
}
