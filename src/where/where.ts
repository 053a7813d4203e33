/** What an expression means for an item. */
import { z } from 'zod';
import { ITEM_CONDITIONS, ITEM_PACKAGINGS, ITEM_STATUSES } from '../api/schemas.ts';
import { UsageError } from '../errors.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { comparable } from '../mapping/text-form.ts';
import { nearest } from '../nearest.ts';
import { flag, text } from '../option.ts';
import {
  badWhere,
  type Comparison,
  type Expression,
  type FieldTest,
  type Operator,
  printExpression,
  testsOf,
  type Value,
} from './expression.ts';
import { type FieldValues, toBig } from './item-values.ts';
import { parseExpression } from './parse-expression.ts';

/** One parsed expression. */
export interface Where {
  /** As it was given, without outer spaces. */
  text: string;
  expression: Expression;
  tests: readonly FieldTest[];
  /** The fields that it asks for. */
  fields: readonly string[];
  matches: (values: FieldValues) => boolean;
}

type Test = Where['matches'];

const WORDS: Readonly<Record<string, readonly string[]>> = { status: ITEM_STATUSES };
/** Other words may be read, but only these can be meant when one is misspelt. */
const USUAL_WORDS: Readonly<Record<string, readonly string[]>> = {
  condition: ITEM_CONDITIONS,
  packaging: ITEM_PACKAGINGS,
};
const NUMBERS: ReadonlySet<string> = new Set(['release_year', 'estimated_value']);
const TIMES: ReadonlySet<string> = new Set(['created_at', 'updated_at']);

/** @throws UsageError `bad_where`, which says where in the text */
export function parseWhere(given: string): Where {
  const trimmed = given.trim();
  const expression = parseExpression(trimmed);
  const tests = testsOf(expression);
  const fields = [...new Set(tests.map(({ field }) => field))];
  return { text: trimmed, expression, tests, fields, matches: new Compiler(trimmed).whole(expression) };
}

/** One text for all expressions, which must all hold. */
export function printAll(where: readonly Where[]): string {
  const [only] = where;
  if (where.length === 1 && only !== undefined) return printExpression(only.expression);
  return printExpression({ all: where.map(({ expression }) => expression) });
}

class Compiler {
  readonly #text: string;

  constructor(given: string) {
    this.#text = given;
  }

  whole(expression: Expression): Test {
    if ('any' in expression) {
      const tests = expression.any.map((part) => this.whole(part));
      return (values) => tests.some((test) => test(values));
    }
    if ('all' in expression) {
      const tests = expression.all.map((part) => this.whole(part));
      return (values) => tests.every((test) => test(values));
    }
    const { field, operator } = expression;
    if (operator === 'blank') return (values) => isBlank(values.value(field));
    if (operator === 'not blank') return (values) => !isBlank(values.value(field));
    const single = operator === 'in' ? '=' : operator;
    const tests = expression.values.map((value) => this.#compile(field, single, value));
    return (values) => tests.some((test) => test(values));
  }

  #compile(field: string, operator: Exclude<Operator, 'blank' | 'not blank' | 'in'>, given: Value): Test {
    const { text: value, quoted } = given;
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
    if (operator === '~') {
      if (!NUMBERS.has(field) && !TIMES.has(field)) return contains(field, value);
      throw this.#bad(
        `${field} is not a text`,
        `Compare it: ${NUMBERS.has(field) ? `${field}>=50` : `${field}>=2026-01-01`}`,
      );
    }
    if (NUMBERS.has(field)) return this.#number(field, operator, value);
    if (TIMES.has(field)) return this.#time(field, operator, value);
    if (operator === '=' || operator === '!=') return this.#equal(field, operator, given);
    if (!field.startsWith(CUSTOM_PREFIX)) {
      throw this.#bad(
        `${field} has no order`,
        `Write '${field}=${value}', or '${field}~${value}' for texts that contain it.`,
      );
    }
    if (quoted) {
      throw this.#bad(
        `a value in quotes is a text, which has no order`,
        `For a number or a date, write it without quotes: ${field}${operator}${value}`,
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

  #equal(field: string, operator: '=' | '!=', { text: value, quoted }: Value): Test {
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
    const number = field.startsWith(CUSTOM_PREFIX) && !quoted ? toBig(value) : undefined;
    const isEqual: Test = (values) => {
      const found = number === undefined ? undefined : values.number(field);
      if (found !== undefined && number !== undefined) return found.eq(number);
      return comparable(values.text(field)) === wanted;
    };
    return operator === '=' ? isEqual : (values) => !isEqual(values);
  }

  #bad(problem: string, remedy?: string): UsageError {
    return badWhere(this.#text, problem, { remedy });
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
