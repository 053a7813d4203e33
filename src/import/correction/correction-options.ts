/** Corrections in the form of the options of `jobs mend` and of its actions. */
import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import type { Correction } from '../../mapping/template/change.ts';
import { NO_TEMPLATE } from '../../mapping/template/load-template.ts';
import { isWordField } from '../../mapping/word-lists.ts';
import { checkedRates } from '../job/rates.ts';
import { badPair, cellText, flag, flagOf, givenOptions, rowNumbers, text } from '../../base/option.ts';
import { message } from '../../messages/message.ts';
import type { Action, ActionOptions } from '../../messages/params.ts';
import { expecting } from '../../base/schema-words.ts';

const COLUMNS = { group: 'Map' } as const;
const texts = z.union([text, z.array(text)]).transform((given) => [given].flat());
const repeated = { ...COLUMNS, repeatable: true } as const;

export const CorrectionOptions = z.object({
  template: flag(
    z
      .literal(NO_TEMPLATE)
      .describe(
        'none: read the columns as if no template were known; earlier corrections of columns are dropped.',
      ),
    COLUMNS,
  ),
  map: flag(
    z.record(z.string(), cellText).describe('FIELD=COLUMN: the column that holds a field (repeatable).'),
    { ...COLUMNS, pairs: 'FIELD=COLUMN' },
  ),
  ignore: flag(texts.describe('COLUMN that is not used (repeatable).'), repeated),
  keep: flag(texts.describe('COLUMN that becomes a custom field (repeatable).'), repeated),
  words: flag(
    texts.describe(
      "FIELD:WORD=MEANING: 'condition:C7=mint_on_card'; without MEANING, the word is ignored (repeatable).",
    ),
    { ...repeated, name: 'word' },
  ),
  defaults: flag(
    z.record(z.string(), cellText).describe('FIELD=VALUE for rows without a value (repeatable).'),
    { ...COLUMNS, name: 'default', pairs: 'FIELD=VALUE' },
  ),
  options: flag(
    texts.describe(
      "FIELD:OPTION=VALUE, as under a template's columns: 'release_year:approximate=read' (repeatable).",
    ),
    { ...repeated, name: 'option' },
  ),
  rates: flag(
    z
      .record(z.string(), cellText)
      .describe('CODE=RATE, such as USD=0.92: converts amounts in this currency (repeatable).'),
    { ...COLUMNS, name: 'rate', pairs: 'CODE=RATE' },
  ),
  row: flag(rowNumbers.describe('Rows of the file, for --set, --omit, --accept and --item: 3,7-9.'), {
    group: 'Select',
  }),
  sheet: flag(text.describe('Sheet of the row, if several sheets have this row.'), { group: 'Select' }),
  set: flag(z.record(z.string(), cellText).describe('COLUMN=TEXT: corrects a cell of --row (repeatable).'), {
    group: 'Write',
    pairs: 'COLUMN=TEXT',
  }),
  item: flag(
    z
      .guid(expecting('the_item_id', {}))
      .toLowerCase()
      .describe('Id of the item for --row: one of the candidates shown for this row.'),
    { group: 'Write' },
  ),
  omit: flag(z.boolean().describe('Leave --row out.'), { group: 'Write' }),
  accept: flag(z.boolean().describe('Accept --row as an item, although it looks like a total.'), {
    group: 'Write',
  }),
  acceptReason: flag(
    texts.describe('CODE: accept all rows with this problem as items; only summary_row (repeatable).'),
    { group: 'Write', repeatable: true },
  ),
  omitReason: flag(
    texts.describe('CODE or CODE:COLUMN: leave out all rows with this problem (repeatable).'),
    { group: 'Write', repeatable: true },
  ),
  undo: flag(z.boolean().describe('Undo the last correction.'), { group: 'Write' }),
  saveTemplate: flag(text.describe('Save the current use of the columns as a template in this YAML file.'), {
    group: 'Write',
  }),
});

/** The options that an action can have: all options that correct rows. */
export const MEND_OPTIONS: readonly string[] = Object.entries(CorrectionOptions.shape)
  .filter(([key]) => key !== 'undo' && key !== 'saveTemplate')
  .flatMap(([key, schema]) => flagOf(key, schema)?.name ?? []);

/** The options of an action for `jobs.mend`, as the schema reads them. @throws UsageError `bad_pair` */
export function givenIn(options: ActionOptions): Record<string, unknown> {
  return givenOptions(CorrectionOptions, options).given;
}

/** @throws UsageError `bad_pair`, `bad_choice` */
export function changesOf(options: z.infer<typeof CorrectionOptions>): Correction[] {
  const {
    map = {},
    ignore = [],
    keep = [],
    words = [],
    defaults = {},
    row: rows = [],
    sheet,
    set = {},
    omit,
    accept,
    item,
  } = options;
  const cells = Object.entries(set);
  const isOfRow = cells.length > 0 || omit === true || accept === true || item !== undefined;
  if (rows.length === 0 && isOfRow)
    throw new UsageError('bad_choice', message('correction_without_row', {}), { actions: [SAY_ROW] });
  if (rows.length > 0 && !isOfRow)
    throw new UsageError('bad_choice', message('row_without_correction', { rows: rows.join() }), {
      actions: [
        correctRow('set', 'COLUMN=TEXT'),
        correctRow('item', 'ID'),
        correctRow('accept'),
        correctRow('omit'),
      ],
    });
  const ofRow = (row: number): Correction[] => {
    const place = { row, ...(sheet === undefined ? {} : { sheet }) };
    return [
      ...(item === undefined ? [] : [{ type: 'item', ...place, item } as const]),
      ...(accept === true ? [{ type: 'accept', ...place } as const] : []),
      ...(omit === true ? [{ type: 'omit', ...place } as const] : []),
      ...cells.map(([column, value]): Correction => ({ type: 'cell', ...place, column, text: value })),
    ];
  };
  return [
    ...(options.template === undefined ? [] : [{ type: 'template', name: options.template } as const]),
    ...Object.entries(map).map(([field, column]): Correction => ({ type: 'map', field, column })),
    ...ignore.map((column): Correction => ({ type: 'ignore', column })),
    ...keep.map((column): Correction => ({ type: 'keep', column })),
    ...words.map(wordOf),
    ...Object.entries(defaults).map(([field, value]): Correction => ({ type: 'default', field, value })),
    ...(options.options ?? []).map(optionOf),
    ...(options.rates === undefined
      ? []
      : [
          {
            type: 'option',
            field: 'estimated_value',
            option: 'rates',
            value: checkedRates(options.rates),
          } as const,
        ]),
    ...rows.flatMap(ofRow),
    ...(options.acceptReason ?? []).map((code): Correction => ({ type: 'acceptReason', code })),
    ...(options.omitReason ?? []).map(reasonOf),
  ];
}

function wordOf(given: string): Correction {
  const [, field = '', word = '', meaning = ''] = /^([^:]+):(.+)=([^=]*)$/s.exec(given) ?? [];
  if (word === '') throw badPair('word', given, 'FIELD:WORD=MEANING');
  if (!isWordField(field) || !meaning.includes(':'))
    return { type: 'word', field, word: word.trim(), means: meaning.trim() };
  const pairs = meaning.split(',').map((pair) => pair.split(':').map((part) => part.trim()));
  return {
    type: 'word',
    field,
    word: word.trim(),
    means: Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value])),
  };
}

function optionOf(given: string): Correction {
  const [, field = '', option = '', value = ''] = /^(.+):([A-Za-z]+)=(.*)$/s.exec(given) ?? [];
  if (option === '') throw badPair('option', given, 'FIELD:OPTION=VALUE');
  const known: Record<string, boolean | null> = { '': null, true: true, false: false };
  // In a template, separators are a list of characters.
  const read = option === 'separators' && value !== '' ? [...value] : value;
  return {
    type: 'option',
    field,
    option,
    value: Object.hasOwn(known, value) ? (known[value] ?? null) : read,
  };
}

function reasonOf(given: string): Correction {
  const [code = '', column] = given.split(':');
  return { type: 'omitReason', code, ...(column === undefined ? {} : { column }) };
}

const SAY_ROW: Action = { do: 'setOption', option: 'row', value: 'ROW', label: message('to_say_row', {}) };

function correctRow(option: 'accept' | 'item' | 'omit' | 'set', value?: string): Action {
  const label = message(`to_correct_by_${option}`, {});
  return { do: 'setOption', option, label, ...(value === undefined ? {} : { value }) };
}
