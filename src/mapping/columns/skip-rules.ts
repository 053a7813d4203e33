/** Rows that the `skip` of a template leaves out. */
import type { HeaderRow } from './find-column.ts';
import { compileWhen, type RowCondition } from './row-tests.ts';
import type { Template } from '../template/template.ts';
import { message } from '../../messages/message.ts';

/** Compiles all rules. Throws UsageError `missing_column` if the file lacks a rule's column. */
export function compileSkips(template: Template | undefined, table: HeaderRow): RowCondition[] {
  const tests: RowCondition[] = [];
  for (const rule of template?.skip ?? []) {
    const test = compileWhen(rule, table, template?.name ?? '', message('skips_rows', {}));
    if (test !== undefined) tests.push(test);
  }
  return tests;
}
