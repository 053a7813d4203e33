import type { CELLS, WHOLE_COLUMNS } from '../params/cells.ts';
import type { TextsOf } from '../texts.ts';
import { count, quoted } from './format.ts';

export const EN_CELLS: TextsOf<typeof CELLS & typeof WHOLE_COLUMNS> = {
  filled_down: ({ column, text }) => `${column} filled down: ${JSON.stringify(text)}`,
  corrected: ({ column, letter = '', from, to }) =>
    `${column || `column ${letter}`} corrected from ${JSON.stringify(from)} to ${JSON.stringify(to)}`,
  taken_as_item: () => 'taken as an item, although it looks like a total or a statistic',
  read_as: ({ field, text, value, isRange }) =>
    `${field} ${quoted(text)} was read as ${value}${isRange ? ', the lower end of the range' : ''}`,
  taken_as: ({ field, text, value }) =>
    `${field} ${quoted(text)} was ${value === '' ? 'given its likeliest meaning' : `read as ${value}`}; the word itself is kept in a custom field`,
  year_kept: ({ text }) =>
    `release_year ${quoted(text)} is kept in custom_fields.year: the API accepts 1968 to 2100`,
  date_kept: ({ text }) =>
    `release_year is the year of ${quoted(text)}, which is kept in custom_fields.release_date`,
  filler_row: ({ text }) => `The row has no name and no entered value, only ${quoted(text)}`,
  converted: ({ field, currency, from, rate, to }) =>
    `${field} converted: ${currency} ${from} × ${rate} = ${to}`,
  likely_words: ({ column, header, cells, text, as }) =>
    `${column} (${header}): ${cells === 1 ? '1 word without an exact counterpart was' : `${count(cells)} words without an exact counterpart were`} given ${cells === 1 ? 'its' : 'their'} likeliest meaning${as === '' ? '' : ` (${quoted(text)} as ${as})`}; the ${cells === 1 ? 'word itself is kept in a custom field' : 'words themselves are kept in a custom field'}`,
  years_kept: ({ column, header, cells, text }) =>
    `${column} (${header}): ${cells === 1 ? '1 year' : `${count(cells)} years`} outside 1968 to 2100 (${quoted(text)}) ${cells === 1 ? 'is' : 'are'} kept in custom_fields.year`,
  dates_kept: ({ column, header, cells, text }) =>
    `${column} (${header}): the year of ${cells === 1 ? '1 date' : `${count(cells)} dates`} goes into release_year, and the whole text (${quoted(text)}) is kept in custom_fields.release_date`,
  fillers_left_out: ({ column, header, cells, text }) =>
    `${column} (${header}): ${cells === 1 ? '1 row has' : `${count(cells)} rows have`} no name and no entered value, only ${quoted(text)}: left out`,
  cells_blank: ({ column, header, cells, texts }) =>
    `${column} (${header}): ${cells === 1 ? '1 cell counts' : `${count(cells)} cells count`} as blank (${texts.map(quoted).join(', ')})`,
  secret_not_sent: ({ column, header }) =>
    `${column} (${header}) looks like a password, an access token or a payment card number: it is not sent`,
  decimal_decided: ({ column, header, isComma }) =>
    `${column} (${header}) uses a decimal ${isComma ? 'comma' : 'point'}, as its unambiguous amounts show`,
  currency_not_sent: ({ column, header, values, currencies }) =>
    `${values === 1 ? '1 value' : `${count(values)} values`} in ${column} (${header}) ${values === 1 ? 'has' : 'have'} a currency (${currencies}), which is not sent: the service sets the currency of an item`,
  approximate_read: ({ column, header, values, ranges, text, as }) =>
    `${column} (${header}): ${values === 1 ? '1 approximate value was' : `${count(values)} approximate values were`} read${ranges === 0 ? '' : ranges === 1 ? ', including 1 range, of which the lower end was taken' : `, including ${count(ranges)} ranges, of which the lower ends were taken`} ("${text}" as ${as})`,
  long_numbers_kept: ({ column, header, text }) =>
    `${column} (${header}): a spreadsheet program has shortened long numbers, which are kept as they are: ${quoted(text)}`,
  commas_in_tags: ({ column, header, cells, text }) =>
    `${column} (${header}): ${cells === 1 ? '1 cell with a comma is' : `${count(cells)} cells with commas are each`} read as one tag, such as ${quoted(text)}, because tags are split only at ; and |.`,
};
