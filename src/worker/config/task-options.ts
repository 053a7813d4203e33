/** What a task may say beside its name: the options of `export` and `import`, as on the command line. */
import { z } from 'zod';
import { EXPORT_RESOURCES, type ExportRequest } from '../../export/request.ts';
import type { ImportRequest, RunOptions } from '../../import/options.ts';
import { patternProblem } from '../schedule/file-pattern.ts';
import { eitherSpelling } from './spellings.ts';

const text = z.string().min(1, 'expected a text');
/** YAML reads 5 and true as number and boolean where a person means a text. */
const loose = z.union([text, z.number(), z.boolean()]).transform(String);
/** `a,b` or a list. */
const list = z.union([text.transform((words) => words.split(',').map((word) => word.trim())), z.array(text)]);
const whole = z.number().int().min(0);
const decimal = z.enum(['point', 'comma']);

const outPattern = text.superRefine((pattern, context) => {
  const message = patternProblem(pattern);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

const EXPORT_SHAPE = {
  export: z.enum(EXPORT_RESOURCES),
  out: outPattern,
  format: z.enum(['csv', 'xlsx', 'ndjson']),
  status: list,
  collection: text,
  columns: list,
  delimiter: text,
  decimal,
  bom: z.boolean(),
  requireStable: z.boolean(),
} satisfies Partial<Record<keyof ExportRequest | 'export', z.ZodType>>;

/** `{ export: items, out: …, … }` */
export const ExportTask = eitherSpelling(EXPORT_SHAPE);
export type ExportTask = z.infer<typeof ExportTask>;

const IMPORT_SHAPE = {
  template: text,
  map: z.record(z.string(), loose),
  default: z.record(z.string(), loose),
  mode: z.enum(['create', 'update', 'upsert']),
  match: list,
  collection: text,
  sheet: loose,
  delimiter: text,
  encoding: text,
  decimal,
  headerRow: z.number().int().min(1),
  keepUnknown: z.boolean(),
  skipInvalid: z.boolean(),
  force: z.boolean(),
  stamp: text,
  noSettle: z.boolean(),
  maxChanges: whole,
  maxRefused: z.number().int().min(1),
  onDrift: z.enum(['hold', 'skip', 'overwrite']),
  yes: z.boolean(),
} satisfies Partial<Record<keyof ImportRequest | keyof RunOptions | 'default', z.ZodType>>;

/** `{ collection: Main, skipInvalid: true, … }` */
export const ImportTask = eitherSpelling(IMPORT_SHAPE);
export type ImportTask = z.infer<typeof ImportTask>;
