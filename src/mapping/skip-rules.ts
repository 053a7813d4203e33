/** Rows that a rule leaves out: a template's `skip`, and what a results file of ours says is done already. */
import { UsageError } from '../errors.ts';
import { type Cell, cellText } from '../sheets/cell.ts';
import { findHeader, type HeaderRow, listHeaders } from './find-column.ts';
import { fold } from './fold.ts';
import { isResultsFile } from './headers.ts';
import type { SkipRule, Template } from './template.ts';

/** Why the row is skipped, or undefined. */
export type SkipTest = (cells: readonly Cell[]) => string | undefined;

/** States in a results file whose rows have been applied already (DESIGN §2). */
const DONE_STATES: ReadonlySet<string> = new Set(['created', 'updated', 'unchanged']);

/** Compiles all rules. Throws UsageError `missing_column` where a rule's column is not in the file. */
export function compileSkips(template: Template | undefined, table: HeaderRow): SkipTest[] {
  const tests: SkipTest[] = [];
  if (isResultsFile(table.headers)) {
    const index = table.headers.indexOf('_state');
    tests.push((cells) => {
      const state = cellText(cells[index] ?? null);
      return DONE_STATES.has(state) ? `_state is ${state}` : undefined;
    });
  }
  for (const rule of template?.skip ?? []) {
    const test = compileSkip(rule, table, template?.name ?? '');
    if (test !== undefined) tests.push(test);
  }
  return tests;
}

function compileSkip(rule: SkipRule, table: HeaderRow, name: string): SkipTest | undefined {
  const candidates = [rule.from].flat();
  const index = candidates
    .map((candidate) => findHeader(table, candidate))
    .find((found) => found !== undefined);
  if (index === undefined) {
    if (rule.optional === true) return undefined;
    throw new UsageError(
      'missing_column',
      `template "${name}" skips rows by column ${candidates.join(' or ')}, and the file has none`,
      { remedy: `the columns are ${listHeaders(table)}` },
    );
  }
  const header = table.headers[index] ?? '';
  const text = (cells: readonly Cell[]) => cellText(cells[index] ?? null).trim();
  if (rule.blank === true) return (cells) => (text(cells) === '' ? `${header} is blank` : undefined);
  if (rule.filled === true) return (cells) => (text(cells) === '' ? undefined : `${header} is filled`);
  const words = new Set((rule.is ?? []).map(fold));
  return (cells) => {
    const found = text(cells);
    return found !== '' && words.has(fold(found)) ? `${header} is ${found}` : undefined;
  };
}
