/**
 * Reads YAML against a schema and reports each problem with its line and column.
 *
 * Two readers: js-yaml for valid texts, as nearly all are, and yaml to describe each problem and its place. With 10,000
 * schedules js-yaml takes a tenth of the time and keeps no tree of the text.
 */
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import type { ErrorCode } from './error-codes.ts';
import { UsageError } from './errors.ts';
import { inWords, inZod, problem, saidIn } from './schema-words.ts';
import { isMessage, message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';

/** A map with only these keys. The error for an unknown key lists the `named` ones. */
export function knownKeys<Shape extends z.ZodRawShape>(shape: Shape, named = Object.keys(shape)) {
  const unknown = problem('unknown_key', { known: named });
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknown : undefined),
  });
}

/** Reports a problem of the entry at `path` below a map. */
type Report = (said: Message, ...path: PropertyKey[]) => void;

/**
 * Checks that involve several fields of a map. Their problems are reported together with those of the fields: fields
 * that are invalid are given as they are written.
 */
export function checkedTogether<T extends z.ZodType>(
  map: T,
  check: (given: Record<string, unknown>, report: Report) => void,
): T {
  return map.superRefine(
    (given, context) =>
      check(given as Record<string, unknown>, (said, ...path) =>
        context.addIssue({ code: 'custom', message: inZod(said), path }),
      ),
    { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  );
}

/** A few lines of aliases can expand to more than fits into memory. */
const MAX_ALIASES = 100;
/** Far more than any configuration has. */
const MAX_NESTED = 100;
const TOO_DEEP = message('nested_too_deep', { levels: MAX_NESTED });

interface Position {
  line: number;
  column: number;
}

type Whole = 'the_template' | 'the_layout' | 'the_configuration';

/** A problem at a place in the document. */
export interface YamlProblem {
  path: PropertyKey[];
  said: Message;
}

/**
 * Reads `text` by `schema`.
 *
 * @param about.file for messages only
 * @param about.whole the file, for problems that belong to no single key
 * @throws UsageError `about.code`; its message has one line per problem: file:line:column and what was expected
 */
export function parseYaml<T>(
  text: string,
  schema: z.ZodType<T>,
  about: {
    file: string;
    code: ErrorCode;
    whole: Whole;
    /** Checks that a schema cannot express, on the value as written; reported with the schema's own problems. */
    also?: (value: unknown) => YamlProblem[];
  },
): T {
  const plain = plainValue(text);
  if (plain !== undefined) {
    const read = schema.safeParse(withSharedTexts(plain.value, new Map()));
    if (read.success && (about.also?.(plain.value) ?? []).length === 0) return read.data;
  }
  const { value, broken, written, placeOf } = openYaml(text);
  if (broken) throw badFile(about, written);
  const parsed = schema.safeParse(value, { error: inWords });
  const more = about.also?.(value) ?? [];
  if (parsed.success && more.length === 0 && written.length === 0) return parsed.data;
  // `also` gives the better message for a path; custom checks in the schema are separate problems.
  const better = new Set(more.map(({ path }) => path.join('.')));
  const own = parsed.success ? [] : problemsOf(parsed.error.issues);
  const problems = [...own.filter(({ path, custom }) => custom || !better.has(path.join('.'))), ...more].map(
    ({ path, said }) => ({ ...placeOf(path), said: named(path, about.whole, said) }),
  );
  throw badFile(
    about,
    [...written, ...problems].sort((a, b) => a.line - b.line || a.column - b.column),
  );
}

function named(path: PropertyKey[], whole: Whole, problem: Message): Message {
  const advice = (problem.actions ?? []).flatMap((each) => (each.do === 'byHand' ? [each.label] : []));
  const said =
    advice.length === 0 && problem.code !== 'yaml_problems'
      ? problem
      : message('in_words_of', { problem, advice });
  return path.length === 0
    ? message('at_whole', { whole: message(whole, {}), problem: said })
    : message('at_key', { key: path.join('.'), problem: said });
}

/** V8 copies shorter parts of a text. */
const MIN_PART = 13;

/**
 * Replaces equal texts in a value by one copy. The parts of the text that the reader returns would keep all of it in
 * memory: with 100,000 schedules, 30 MB.
 */
function withSharedTexts(value: unknown, known: Map<string, string>): unknown {
  if (typeof value === 'string') {
    if (value.length < MIN_PART) return value;
    const shared = known.get(value) ?? (JSON.parse(JSON.stringify(value)) as string);
    known.set(shared, shared);
    return shared;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = value as Record<string, unknown>;
  for (const key of Object.keys(entries)) entries[key] = withSharedTexts(entries[key], known);
  return value;
}

/** YAML 1.2, and `<<`: what `yaml` reads, too. Aliases are left to it, because it bounds what they expand to. */
const PLAIN = { schema: CORE_SCHEMA.withTags(mergeTag), maxAliases: 0 };
/**
 * Syntax that the two readers treat differently: directives, tabs, tags, an indented `---`, a lone CR, `? ` keys, and
 * keys that are null. If the pattern matches anything else, yaml reads the text, which is only slower.
 */
const NOT_PLAIN =
  /^%|^ +(?:---|\.\.\.)|\t|(?:^|[\s,[{])!|\r(?!\n)|(?:^|[\s,[{])\?(?:\s|$)|(?:^|[\s,[{])(?:null|~)?\s*:(?:\s|$)/im;

/** The value of a text that js-yaml finds nothing wrong with. */
export function plainValue(text: string): { value: unknown } | undefined {
  if (NOT_PLAIN.test(text)) return undefined;
  try {
    return { value: load(text, PLAIN) };
  } catch {
    return undefined;
  }
}

interface OpenYaml {
  /** The value as written, as far as it can be parsed. */
  value: unknown;
  /** Errors of the YAML itself. */
  written: (Position & { said: Message })[];
  /** True if those errors make the meaning unclear. */
  broken: boolean;
  /** The place of the entry at a path, or of its nearest existing parent. */
  placeOf: (path: readonly PropertyKey[]) => Position;
}

/** Parses a YAML file, valid or not. `<<` merges another map. */
export function openYaml(text: string): OpenYaml {
  const lines = new LineCounter();
  const document = documentOf(text, lines);
  if (document === undefined) {
    const written = [{ line: 1, column: 1, said: TOO_DEEP }];
    return { value: undefined, written, broken: true, placeOf: () => ({ line: 1, column: 1 }) };
  }
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const written = document.errors.map(({ pos, message: text }) => ({
    ...at(pos[0]),
    said: message('verbatim', { text }),
  }));
  const placeOf = (path: readonly PropertyKey[]) => at(offsetOf(document, path));
  try {
    const wrongKeys = keyProblems(document);
    written.push(...wrongKeys.map(({ offset, said }) => ({ ...at(offset), said })));
    // The library turns such a key into text, which took minutes for nested keys.
    if (wrongKeys.some(({ said }) => isMessage(said, 'expected_text_key')))
      return { value: undefined, written, broken: true, placeOf };
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    const wrong = treeProblem(value);
    if (wrong === undefined) return { value, written, broken: document.errors.length > 0, placeOf };
    return {
      value: undefined,
      written: [...written, { ...placeOf([]), said: wrong }],
      broken: true,
      placeOf,
    };
  } catch (error) {
    // An alias without an anchor, or too many aliases.
    const said =
      error instanceof RangeError ? TOO_DEEP : message('verbatim', { text: (error as Error).message });
    return { value: undefined, written: [...written, { ...placeOf([]), said }], broken: true, placeOf };
  }
}

/** Undefined if the text is nested so deeply that the library cannot hold it. */
function documentOf(text: string, lineCounter: LineCounter): ReturnType<typeof parseDocument> | undefined {
  try {
    // The library compares each key with all earlier ones, which took seconds for 10,000 profiles.
    return parseDocument(text, { lineCounter, prettyErrors: false, merge: true, uniqueKeys: false });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Why the value cannot be walked to its end: it contains itself, or is too deep. */
function treeProblem(value: unknown, around: readonly unknown[] = []): Message | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (around.includes(value)) return message('alias_in_itself', {});
  if (around.length > MAX_NESTED) return TOO_DEEP;
  for (const each of Object.values(value)) {
    const found = treeProblem(each, [...around, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Duplicate keys, and keys that are not text. */
function keyProblems(document: ReturnType<typeof parseDocument>): { offset: number; said: Message }[] {
  const found: { offset: number; said: Message }[] = [];
  visit(document, {
    Map: (_, { items, range }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) {
          found.push({
            offset: (isNode(key) ? key.range?.[0] : range?.[0]) ?? 0,
            said: message('expected_text_key', {}),
          });
          continue;
        }
        if (keys.has(key.value)) found.push({ offset: key.range?.[0] ?? 0, said: message('key_twice', {}) });
        keys.add(key.value);
      }
    },
  });
  return found;
}

function badFile(
  { file, code }: { file: string; code: ErrorCode },
  problems: (Position & { said: Message })[],
): UsageError {
  const places = problems.map(({ line, column }) => `${file}:${line}:${column}`);
  const what = problems.map(({ said }) => said);
  const position = { file, line: problems[0]?.line ?? 1 };
  return new UsageError(code, message('yaml_problems', { places, what }), { position });
}

/** One problem per unknown key; for a union, the problems of the alternative that was probably meant. */
export function problemsOf(
  issues: readonly z.core.$ZodIssue[],
  prefix: PropertyKey[] = [],
): (YamlProblem & { custom: boolean })[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    const said = saidIn(issue.message);
    if (issue.code === 'unrecognized_keys') {
      const unknown = isMessage(said, 'unknown_key') ? said : message('unknown_key', { known: [] });
      return issue.keys.map((key) => ({ path: [...path, key], said: unknown, custom: false }));
    }
    if (issue.code === 'invalid_union') {
      // The alternative with the deepest problems is the one that was meant.
      const depth = (form: readonly z.core.$ZodIssue[]) =>
        Math.max(...form.map((inner) => inner.path.length + (inner.code === 'unrecognized_keys' ? 1 : 0)));
      const meant = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0];
      if (meant !== undefined && depth(meant) > 0) return problemsOf(meant, path);
    }
    const ofKey = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
    return [
      { path, said: ofKey === undefined ? said : saidIn(ofKey.message), custom: issue.code === 'custom' },
    ];
  });
}

/** The offset of the entry at a path (its key, in a map), or of its nearest existing parent. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const entry = isMap(parent)
      ? parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(last))?.key
      : document.getIn(path.slice(0, length), true);
    if (isNode(entry) && entry.range) return entry.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
