/** What a task may say beside its name: the options of `export`, `report` and `import`, as on the command line. */
import { z } from 'zod';
import { EXPORT_RESOURCES, ExportOptions, ItemExportOptions } from '../../export/request.ts';
import { ImportOptions, RunOptions } from '../../import/job/options.ts';
import { text } from '../../option.ts';
import { ItemReportOptions } from '../../reports/request.ts';
import { patternProblem } from '../schedule/file-pattern.ts';
import { eitherSpelling } from './spellings.ts';

/** A text with places for dates (see file-pattern.ts). */
export function withDates(plain: z.ZodString): z.ZodString {
  return plain.superRefine((pattern, context) => {
    const message = patternProblem(pattern);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

/** `{ export: items, out: …, … }` or `{ report: inventory, out: …, … }`; cross-checks.ts says what goes with what. */
export const Task = eitherSpelling({
  export: z.enum(EXPORT_RESOURCES),
  report: z.enum(['inventory', 'listings', 'sales']),
  out: withDates(text).describe('File to write, with places for dates; its ending sets the format.'),
  ...ItemReportOptions.omit({ out: true }).shape,
  ...ItemExportOptions.shape,
  ...ExportOptions.omit({ out: true }).shape,
});
export type Task = z.infer<typeof Task>;

/** Options that a report has. */
export const REPORT_KEYS: readonly string[] = ['report', ...Object.keys(ItemReportOptions.shape)];
/** Options that only a report has. */
export const ONLY_REPORT_KEYS: readonly string[] = ['report', 'currency'];
export const EXPORT_ENDINGS: readonly string[] = ['csv', 'xlsx', 'ndjson'];
export const REPORT_ENDINGS: readonly string[] = ['csv', 'xlsx', 'html'];

const {
  defaults,
  dryRun: _dryRun,
  outDir: _outDir,
  checkSimilar: _checkSimilar,
  ...importing
} = ImportOptions.shape;

/** `{ collection: Main, skipInvalid: true, … }` */
export const ImportTask = eitherSpelling({
  ...importing,
  default: defaults,
  ...RunOptions.pick({ allRows: true, maxChanges: true, maxRefused: true, onDrift: true, yes: true }).shape,
});
export type ImportTask = z.infer<typeof ImportTask>;
