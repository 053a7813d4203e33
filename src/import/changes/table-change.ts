/** `set --from`: the operands of relative changes come from columns. */
import { message } from '../../messages/message.ts';
import { cut } from '../../mapping/casts/cast.ts';
import { rowIssue } from '../../mapping/issue.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { CLEAR, type MappedRow, type Mapping } from '../../mapping/mapping.ts';
import type { TableChange } from '../engine/input.ts';

/** A mapping that returns the numbers of relative changes as operands instead of new values. */
export function withOperands(mapping: Mapping, change: TableChange | undefined): Mapping {
  const fields = Object.keys(change?.relative ?? {});
  if (fields.length === 0) return mapping;
  return { ...mapping, mapRow: (cells) => takeOperands(mapping.mapRow(cells), fields, mapping) };
}

function takeOperands(row: MappedRow, fields: readonly string[], { columns }: Mapping): MappedRow {
  for (const field of fields) {
    const isCustom = field.startsWith(CUSTOM_PREFIX);
    const values: Record<string, { value: unknown; text: string } | undefined> = isCustom
      ? row.customFields
      : row.fields;
    const name = isCustom ? field.slice(CUSTOM_PREFIX.length) : field;
    const mapped = values[name];
    if (mapped === undefined) continue;
    delete values[name];
    if (typeof mapped.value === 'number' && mapped.value >= 0) {
      (row.operands ??= {})[field] = { operand: String(mapped.value), shown: mapped.text };
      continue;
    }
    const { header, letter } = columns.find(({ target }) => target === field) ?? {};
    const isCleared = mapped.value === CLEAR;
    const what = isCleared
      ? message('cannot_be_empty', {})
      : message(isCustom ? 'no_whole_number' : 'no_plain_number', { text: cut(mapped.text) });
    row.issues.push(
      rowIssue(isCleared ? 'not_clearable' : 'not_a_number', message('cell_problem', { field, what }), {
        field,
        expected: message(isCustom ? 'want_count' : 'want_number_from_0', {}),
        ...(header === undefined ? {} : { header }),
        ...(letter === undefined ? {} : { column: letter }),
      }),
    );
  }
  return row;
}
