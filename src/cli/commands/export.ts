import type { CommandModule } from 'yargs';
import { defined } from '../../base/defined.ts';
import { UsageError } from '../../base/errors.ts';
import { ExitCode } from '../../base/exit-code.ts';
import type { Verification } from '../../export/verify/verify.ts';
import type { ExportSummary } from '../../export/export.ts';
import type { SalesReading } from '../../export/row.ts';
import type { ExportRequest, ExportResource } from '../../export/request.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { checkLogFile } from '../log-file.ts';
import { writeOut } from '../out-file.ts';
import { addFlags, type FlagsOf } from '../flags.ts';
import { shellWord } from '../../base/shell-word.ts';
import { print, printJson } from '../show/output.ts';
import { table } from '../show/words.ts';
import { noOutput } from '../out-file.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { inLines, say } from '../show/say.ts';

type ExportFlags = FlagsOf<'export items'>;
type VerifyFlags = FlagsOf<'export verify'>;

const verify: CommandModule<object, VerifyFlags> = {
  command: 'verify <file>',
  describe: 'Check an export or a report against its manifest.',
  builder: (yargs) =>
    addFlags(yargs, 'export verify').example(
      examples({
        '$0 export verify items.xlsx': 'is the file still as it was written?',
        '$0 export verify items.xlsx --live': 'does the file still match the API?',
      }),
    ),
  handler: async (flags) => {
    const { verifyExport } = await import('../../export/verify/verify.ts');
    const result = await verifyExport(flags.file);
    process.exitCode = result.verified ? ExitCode.ok : ExitCode.rows;
    if (flags.live === true) {
      await live(flags, result);
      return;
    }
    const { said, ...json } = result;
    const { file } = result;
    if (flags.json === true) printJson(json);
    else if (result.verified)
      print(say(message('file_as_written', { file, rows: result.rows ?? result.expected.rows })));
    else print(inLines([message('file_not_as_written', { file }), ...said]));
  },
};

/** Reads the API again as the manifest describes, and reports differences. */
async function live(flags: VerifyFlags, result: Verification): Promise<void> {
  const { withClient } = await import('../session.ts');
  const { compareLive } = await import('../../export/verify/verify-live.ts');
  await withClient(flags, async ({ client, signal, reporter, patience }) => {
    const comparison = await compareLive(result, {
      client,
      signal,
      onEvent: (event) => reporter.onExportEvent(event),
      patience,
    });
    reporter.end();
    if (comparison.differences > 0) process.exitCode = ExitCode.rows;
    const { said, ...json } = result;
    const { said: findings, ...liveJson } = comparison;
    if (flags.json === true) {
      printJson({ ...json, live: liveJson });
      return;
    }
    print([...said.map(say), inLines(findings)].join('\n'));
  });
}

const ABOUT: Record<ExportResource, { describe: string; examples: Record<string, string> }> = {
  items: {
    describe: 'Export all items, or some.',
    examples: {
      '$0 export items --out items.xlsx': 'everything as a workbook',
      '$0 export items --out for-sale.csv --status sell,trade --columns id,name,estimated_value':
        'some rows, some columns',
      '$0 export items --out what-changed.csv --changed-since-last weekly':
        'the changes since the last export of that name',
      '$0 export items --out for-insurance.xlsx --template insurance':
        'a layout: a sheet for each collection, totals',
      "$0 export items --out items.csv --delimiter ';' --decimal , --locale de-DE --bom":
        'for an accountant in Germany',
    },
  },
  listings: {
    describe: 'Export items that are for sale or trade.',
    examples: { '$0 export listings --out listings.csv --status sell': 'the items for sale' },
  },
  collections: {
    describe: 'Export the names and ids of the collections.',
    examples: { '$0 export collections --out collections.csv': 'their names and ids' },
  },
  sales: {
    describe: 'Export the totals of sales and earnings.',
    examples: {
      '$0 export sales': 'on the screen',
      '$0 export sales --out sales.csv': 'as a file',
    },
  },
};

export const exportCommand: CommandBody<object> = {
  builder: (yargs) =>
    yargs
      .command(resource('items'))
      .command(resource('listings'))
      .command(resource('collections'))
      .command(resource('sales'))
      .command(verify)
      .demandCommand(1, 'Name what to export: items, listings, collections or sales; or verify a file.')
      .strict()
      .example(examples({ '$0 export items --out items.xlsx': 'everything as a workbook' })),
  handler: () => undefined,
};

function resource(name: ExportResource): CommandModule<object, ExportFlags> {
  return {
    command: name,
    describe: ABOUT[name].describe,
    // Collections and sales lack some of these flags, which are then undefined.
    builder: (yargs) => addFlags(yargs, `export ${name}`).example(examples(ABOUT[name].examples)),
    handler: (flags) => run(name, flags),
  };
}

async function run(name: ExportResource, flags: ExportFlags): Promise<void> {
  const { withClient, withLedger } = await import('../session.ts');
  const { exportResource, readSalesSummary } = await import('../../export/export.ts');
  const { Runs } = await import('../../worker/queue/runs.ts');
  checkLogFile(flags, [flags.out]);
  await withClient(flags, async ({ client, signal, reporter, patience }) => {
    if (flags.out === undefined && name === 'sales') {
      const reading = await withLedger(flags, ({ values }) =>
        readSalesSummary({ client, values, signal, patience }),
      );
      printSales(reading, flags.json === true);
      return;
    }
    const request = await toRequest(name, flags);
    const unused = csvOnly(flags);
    if (unused !== undefined) reporter.warning(unused);
    const summary = await withLedger(flags, ({ values, items, runs }) =>
      writeOut(flags, values, () =>
        exportResource(request, {
          client,
          values,
          knownItems: items,
          isOpenRun: (id) => new Runs({ runs }).isOpen(id),
          signal,
          patience,
          onEvent: (event) => {
            if (event.type === 'kept') {
              const command = sameCommand(name, flags);
              reporter.warn(say(message('rows_kept_for_day', { rows: event.rows, command })));
            } else reporter.onExportEvent(event);
          },
        }),
      ),
    );
    reporter.end();
    if (summary.consistency === 'moved' && flags['require-stable'] === true) process.exitCode = ExitCode.rows;
    const { leftOut, notInTotals, leftBlank, ...rest } = summary;
    const lacks = defined({ left_out: leftOut, not_in_totals: notInTotals, left_blank: leftBlank });
    if (Object.keys(lacks).length > 0) process.exitCode = ExitCode.rows;
    // With --out - stdout carries the rows.
    if (summary.file === '-') return;
    if (flags.json === true) printJson({ ...rest, ...lacks });
    else print(summaryText(name, summary));
  });
}

async function toRequest(resource: ExportResource, flags: ExportFlags): Promise<ExportRequest> {
  const [{ readOptions }, { ExportOptions, ItemExportOptions }] = await Promise.all([
    import('../read-options.ts'),
    import('../../export/request.ts'),
  ]);
  if (flags.out === undefined) {
    throw noOutput(`export ${resource}`, { out: `${resource}.xlsx` });
  }
  if (flags.out === '-' && flags.json === true) {
    throw new UsageError('two_outputs', message('two_outputs', { options: ['--out -', '--json'] }));
  }
  const options = { ...readOptions(ExportOptions, flags), ...readOptions(ItemExportOptions, flags) };
  return {
    ...options,
    resource,
    out: flags.out,
    ...(flags.out === '-' ? { stream: process.stdout } : {}),
  };
}

/** A warning about CSV options given for another format; undefined if there are none. */
function csvOnly(flags: ExportFlags): Message | undefined {
  const out = flags.out ?? '';
  if (out === '-' || /\.csv$/i.test(out)) return undefined;
  const given = (['delimiter', 'decimal', 'bom', 'locale'] as const).filter(
    // A layout's texts are also sorted by the locale.
    (flag) => flags[flag] !== undefined && !(flag === 'locale' && flags.template !== undefined),
  );
  if (given.length === 0) return undefined;
  return message('only_for_csv', { options: given.map((flag) => `--${flag}`), file: out });
}

/** Rebuilds the command line from the parsed flags. */
function sameCommand(name: ExportResource, flags: ExportFlags): string {
  const words = Object.entries(flags).flatMap(([flag, value]) => {
    if (flag === '_' || flag === '$0' || flag === 'fresh' || value === undefined || value === false)
      return [];
    if (flag === 'timeout' && value === '30s') return [];
    return [value]
      .flat()
      .flatMap((each) => (each === true ? [`--${flag}`] : [`--${flag}`, shellWord(String(each))]));
  });
  return ['shelflift export', name, ...words].join(' ');
}

function summaryText(resource: ExportResource, summary: ExportSummary): string {
  const { sha256, rows, file, consistency, passes, leftOut, notInTotals, leftBlank, manifest } = summary;
  if (sha256 === null) return say(message('list_moved_no_file', { resource }));
  const lines = [
    message('export_written', { what: message(`counted_${resource}`, { number: rows }), file }),
    message(consistency === 'stable' ? 'read_completely' : 'list_moved_see_manifest', { passes }),
    ...(leftOut === undefined ? [] : [message('rows_left_out_above', { rows: leftOut })]),
    ...(notInTotals === undefined ? [] : [message('totals_lack_values', { values: notInTotals })]),
    ...(leftBlank === undefined ? [] : [message('cells_left_blank', { cells: leftBlank })]),
    ...(manifest === null ? [] : [message('manifest_is', { file: manifest })]),
  ];
  return inLines(lines);
}

/** The amounts as received, because the API names neither currency nor period. */
function printSales(reading: SalesReading, json: boolean): void {
  if (json) {
    printJson(reading);
    return;
  }
  const { object: _, reported_at, ...figures } = reading;
  print(say(message('sales_as_reported', { at: reported_at })));
  print(table(Object.entries(figures).map(([name, figure]) => [`  ${name}`, String(figure)])));
}
