/** Tests that a template applies to a row: for rows to skip, and for values that depend on other columns. */
import { z } from 'zod';
import { knownKeys } from '../../base/yaml-file.ts';
import { patternProblem } from './patterns.ts';
import { Headers, ColumnPosition, Scalar } from './template-column.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

const Words = z.array(Scalar).min(1);

const RowTest = knownKeys({
  from: Headers.optional().describe(
    'Header, or several candidates: the first one that the file has is used.',
  ),
  column: ColumnPosition.optional().describe('Column letter, or position counted from 1.'),
  is: Words.optional().describe('True if the cell is one of these words.'),
  isNot: Words.optional().describe('True if the cell is none of these words; a blank cell is none of them.'),
  blank: z.literal(true).optional().describe('True if the cell is blank.'),
  filled: z.literal(true).optional().describe('True if the cell is not blank.'),
  matches: z.string().min(1).max(500).optional().describe('True if this regular expression (RE2) matches.'),
  optional: z
    .boolean()
    .optional()
    .describe('If the file lacks the column, the test is false instead of an error.'),
}).meta({ id: 'Test' });
export type RowTest = z.infer<typeof RowTest>;

/** One test, or several that must all be true. */
export const When = z.union([RowTest, knownKeys({ all: z.array(RowTest).min(1) })]);
export type When = z.infer<typeof When>;

export const Condition = knownKeys({
  when: When,
  set: z.record(z.string(), Scalar).describe('Field → value, if the tests are true. Wins over the columns.'),
});
export type Condition = z.infer<typeof Condition>;

const TESTS = ['is', 'blank', 'filled', 'isNot', 'matches'] as const;

/** The tests of one rule. */
export function testsOf(when: When): RowTest[] {
  return 'all' in when ? when.all : [when];
}

/** Reports the problems of a rule's tests through `bad`, with the path below the rule. */
export function checkWhen(when: When, bad: (path: (string | number)[], said: Message) => void): void {
  for (const [index, test] of testsOf(when).entries()) {
    const path = 'all' in when ? ['all', index] : [];
    const asked = TESTS.filter((name) => test[name] !== undefined).length;
    if (asked !== 1) bad(path, message('expected', { expected: message('one_of', { words: TESTS }) }));
    if ((test.from === undefined) === (test.column === undefined))
      bad(path, message('expected', { expected: message('one_of', { words: ['from', 'column'] }) }));
    const problem = test.matches === undefined ? undefined : patternProblem(test.matches);
    if (problem !== undefined) bad([...path, 'matches'], problem);
  }
}
