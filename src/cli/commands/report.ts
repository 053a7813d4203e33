import type { CommandModule } from 'yargs';
import type { ReportName } from '../../reports/model.ts';
import type { ReportRequest } from '../../reports/request.ts';
import type { ReportDeps, ReportSummary } from '../../reports/report.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { type OutFlags, writeOut } from '../out-file.ts';
import { addFlags, type FlagsOf, type GlobalFlags } from '../flags.ts';
import { checkLogFile } from '../log-file.ts';
import { print, printJson } from '../show/output.ts';
import { message } from '../../messages/message.ts';
import { inLines } from '../show/say.ts';
import { noOutput } from '../out-file.ts';

type ReportFlags = FlagsOf<'report inventory'> & FlagsOf<'report sales'>;

const ABOUT: Record<ReportName, { describe: string; examples: Record<string, string> }> = {
  inventory: {
    describe: 'Report the items, their value, what has changed, and gaps in the data.',
    examples: {
      '$0 report inventory --out inventory.html': 'a page to read, to print and to send',
      '$0 report inventory --out insurance.xlsx --status keep,sell,trade':
        'a workbook of the items that you still have',
      '$0 report inventory --out shelves.html --by custom_fields.shelf --locale de-DE':
        'also by a field of your own, with numbers as in Germany',
      '$0 report inventory --out october.xlsx --as-of 2026-10-31': 'as it was read at the end of that day',
      '$0 report inventory --out inventory.csv': 'every figure, for a program',
    },
  },
  listings: {
    describe: 'Report items for sale or trade, for how long, and contradictions.',
    examples: { '$0 report listings --out listings.html': 'a page to read' },
  },
  sales: {
    describe: 'Report sales totals, and how they changed between readings.',
    examples: {
      '$0 report sales --out sales.xlsx --currency USD': 'as money; run it monthly for a history',
      '$0 report sales --out october.xlsx --period 2026-10': 'what changed in that month',
      '$0 report sales --out sales.csv': 'minor units as the API gives them, for a program',
    },
  },
};

export const reportCommand: CommandBody<object> = {
  builder: (yargs) =>
    yargs
      .command(report('inventory'))
      .command(report('listings'))
      .command(report('sales'))
      .command(month)
      .demandCommand(1, 'Name the report: inventory, listings, sales or month.')
      .strict()
      .example(
        examples({ '$0 report inventory --out inventory.html': 'a page to read, to print and to send' }),
      ),
  handler: () => undefined,
};

const month: CommandModule<object, FlagsOf<'report month'>> = {
  command: 'month <month>',
  describe:
    'Pack a month for bookkeeping: inventory, roll-forward, items sold, sales, a cover and manifests.',
  builder: (yargs) =>
    addFlags(yargs, 'report month').example(
      examples({
        '$0 report month 2026-10 --out 2026-10.zip --currency EUR':
          'soon after its end, or from readings that the store keeps',
      }),
    ),
  handler: async (flags) => {
    const { readOptions } = await import('../read-options.ts');
    const { MonthOptions } = await import('../../reports/request.ts');
    const { writeMonth } = await import('../../reports/month.ts');
    const { out, ...given } = readOptions(MonthOptions, flags);
    if (out === undefined) throw noOutput(`report month ${given.month}`, { out: `${given.month}.zip` });
    await write(flags, (deps) => writeMonth({ ...given, out }, deps));
  },
};

function report(name: ReportName): CommandModule<object, ReportFlags> {
  return {
    command: name,
    describe: ABOUT[name].describe,
    // Sales lacks the filters, which are then undefined.
    builder: (yargs) => addFlags(yargs, `report ${name}`).example(examples(ABOUT[name].examples)),
    handler: (flags) => run(name, flags),
  };
}

async function run(name: ReportName, flags: ReportFlags): Promise<void> {
  const request = await toRequest(name, flags);
  const { writeReportFile } = await import('../../reports/report.ts');
  await write(flags, (deps) => writeReportFile(request, deps));
}

async function write(
  flags: GlobalFlags & OutFlags & Partial<Pick<ReportFlags, 'locale' | 'open'>>,
  make: (deps: ReportDeps) => Promise<ReportSummary>,
): Promise<void> {
  const { withClient, withLedger } = await import('../session.ts');
  checkLogFile(flags, [flags.out]);
  await withClient(flags, ({ client, signal, reporter, patience }) =>
    withLedger(flags, async (ledger) => {
      const summary = await writeOut(flags, ledger.values, () =>
        make({
          client,
          signal,
          values: ledger.values,
          knownItems: ledger.items,
          patience,
          onEvent: (event) => reporter.onExportEvent(event),
        }),
      );
      reporter.end();
      if (flags.locale !== undefined && summary.format === 'xlsx')
        reporter.warning(message('not_for_workbook', { option: '--locale', file: summary.file }));
      if (summary.consistency === 'moved') reporter.warning(message('list_moved_see_report', {}));
      if (flags.json === true) printJson(summary);
      else print(summaryText(summary));
      if (flags.open !== true) return;
      const { openFile } = await import('../open-file.ts');
      if (!(await openFile(summary.file)))
        reporter.warning(message('no_program_for_file', { file: summary.file }));
    }),
  );
}

async function toRequest(report: ReportName, flags: ReportFlags): Promise<ReportRequest & { out: string }> {
  const [{ readOptions }, { AsOfOptions, ItemReportOptions, PeriodOptions }] = await Promise.all([
    import('../read-options.ts'),
    import('../../reports/request.ts'),
  ]);
  if (flags.out === undefined) {
    throw noOutput(`report ${report}`, { out: `${report}.html` });
  }
  return {
    ...readOptions(ItemReportOptions, flags),
    ...readOptions(AsOfOptions, flags),
    ...readOptions(PeriodOptions, flags),
    report,
    out: flags.out,
  };
}

function summaryText({ report, rows, file, manifest, comparedWith }: ReportSummary): string {
  return inLines([
    message(`report_of_${report}`, { rows, file }),
    message('manifest_is', { file: manifest }),
    ...(comparedWith === null ? [] : [message('compared_with_reading', { at: comparedWith })]),
  ]);
}
