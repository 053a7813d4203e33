/** Options as a caller gave them, perhaps from plain JavaScript: every mistake is an error that names the option. */
import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import { dashed } from '../base/option.ts';

/** Milliseconds, 0 or more. */
export const milliseconds = z.custom<number>(
  (value) => typeof value === 'number' && value >= 0,
  'expected milliseconds, 0 or more',
);

/** @param expected with its article: `a function` */
export function instance<T>(test: (value: unknown) => boolean, expected: string) {
  return z.custom<T>(test, `expected ${expected}`);
}

export const aFunction = <T>() => instance<T>((value) => typeof value === 'function', 'a function');
export const aSignal = instance<AbortSignal>((value) => value instanceof AbortSignal, 'an AbortSignal');

/**
 * The options by their schema; undefined counts as left out.
 *
 * @param of name of the function, for messages
 * @throws UsageError `unknown_option`, `bad_option`, and the code of a check that has one (`bad_where`)
 */
export function checked<S extends z.ZodObject>(of: string, schema: S, given: unknown): z.infer<S> {
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given)))
    throw new UsageError('bad_option', `${of}: the options are ${shown(given)}; expected an object.`);
  const options = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined));
  const known = Object.keys(schema.shape);
  for (const name of Object.keys(options)) if (!known.includes(name)) throw unknownOption(of, name, known);
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = String(issue?.path[0] ?? 'options');
  if (issue?.code === 'custom' && issue.params?.['code'] === 'bad_where')
    throw new UsageError('bad_where', `${of}: ${issue.message}`);
  const found = options[name];
  const expected = expectedOf(issue);
  const message =
    found === undefined ? `${name} is missing; ${expected}` : `${name} is ${shown(found)}; ${expected}`;
  throw new UsageError('bad_option', `${of}: ${message.replace(/\.$/, '')}.`);
}

function unknownOption(of: string, name: string, known: readonly string[]): UsageError {
  const near = nearest(dashed(name), known.map(dashed));
  const meant = known.find((each) => dashed(each) === near);
  return new UsageError('unknown_option', `${of} has no option "${name}".`, {
    remedy: `${meant === undefined ? '' : `Did you mean ${meant}? `}The options are ${known.join(', ')}.`,
  });
}

function expectedOf(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case undefined:
      return 'expected another value';
    case 'invalid_value':
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'invalid_type':
      return `expected ${issue.expected === 'int' ? 'a whole number' : `a ${issue.expected}`}`;
    case 'too_small':
      return issue.origin === 'string' ? 'expected a text' : `expected at least ${String(issue.minimum)}`;
    case 'invalid_union':
      return issue.message.startsWith('expected') ? issue.message : expectedOf(issue.errors.flat()[0]);
    case 'custom':
      return issue.message;
    default:
      return issue?.message.toLowerCase() ?? '';
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
