/** Flags as the library takes them: read by the schemas that they were made from. */
import { z } from 'zod';
import { DURATION_FORM } from '../base/duration.ts';
import type { ErrorCode } from '../base/error-codes.ts';
import { UsageError } from '../base/errors.ts';
import { ImportOptions, RunOptions } from '../import/job/options.ts';
import { type Flag, givenOptions } from '../base/option.ts';
import type { GlobalFlags } from './flags.ts';

/**
 * The options of `schema` that were given; a switch only where it is on.
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
  throw wrongValue(flag, given[key], issue);
}

/** `--wait` and the like of a run, and what a run's commands take. @throws UsageError as readOptions, `bad_choice` */
export function readRun(flags: GlobalFlags): RunOptions {
  const run = readOptions(RunOptions, flags);
  if (run.onlyNew === true && run.allRows === true)
    throw new UsageError('bad_choice', '--only-new and --all-rows exclude each other.', {
      remedy: 'Give one of them.',
    });
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
    throw new UsageError('match_without_mode', '--match needs --mode update or --mode upsert.');
  return { ...options, run: readRun(flags) };
}

function wrongValue({ name, schema }: Flag, value: unknown, issue: z.core.$ZodIssue): UsageError {
  if (Array.isArray(value))
    return new UsageError('usage', `--${name} was given ${value.length} times.`, { remedy: 'Give it once.' });
  if (issue.code === 'custom' && issue.params?.['code'] === 'bad_where')
    return new UsageError('bad_where', issue.message);
  const code = codeOf(issue);
  const expected = expectedBy(schema, code) ?? issue.message;
  return new UsageError(code ?? 'usage', `--${name} is ${shown(value)}; expected ${expected}.`);
}

/** The code of a check that has one, also below a union; a number's is `bad_number`. */
function codeOf(issue: z.core.$ZodIssue): 'bad_number' | 'bad_duration' | undefined {
  if (issue.code === 'custom') return issue.params?.['code'] as 'bad_duration' | undefined;
  if (issue.code === 'invalid_union')
    return issue.errors
      .flat()
      .map(codeOf)
      .find((code) => code === 'bad_duration');
  return 'bad_number';
}

function expectedBy(schema: z.ZodType, code: ErrorCode | undefined): string | undefined {
  if (code === 'bad_duration') return DURATION_FORM;
  if (!(schema instanceof z.ZodNumber)) return undefined;
  if (!schema.isInt) return 'a number above 0';
  const most = schema.maxValue === Number.MAX_SAFE_INTEGER ? null : schema.maxValue;
  return most === null
    ? `a whole number of at least ${schema.minValue}`
    : `a whole number from ${schema.minValue} to ${most}`;
}

function shown(value: unknown): string {
  // yargs keeps nothing of the text that it has taken for a number.
  if (Number.isNaN(value)) return 'not a number';
  return typeof value === 'string' ? `"${value}"` : String(value);
}
