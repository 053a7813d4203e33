import type { Argv } from 'yargs';
import { holdYoungHeap } from '../young-heap.ts';
import { ShelfliftError, UsageError } from '../../errors.ts';
import { gravestOf } from '../../exit-code.ts';
import type { ImportRequest } from '../../import/job/options.ts';
import type { LeftOut } from '../../import/results/own-outputs.ts';
import type { JobOutcome } from '../../import/results/summary.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { checkLogFile } from '../log-file.ts';
import type { GlobalFlags } from '../globals.ts';
import { outcomeText, print, printJson, reportError } from '../show/output.ts';
import { planOption, runOptions, type RunFlags, toRunOptions, whole } from '../run-flags.ts';

export interface ImportFlags extends GlobalFlags, RunFlags {
  file: string[];
  template?: string;
  map?: string | string[];
  default?: string | string[];
  mode?: 'create' | 'update' | 'upsert';
  match?: string;
  collection?: string;
  sheet?: string;
  delimiter?: string;
  encoding?: string;
  decimal?: 'point' | 'comma';
  'header-row'?: number;
  'keep-unknown'?: boolean;
  'dry-run'?: boolean;
  force?: boolean;
  'out-dir'?: string;
  stamp?: string;
  'no-settle'?: boolean;
  'check-similar'?: boolean;
}

export const importCommand: CommandBody<ImportFlags> = {
  builder: (yargs) => importOptions(yargs) as unknown as Argv<ImportFlags>,
  handler: async (flags) => {
    holdYoungHeap();
    const { withImport } = await import('../session.ts');
    const { importFile } = await import('../../import/run.ts');
    const { RequestMeter } = await import('../../api/meter.ts');
    const { reportPlan } = await import('../show/report-plan.ts');
    const { leaveOutOutputs } = await import('../../import/results/own-outputs.ts');
    checkLogFile(flags, flags.file);
    const { sources, leftOut } = await leaveOutOutputs(flags.file);
    const isOne = flags.file.length === 1;
    if (flags.plan !== undefined && sources.length > 1)
      throw new UsageError('bad_choice', '--plan is one file, and several files make several plans');
    const outcomes = await withImport(flags, async (deps, reporter) => {
      const ended: Ended[] = [];
      for (const { file, source } of leftOut)
        deps.emit({
          type: 'warning',
          message: `${file} is about ${source}, which is given too, and was left out. To import it, give it alone.`,
        });
      for (const file of sources) {
        // Each file is a job of its own, and its requests are counted by themselves.
        const meter = new RequestMeter();
        const client = deps.client.withListener(meter.onRequest);
        try {
          const outcome = await importFile(toRequest(file, flags), { ...deps, client, meter });
          ended.push({ file, outcome });
          reporter.end();
          if (isOne) await reportPlan(outcome, deps, flags);
        } catch (error) {
          // Of several files one that cannot be read must not take the others' outcomes with it.
          if (isOne || !(error instanceof ShelfliftError)) throw error;
          ended.push({ file, error });
        }
        reporter.end();
        if (deps.signal.aborted) break;
      }
      return ended;
    });
    if (!isOne) reportSeveral(outcomes, leftOut, flags);
  },
};

export function importOptions<T>(yargs: Argv<T>) {
  return planOption(runOptions(yargs))
    .positional('file', { type: 'string', array: true, demandOption: true, describe: 'CSV or XLSX file' })
    .option('template', {
      type: 'string',
      describe: 'import template: a name (shelflift template list) or a YAML file',
      requiresArg: true,
    })
    .option('map', {
      type: 'string',
      describe: 'FIELD=COLUMN: which column is which field (repeatable)',
      requiresArg: true,
    })
    .option('default', {
      type: 'string',
      describe: 'FIELD=VALUE for rows that have none (repeatable)',
      requiresArg: true,
    })
    .option('mode', { choices: ['create', 'update', 'upsert'] as const, describe: 'what rows do [create]' })
    .option('match', {
      type: 'string',
      describe: 'FIELD[,FIELD] that finds the item of a row (update, upsert) [id]',
      requiresArg: true,
    })
    .option('collection', {
      type: 'string',
      describe: 'name or id of the collection for rows that name none',
      requiresArg: true,
    })
    .option('sheet', { type: 'string', describe: 'sheet of a workbook, or all', requiresArg: true })
    .option('delimiter', { type: 'string', describe: 'CSV: one character, or tab', requiresArg: true })
    .option('encoding', {
      type: 'string',
      describe: 'CSV: utf-8, utf-16le, windows-1252 …',
      requiresArg: true,
    })
    .option('decimal', {
      choices: ['point', 'comma'] as const,
      describe: 'mark of fractions, where the file leaves it open',
    })
    .option('header-row', { type: 'number', describe: 'row of the header', requiresArg: true })
    .option('keep-unknown', { type: 'boolean', describe: 'columns nobody mapped become custom fields' })
    .option('dry-run', { type: 'boolean', describe: 'show what would be done; jobs apply sends it' })
    .option('force', { type: 'boolean', describe: 'import a file although it was applied before' })
    .option('out-dir', {
      type: 'string',
      describe: 'folder for results and rejects [beside the file]',
      requiresArg: true,
    })
    .option('stamp', {
      type: 'string',
      describe: 'custom_fields.NAME that marks each created item with its job and row',
      requiresArg: true,
    })
    .option('check-similar', {
      type: 'boolean',
      describe: 'mark rows that look like items already there; --similar says what becomes of them',
    })
    .option('no-settle', {
      type: 'boolean',
      describe: 'never look lost answers up (keys without items:read): they are held',
    })
    .example(
      examples({
        '$0 import toys.csv --collection Main --dry-run': 'what would be done',
        '$0 import toys.xlsx --template action-figures --collection Main': 'with a shipped template',
        '$0 import toys.csv --map name=Titel --map estimated_value=F --collection Main':
          'columns by name or by letter',
        '$0 import changes.csv --mode update --match id': 'send only what changed',
        '$0 import changes.csv --mode update --match id --dry-run --plan plan.html':
          'what would change, for a second person',
      }),
    );
}

export function toRequest(file: string, flags: ImportFlags): ImportRequest {
  const request: ImportRequest = { file, run: toRunOptions(flags) };
  if (flags.match !== undefined && (flags.mode ?? 'create') === 'create' && flags.template === undefined) {
    throw new UsageError('match_without_mode', '--match goes with --mode update or upsert only');
  }
  if (flags.template !== undefined) request.template = flags.template;
  if (flags.map !== undefined) request.map = pairs(flags.map, '--map', 'FIELD=COLUMN');
  if (flags.default !== undefined) request.defaults = pairs(flags.default, '--default', 'FIELD=VALUE');
  if (flags.mode !== undefined) request.mode = flags.mode;
  if (flags.match !== undefined) request.match = flags.match.split(',').map((field) => field.trim());
  if (flags.collection !== undefined) request.collection = flags.collection;
  if (flags.sheet !== undefined) request.sheet = flags.sheet;
  if (flags.delimiter !== undefined) request.delimiter = flags.delimiter;
  if (flags.encoding !== undefined) request.encoding = flags.encoding;
  if (flags.decimal !== undefined) request.decimal = flags.decimal;
  if (flags['header-row'] !== undefined) request.headerRow = whole(flags['header-row'], '--header-row', 0);
  if (flags['keep-unknown'] === true) request.keepUnknown = true;
  if (flags['dry-run'] === true) request.dryRun = true;
  if (flags['skip-invalid'] === true) request.skipInvalid = true;
  if (flags.force === true) request.force = true;
  if (flags['out-dir'] !== undefined) request.outDir = flags['out-dir'];
  if (flags.stamp !== undefined) request.stamp = flags.stamp;
  if (flags['check-similar'] === true) request.checkSimilar = true;
  if (flags['no-settle'] === true) request.noSettle = true;
  return request;
}

/** `A=B` pairs; B may hold further signs. */
function pairs(given: string | string[], flag: string, form: string): Record<string, string> {
  return Object.fromEntries(
    [given].flat().map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError('bad_pair', `${flag} is "${text}", expected ${form}`);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}

/** How one of several files ended: with a job, or with an error before there was one. */
type Ended = { file: string } & ({ outcome: JobOutcome } | { error: ShelfliftError });

/** Several files are several jobs; the gravest exit code is the command's. */
function reportSeveral(ended: Ended[], leftOut: LeftOut[], flags: GlobalFlags): void {
  const codes: number[] = ended.map((each) =>
    'outcome' in each ? each.outcome.exitCode : each.error.exitCode,
  );
  const gravest = gravestOf(codes);
  process.exitCode = gravest;
  for (const each of ended) {
    if ('error' in each) reportError(each.error, { ...flags, json: false });
    else if (flags.json !== true) print(outcomeText(each.outcome, flags));
  }
  if (flags.json !== true) return;
  const jobs = ended.map((each) =>
    'outcome' in each
      ? each.outcome.summary
      : { file: each.file, error: { code: each.error.code, message: each.error.message } },
  );
  const cause = ended[codes.indexOf(gravest)];
  const error = cause !== undefined && 'error' in cause ? cause.error : cause?.outcome.summary.error;
  printJson({
    jobs,
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  });
}
