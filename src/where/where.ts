/**
 * Expressions that choose items, as `--where`, `where:` in shelflift.yaml and in layouts take them:
 *
 *   expression = term { "or" term }
 *   term       = "(" expression ")" | test
 *   test       = field ("=" | "!=" | "<" | "<=" | ">" | ">=" | "~") value
 *              | field "has" value | field ["not"] "blank"
 *
 * A value runs to " or ", to ")" or to the end, unless it is quoted. There is no "and": several expressions are
 * given, and all of them must hold.
 */
import { z } from 'zod';
import { ITEM_CONDITIONS, ITEM_PACKAGINGS, ITEM_STATUSES } from '../api/schemas.ts';
import { UsageError } from '../errors.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { comparable } from '../mapping/text-form.ts';
import { nearest } from '../nearest.ts';
import { flag, text } from '../option.ts';
import { COLLECTION_NAME, type FieldValues, isItemField, ITEM_FIELDS, toBig } from './item-values.ts';

/** One parsed expression. */
export interface Where {
  /** As it was given, without outer spaces. */
  text: string;
  /** The fields that it asks for. */
  fields: readonly string[];
  matches: (values: FieldValues) => boolean;
}

type Test = Where['matches'];
type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';
type Operator = Comparison | '~' | 'has' | 'blank' | 'not blank';

const MOST_CHARACTERS = 10_000;
/** Far more than anybody writes, and far fewer than would overflow the stack. */
const MOST_NESTED = 100;

/** Where a value without quotes ends, and so where an operator made of words must end too. */
const END = String.raw`(?=\s*(?:$|\)|\s[oO][rR]\s))`;
const OPERATOR = new RegExp(
  String.raw`\s*(?:(!=|<=|>=|=|<|>|~)|\s(has)\s|\s(not\s+blank|blank)${END})\s*`,
  'giu',
);
const QUOTED_FIELD = /(custom_fields\.)?(?:"([^"]*)"|'([^']*)')/iuy;
const QUOTED_VALUE = /"((?:[^"]|"")*)"|'((?:[^']|'')*)'/uy;
const OR = /\s*\bor\b\s+/iuy;
const AND = /\s+and\s+\(?\s*(?<field>[\w.]+)\s*(?:!=|<=|>=|=|<|>|~|\s(?:has|blank|not)\b)/iu;

const WORDS: Readonly<Record<string, readonly string[]>> = { status: ITEM_STATUSES };
/** Other words may be read, but only these can be meant when one is misspelt. */
const USUAL_WORDS: Readonly<Record<string, readonly string[]>> = {
  condition: ITEM_CONDITIONS,
  packaging: ITEM_PACKAGINGS,
};
const NUMBERS: ReadonlySet<string> = new Set(['release_year', 'estimated_value']);
const TIMES: ReadonlySet<string> = new Set(['created_at', 'updated_at']);

/** @throws UsageError `bad_where`, which says where in the text */
export function parseWhere(expression: string): Where {
  const given = expression.trim();
  const parser = new Parser(given);
  const matches = parser.whole();
  return { text: given, fields: [...parser.fields], matches };
}

class Parser {
  readonly fields = new Set<string>();
  readonly #text: string;
  #at = 0;
  #nested = 0;

  constructor(expression: string) {
    this.#text = expression;
  }

  whole(): Test {
    if (this.#text === '') throw this.#bad('it is empty');
    if (this.#text.length > MOST_CHARACTERS)
      throw this.#bad(`it is longer than ${MOST_CHARACTERS} characters`);
    const test = this.#expression();
    if (this.#at < this.#text.length) {
      throw this.#bad(
        `"${this.#text.slice(this.#at).trim()}" is not expected`,
        'Quote a value that contains a bracket.',
      );
    }
    return test;
  }

  #expression(): Test {
    const tests = [this.#term()];
    while (this.#takes(OR) !== undefined) tests.push(this.#term());
    const [only] = tests;
    if (tests.length === 1 && only !== undefined) return only;
    return (values) => tests.some((test) => test(values));
  }

  #term(): Test {
    this.#skipSpaces();
    if (this.#text[this.#at] !== '(') return this.#test();
    this.#nested += 1;
    if (this.#nested > MOST_NESTED) throw this.#bad('its brackets are nested too deeply');
    this.#at += 1;
    const test = this.#expression();
    this.#skipSpaces();
    if (this.#text[this.#at] !== ')') throw this.#bad('a closing bracket is missing');
    this.#at += 1;
    this.#nested -= 1;
    return test;
  }

  #test(): Test {
    const { field, operator } = this.#fieldAndOperator();
    this.fields.add(field);
    if (operator === 'blank') return (values) => isBlank(values.value(field));
    if (operator === 'not blank') return (values) => !isBlank(values.value(field));
    const value = this.#value();
    return this.#compile(field, operator, value);
  }

  #fieldAndOperator(): { field: string; operator: Operator } {
    const start = this.#at;
    const quoted = this.#takes(QUOTED_FIELD);
    OPERATOR.lastIndex = this.#at;
    const found = OPERATOR.exec(this.#text);
    const between = found === null ? '' : this.#text.slice(this.#at, found.index);
    if (found === null || (quoted !== undefined && between.trim() !== '')) {
      throw this.#bad(
        `"${this.#text.slice(start)}" is not a test: expected a field, an operator and a value`,
        'For example: brand=Hasbro, estimated_value>=50, name~hot rod, tags has boxed, condition blank',
      );
    }
    const [, prefix = '', double, single] = quoted ?? [];
    const name = quoted === undefined ? between.trim() : `${prefix}${double ?? single ?? ''}`;
    this.#at = OPERATOR.lastIndex;
    const [, sign, has, blank] = found;
    const operator = (sign ?? has ?? blank ?? '').toLowerCase().replace(/\s+/u, ' ') as Operator;
    return { field: this.#known(name), operator };
  }

  #known(name: string): string {
    const lower = name.toLowerCase();
    if (lower.startsWith(CUSTOM_PREFIX) && isItemField(lower))
      return CUSTOM_PREFIX + name.slice(CUSTOM_PREFIX.length);
    if (isItemField(lower) && lower !== 'custom_fields') return lower;
    const known = [
      ...ITEM_FIELDS.filter((field) => field !== 'object' && field !== 'custom_fields'),
      COLLECTION_NAME,
    ];
    const near = lower === 'collection' ? COLLECTION_NAME : nearest(lower, known);
    throw this.#bad(
      `an item has no field "${name}"`,
      near === undefined
        ? `Fields are ${known.join(', ')} and ${CUSTOM_PREFIX}NAME.`
        : `Did you mean ${near}? A field of your own is ${CUSTOM_PREFIX}${name}.`,
    );
  }

  #value(): string {
    const quoted = this.#takes(QUOTED_VALUE);
    if (quoted !== undefined) {
      const [, double, single] = quoted;
      return double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'") ?? '';
    }
    const rest = this.#text.slice(this.#at);
    const end = /\s+or\s|\)/iu.exec(rest)?.index ?? rest.length;
    const value = rest.slice(0, end).trim();
    const cut = /\s(?:and|or)$/iu.exec(rest.slice(0, end).trimEnd());
    if (cut !== null)
      throw this.#bad(`nothing follows "${cut[0].trim()}"`, 'Quote a value that ends in this word.');
    const and = AND.exec(value);
    if (and !== null && isItemField(and.groups?.['field']?.toLowerCase() ?? '')) {
      throw this.#bad(
        `there is no "and" in an expression, and "${value}" would be one value`,
        'Give each test its own --where: all of them must hold. If it is one value, quote it.',
      );
    }
    this.#at += end;
    return value;
  }

  #compile(field: string, operator: Exclude<Operator, 'blank' | 'not blank'>, value: string): Test {
    if (comparable(value) === '') {
      throw this.#bad(
        `${field} ${operator} has no value`,
        operator === '!='
          ? `To ask for filled ones: '${field} not blank'`
          : `To ask for blank ones: '${field} blank'`,
      );
    }
    if (operator === 'has') {
      if (field === 'tags' || field.startsWith(CUSTOM_PREFIX)) return hasElement(field, value);
      throw this.#bad(`${field} is not a list`, `Write '${field}~${value}' for texts that contain it.`);
    }
    if (field === 'tags') throw this.#bad('tags are a list', `Write 'tags has ${value}'.`);
    if (value.startsWith('='))
      throw this.#bad(`"${operator}=" is no operator`, `Write '${field}=${value.slice(1).trim()}'.`);
    if (operator === '~') {
      if (!NUMBERS.has(field) && !TIMES.has(field)) return contains(field, value);
      throw this.#bad(
        `${field} is not a text`,
        `Compare it: ${NUMBERS.has(field) ? `${field}>=50` : `${field}>=2026-01-01`}`,
      );
    }
    if (NUMBERS.has(field)) return this.#number(field, operator, value);
    if (TIMES.has(field)) return this.#time(field, operator, value);
    if (operator === '=' || operator === '!=') return this.#equal(field, operator, value);
    if (!field.startsWith(CUSTOM_PREFIX)) {
      throw this.#bad(
        `${field} has no order`,
        `Write '${field}=${value}', or '${field}~${value}' for texts that contain it.`,
      );
    }
    return timeSpan(value) === undefined
      ? this.#number(field, operator, value)
      : this.#time(field, operator, value);
  }

  #number(field: string, operator: Comparison, value: string): Test {
    const wanted = toBig(value);
    if (wanted === undefined) {
      throw this.#bad(`"${value}" is not a number`, 'Expected digits with a decimal point, such as 49.50.');
    }
    return (values) => {
      const found = values.number(field);
      if (found === undefined) return operator === '!=';
      return HOLDS[operator](found.cmp(wanted));
    };
  }

  #time(field: string, operator: Comparison, value: string): Test {
    const span = timeSpan(value);
    if (span === undefined) {
      throw this.#bad(`"${value}" is not a date`, 'Expected 2026-01-31, or 2026-01-31T12:00:00Z.');
    }
    return (values) => {
      const atMs = timeSpan(values.text(field))?.fromMs;
      if (atMs === undefined) return operator === '!=';
      if (atMs < span.fromMs) return HOLDS[operator](-1);
      return HOLDS[operator](atMs < span.toMs ? 0 : 1);
    };
  }

  #equal(field: string, operator: '=' | '!=', value: string): Test {
    const words = WORDS[field];
    const wanted = comparable(value);
    if (words !== undefined && !words.includes(wanted)) {
      const near = nearest(wanted, words);
      throw this.#bad(
        `there is no ${field} "${value}"`,
        `${near === undefined ? '' : `Did you mean ${near}? `}Expected ${words.join(', ')}.`,
      );
    }
    const near = nearest(wanted, USUAL_WORDS[field] ?? []);
    if (near !== undefined && near !== wanted) {
      throw this.#bad(
        `the API knows no ${field} "${value}"`,
        `Did you mean ${near}? If you mean what you wrote: '${field}~${value}'`,
      );
    }
    const number = field.startsWith(CUSTOM_PREFIX) ? toBig(value) : undefined;
    const isEqual: Test = (values) => {
      const found = number === undefined ? undefined : values.number(field);
      if (found !== undefined && number !== undefined) return found.eq(number);
      return comparable(values.text(field)) === wanted;
    };
    return operator === '=' ? isEqual : (values) => !isEqual(values);
  }

  #takes(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }

  #skipSpaces(): void {
    while (/\s/u.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #bad(problem: string, remedy?: string): UsageError {
    return new UsageError(
      'bad_where',
      `The expression "${this.#text.slice(0, 200)}" cannot be read: ${problem}.`,
      remedy === undefined ? {} : { remedy },
    );
  }
}

function contains(field: string, value: string): Test {
  const wanted = comparable(value);
  return (values) => comparable(values.text(field)).includes(wanted);
}

function hasElement(field: string, value: string): Test {
  const wanted = comparable(value);
  return (values) => {
    const found = values.value(field);
    if (!Array.isArray(found)) return false;
    return found.some(
      (each) => comparable(typeof each === 'string' ? each : JSON.stringify(each)) === wanted,
    );
  };
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'string' && value.trim() === '';
}

/** Whether a comparison holds for the order of what was found and what was asked for. */
const HOLDS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const DAY_MS = 86_400_000;

/** A date stands for the whole of that day in UTC; undefined for what is no date. */
function timeSpan(given: string): { fromMs: number; toMs: number } | undefined {
  const date = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/iu.exec(
    given.trim(),
  );
  if (date === null) return undefined;
  const hasTime = date[1] !== undefined;
  // Without a zone, a time is meant as the API writes times: in UTC.
  const zoned =
    !hasTime || /(?:Z|[+-]\d{2}:?\d{2})$/iu.test(given.trim()) ? given.trim() : `${given.trim()}Z`;
  const fromMs = Date.parse(zoned);
  if (Number.isNaN(fromMs)) return undefined;
  return { fromMs, toMs: fromMs + (hasTime ? 1 : DAY_MS) };
}

/** One expression or several, all of which must hold; each is checked while it is parsed. */
export const WhereOption = z
  .union([text, z.array(text).min(1, 'expected an expression')])
  .superRefine((given, context) => {
    for (const [index, each] of [given].flat().entries()) {
      try {
        parseWhere(each);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        const message = [error.message, error.remedy].filter((part) => part !== undefined).join(' ');
        context.addIssue({
          code: 'custom',
          path: Array.isArray(given) ? [index] : [],
          message,
          params: { code: error.code },
        });
      }
    }
  })
  .describe("Only items for which this holds, such as 'brand=Hasbro' or 'estimated_value>=50'.");

export const whereFlag = flag(WhereOption, { group: 'Select', repeatable: true });

export function parseAll(given: z.infer<typeof WhereOption> | undefined): Where[] {
  return [given ?? []].flat().map(parseWhere);
}
