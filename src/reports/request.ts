/** The request of a report, checked before anything is read. */
import { extname } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import { commandLine } from '../export/command-line.ts';
import { isLocale } from '../export/layout/layout.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { minorDigits } from '../base/minor-digits.ts';
import { nearest } from '../base/nearest.ts';
import { flag, needed, text } from '../base/option.ts';
import { COLLECTION_NAME, isItemField, ITEM_FIELDS } from '../where/item-values.ts';
import {
  type CheckedRequest,
  checkOptions,
  checkRequest,
  type ExportRequest,
  FilterOptions,
  timeZone,
} from '../export/request.ts';
import type { ReportName } from './model.ts';
import { type Period, periodOf } from '../export/keep/period.ts';
import { defined } from '../base/defined.ts';

export const REPORT_FORMATS = ['xlsx', 'html', 'csv'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const out = flag(text.describe('File to write; .xlsx, .html or .csv sets the format.'), { group: 'Write' });

/** HTML and CSV: spreadsheet programs show numbers in their reader's format. */
const locale = flag(
  text.describe(
    'Page and CSV: write numbers, money and times in the format of this locale (de-DE), for people.',
  ),
  { group: 'Write' },
);

/** A list is not split at commas, because names of custom fields may contain them. */
const Fields = z.union([text.transform((field) => [field]), z.array(text)]);

export const ItemReportOptions = FilterOptions.extend({
  out,
  locale,
  by: flag(Fields.describe('Also group by this field, such as custom_fields.shelf (repeatable).'), {
    group: 'Select',
    repeatable: true,
  }),
  currency: flag(text.describe('Only items with this currency.'), { group: 'Select' }),
});

export const SalesReportOptions = z.object({
  out,
  locale,
  currency: flag(
    text.describe(
      'Currency of the amounts, which the API does not name. With it, amounts are shown in this currency instead of minor units (CSV: net_payout instead of net_payout_cents).',
    ),
    { group: 'Write' },
  ),
});

export const AsOfOptions = z.object({
  asOf: flag(
    text.describe('Show the state at the end of this day (2026-10-31), from a reading that the store keeps.'),
    {
      group: 'Select',
    },
  ),
  timeZone,
});

export const PeriodOptions = z.object({
  period: flag(
    text.describe('Cover this day, month or year (2026-10), from readings that the store keeps.'),
    {
      group: 'Select',
    },
  ),
  timeZone,
});

export const MonthOptions = z.object({
  month: needed(text.describe('The month: 2026-10.'), { positional: true }),
  out: flag(text.describe('File to write: a .zip.'), { group: 'Write' }),
  currency: SalesReportOptions.shape.currency,
  timeZone,
});

export interface ReportRequest
  extends Omit<z.infer<typeof ItemReportOptions>, 'out' | 'status'>,
    z.infer<typeof AsOfOptions>,
    z.infer<typeof PeriodOptions> {
  report: ReportName;
  /** Path; its extension (.xlsx, .html, .csv) sets the format. Without a path, no file is written. */
  out?: string;
  /** Inventory and listings: one status or several, also comma-separated. Default: all. */
  status?: string | readonly string[];
}

export interface CheckedReport {
  /** The equivalent command line. */
  command: string;
  report: ReportName;
  /** Undefined if no file was requested. */
  format: ReportFormat | undefined;
  /** Lower-case. */
  currency: string | undefined;
  /** Fields to group by besides the fixed ones. */
  by: readonly string[];
  /** Undefined: plain digits for programs, and English number formats for people. */
  locale: string | undefined;
  /** Inventory: the day at whose end it is shown. Sales: the period. Undefined: now. */
  period: Period | undefined;
  /** The reading behind the report, in the form of an export. */
  reading: CheckedRequest;
}

/**
 * @throws UsageError `unknown_format`, `bad_currency`, `bad_locale`, `bad_by`, `bad_period`, `bad_zone`, `cannot_write`,
 * `unknown_status`, `not_for_resource`
 */
export async function checkReport(request: ReportRequest): Promise<CheckedReport> {
  const { reading, ...checked } = checkReportOptions(request);
  const check = request.out === undefined ? checkOptions : checkRequest;
  return { ...checked, reading: await check(reading) };
}

/** Checks the options of a report, without those of its reading. */
export function checkReportOptions(
  request: ReportRequest,
): Omit<CheckedReport, 'reading'> & { reading: ExportRequest } {
  const { report, out, status, collection, where, locale } = request;
  const format = out === undefined ? undefined : formatOf(out);
  const by = checkBy(report, request.by ?? []);
  if (locale !== undefined && !isLocale(locale))
    throw new UsageError('bad_locale', message('bad_locale', { locale }));
  const currency = checkCurrency(report, request.currency);
  const reading: ExportRequest = {
    resource: report === 'inventory' ? 'items' : report,
    out: out ?? '-',
    // Only the place and the filters are checked here; the format is checked with the report.
    format: 'csv',
    ...defined({ status, collection, where }),
  };
  const options = report === 'sales' ? [SalesReportOptions, PeriodOptions] : [ItemReportOptions, AsOfOptions];
  const command = commandLine(`report ${report}`, options, { ...request });
  return { command, report, format, currency, by, locale, period: checkPeriod(request), reading };
}

function checkPeriod({ report, asOf, period, timeZone, by = [] }: ReportRequest): Period | undefined {
  const [given, form] = report === 'inventory' ? [asOf, 'day' as const] : [period, 'any' as const];
  const other = report === 'inventory' ? period : asOf;
  if (other !== undefined || (given !== undefined && report === 'listings'))
    throw new UsageError('bad_period', message('report_without_time', { report }));
  if (given !== undefined && by.length > 0) throw new UsageError('bad_by', message('past_day_groups', {}));
  return given === undefined ? undefined : periodOf(given, form, timeZone);
}

function formatOf(out: string): ReportFormat {
  const ending = extname(out).slice(1).toLowerCase();
  const format = REPORT_FORMATS.find((known) => known === ending);
  if (format !== undefined) return format;
  throw new UsageError(
    'unknown_format',
    message('unknown_format', { file: out, ending, endings: ['.xlsx', '.html', '.csv'] }),
    { actions: [{ do: 'byHand', label: message('use_one_ending', {}) }] },
  );
}

/** Fields of an item that no two items share, or that contain several values. */
const NO_GROUPS: readonly string[] = ['object', 'id', 'custom_fields'];

function checkBy(report: ReportName, fields: readonly string[]): string[] {
  if (report === 'sales' && fields.length > 0) throw new UsageError('bad_by', message('sales_no_groups', {}));
  const known = [...ITEM_FIELDS, COLLECTION_NAME].filter((field) => !NO_GROUPS.includes(field));
  for (const field of fields) {
    if (isItemField(field) && !NO_GROUPS.includes(field)) continue;
    const near = nearest(field, known);
    throw new UsageError('bad_by', message('no_group_field', { field }), {
      actions: [
        ...(near === undefined
          ? []
          : [
              { do: 'setOption', label: message('to_group_by_near', {}), option: 'by', value: near } as const,
            ]),
        { do: 'byHand', label: message('fields_to_group', { known: [...known, `${CUSTOM_PREFIX}NAME`] }) },
      ],
    });
  }
  return [...new Set(fields)];
}

/** Sales: amounts become money only if the minor unit is known. */
export function checkCurrency(report: ReportName, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const currency = given.trim().toLowerCase();
  if (currency !== '' && (report !== 'sales' || minorDigits(currency) !== undefined)) return currency;
  throw new UsageError('bad_currency', message('bad_currency', { given }), {
    actions: [{ do: 'byHand', label: message('give_currency', {}) }],
  });
}
