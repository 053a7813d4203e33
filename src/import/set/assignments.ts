/**
 * Parses the changes of `set`: FIELD=VALUE; for tags also += and -=, for estimated_value *=, += and -=, and for custom
 * fields += and -= with whole numbers.
 */
import { Big } from 'big.js';
import { UsageError } from '../../errors.ts';
import { CLEAR, type MappedRow } from '../../mapping/mapping.ts';
import { compilePresets } from '../../mapping/template/presets.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { isTarget } from '../../mapping/targets.ts';
import { toBig } from '../../where/item-values.ts';
import { CLEARED } from '../changes/difference.ts';
import type { RelativeChange } from '../changes/relative.ts';
import type { RowPatch } from '../changes/row-patch.ts';

const FORM = /^\s*([^=]+?)\s*(\*=|\+=|-=|=)([\s\S]*)$/;
const CLEAR_WORD = '<clear>';

export interface Assignments {
  patch: RowPatch;
  /** Name or id of the collection to move the items to, if any. */
  collection?: string;
}

/** How relative changes are made. */
export interface RelativeOptions {
  /** `--round`: a positive number. */
  round?: string;
  /** `--currency`: its three letters. */
  currency?: string;
}

/** @throws UsageError `bad_pair`, `unknown_field`, `bad_default` for a change that no item can have */
export function parseAssignments(texts: readonly string[], options: RelativeOptions = {}): Assignments {
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
    if ((sign === '=' || field !== 'tags') && given.has(field)) {
      throw new UsageError('bad_pair', `${field} is set twice.`, { remedy: 'Remove one of the two.' });
    }
    given.add(field);
    if (sign === '=') assign(row, field, value);
    else if (field === 'tags' && sign !== '*=')
      changeTags(patch, sign === '+=' ? 'add' : 'remove', value, text);
    else
      (patch.relative ??= {})[field] = relativeChange(field, sign as RelativeChange['sign'], value, options);
  }
  if (patch.relative === undefined && (options.round ?? options.currency) !== undefined) {
    throw new UsageError(
      'bad_choice',
      '--round and --currency belong to changes such as estimated_value*=1.10, and there is none.',
    );
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

/** @throws UsageError `bad_pair`, `bad_number`, `bad_currency` */
function relativeChange(
  field: string,
  sign: RelativeChange['sign'],
  value: string,
  { round, currency }: RelativeOptions,
): RelativeChange {
  const isValue = field === 'estimated_value';
  if (!isValue && (sign === '*=' || !field.startsWith(CUSTOM_PREFIX) || !isTarget(field))) {
    throw new UsageError('bad_pair', `"${field}${sign}${value}" is not possible.`, {
      remedy: `*= works with estimated_value, += and -= also with tags and, for whole numbers, with ${CUSTOM_PREFIX}NAME. To replace the value: ${field}=VALUE`,
    });
  }
  const number = toBig(value);
  if (number === undefined || number.lt(0) || (!isValue && !number.round(0, Big.roundDown).eq(number))) {
    const expected = isValue ? 'a number of 0 or more, such as 1.10' : 'a whole number of 0 or more';
    throw new UsageError('bad_number', `${field}${sign}${value}: expected ${expected}.`);
  }
  const step = round === undefined ? undefined : toBig(round);
  if (round !== undefined && (step === undefined || step.lte(0))) {
    throw new UsageError('bad_number', `--round ${round}: expected a number above 0, such as 0.50.`);
  }
  if (currency !== undefined && !/^[a-z]{3}$/i.test(currency.trim())) {
    throw new UsageError('bad_currency', `--currency ${currency}: expected its three letters, such as USD.`);
  }
  return {
    sign,
    operand: number.toFixed(),
    ...(step === undefined || !isValue ? {} : { round: step.toFixed() }),
    ...(currency === undefined || !isValue ? {} : { currency: currency.trim().toLowerCase() }),
  };
}

function changeTags(patch: RowPatch, way: 'add' | 'remove', value: string, text: string): void {
  const row: MappedRow = { fields: {}, customFields: {}, copies: 1, issues: [] };
  assign(row, 'tags', value);
  const tags = row.fields.tags?.value;
  if (!Array.isArray(tags)) {
    throw new UsageError('bad_pair', `"${text}" names no tag.`, { remedy: 'For example: tags+=boxed' });
  }
  patch.tags ??= { add: [], remove: [] };
  patch.tags[way].push(...(tags as string[]));
}
