/** What an expression means for an item. */
import { z } from 'zod';
import { ITEM_CONDITIONS, ITEM_PACKAGINGS, ITEM_STATUSES } from '../api/schemas.ts';
import { UsageError } from '../base/errors.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { comparable } from '../mapping/text-form.ts';
import { nearest } from '../base/nearest.ts';
import { flag, text } from '../base/option.ts';
import { expecting, inZod } from '../base/schema-words.ts';
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
import { byHand, message, withActions } from '../messages/message.ts';
import type { ByHand, Message } from '../messages/params.ts';

/** One parsed expression. */
export interface Where {
  /** As it was given, without outer spaces. */
  text: string;
  expression: Expression;
  tests: readonly FieldTest[];
  /** The fields that it names. */
  fields: readonly string[];
  matches: (values: FieldValues) => boolean;
}

type Test = Where['matches'];

const WORDS: Readonly<Record<string, readonly string[]>> = { status: ITEM_STATUSES };
/** Other words are accepted too, but only these are suggested for a misspelt one. */
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
        message('test_without_value', { field, operator }),
        operator === '!=' ? byHand('ask_for_filled', { field }) : byHand('ask_for_blank', { field }),
      );
    }
    if (operator === 'has') {
      if (field === 'tags' || field.startsWith(CUSTOM_PREFIX)) return hasElement(field, value);
      throw this.#bad(message('field_no_list', { field }), byHand('write_contains', { field, value }));
    }
    if (field === 'tags') throw this.#bad(message('tags_are_list', {}), byHand('write_tags_has', { value }));
    if (operator === '~') {
      if (!NUMBERS.has(field) && !TIMES.has(field)) return contains(field, value);
      throw this.#bad(
        message('field_no_text', { field }),
        byHand('compare_it', { example: `${field}>=${NUMBERS.has(field) ? '50' : '2026-01-01'}` }),
      );
    }
    if (NUMBERS.has(field)) return this.#number(field, operator, value);
    if (TIMES.has(field)) return this.#time(field, operator, value);
    if (operator === '=' || operator === '!=') return this.#equal(field, operator, given);
    if (!field.startsWith(CUSTOM_PREFIX)) {
      throw this.#bad(
        message('field_has_no_order', { field }),
        byHand('write_equal_or_contains', { field, value }),
      );
    }
    if (quoted) {
      throw this.#bad(
        message('quotes_have_no_order', {}),
        byHand('write_without_quotes', { text: `${field}${operator}${value}` }),
      );
    }
    return timeSpan(value) === undefined
      ? this.#number(field, operator, value)
      : this.#time(field, operator, value);
  }

  #number(field: string, operator: Comparison, value: string): Test {
    const wanted = toBig(value);
    if (wanted === undefined) {
      throw this.#bad(message('where_no_number', { value }), byHand('write_digits', {}));
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
      throw this.#bad(message('where_no_date', { value }), byHand('write_date', {}));
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
        message('no_such_word', { field, value }),
        byHand('words_are', { words, ...(near === undefined ? {} : { near }) }),
      );
    }
    const near = nearest(wanted, USUAL_WORDS[field] ?? []);
    if (near !== undefined && near !== wanted) {
      throw this.#bad(
        message('api_knows_no_word', { field, value }),
        byHand('did_you_mean_word', { near, field, value }),
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

  #bad(problem: Message, advice: ByHand): UsageError {
    return badWhere(this.#text, problem, { advice });
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

/** Whether the comparison holds for the order of the two values. */
const HOLDS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

const DAY_MS = 86_400_000;

/** A date stands for the whole of that day in UTC; undefined if it is not a date. */
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
  if (Number.isNaN(fromMs) || !dayExists(given.trim().slice(0, 10))) return undefined;
  return { fromMs, toMs: fromMs + (hasTime ? 1 : DAY_MS) };
}

/** JavaScript reads 30 February as 2 March. */
function dayExists(date: string): boolean {
  return new Date(date).toISOString().startsWith(date);
}

/** One expression or several, all of which must hold; each is checked while it is parsed. */
export const WhereOption = z
  .union([text, z.array(text).min(1, expecting('an_expression', {}))])
  .superRefine((given, context) => {
    for (const [index, each] of [given].flat().entries()) {
      try {
        parseWhere(each);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        context.addIssue({
          code: 'custom',
          path: Array.isArray(given) ? [index] : [],
          message: inZod(withActions(error.said, ...error.actions)),
          params: { code: error.code },
        });
      }
    }
  })
  .describe("Only items that match this expression, such as 'brand=Hasbro' or 'estimated_value>=50'.");

export const whereFlag = flag(WhereOption, { group: 'Select', repeatable: true });

export function parseAll(given: z.infer<typeof WhereOption> | undefined): Where[] {
  return [given ?? []].flat().map(parseWhere);
}
