/** Reads flags in the form that the library takes, by the schemas that they were made from. */
import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { ImportOptions, RunOptions } from '../import/job/options.ts';
import { type Flag, givenOptions } from '../base/option.ts';
import { expectedBy, saidIn, shown } from '../base/schema-words.ts';
import { byHand, isMessage, message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import type { GlobalFlags } from './flags.ts';

/**
 * The options of `schema` that were given; a switch only if it is on.
 *
 * @throws UsageError `bad_number`, `bad_duration`, `bad_pair`, `usage`
 */
export function readOptions<S extends z.ZodObject>(schema: S, flags: object): z.infer<S> {
  const { given, known } = givenOptions(schema, flags, '--');
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const key = String(issue?.path[0]);
  const flag = known.get(key);
  if (issue === undefined || flag === undefined) throw read.error;
  const value = given[key];
  // If one of several values is wrong, the message names that value.
  const at = issue.path[1];
  throw mistake(flag, Array.isArray(value) && typeof at === 'number' ? value[at] : value, issue);
}

/**
 * `--wait` and the other options of a run, for commands that start one.
 *
 * @throws UsageError as readOptions, `bad_choice`
 */
export function readRun(flags: GlobalFlags): RunOptions {
  const run = readOptions(RunOptions, flags);
  if (run.onlyNew === true && run.allRows === true)
    throw new UsageError(
      'bad_choice',
      message('options_exclude', { options: ['--only-new', '--all-rows'] }, byHand('give_one_option', {})),
    );
  return run;
}

/** @throws UsageError as readRun, `match_without_mode` */
export function readImport(flags: GlobalFlags): z.infer<typeof ImportOptions> & { run: RunOptions } {
  const options = readOptions(ImportOptions, flags);
  if (
    options.match !== undefined &&
    (options.mode ?? 'create') === 'create' &&
    options.template === undefined &&
    options.recipe === undefined
  )
    throw new UsageError(
      'match_without_mode',
      message('option_needs', { option: '--match', needs: ['--mode update', '--mode upsert'] }),
    );
  return { ...options, run: readRun(flags) };
}

function mistake({ name, schema }: Flag, value: unknown, issue: z.core.$ZodIssue): UsageError {
  const option = `--${name}`;
  if (Array.isArray(value)) {
    const said = message('option_twice', { option, times: value.length }, byHand('give_once', {}));
    return new UsageError('usage', said);
  }
  const own = saidIn(issue.message);
  if (issue.code === 'custom' && issue.params?.['code'] === 'bad_where')
    return new UsageError('bad_where', own);
  const expected = schema instanceof z.ZodNumber ? numberOf(schema) : (expectedBy(issue) ?? own);
  return wrongValue(option, value, expected, codeOf(issue));
}

/** The error for an option with an invalid value. @param option with its dashes */
export function wrongValue(
  option: string,
  value: unknown,
  expected: Message,
  code: 'bad_number' | 'bad_duration' | 'usage' = 'usage',
): UsageError {
  const problem = isMessage(expected, 'expected') ? expected : message('expected', { expected });
  // yargs does not keep the text of a value that it read as a number.
  const found = Number.isNaN(value) ? message('not_a_number', {}) : shown(value);
  return new UsageError(code, message('option_is', { option, found, problem }));
}

/** The code of a check that has one, even below a union; for a number, `bad_number`. */
function codeOf(issue: z.core.$ZodIssue): 'bad_number' | 'bad_duration' | undefined {
  if (issue.code === 'custom') return issue.params?.['code'] as 'bad_duration' | undefined;
  if (issue.code === 'invalid_union')
    return issue.errors
      .flat()
      .map(codeOf)
      .find((code) => code === 'bad_duration');
  return 'bad_number';
}

function numberOf(schema: z.ZodNumber): Message {
  if (!schema.isInt) return message('number_above_0', {});
  const least = schema.minValue ?? 0;
  const most = schema.maxValue === Number.MAX_SAFE_INTEGER ? null : schema.maxValue;
  return message('whole_number_from', { least, ...(most === null ? {} : { most }) });
}
