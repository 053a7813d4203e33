/** A template's `conditions`: values that a row gets where other cells of it say so. */
import type { Cell } from '../../sheets/cell.ts';
import type { DecimalStyle } from '../casts/decimal.ts';
import type { HeaderRow } from './find-column.ts';
import type { MappedRow } from '../mapping.ts';
import { compilePresets } from '../template/presets.ts';
import { compileWhen } from './row-tests.ts';
import type { Template } from '../template/template.ts';

/** Sets what a condition says, where it is true of the cells. */
export type RowRule = (cells: readonly Cell[], row: MappedRow) => void;

/**
 * Compiles all conditions, in order: where two set one field, the later one wins.
 *
 * @throws UsageError `missing_column` where a condition's column is not in the file; `bad_default` for a value
 *   that its field cannot have
 */
export function compileConditions(
  template: Template | undefined,
  table: HeaderRow,
  decimal: DecimalStyle | undefined,
): RowRule[] {
  const rules: RowRule[] = [];
  for (const { when, set } of template?.conditions ?? []) {
    const test = compileWhen(when, table, template?.name ?? '', `sets ${Object.keys(set).join(', ')}`);
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
