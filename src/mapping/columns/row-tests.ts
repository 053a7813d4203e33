/** Compiles the tests of a template's rules: whether a cell is filled, is one of some words, or matches a pattern. */
import { UsageError } from '../../base/errors.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import { columnsAre, findPlace, type HeaderRow } from './find-column.ts';
import { fold } from '../fold.ts';
import { textTest } from '../template/patterns.ts';
import { type RowTest, testsOf, type When } from '../template/template-rules.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

/** Why the rule applies to the row (`Owned is no`); undefined if it does not. */
export type RowCondition = (cells: readonly Cell[]) => Message | undefined;

/**
 * Compiles a rule's tests, all of which must be true. Undefined if an optional column is missing.
 *
 * @param purpose the template's use of these columns: `skips rows`
 * @throws UsageError `missing_column`
 */
export function compileWhen(
  when: When,
  table: HeaderRow,
  template: string,
  purpose: Message,
): RowCondition | undefined {
  const tests: RowCondition[] = [];
  for (const test of testsOf(when)) {
    const index = placeOfTest(test, table);
    if (index === undefined) {
      if (test.optional === true) return undefined;
      const names = test.from === undefined ? [String(test.column)] : [test.from].flat();
      throw new UsageError('missing_column', message('template_tests_column', { template, purpose, names }), {
        actions: [columnsAre(table)],
      });
    }
    tests.push(compileTest(test, index, table.headers[index] || (table.letters[index] ?? '')));
  }
  return (cells) => {
    const found: Message[] = [];
    for (const test of tests) {
      const reason = test(cells);
      if (reason === undefined) return undefined;
      found.push(reason);
    }
    return message('tests_pass', { tests: found });
  };
}

/** The column that a test looks at; undefined if the file lacks it. */
export function placeOfTest(test: RowTest, table: HeaderRow): number | undefined {
  return findPlace(table, test.from, test.column);
}

function compileTest(test: RowTest, index: number, name: string): RowCondition {
  const columns = [name];
  const blank = message('test_blank', { columns });
  const text = (cells: readonly Cell[]) => cellText(cells[index] ?? null).trim();
  if (test.blank === true) return (cells) => (text(cells) === '' ? blank : undefined);
  if (test.filled === true) {
    const filled = message('test_filled', { columns });
    return (cells) => (text(cells) === '' ? undefined : filled);
  }
  if (test.matches !== undefined) {
    const found = textTest(test.matches);
    const matches = message('test_matches', { columns, pattern: test.matches });
    return (cells) => (found(text(cells)) ? matches : undefined);
  }
  const words = new Set((test.is ?? test.isNot ?? []).map((word) => fold(String(word))));
  return (cells) => {
    const found = text(cells);
    if (found === '') return test.is === undefined ? blank : undefined;
    const isOne = words.has(fold(found));
    return isOne === (test.is !== undefined) ? message('test_is', { columns, words: [found] }) : undefined;
  };
}
