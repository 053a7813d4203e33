/** The options of a template's column: where a field's values come from, and how the cells are read. */
import { z } from 'zod';
import { knownKeys } from '../../base/yaml-file.ts';
import { isCurrencyCode } from '../casts/amount.ts';
import { patternProblem } from './patterns.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import { TRADES } from '../grades.ts';
import { isTarget } from '../targets.ts';
import { isWordField, WORD_FIELDS, type WordField } from '../word-lists.ts';
import { problem } from '../../base/schema-words.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

/** One header, or several candidates. */
export const Headers = z.union([z.string(), z.array(z.string()).min(1)], {
  error: problem('expected_headers', {}),
});

/** A letter, or a number counted from 1. */
const PLACE = problem('expected_place', {});
export const ColumnPosition = z.union([z.string().regex(/^[A-Za-z]{1,3}$/, PLACE), z.int().min(1, PLACE)], {
  error: PLACE,
});

export const Scalar = z
  .union([z.string(), z.number(), z.boolean()], { error: problem('expected_scalar', {}) })
  .meta({ id: 'Value' });

/** The types that cells of a custom field can be read as. Fields of the contract have a fixed kind. */
export const KINDS = ['text', 'integer', 'decimal', 'money', 'year', 'yes_no', 'list'] as const;

const ColumnOptions = knownKeys({
  from: Headers.optional().describe(
    'Header, or several candidates: the first one that the file has is used.',
  ),
  column: ColumnPosition.optional().describe(
    'Column letter, or position in the table counted from 1, if the header does not help.',
  ),
  join: z
    .array(Headers)
    .min(2)
    .optional()
    .describe('Several columns, joined in this order; blank cells are left out.'),
  with: z.string().optional().describe('join: the text between the parts. Default: a space.'),
  needsFirst: z
    .boolean()
    .optional()
    .describe('join: a row whose first part is blank has no value, whatever the other parts are.'),
  required: z.boolean().optional().describe('The file is refused without this column.'),
  onlyForMatch: z.boolean().optional().describe('Used only to find items by this field.'),
  pattern: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('Regular expression (RE2): the part that it picks out is used instead of the whole cell.'),
  group: z
    .union([z.int().min(0), z.string()], { error: problem('expected_group', {}) })
    .optional()
    .describe('pattern: number or name of the group to pick. Default: the first group, or the whole match.'),
  noMatch: z
    .enum(['issue', 'blank', 'keep'])
    .optional()
    .describe('pattern: a cell that does not match is an issue (default), blank, or kept whole.'),
  as: z.enum(KINDS).optional().describe('Custom fields: what the cells are read as. Default: unchanged.'),
  words: z
    .record(z.string(), z.union([Scalar, z.record(z.string(), z.string())]))
    .optional()
    .describe(
      'What words mean, ignoring case, accents and punctuation. For condition, packaging and status, a map of fields and custom fields sets several at once.',
    ),
  unknownWords: z
    .enum(['issue', 'blank', 'keep'])
    .optional()
    .describe(
      'What happens to words that are not listed. Default: keep; for condition, packaging and status: issue.',
    ),
  grades: z
    .enum(TRADES)
    .optional()
    .describe('condition: accepts the grades of this trade, such as NM and LP for cards.'),
  offeredWords: z
    .enum(['ask', 'take'])
    .optional()
    .describe(
      'condition, packaging: grades without an exact counterpart are issues with suggested meanings (ask, the default), or get the likeliest meaning, and the grade is kept in custom_fields.grade.',
    ),
  builtInWords: z
    .boolean()
    .optional()
    .describe('false: only the words of the API and those in `words` are known.'),
  yes: Scalar.optional().describe('The value for cells that say yes (x, 1, true, ja, oui, sí …).'),
  no: Scalar.optional().describe('The value for cells that say no.'),
  blankWords: z.array(z.string()).optional().describe('Further texts that count as blank.'),
  blank: z.enum(['leave', 'clear']).optional().describe('Updates: what a blank cell does. Default: leave.'),
  decimal: z.enum(['point', 'comma']).optional().describe('Amounts: the decimal mark.'),
  currency: z
    .string()
    .optional()
    .describe('Amounts: the currency of the column; a cell with another currency is an issue.'),
  fillDown: z
    .boolean()
    .optional()
    .describe('A blank cell has the value of the last filled one above it, as under a merged cell.'),
  rates: z
    .record(
      z.string(),
      z.union([z.number().positive(), z.string().regex(/^\d+(\.\d+)?$/, problem('expected_rate', {}))]),
    )
    .optional()
    .describe(
      'Amounts: currency → value of one unit in the currency of the items; amounts in that currency are converted.',
    ),
  cents: z.boolean().optional().describe('Amounts: the cells are in hundredths: 1250 is 12.50.'),
  approximate: z
    .enum(['read', 'issue'])
    .optional()
    .describe(
      'Years, amounts, quantities: whether to read `c. 1985`, `1985/86`, `ca. 20`, `20-25` (as its lower end) and `2x`. Default: they are issues.',
    ),
  twoDigitYears: z.coerce
    .number()
    .int()
    .min(0)
    .max(2000)
    .optional()
    .describe(
      "release_year: the first of the hundred years that `'85` can mean: 1900 makes it 1985, and 0 the year 85. Default: an issue.",
    ),
  dates: z
    .enum(['year', 'keep'])
    .optional()
    .describe(
      'release_year: for a date with a month or an uncertain year, keep only the year (year, the default), or also keep the whole text in custom_fields.release_date.',
    ),
  outOfRange: z
    .enum(['issue', 'blank', 'keep'])
    .optional()
    .describe(
      'release_year: a year outside 1968 to 2100 is an issue (default), blank, or kept in custom_fields.year while the field stays blank.',
    ),
  fillers: z
    .union([z.literal('issue'), z.record(z.string(), z.string())])
    .optional()
    .describe(
      'name: a row without one is an issue (default), or, with a map of columns to texts, left out if it contains only row numbers, zeros, false, formula errors, and the texts of the map.',
    ),
  lostDigits: z
    .enum(['issue', 'keep'])
    .optional()
    .describe(
      'Custom fields of ids: a long number that a spreadsheet program has shortened is an issue (default), or kept as it is.',
    ),
  separators: z
    .array(z.string().length(1))
    .min(1)
    .optional()
    .describe('tags, lists: the characters to split at.'),
  mode: z
    .enum(['set', 'add', 'remove'])
    .optional()
    .describe(
      'tags, updates: the tags of a row replace the tags of its item (set, the default), are added to them, or are removed from them.',
    ),
  ticked: z
    .union([z.array(z.string()).min(1), z.record(z.string(), z.string())], {
      error: problem('expected_ticked', {}),
    })
    .optional()
    .describe('tags: columns that each give a tag if ticked (x, yes, 1).'),
});
export type ColumnOptions = z.infer<typeof ColumnOptions>;

/** A column as written in a template: a header, several candidates, or options. */
export const Column = z
  .union([z.string(), z.array(z.string()).min(1), ColumnOptions], {
    error: problem('expected_column', {}),
  })
  .meta({ id: 'Column' });

type Bad = (path: string[], said: Message) => void;

const WORD_FIELD_NAMES = Object.keys(WORD_FIELDS).join(', ');
/** Fields that take any text, and whose texts can be looked up in `words`. */
const TEXT_TARGETS: ReadonlySet<string> = new Set(['name', 'brand', 'series', 'collection', 'tags']);

/** Reports options that do not fit the target, through `bad`. */
export function checkColumn(target: string, column: ColumnOptions, bad: Bad): void {
  const path = ['columns', target];
  const custom = target.startsWith(CUSTOM_PREFIX);
  const word = isWordField(target);
  const { as } = column;
  const only = (option: keyof ColumnOptions, allowed: boolean, what: Message) => {
    if (column[option] !== undefined && !allowed) bad([...path, option], message('only_for', { what }));
  };
  const onlyOf = (option: keyof ColumnOptions, allowed: boolean, fields: string, ...kinds: string[]) =>
    only(
      option,
      allowed,
      kinds.length === 0
        ? message('verbatim', { text: fields })
        : message('fields_and_custom', { fields, kinds }),
    );
  const isAmount = target === 'estimated_value' || (custom && (as === 'money' || as === 'decimal'));
  const isMoney = isAmount && as !== 'decimal';
  only('as', custom, message('custom_of_own_kind', { target }));
  only(
    'words',
    word || custom || TEXT_TARGETS.has(target),
    message('fields_and_texts', { fields: WORD_FIELD_NAMES }),
  );
  only(
    'unknownWords',
    word || column.words !== undefined,
    message('fields_and_columns_with', { fields: WORD_FIELD_NAMES, option: 'words' }),
  );
  onlyOf('builtInWords', word, WORD_FIELD_NAMES);
  onlyOf('grades', target === 'condition', 'condition');
  onlyOf('offeredWords', target === 'condition' || target === 'packaging', 'condition, packaging');
  for (const answer of ['yes', 'no'] as const)
    onlyOf(answer, word || as === 'yes_no', WORD_FIELD_NAMES, 'yes_no');
  onlyOf('decimal', isAmount, 'estimated_value', 'money', 'decimal');
  for (const option of ['currency', 'rates', 'cents'] as const)
    onlyOf(option, isMoney, 'estimated_value', 'money');
  for (const code of Object.keys(column.rates ?? {}))
    if (!isCurrencyCode(code)) bad([...path, 'rates', code], message('expected_currency_code', {}));
  onlyOf(
    'approximate',
    target === 'release_year' || target === 'quantity' || isAmount || as === 'year' || as === 'integer',
    'release_year, quantity, estimated_value',
    'year',
    'integer',
    'money',
    'decimal',
  );
  for (const option of ['outOfRange', 'dates', 'twoDigitYears'] as const)
    onlyOf(option, target === 'release_year', 'release_year');
  only('lostDigits', custom && as === undefined, message('custom_without_kind', {}));
  onlyOf('separators', target === 'tags' || as === 'list', 'tags', 'list');
  for (const option of ['ticked', 'mode'] as const) onlyOf(option, target === 'tags', 'tags');
  for (const [option, needed] of [
    ['with', 'join'],
    ['needsFirst', 'join'],
    ['group', 'pattern'],
    ['noMatch', 'pattern'],
  ] as const)
    only(option, column[needed] !== undefined, message('columns_with', { option: needed }));
  const places = (['from', 'column', 'join'] as const).filter((option) => column[option] !== undefined);
  if (places.length > 1) bad([...path, places[1] ?? ''], message('keep_one_of', { options: places }));
  if (word && column.unknownWords === 'keep') {
    bad([...path, 'unknownWords'], message('api_takes_no_others', {}));
  }
  if (column.currency !== undefined && !isCurrencyCode(column.currency)) {
    bad([...path, 'currency'], message('expected_currency_code', {}));
  }
  const wrong = column.pattern === undefined ? undefined : patternProblem(column.pattern, column.group);
  if (wrong !== undefined) bad([...path, 'pattern'], wrong);
  checkWords(target, column, custom, bad);
}

function checkWords(target: string, column: ColumnOptions, custom: boolean, bad: Bad): void {
  const path = ['columns', target];
  if (isWordField(target)) {
    for (const answer of ['yes', 'no'] as const) {
      const value = column[answer];
      if (value !== undefined) checkMeaning(target, String(value), [...path, answer], bad);
    }
  }
  for (const [word, meaning] of Object.entries(column.words ?? {})) {
    const at = [...path, 'words', word];
    if (isWordField(target)) {
      const pairs = typeof meaning === 'object' ? Object.entries(meaning) : [[target, String(meaning)]];
      for (const [field = '', value = ''] of pairs) {
        if (isWordField(field)) checkMeaning(field, value, at, bad);
        else if (!field.startsWith(CUSTOM_PREFIX) || !isTarget(field)) {
          bad(
            at,
            message('expected_of', { words: `${WORD_FIELD_NAMES}, ${CUSTOM_PREFIX}NAME`, found: field }),
          );
        }
      }
    } else if (typeof meaning === 'object') bad(at, message('only_take_map', { fields: WORD_FIELD_NAMES }));
    else if (!custom && typeof meaning !== 'string')
      bad(
        at,
        message('expected_found', {
          expected: message('a_text', {}),
          found: message('verbatim', { text: String(meaning) }),
        }),
      );
  }
}

function checkMeaning(field: WordField, value: string, at: string[], bad: Bad): void {
  if (!(WORD_FIELDS[field] as readonly string[]).includes(value)) {
    bad(at, message('expected_of', { words: WORD_FIELDS[field].join(', '), found: value }));
  }
}
