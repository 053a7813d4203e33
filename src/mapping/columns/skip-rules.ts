/** Rows to leave out: by a template's `skip`, or because our results file says that they are done. */
import { cellText } from '../../sheets/cell.ts';
import type { HeaderRow } from './find-column.ts';
import { isResultsFile } from '../../sheets/own-headers.ts';
import { compileWhen, type RowCondition } from './row-tests.ts';
import type { Template } from '../template/template.ts';
import { message } from '../../messages/message.ts';

/** States in a results file whose rows have been applied already (design §2). */
const DONE_STATES: ReadonlySet<string> = new Set(['created', 'updated', 'unchanged']);

/** Compiles all rules. Throws UsageError `missing_column` if the file lacks a rule's column. */
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
    const test = compileWhen(rule, table, template?.name ?? '', message('skips_rows', {}));
    if (test !== undefined) tests.push(test);
  }
  return tests;
}
