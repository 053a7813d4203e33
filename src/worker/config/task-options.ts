/** What a task may say beside its name: the options of `export`, `report` and `import`, as on the command line. */
import { extname } from 'node:path';
import { z } from 'zod';
import { EXPORT_RESOURCES, ExportOptions, ItemExportOptions } from '../../export/request.ts';
import { ImportOptions, RunOptions } from '../../import/job/options.ts';
import { text } from '../../option.ts';
import { ItemReportOptions } from '../../reports/request.ts';
import { patternProblem } from '../schedule/file-pattern.ts';
import { eitherSpelling, withoutDashes } from './spellings.ts';

/** A text with places for dates (see file-pattern.ts). */
export function withDates(plain: z.ZodString): z.ZodString {
  return plain.superRefine((pattern, context) => {
    const message = patternProblem(pattern);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

/** Options that a report has. */
const REPORT_KEYS: readonly string[] = ['report', ...Object.keys(ItemReportOptions.shape)];
/** Options that only a report has. */
const ONLY_REPORT_KEYS: readonly string[] = ['report', 'currency'];
const EXPORT_ENDINGS = ['csv', 'xlsx', 'ndjson'];
const REPORT_ENDINGS = ['csv', 'xlsx', 'html'];

const TASK = {
  export: z.enum(EXPORT_RESOURCES),
  report: z.enum(['inventory', 'listings', 'sales']),
  out: withDates(text).describe('File to write, with places for dates; its ending sets the format.'),
  ...ItemReportOptions.omit({ out: true }).shape,
  ...ItemExportOptions.shape,
  ...ExportOptions.omit({ out: true }).shape,
};

/** A task's options, each checked by itself. */
export const TaskOptions = eitherSpelling(TASK);

/** `{ export: items, out: …, … }` or `{ report: inventory, out: …, … }` */
export const Task = eitherSpelling(TASK, (written, report) => {
  const { export: resource, report: kind, out, format } = withoutDashes(written);
  const isReport = kind !== undefined;
  if ((resource !== undefined) === isReport) report('expected either export or report');
  else
    for (const key of Object.keys(written)) {
      const [plain = ''] = Object.keys(withoutDashes({ [key]: '' }));
      if (isReport ? !REPORT_KEYS.includes(plain) : ONLY_REPORT_KEYS.includes(plain))
        report(`is no option of ${isReport ? 'report' : 'export'}`, key);
    }
  if (out === undefined) report('needs out');
  const endings = isReport ? REPORT_ENDINGS : EXPORT_ENDINGS;
  if (
    typeof out === 'string' &&
    format === undefined &&
    !endings.includes(extname(out).slice(1).toLowerCase())
  )
    report(`expected a name that ends in .${endings.join(', .')}`, 'out');
});
export type Task = z.infer<typeof Task>;

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
