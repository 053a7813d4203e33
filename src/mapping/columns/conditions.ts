/** A template's `conditions`: values that depend on other cells of the row. */
import type { Cell } from '../../sheets/cell.ts';
import type { DecimalStyle } from '../casts/decimal.ts';
import type { HeaderRow } from './find-column.ts';
import type { MappedRow } from '../mapping.ts';
import { compilePresets } from '../template/presets.ts';
import { compileWhen } from './row-tests.ts';
import type { Template } from '../template/template.ts';
import { message } from '../../messages/message.ts';

/** Sets a condition's values if its tests are true for the cells. */
export type RowRule = (cells: readonly Cell[], row: MappedRow) => void;

/**
 * Compiles all conditions, in order: if two set the same field, the later one wins.
 *
 * @throws UsageError `missing_column` if the file lacks a condition's column; `bad_default` for a value that its
 *   field does not accept
 */
export function compileConditions(
  template: Template | undefined,
  table: HeaderRow,
  decimal: DecimalStyle | undefined,
): RowRule[] {
  const rules: RowRule[] = [];
  for (const { when, set } of template?.conditions ?? []) {
    const test = compileWhen(
      when,
      table,
      template?.name ?? '',
      message('sets_fields', { fields: Object.keys(set) }),
    );
    if (test === undefined) continue;
    const presets = compilePresets({
      template,
      decimal,
      values: set,
      source: 'conditions',
      onlyMissing: false,
    });
    rules.push((cells, row) => {
      if (test(cells) !== undefined) for (const preset of presets) preset(row);
    });
  }
  return rules;
}
