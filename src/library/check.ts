/** Options as a caller gave them, perhaps from plain JavaScript: every mistake is an error that names the option. */
import { defined } from '../base/defined.ts';
import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { dashed } from '../base/option.ts';
import { expectedBy, expecting, saidIn, shown } from '../base/schema-words.ts';
import { byHand, isMessage, message } from '../messages/message.ts';
import type { Action, Message } from '../messages/params.ts';

/** Milliseconds, 0 or more. */
export const milliseconds = z.custom<number>(
  (value) => typeof value === 'number' && value >= 0,
  expecting('some_milliseconds', {}),
);

export function instance<T>(
  test: (value: unknown) => boolean,
  expected: 'a_function' | 'an_abort_signal' | 'a_stream',
) {
  return z.custom<T>(test, expecting(expected, {}));
}

export const aFunction = <T>() => instance<T>((value) => typeof value === 'function', 'a_function');
export const aSignal = instance<AbortSignal>((value) => value instanceof AbortSignal, 'an_abort_signal');

/**
 * The options by their schema; undefined counts as left out.
 *
 * @param of name of the function, for messages
 * @throws UsageError `unknown_option`, `bad_option`, and the code of a check that has one (`bad_where`)
 */
export function checked<S extends z.ZodObject>(of: string, schema: S, given: unknown): z.infer<S> {
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given)))
    throw new UsageError('bad_option', message('options_are_not', { of, found: shown(given) }));
  const options = defined((given ?? {}) as Record<string, unknown>);
  const known = Object.keys(schema.shape);
  for (const name of Object.keys(options)) if (!known.includes(name)) throw unknownOption(of, name, known);
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? 'options');
  if (issue?.code === 'custom' && issue.params?.['code'] === 'bad_where') {
    const problem = saidIn(issue.message);
    const { actions = [] } = problem;
    throw new UsageError('bad_where', message('at_key', { key: of, problem }), { actions });
  }
  throw optionIs(of, name, options[name], issue === undefined ? message('a_map', {}) : wantedBy(issue));
}

/** The error for a call that is wrong as a whole. */
export function callWrong(of: string, problem: Message): UsageError {
  return new UsageError('bad_option', message('call_wrong', { of, problem }));
}

/** The error for an option with an invalid value. */
export function optionIs(of: string, option: string, value: unknown, expected: Message): UsageError {
  if (value === undefined) return optionMissing(of, option, expected);
  const problem = asProblem(expected);
  return new UsageError('bad_option', message('option_is', { of, option, found: shown(value), problem }));
}

export function optionMissing(
  of: string,
  option: string,
  expected: Message,
  ...actions: Action[]
): UsageError {
  const problem = asProblem(expected);
  return new UsageError('bad_option', message('option_missing', { of, option, problem }), { actions });
}

function asProblem(expected: Message): Message {
  return isMessage(expected, 'expected') ? expected : message('expected', { expected });
}

/** The error for an option that the call does not have. */
export function unknownOption(of: string, name: string, known: readonly string[]): UsageError {
  const near = nearest(dashed(name), known.map(dashed));
  const meant = known.find((each) => dashed(each) === near);
  return new UsageError('unknown_option', message('unknown_option', { of, name }), {
    actions: [
      ...(meant === undefined ? [] : [byHand('did_you_mean', { near: meant })]),
      byHand('options_are', { options: known }),
    ],
  });
}

/** The value that the schema expects, in the words of the schema if it has any. */
function wantedBy(issue: z.core.$ZodIssue): Message {
  const own = saidIn(issue.message);
  return own.code === 'verbatim' ? (expectedBy(issue) ?? own) : own;
}
