/** Values that do not come from cells: `--default`, and a template's defaults and constants. They are cast once. */
import { byHand, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import { wholeProblem } from '../issue.ts';
import { UsageError } from '../../base/errors.ts';
import { exactNumber } from '../../base/exact-json.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';
import { BLANK, CastProblem, type Meaning } from '../casts/cast.ts';
import type { DecimalStyle } from '../casts/decimal.ts';
import { columnCast } from '../columns/column-cast.ts';
import { type Put, putMeaning, putter } from '../columns/column-step.ts';
import type { MappedRow, MappedValue } from '../mapping.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import { isTarget, TARGETS } from '../targets.ts';
import { columnOptions, type Template } from './template.ts';
import { textForm } from '../text-form.ts';

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Puts one value into a row. */
export type Preset = (row: MappedRow) => void;

export interface PresetOptions {
  /** Field → value: texts from flags, texts, numbers and booleans from templates. */
  values: Record<string, Cell>;
  /** For messages: `default`, `defaults`, `constants`. */
  source: string;
  template: Template | undefined;
  decimal: DecimalStyle | undefined;
  /** True: only for rows without a value (defaults). False: for every row (constants). */
  onlyMissing: boolean;
}

/** Compiles the values. Throws UsageError `unknown_field` or `bad_default` for a value that no row could use. */
export function compilePresets(options: PresetOptions): Preset[] {
  return Object.entries(options.values).flatMap(([target, cell]) => compilePreset(target, cell, options));
}

function compilePreset(target: string, cell: Cell, options: PresetOptions): Preset[] {
  const preset = `${options.source} ${target}=${cellText(cell)}`;
  if (!isTarget(target) || target === 'id' || target === 'quantity') {
    const fields = TARGETS.filter((name) => name !== 'id' && name !== 'quantity');
    throw new UsageError('unknown_field', message('preset_of_no_field', { preset, field: target }), {
      actions: [byHand('fields_are', { fields: [...fields, `${CUSTOM_PREFIX}NAME`] })],
    });
  }
  const badPreset = (what: Message, ...actions: Action[]) =>
    new UsageError('bad_default', message('bad_default', { preset, field: target, what }), { actions });
  const text = cellText(cell).trim();
  if (text === '') return [];
  const spec = columnOptions(options.template, target);
  const decimal = options.decimal ?? spec.decimal;
  const column = columnCast(target, { spec, header: '', exact: false, decimal });
  const value = column.cast(text, cell);
  if (value instanceof CastProblem) {
    // No other cell shows which of the two readings is right.
    if (value.code === 'ambiguous_number')
      throw badPreset(value.what, byHand('write_two_decimals', { field: target }));
    throw badPreset(wholeProblem(value.what, value.expected));
  }
  if (value === BLANK) return [];
  // A preset is in no cell, so its currency would not be compared with that of the items.
  if (target === 'estimated_value' && column.amounts?.currencies() !== undefined) {
    throw badPreset(message('has_currency', {}), byHand('write_number_alone', {}));
  }
  // 1999.5 would become 1999, and the 17th digit of an amount would change.
  if (
    typeof value === 'number' &&
    decimal !== 'comma' &&
    PLAIN_NUMBER.test(text) &&
    exactNumber(text) !== value
  )
    throw badPreset(message('not_sent_exactly', { text }));
  const put = options.onlyMissing ? putIfMissing(target) : putter(target);
  if (column.meanings === true) return [(row) => putMeaning(row, value as Meaning, text, put)];
  const mapped: MappedValue = { value, text: column.ownText === true ? textForm(target, value) : text };
  return [(row) => put(row, mapped)];
}

function putIfMissing(target: string): Put {
  const put = putter(target);
  if (target === 'collection' || target === 'collection_id') {
    return (row, mapped) => {
      if (row.collection === undefined) put(row, mapped);
    };
  }
  if (target.startsWith(CUSTOM_PREFIX)) {
    const key = target.slice(CUSTOM_PREFIX.length);
    return (row, mapped) => {
      if (!Object.hasOwn(row.customFields, key)) put(row, mapped);
    };
  }
  const field = target as keyof MappedRow['fields'];
  return (row, mapped) => {
    if (row.fields[field] === undefined) put(row, mapped);
  };
}
