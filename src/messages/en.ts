/** What people read, in English. A text is a part of a line or whole sentences, as the place of its code asks. */
import { count, counted } from '../counted.ts';
import type { Texts } from './texts.ts';

export const EN: Texts = {
  verbatim: ({ text }) => text,
  tab: () => 'tab',
  decimal_comma: () => 'decimal comma',
  decimal_point: () => 'decimal point',
  decimal_both: () => 'decimal comma and point',
  sheet: ({ sheet }) => `sheet "${sheet}"`,
  header_row: ({ row }) => `header in row ${row}`,
  header_rows: ({ first, last }) => `header in rows ${first} and ${last}`,
  headless: () => 'no header',
  rows_given: ({ rows }) => counted(rows, 'row'),
  rows_left_out_by_map: ({ rows }) => `The mapping function left ${counted(rows, 'row')} out.`,
  column_unnamed: ({ column }) => `column ${column} has data but no header`,
  header_repeated: ({ header, columns }) => `header "${header}" is in columns ${columns.join(', ')}`,
  block_before_not_read: ({ column }) => `the block beside the table, before column ${column}, is not read`,
  block_after_not_read: ({ column }) => `the block beside the table, from column ${column} on, is not read`,
  hidden_rows_read: ({ rows }) => `hidden rows were read too: ${rows}`,
  hidden_columns_read: ({ columns }) => `hidden columns were read too: ${columns.join(', ')}`,
  hidden_sheets_not_read: ({ sheets }) => `hidden sheets were not read: ${sheets.map(quoted).join(', ')}`,
  other_sheets_left_out: ({ sheets }) =>
    `sheets with other columns were left out: ${sheets.map(quoted).join(', ')}`,
  other_sheets_not_read: ({ sheet, others }) =>
    `Only the sheet "${sheet}" is read. The workbook also contains ${others.map(quoted).join(', ')}.`,
  late_accents: ({ encoding }) =>
    `the first accents come late in the file and are not UTF-8: they are read as ${encoding}`,
  odd_quotes: ({ rows, line }) =>
    `${counted(rows, 'row has', 'rows have')} quotes that do not follow the rules of CSV (the first in line ${line}): quotes around a whole cell were removed, others are read as text`,
  encoding_doubtful: ({ encoding, other }) =>
    `The text may be ${encoding} or ${other}, and is read as ${encoding}. Check the accented letters.`,
  first_row_is_data: () =>
    'the first row is data: the file has no column names, and its columns are named by letter',

  by_name: () => 'by name',
  by_values: () => 'by its values',
  by_synonym: ({ word }) => `synonym "${word}"`,
  by_person: () => 'chosen',
  by_match: () => 'identifies the item',
  only_for_match: () => 'only for matching',
  not_known: () => 'not known',
  own_column: () => 'begins with _',
  without_header: () => 'no header',
  read_only: () => 'read-only',
  looks_secret: () => 'looks like a password, an access token or a payment card number',
  kept: () => 'kept as a custom field',
  from_template: () => 'template',
  template_ignores: () => 'template says ignore',
  template_skips_rows: () => 'template: says which rows are skipped',
  template_decides: ({ fields }) => `template: decides ${fields.join(', ')}`,
  template_ticked: () => 'template: a tag where it is ticked',
  bad_custom_key: () => 'not a key that a custom field can have',
  values_contradict: () => 'its values contradict its header',
  ids_are_given: () => 'the service assigns ids; they are used only to update items',
  field_from_template: ({ field }) => `${field} is set by the template`,
  field_from_other: ({ field, column }) => `${field} is taken from column ${column}`,
  together_with: ({ header }) => `together with "${header}"`,
  currency_of: ({ header }) => `the currency of ${header}`,
  quantity_unused: () => 'not used: a number of pieces',
  different_texts: ({ texts, cells }) => `${counted(texts, 'different text')} in ${counted(cells, 'cell')}`,
  cells_are: ({ cells, of, what }, say) =>
    cells === of
      ? `all ${of} filled cells are ${say(what)}`
      : `${cells} of ${of} filled cells are ${say(what)}`,
  years: () => 'years',
  dates_with_year: () => 'dates with a year',
  amounts: () => 'amounts',
  amounts_with_currency: () => 'amounts, with a currency',
  yes_or_no: () => 'yes or no',
  yes_or_no_packaging: () => 'yes or no, read as in_package or loose',
  words_of_grading: () => 'words of grading',
  words_of_condition: () => 'words of condition',
  words_of_packaging: () => 'words of packaging',
  words_of_status: () => 'words of status',
  approximate_too: ({ what, cells }, say) => `${say(what)}, ${cells} of them approximate`,
  header_points: ({ what }, say) => `the header points to it, and ${say(what)}`,
  hundredths: ({ what }, say) => `hundredths (1250 is 12.50), and ${say(what)}`,
  may_be_paid: ({ what }, say) => `the header may also mean what was paid, and ${say(what)}`,
  both: ({ first, second }, say) => `${say(first)}; ${say(second)}`,
  rival: ({ what, header, column, field }, say) =>
    `${say(what)}; but ${header === '' ? `column ${column}` : `"${header}" (column ${column})`} ${field === 'estimated_value' ? 'is money too' : `may be the ${field} too`}`,
  ticked: ({ cells }) =>
    `a tag where it is ticked: ${cells === 1 ? 'its one cell says' : `all ${cells} cells say`} yes or no`,

  filled_down: ({ column, text }) => `${column} filled down: ${JSON.stringify(text)}`,
  corrected: ({ column, from, to }) =>
    `${column} corrected from ${JSON.stringify(from)} to ${JSON.stringify(to)}`,
  taken_as_item: () => 'taken as an item, although it looks like a figure about the table',
  read_as: ({ field, text, value, isRange }) =>
    `${field} ${quoted(text)} was read as ${value}${isRange ? ', its lower end' : ''}`,
  taken_as: ({ field, text, value }) =>
    `${field} ${quoted(text)} was taken as ${value === '' ? 'its likeliest meaning' : value}; the word stays in a custom field`,
  year_kept: ({ text }) =>
    `release_year ${quoted(text)} stays in custom_fields.year: the API takes 1968 to 2100`,
  date_kept: ({ text }) =>
    `release_year is the year of ${quoted(text)}, which stays in custom_fields.release_date`,
  converted: ({ field, currency, from, rate, to }) =>
    `${field} converted: ${currency} ${from} × ${rate} = ${to}`,

  secret_not_sent: ({ column, header }) =>
    `${column} (${header}) looks like a password, an access token or a payment card number: it is not sent`,
  decimal_decided: ({ column, header, isComma }) =>
    `${column} (${header}) has a decimal ${isComma ? 'comma' : 'point'}: decided from the amounts that have one reading`,
  currency_not_sent: ({ column, header, values, currencies }) =>
    `${values === 1 ? '1 value' : `${values} values`} in ${column} (${header}) had a currency (${currencies}), which is not sent: the service decides the currency of an item`,
  approximate_read: ({ column, header, values, ranges, text, as }) =>
    `${column} (${header}): ${values === 1 ? '1 approximate value was' : `${values} approximate values were`} read${ranges === 0 ? '' : ranges === 1 ? ', 1 range by its lower end' : `, ${ranges} ranges by their lower end`} ("${text}" as ${as})`,
  likely_words: ({ column, header, cells, text, as }) =>
    `${column} (${header}): ${cells === 1 ? '1 word without an exact counterpart was' : `${count(cells)} words without an exact counterpart were`} taken by ${cells === 1 ? 'its' : 'their'} likeliest meaning${as === '' ? '' : ` (${quoted(text)} as ${as})`}; the ${cells === 1 ? 'word stays in a custom field' : 'words stay in a custom field'}`,
  years_kept: ({ column, header, cells, text }) =>
    `${column} (${header}): ${cells === 1 ? '1 year' : `${count(cells)} years`} outside 1968 to 2100 (${quoted(text)}) ${cells === 1 ? 'stays' : 'stay'} in custom_fields.year`,
  dates_kept: ({ column, header, cells, text }) =>
    `${column} (${header}): the year of ${cells === 1 ? '1 date' : `${count(cells)} dates`} is release_year, and the whole text (${quoted(text)}) stays in custom_fields.release_date`,
  long_numbers_kept: ({ column, header, text }) =>
    `${column} (${header}): a spreadsheet program has shortened long numbers, which are kept as they are: ${quoted(text)}`,
  commas_in_tags: ({ column, header, cells, text }) =>
    `${column} (${header}): ${cells === 1 ? '1 cell with a comma is' : `${cells} cells with commas are each`} one tag, such as ${quoted(text)}, because tags are split at ; and |.`,

  already_imported: ({ job }) => `Job ${job} has already imported this file: an import would send nothing.`,
  left_out_of_public: ({ columns }) =>
    `${counted(columns.length, 'column')} that nothing maps (${columns.join(', ')}) ${columns.length === 1 ? 'is' : 'are'} left out, because everybody can see the collection.`,
  kept_columns: ({ columns }) =>
    `${counted(columns.length, 'column')} that nothing maps (${columns.join(', ')}) ${columns.length === 1 ? 'is kept as a custom field' : 'are kept as custom fields'}.`,
  held_for_quantity: ({ rows, key }) =>
    `${counted(rows, 'row is', 'rows are')} held, because more items have the same ${key} than the quantity says.`,
  could_fill_down: ({ header, rows, blank }) =>
    `${header} is blank in ${count(blank)} of ${counted(rows, 'row')}, each time below a filled one.`,
  template_used: ({ template }) => `The columns are those of the template ${template}, which is used.`,
  template_matches: ({ template }) => `The columns are those of the template ${template}.`,
  answers_remembered: ({ day, columns }) =>
    `Columns as confirmed on ${day} for these headers: ${columns.join('; ')}.`,
  together_the_name: ({ headers, text }) =>
    `${headers.map(quoted).join(' and ')} together are the name, such as ${quoted(text)}.`,
  words_do_not_fit: ({ header, field, cells, of, texts }) =>
    `${quoted(header)} is not read as ${field}, because its words do not fit (${cells} of ${counted(of, 'cell')} ${cells === 1 ? 'does' : 'do'}: ${texts.map(quoted).join(', ')}).`,
  collections_not_known: ({ header, texts, collection }) =>
    `${quoted(header)} names no collection of your team (${texts.map(quoted).join(', ')}): the rows go to ${collection}, and the column is kept as a custom field.`,
  column_taken: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} is likely, and used (${say(reason)}).`,
  column_guessed: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} is a guess, and not used (${say(reason)}).`,
  no_item_matches: () => 'No item matches: there is nothing to change.',

  to_read_as: ({ encoding }) => `To read it as ${encoding}`,
  to_make_copies: () => 'To make several items of one row',
  to_split_at_commas: () => 'To split at commas',
  to_read_strictly: () => 'To decide it yourself, before anything is sent',
  to_read_without_it: () => 'To read the file without it',
  to_read_by_it: () => 'To read the file by it',
  to_use_it: () => 'To use it',
  to_use_one_of_them: () => 'To use one of them',
  to_read_it_so: () => 'To read it so',
  to_read_one_otherwise: () => 'To read one otherwise',
  to_fill_down: () => 'To take the value above, before anything is sent',
  to_keep: ({ columns }) => `To keep ${columns === 1 ? 'it' : 'them'}`,
  to_leave_out: ({ columns }) => `To leave ${columns === 1 ? 'it' : 'them'} out`,
  to_see_them: () => 'To see them',
  to_read_other_sheets: () => 'To read them',
};

function quoted(text: string): string {
  return `"${text}"`;
}
