/** Parses the changes of `set`: FIELD=VALUE, and for tags also tags+=VALUE and tags-=VALUE. */
import { UsageError } from '../../errors.ts';
import { CLEAR, type MappedRow } from '../../mapping/mapping.ts';
import { compilePresets } from '../../mapping/template/presets.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { isTarget } from '../../mapping/targets.ts';
import { CLEARED } from '../changes/difference.ts';
import type { RowPatch } from '../changes/row-patch.ts';

const FORM = /^\s*([^=]+?)\s*(\+=|-=|=)([\s\S]*)$/;
const CLEAR_WORD = '<clear>';

export interface Assignments {
  patch: RowPatch;
  /** Name or id of the collection to move the items to, if any. */
  collection?: string;
}

/** @throws UsageError `bad_pair`, `unknown_field`, `bad_default` for a change that no item can have */
export function parseAssignments(texts: readonly string[]): Assignments {
  const row: MappedRow = { fields: {}, customFields: {}, copies: 1, issues: [] };
  const patch: RowPatch = { fields: row.fields, customFields: row.customFields };
  const given = new Set<string>();
  for (const text of texts) {
    const [, field = '', sign, value = ''] = FORM.exec(text) ?? [];
    if (sign === undefined) {
      throw new UsageError('bad_pair', `"${text}" is not a change; expected FIELD=VALUE.`, {
        remedy: 'For example: status=sold, brand="Acme Toys", custom_fields.shelf=A3, tags+=boxed',
      });
    }
    if (sign === '=' && given.has(field)) {
      throw new UsageError('bad_pair', `${field} is set twice.`, { remedy: 'Remove one of the two.' });
    }
    given.add(field);
    if (sign !== '=') changeTags(patch, field, sign === '+=' ? 'add' : 'remove', value, text);
    else assign(row, field, value);
  }
  if (patch.tags !== undefined && row.fields.tags !== undefined) {
    throw new UsageError('bad_pair', 'The tags are set, and also added or removed.', {
      remedy: 'Use either tags=… or tags+=… and tags-=….',
    });
  }
  return { patch, ...(row.collection === undefined ? {} : { collection: row.collection }) };
}

function assign(row: MappedRow, field: string, value: string): void {
  const text = value.trim();
  if (text === '') {
    throw new UsageError('bad_pair', `${field} is set to nothing.`, {
      remedy: `To empty it: '${field}=${CLEAR_WORD}'`,
    });
  }
  if (text !== CLEAR_WORD) {
    const presets = compilePresets({
      values: { [field]: value },
      source: 'set',
      template: undefined,
      decimal: undefined,
      onlyMissing: false,
    });
    if (presets.length === 0) {
      throw new UsageError('bad_default', `set ${field}=${value}: "${text}" says nothing`, {
        remedy: `To empty it: '${field}=${CLEAR_WORD}'`,
      });
    }
    for (const put of presets) put(row);
    return;
  }
  const cleared = { value: CLEAR, text: CLEAR_WORD };
  if (field.startsWith(CUSTOM_PREFIX)) row.customFields[field.slice(CUSTOM_PREFIX.length)] = cleared;
  else if (Object.hasOwn(CLEARED, field)) row.fields[field as keyof typeof row.fields] = cleared;
  else {
    const why = isTarget(field) ? `${field} cannot be empty` : `there is no field "${field}"`;
    throw new UsageError(
      isTarget(field) ? 'bad_default' : 'unknown_field',
      `set ${field}=${CLEAR_WORD}: ${why}`,
    );
  }
}

function changeTags(
  patch: RowPatch,
  field: string,
  way: 'add' | 'remove',
  value: string,
  text: string,
): void {
  if (field !== 'tags') {
    throw new UsageError('bad_pair', `"${text}": += and -= work only with tags.`, {
      remedy: `Write ${field}=VALUE.`,
    });
  }
  const row: MappedRow = { fields: {}, customFields: {}, copies: 1, issues: [] };
  assign(row, 'tags', value);
  const tags = row.fields.tags?.value;
  if (!Array.isArray(tags)) {
    throw new UsageError('bad_pair', `"${text}" names no tag.`, { remedy: 'For example: tags+=boxed' });
  }
  patch.tags ??= { add: [], remove: [] };
  patch.tags[way].push(...(tags as string[]));
}
