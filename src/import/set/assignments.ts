/**
 * Parses the changes of `set`: FIELD=VALUE; for tags also += and -=, for estimated_value *=, +=, -= and percentages
 * (+=10%, =+10%), and for custom fields += and -= with whole numbers. With `--from FILE`, @COLUMN in place of the value names a column of the file.
 */
import { Big } from 'big.js';
import { UsageError } from '../../base/errors.ts';
import { CLEAR, type MappedRow } from '../../mapping/mapping.ts';
import { compilePresets } from '../../mapping/template/presets.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { textForm } from '../../mapping/text-form.ts';
import { isTarget, TARGETS } from '../../mapping/targets.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { toBig } from '../../where/item-values.ts';
import { CLEARABLE } from '../changes/difference.ts';
import { UNROUNDED } from '../changes/relative.ts';
import type { RelativeRule } from '../engine/input.ts';
import type { RowPatch } from '../engine/input.ts';

const FORM = /^\s*([^=]+?)\s*(\*=|\+=|-=|=)([\s\S]*)$/;
const CLEAR_WORD = '<clear>';

export interface Assignments {
  patch: RowPatch;
  /** Name or id of the collection to move the items to, if any. */
  collection?: string;
  /** `--from`: field → the column of its values. */
  columns?: Record<string, ColumnChange>;
  fields: string[];
}

export interface ColumnChange {
  column: string;
  sign: '=' | RelativeRule['sign'];
  /** The column contains the operands of a relative change. */
  relative?: RelativeRule;
}

export interface RelativeOptions {
  /** `--from` was given: values may be columns. */
  from?: string;
  /** `--round`: a positive number, or `none`. */
  round?: string;
  /** `--currency`: its three letters. */
  currency?: string;
}

export type FieldValue =
  | { field: string; value: string | number | boolean | readonly string[] | null }
  | { field: 'tags'; value: readonly string[]; sign: '+=' | '-=' };

/** A change in the notation of the command line. */
export function changeText(change: string | FieldValue): string {
  if (typeof change === 'string') return change;
  const { field, value } = change;
  const sign = 'sign' in change ? change.sign : '=';
  if (value === null) return `${field}=${CLEAR_WORD}`;
  const text = textForm(field, value);
  return `${field}${sign}${typeof value === 'number' ? text : `"${text.replaceAll('"', '""')}"`}`;
}

/** @throws UsageError `bad_pair`, `unknown_field`, `bad_default` for a value that no item can have */
export function parseAssignments(
  changes: readonly (string | FieldValue)[],
  options: RelativeOptions = {},
): Assignments {
  const row: MappedRow = { fields: {}, customFields: {}, copies: 1, issues: [] };
  const patch: RowPatch = { fields: row.fields, customFields: row.customFields };
  const columns: Record<string, ColumnChange> = {};
  const signs = new Map<string, string[]>();
  for (const change of changes) {
    const text = changeText(change);
    const { field, sign, value } =
      typeof change === 'string'
        ? percentAsFactor(FORM.exec(change))
        : { field: change.field, sign: 'sign' in change ? change.sign : '=', value: '' };
    if (sign === undefined) {
      const example = 'status=sold, brand="Acme Toys", custom_fields.shelf=A3, tags+=boxed';
      throw badChange(message('not_a_change', { text }), message('example_change', { text: example }));
    }
    const others = signs.get(field) ?? [];
    signs.set(field, [...others, sign]);
    if ((sign === '=' || field !== 'tags') && others.length > 0) {
      throw badChange(message('set_twice', { field }), message('remove_one_change', {}));
    }
    if (typeof change !== 'string') {
      if ('sign' in change)
        (patch.tags ??= { add: [], remove: [] })[change.sign === '+=' ? 'add' : 'remove'].push(
          ...change.value,
        );
      else assign(row, field, change.value ?? CLEAR_WORD);
      continue;
    }
    const column = columnOf(value, text, options);
    if (column !== undefined) {
      if (Object.hasOwn(columns, field))
        throw badChange(message('changed_by_two_columns', { field }), message('change_separately', {}));
      columns[field] = columnChange(field, sign as ColumnChange['sign'], column, options);
    } else if (sign === '=') assign(row, field, literal(value));
    else if (isTagsChange(field, sign))
      changeTags(patch, sign === '+=' ? 'add' : 'remove', literal(value), text);
    else {
      const rule = relativeRule(field, sign as RelativeRule['sign'], value, options);
      (patch.relative ??= {})[field] = { ...rule, operand: operandOf(field, sign, value) };
    }
  }
  const isRelative =
    patch.relative !== undefined || Object.values(columns).some(({ relative }) => relative !== undefined);
  if (!isRelative && (options.round ?? options.currency) !== undefined) {
    throw new UsageError('bad_choice', message('rounding_without_change', {}));
  }
  const ofTags = new Set((signs.get('tags') ?? []).map((sign) => sign === '='));
  if (ofTags.size > 1) {
    throw badChange(message('tags_set_and_changed', {}), message('one_way_of_tags', {}));
  }
  if (typeof row.fields.estimated_value?.value === 'number') patch.valueForAll = true;
  return {
    patch,
    ...(row.collection === undefined ? {} : { collection: row.collection }),
    ...(Object.keys(columns).length === 0 ? {} : { columns }),
    fields: [...signs.keys()],
  };
}

/** `+=10%` and `=+10%` mean `*=1.1`, except for texts. @throws UsageError `bad_number` below -100% */
function percentAsFactor(form: RegExpExecArray | null): {
  field: string;
  sign: string | undefined;
  value: string;
} {
  const [text = '', field = '', sign, value = ''] = form ?? [];
  const [, before, digits = ''] = /^\s*([+-]?)\s*(\d{1,9}(?:\.\d{1,9})?)\s*%\s*$/.exec(value) ?? [];
  const way = sign === '=' ? before : before === '' ? sign?.replace('=', '') : undefined;
  if (field !== 'estimated_value' || (way !== '+' && way !== '-')) return { field, sign, value };
  const factor = new Big(1).plus(new Big(`${way}${digits}`.replace('+', '')).div(100));
  if (factor.lt(0)) throw new UsageError('bad_number', message('lowered_too_far', { text: text.trim() }));
  return { field, sign: '*=', value: factor.toFixed() };
}

/** `@Price` → `Price`; `@@home` is the text `@home`. */
function columnOf(value: string, text: string, { from }: RelativeOptions): string | undefined {
  const [, column] = /^\s*@(?!@)\s*([\s\S]*?)\s*$/.exec(value) ?? [];
  if (column === undefined) return undefined;
  if (column === '')
    throw badChange(
      message('names_no_column', { text }),
      message('example_change', { text: 'custom_fields.sold_for=@Price' }),
    );
  if (from !== undefined) return column;
  const give = {
    do: 'setOption',
    option: 'from',
    value: 'FILE',
    label: message('to_give_file', {}),
  } as const;
  const double = { do: 'byHand', label: message('double_the_at', { column }) } as const;
  throw new UsageError('bad_pair', message('column_without_file', { text, column }, give, double));
}

/** Removes quotes around the whole text, as in a CSV file and in `--where`; `@@home` becomes `@home`. */
function literal(value: string): string {
  const [, quoted] = /^\s*"((?:[^"]|"")*)"\s*$/.exec(value) ?? [];
  return quoted === undefined ? value.replace(/^(\s*)@@/, '$1@') : quoted.replaceAll('""', '"');
}

function isTagsChange(field: string, sign: string): boolean {
  return field === 'tags' && sign !== '*=';
}

function columnChange(
  field: string,
  sign: ColumnChange['sign'],
  column: string,
  options: RelativeOptions,
): ColumnChange {
  if (!isTarget(field) || field === 'id' || field === 'quantity') {
    throw noSuchField(field);
  }
  if (sign === '=' || isTagsChange(field, sign)) return { column, sign };
  return { column, sign, relative: relativeRule(field, sign, `@${column}`, options) };
}

function assign(row: MappedRow, field: string, value: NonNullable<FieldValue['value']>): void {
  const text = textForm(field, value).trim();
  if (typeof value === 'object' && field === 'tags' && value.length > 0) {
    row.fields.tags = { value: [...value], text };
    return;
  }
  if (text === '') {
    throw badChange(message('set_to_nothing', { field }), emptyWith(field));
  }
  if (text !== CLEAR_WORD) {
    const cell = typeof value === 'object' ? text : value;
    const presets = compilePresets({
      values: { [field]: cell },
      source: 'set',
      template: undefined,
      decimal: undefined,
      onlyMissing: false,
    });
    if (presets.length === 0) {
      const action = { do: 'byHand', label: emptyWith(field) } as const;
      throw new UsageError('bad_default', message('value_says_nothing', { field, text }, action));
    }
    for (const put of presets) put(row);
    return;
  }
  const cleared = { value: CLEAR, text: CLEAR_WORD };
  if (field.startsWith(CUSTOM_PREFIX)) row.customFields[field.slice(CUSTOM_PREFIX.length)] = cleared;
  else if (CLEARABLE.has(field)) row.fields[field as keyof typeof row.fields] = cleared;
  else if (isTarget(field)) throw new UsageError('bad_default', message('cannot_be_emptied', { field }));
  else throw noSuchField(field);
}

function badChange(said: Message, label: Message): UsageError {
  return new UsageError('bad_pair', said, { actions: [{ do: 'byHand', label }] });
}

function emptyWith(field: string): Message {
  return message('empty_with', { change: `${field}=${CLEAR_WORD}` });
}

function noSuchField(field: string): UsageError {
  const fields = TARGETS.filter((name) => name !== 'id' && name !== 'quantity');
  return new UsageError('unknown_field', message('no_such_field', { field, fields }));
}

/** @throws UsageError `bad_pair`, `bad_number`, `bad_currency` */
function relativeRule(
  field: string,
  sign: RelativeRule['sign'],
  value: string,
  { round, currency }: RelativeOptions,
): RelativeRule {
  const isValue = field === 'estimated_value';
  if (!isValue && (sign === '*=' || !field.startsWith(CUSTOM_PREFIX) || !isTarget(field))) {
    const text = `${field}${sign}${value}`;
    throw badChange(message('change_impossible', { text }), message('what_can_be_changed', {}));
  }
  const wanted = round?.trim().toLowerCase();
  const step = wanted === undefined || wanted === UNROUNDED ? wanted : toBig(wanted);
  if (round !== undefined && (step === undefined || (step !== UNROUNDED && new Big(step).lte(0)))) {
    throw new UsageError('bad_number', message('bad_rounding', { text: round }));
  }
  if (currency !== undefined && !/^[a-z]{3}$/i.test(currency.trim())) {
    throw new UsageError('bad_currency', message('bad_currency_code', { text: currency }));
  }
  return {
    sign,
    ...(step === undefined || !isValue ? {} : { round: step === UNROUNDED ? step : new Big(step).toFixed() }),
    ...(currency === undefined || !isValue ? {} : { currency: currency.trim().toLowerCase() }),
  };
}

/** @throws UsageError `bad_number` */
function operandOf(field: string, sign: string, value: string): string {
  const isValue = field === 'estimated_value';
  const number = toBig(value);
  if (number === undefined || number.lt(0) || (!isValue && !number.round(0, Big.roundDown).eq(number))) {
    const change = `${field}${sign}${value}`;
    throw new UsageError('bad_number', message('bad_operand', { change, isWhole: !isValue }));
  }
  return number.toFixed();
}

function changeTags(patch: RowPatch, way: 'add' | 'remove', value: string, text: string): void {
  const row: MappedRow = { fields: {}, customFields: {}, copies: 1, issues: [] };
  assign(row, 'tags', value);
  const tags = row.fields.tags?.value;
  if (!Array.isArray(tags)) {
    throw badChange(message('names_no_tag', { text }), message('example_change', { text: 'tags+=boxed' }));
  }
  patch.tags ??= { add: [], remove: [] };
  patch.tags[way].push(...(tags as string[]));
}
