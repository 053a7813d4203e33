/** Rows that a rule leaves out: a template's `skip`, and what a results file of ours says is done already. */
import { cellText } from '../../sheets/cell.ts';
import type { HeaderRow } from './find-column.ts';
import { isResultsFile } from '../headers.ts';
import { compileWhen, type RowCondition } from './row-tests.ts';
import type { Template } from '../template/template.ts';

/** States in a results file whose rows have been applied already (design §2). */
const DONE_STATES: ReadonlySet<string> = new Set(['created', 'updated', 'unchanged']);

/** Compiles all rules. Throws UsageError `missing_column` where a rule's column is not in the file. */
export function compileSkips(template: Template | undefined, table: HeaderRow): RowCondition[] {
  const tests: RowCondition[] = [];
  if (isResultsFile(table.headers)) {
    const index = table.headers.indexOf('_state');
    tests.push((cells) => {
      const state = cellText(cells[index] ?? null);
      return DONE_STATES.has(state) ? `_state is ${state}` : undefined;
    });
  }
  for (const rule of template?.skip ?? []) {
    const test = compileWhen(rule, table, template?.name ?? '', 'skips rows');
    if (test !== undefined) tests.push(test);
  }
  return tests;
}
