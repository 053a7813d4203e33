/** Flags about one run of a job: shared by import, jobs resume and jobs apply. */
import type { Argv } from 'yargs';
import { parseDuration } from '../duration.ts';
import { UsageError } from '../errors.ts';
import type { RunOptions } from '../import/job/options.ts';
import type { GlobalFlags } from './globals.ts';
import { waitOf } from './settings.ts';

export interface RunFlags extends Pick<GlobalFlags, 'wait' | 'wait-for-limit' | 'quiet-period' | 'yes'> {
  first?: number;
  'max-refused'?: number;
  'max-changes'?: number;
  'skip-invalid'?: boolean;
  plan?: string;
  similar?: 'skip' | 'create';
  'only-new'?: boolean;
  'all-rows'?: boolean;
  'on-drift'?: 'hold' | 'skip' | 'overwrite';
  recheck?: string;
}

export function runOptions<T>(yargs: Argv<T>) {
  return yargs
    .option('first', { type: 'number', describe: 'send this many rows, then pause', requiresArg: true })
    .option('skip-invalid', { type: 'boolean', describe: 'send the good rows although others are invalid' })
    .option('max-refused', {
      type: 'number',
      describe: 'park after this many refusals [100 in a row, or 20 %]',
      requiresArg: true,
    })
    .option('max-changes', {
      type: 'number',
      describe: 'more updates than this need --yes [500]',
      requiresArg: true,
    })
    .option('similar', {
      choices: ['skip', 'create'] as const,
      describe: 'rows that --check-similar has found to look like items already there',
    })
    .option('only-new', {
      type: 'boolean',
      describe: 'leave out rows that were sent before, by any job of this store',
    })
    .option('all-rows', { type: 'boolean', describe: 'create rows once more that were sent before' })
    .option('on-drift', {
      choices: ['hold', 'skip', 'overwrite'] as const,
      describe: 'items that somebody has changed since the plan [hold]',
    })
    .option('recheck', {
      type: 'string',
      describe: 'read an item again before changing it if it was read longer ago: 0s always, or never [60s]',
      requiresArg: true,
    });
}

/** For the commands that make a plan. */
export function planOption<T>(yargs: Argv<T>) {
  return yargs.option('plan', {
    type: 'string',
    describe: 'write the plan to this file for review, changed cells coloured: .xlsx or .html',
    requiresArg: true,
  });
}

export function toRunOptions(flags: RunFlags): RunOptions {
  const run: RunOptions = {};
  if (flags.first !== undefined) run.first = whole(flags.first, '--first', 1);
  if (flags['max-refused'] !== undefined) run.maxRefused = whole(flags['max-refused'], '--max-refused', 1);
  if (flags['max-changes'] !== undefined) run.maxChanges = whole(flags['max-changes'], '--max-changes', 0);
  if (flags['skip-invalid'] === true) run.skipInvalid = true;
  if (flags.similar !== undefined) run.similar = flags.similar;
  if (flags['only-new'] === true && flags['all-rows'] === true)
    throw new UsageError('bad_choice', '--only-new and --all-rows exclude each other');
  if (flags['only-new'] === true) run.onlyNew = true;
  if (flags['all-rows'] === true) run.allRows = true;
  if (flags.plan !== undefined) run.plan = flags.plan;
  if (flags['on-drift'] !== undefined) run.onDrift = flags['on-drift'];
  if (flags.recheck !== undefined)
    run.recheckMs =
      flags.recheck === 'never' ? Number.POSITIVE_INFINITY : parseDuration(flags.recheck, '--recheck');
  if (flags['wait-for-limit'] === true) run.waitForLimit = true;
  const waitMs = waitOf(flags);
  if (waitMs !== undefined) run.waitMs = waitMs;
  if (flags['quiet-period'] !== undefined)
    run.quietPeriodMs = parseDuration(flags['quiet-period'], '--quiet-period');
  if (flags.yes === true) run.yes = true;
  return run;
}

/** @throws UsageError `bad_number` */
export function whole(value: number, flag: string, least: number): number {
  if (!Number.isInteger(value) || value < least) {
    throw new UsageError('bad_number', `${flag} is ${value}, expected a whole number of at least ${least}`);
  }
  return value;
}
