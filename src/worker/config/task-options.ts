/** What a task may say beside its name: the options of `export` and `import`, as on the command line. */
import { z } from 'zod';
import { EXPORT_RESOURCES, type ExportRequest } from '../../export/request.ts';
import type { ImportRequest, RunOptions } from '../../import/job/options.ts';
import type { ReportRequest } from '../../reports/request.ts';
import { patternProblem } from '../schedule/file-pattern.ts';
import { eitherSpelling } from './spellings.ts';

const text = z.string().min(1, 'expected a text');
/** YAML reads 5 and true as number and boolean where a person means a text. */
const loose = z.union([text, z.number(), z.boolean()]).transform(String);
/** `a,b` or a list. */
const list = z.union([text.transform((words) => words.split(',').map((word) => word.trim())), z.array(text)]);
const whole = z.number().int().min(0);
/** As the command line takes it. */
const decimal = z
  .enum(['point', 'comma', '.', ','])
  .transform((mark) => (mark === ',' || mark === 'comma' ? 'comma' : 'point'));

/** A text with places for dates (see file-pattern.ts). */
export function withDates(plain: z.ZodString): z.ZodString {
  return plain.superRefine((pattern, context) => {
    const message = patternProblem(pattern);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

const TASK_SHAPE = {
  export: z.enum(EXPORT_RESOURCES),
  report: z.enum(['inventory', 'listings', 'sales']),
  out: withDates(text),
  format: z.enum(['csv', 'xlsx', 'ndjson']),
  status: list,
  collection: text,
  currency: text,
  columns: list,
  template: text,
  locale: text,
  delimiter: text,
  decimal,
  bom: z.boolean(),
  requireStable: z.boolean(),
  changedSinceLast: text,
  fresh: z.boolean(),
} satisfies Partial<Record<keyof ExportRequest | keyof ReportRequest | 'export', z.ZodType>>;

/** `{ export: items, out: …, … }` or `{ report: inventory, out: …, … }`; cross-checks.ts says what goes with what. */
export const Task = eitherSpelling(TASK_SHAPE);
export type Task = z.infer<typeof Task>;

/** Options that a report has. */
export const REPORT_KEYS: readonly string[] = ['report', 'out', 'status', 'collection', 'currency'];
/** Options that only a report has. */
export const ONLY_REPORT_KEYS: readonly string[] = ['report', 'currency'];
export const EXPORT_ENDINGS: readonly string[] = ['csv', 'xlsx', 'ndjson'];
export const REPORT_ENDINGS: readonly string[] = ['csv', 'xlsx', 'html'];

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
  allRows: z.boolean(),
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
