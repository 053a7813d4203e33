/**
 * Expressions that choose items, as `--where`, `where:` in shelflift.yaml and in layouts take them:
 *
 *   expression = term { "or" term }
 *   term       = factor { "and" factor }
 *   factor     = "(" expression ")" | test
 *   test       = field ("=" | "!=" | "<" | "<=" | ">" | ">=" | "~") value
 *              | field "has" value | field "in" "(" value { "," value } ")" | field ["not"] "blank"
 *   value      = quoted text | words
 *
 * Words run to "and", "or", ")" or the end, and contain nothing that could be meant as part of the expression.
 */
import { UsageError } from '../base/errors.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { message } from '../messages/message.ts';
import type { ByHand, Message } from '../messages/params.ts';

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';
export type Operator = Comparison | '~' | 'has' | 'in' | 'blank' | 'not blank';

/** Text in quotes is compared as text, even if it looks like a number. */
export interface Value {
  text: string;
  quoted: boolean;
}

/** `in` has one value or more, `blank` and `not blank` have none, all others have one. */
export interface FieldTest {
  field: string;
  operator: Operator;
  values: readonly Value[];
}

export type Expression = FieldTest | { any: readonly Expression[] } | { all: readonly Expression[] };

/** All tests of an expression, from left to right. */
export function testsOf(expression: Expression): FieldTest[] {
  if ('any' in expression) return expression.any.flatMap(testsOf);
  if ('all' in expression) return expression.all.flatMap(testsOf);
  return [expression];
}

/** The text of an expression; parsing it gives an equal one. */
export function printExpression(expression: Expression): string {
  if ('any' in expression) return expression.any.map(printPart).join(' or ');
  if ('all' in expression) return expression.all.map(printPart).join(' and ');
  const { field, operator, values } = expression;
  const name = printField(field);
  const printed = values.map(printValue);
  if (operator === 'in') return `${name} in (${printed.join(', ')})`;
  if (operator === 'has') return `${name} has ${printed.join('')}`;
  return values.length === 0 ? `${name} ${operator}` : `${name}${operator}${printed.join('')}`;
}

function printPart(part: Expression): string {
  return 'field' in part ? printExpression(part) : `(${printExpression(part)})`;
}

const PLAIN_NAME = /^[\p{L}\p{N}_.-]+(?: [\p{L}\p{N}_.-]+)*$/u;
const OPERATOR_WORD = /(?:^| )(?:and|or|has|in|not|blank)(?: |$)/iu;

function printField(field: string): string {
  if (!field.startsWith(CUSTOM_PREFIX)) return field;
  const name = field.slice(CUSTOM_PREFIX.length);
  return PLAIN_NAME.test(name) && !OPERATOR_WORD.test(name) ? field : `${CUSTOM_PREFIX}${quote(name)}`;
}

function printValue({ text, quoted }: Value): string {
  return quoted ? quote(text) : text;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** @param at where in the text it cannot be read, counted from 0 */
export function badWhere(
  expression: string,
  problem: Message,
  { at, advice }: { at?: number; advice?: ByHand | undefined } = {},
): UsageError {
  const place = at === undefined ? {} : { at: at + 1 };
  const said = message('bad_where', { expression: expression.slice(0, 200), ...place, problem });
  return new UsageError('bad_where', said, { actions: advice === undefined ? [] : [advice] });
}
