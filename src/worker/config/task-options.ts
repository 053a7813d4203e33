/** Options of a schedule's task: those of `export`, `report` and `import` on the command line. */
import { extname } from 'node:path';
import { z } from 'zod';
import { EXPORT_RESOURCES, ExportOptions, ItemExportOptions } from '../../export/request.ts';
import { text } from '../../base/option.ts';
import { inZod } from '../../base/schema-words.ts';
import { message } from '../../messages/message.ts';
import { ItemReportOptions } from '../../reports/request.ts';
import { patternProblem } from '../schedule/file-pattern.ts';
import { SourceImport } from './import-options.ts';
import { eitherSpelling, withoutDashes } from './spellings.ts';

/** A text with placeholders for dates (see file-pattern.ts). */
export function withDates(plain: z.ZodString): z.ZodString {
  return plain.superRefine((pattern, context) => {
    const wrong = patternProblem(pattern);
    if (wrong !== undefined) context.addIssue({ code: 'custom', message: inZod(wrong) });
  });
}

/** Options that a report accepts. */
const REPORT_KEYS: readonly string[] = ['report', 'period', 'asOf', ...Object.keys(ItemReportOptions.shape)];
/** Options that only a report accepts. */
const ONLY_REPORT_KEYS: readonly string[] = ['report', 'currency', 'by', 'period', 'asOf'];
/** Options of a month report, which always covers all items. */
const MONTH_KEYS: readonly string[] = ['report', 'period', 'out', 'currency'];
const EXPORT_ENDINGS = ['csv', 'xlsx', 'ndjson'];
const REPORT_ENDINGS = ['csv', 'xlsx', 'html'];
const MONTH_ENDINGS = ['zip'];

const TASK = {
  export: z.enum(EXPORT_RESOURCES),
  report: z.enum(['inventory', 'listings', 'sales', 'month']),
  import: SourceImport,
  out: withDates(text).describe('File to write, with places for dates; its ending sets the format.'),
  period: withDates(text)
    .optional()
    .describe('Sales and month: the period, with places for dates (month: the last complete month).'),
  asOf: withDates(text).optional().describe('Inventory: the day, with places for dates.'),
  ...ItemReportOptions.omit({ out: true, locale: true }).shape,
  ...ItemExportOptions.omit({ timeZone: true }).shape,
  ...ExportOptions.omit({ out: true }).shape,
};

export const TaskOptions = eitherSpelling(TASK);

const KINDS = ['export', 'report', 'import'] as const;

/** `{ export: items, out: …, … }`, `{ report: inventory, out: …, … }` or `{ import: { url: …, … } }` */
export const Task = eitherSpelling(TASK, (written, report) => {
  const { export: resource, report: kind, import: source, out, format } = withoutDashes(written);
  const isReport = kind !== undefined;
  if ([resource, kind, source].filter((each) => each !== undefined).length !== 1) {
    report(message('expected', { expected: message('one_of', { words: KINDS }) }));
  } else if (source !== undefined) {
    for (const key of Object.keys(written)) if (key !== 'import') report(message('below_import', {}), key);
    return;
  } else {
    for (const key of Object.keys(written)) {
      const [plain = ''] = Object.keys(withoutDashes({ [key]: '' }));
      const keys = kind === 'month' ? MONTH_KEYS : REPORT_KEYS;
      if (isReport ? !keys.includes(plain) : ONLY_REPORT_KEYS.includes(plain))
        report(message('not_option_of', { of: isReport ? 'report' : 'export' }), key);
    }
  }
  if (out === undefined) report(message('needs_key', { key: 'out' }));
  const endings = kind === 'month' ? MONTH_ENDINGS : isReport ? REPORT_ENDINGS : EXPORT_ENDINGS;
  if (
    typeof out === 'string' &&
    format === undefined &&
    !endings.includes(extname(out).slice(1).toLowerCase())
  )
    report(message('expected_ending', { endings }), 'out');
});
export type Task = z.infer<typeof Task>;
