/**
 * Options as zod schemas: each is described once, and that description makes the library's types, the flags and
 * their help (`npm run docs:flags`), and the keys of shelflift.yaml.
 */
import { z } from 'zod';
import { parseDuration } from './duration.ts';
import { expecting } from './schema-words.ts';
import { UsageError } from './errors.ts';
import { message } from '../messages/message.ts';

/** Headings of --help, in the order in which they are shown. */
export const GROUPS = ['Select', 'Read', 'Map', 'Write', 'Send', 'Safety', 'Options', 'Global'] as const;

/** The details of an option that the command line needs beyond its schema and description. */
export interface FlagMeta {
  group?: (typeof GROUPS)[number];
  /** Name on the command line, if it differs from the key in kebab case: `wait` for `waitMs`. */
  name?: string;
  /** Form of a map, given as repeated pairs: `FIELD=COLUMN`. */
  pairs?: string;
  repeatable?: boolean;
  /** A word without `--`. */
  positional?: boolean;
  /** Default that the parser sets. Most defaults are set by the library; the help only mentions them. */
  default?: string | number;
  /** The values that the command line accepts, if the schema accepts more. */
  choices?: readonly string[];
}

const FLAGS = z.registry<FlagMeta>();

/** An option that a user may give as a flag; optional, but undefined is not a valid value. */
export function flag<S extends z.ZodType>(schema: S, meta: FlagMeta = {}) {
  return needed(schema, meta).exactOptional();
}

/** The same for a required option. */
export function needed<S extends z.ZodType>(schema: S, meta: FlagMeta = {}): S {
  // The registry treats metadata without any key as missing.
  FLAGS.add(schema, { group: 'Options', ...meta });
  return schema;
}

export interface Flag {
  /** Without `--`. */
  name: string;
  meta: FlagMeta;
  /** The schema of a value that is given. */
  schema: z.ZodType;
  required: boolean;
}

/** The flag of a schema's key; undefined where only the library has that option. */
export function flagOf(key: string, schema: z.ZodType): Flag | undefined {
  const inner = schema instanceof z.ZodExactOptional ? (schema.unwrap() as z.ZodType) : schema;
  const meta = FLAGS.get(inner);
  if (meta === undefined) return undefined;
  return { name: meta.name ?? dashed(key), meta, schema: inner, required: inner === schema };
}

/**
 * The options of `schema` that were given, as it reads them; a switch only if it is on.
 *
 * @param dashes prefix of an option's name in messages
 * @throws UsageError `bad_pair`
 */
export function givenOptions(
  schema: z.ZodObject,
  flags: object,
  dashes = '',
): { given: Record<string, unknown>; known: Map<string, Flag> } {
  const typed = new Map(Object.entries(flags));
  const known = new Map<string, Flag>();
  const given: Record<string, unknown> = {};
  for (const [key, option] of Object.entries(schema.shape)) {
    const flag = flagOf(key, option as z.ZodType);
    const value: unknown = flag === undefined ? undefined : typed.get(flag.name);
    if (flag === undefined || value === undefined || value === false) continue;
    known.set(key, flag);
    given[key] = flag.meta.pairs === undefined ? value : pairs(value, dashes + flag.name, flag.meta.pairs);
  }
  return { given, known };
}

/** `A=B`; B may contain further equals signs. */
function pairs(given: unknown, name: string, form: string): Record<string, string> {
  return Object.fromEntries(
    [given].flat().map((each) => {
      const text = String(each);
      const at = text.indexOf('=');
      if (at < 1) throw badPair(name, text, form);
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    }),
  );
}

export function badPair(name: string, text: string, form: string): UsageError {
  return new UsageError('bad_pair', message('bad_pair', { name, text, form }));
}

/** `skipInvalid` → `skip-invalid`. */
export function dashed(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export const text = z.string().min(1, expecting('a_text', {}));

/** For YAML, which reads 5 and true as number and boolean where a person means text. */
export const looseText = z.union([text, z.number(), z.boolean()]).transform(String);

/** A value or a column for a field: may be empty. */
export const cellText = z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** `a,b`, or a list in YAML. */
export const list = z.union([
  text.transform((words) => words.split(',').map((word) => word.trim())),
  z.array(text),
]);

/** `3,7-9` → ranges of rows, from 1. */
export const rowRanges = text.transform((given, context) => {
  const parts = given.split(',').map((part) => /^\s*(\d{1,7})\s*(?:-\s*(\d{1,7})\s*)?$/.exec(part));
  const ranges = parts.map((part) => ({ from: Number(part?.[1]), to: Number(part?.[2] ?? part?.[1]) }));
  if (ranges.every(({ from, to }) => from >= 1 && to >= from)) return ranges;
  context.addIssue({ code: 'custom', message: expecting('rows_such_as', {}) });
  return z.NEVER;
});

const MAX_ROWS = 10_000;

/** The same ranges, as row numbers. */
export const rowNumbers = rowRanges.transform((ranges, context) => {
  const rows = ranges.flatMap(({ from, to }) =>
    Array.from({ length: Math.min(to - from + 1, MAX_ROWS + 1) }, (_, index) => from + index),
  );
  if (rows.length <= MAX_ROWS) return rows;
  context.addIssue({ code: 'custom', message: expecting('rows_at_most', { most: MAX_ROWS }) });
  return z.NEVER;
});

export const decimalMark = z
  .enum(['point', 'comma', '.', ','])
  .transform((mark) => (mark === ',' || mark === 'comma' ? 'comma' : 'point'));

/** A whole number of at least this. */
export function wholeNumber(least: number) {
  return z.number().int().min(least);
}

/** `10s`, as ms. */
const DURATION = expecting('a_duration', {});
export const duration = z.string({ error: DURATION }).transform((given, context) => {
  const ms = parseDuration(given);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: DURATION, params: { code: 'bad_duration' } });
  return z.NEVER;
});
