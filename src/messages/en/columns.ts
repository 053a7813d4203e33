import type { COLUMNS } from '../params/columns.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, either, list, quoted } from './format.ts';

export const EN_COLUMNS: TextsOf<typeof COLUMNS> = {
  by_name: () => 'by name',
  by_values: () => 'by its values',
  by_synonym: ({ word }) => `synonym "${word}"`,
  by_person: () => 'chosen',
  by_match: () => 'identifies the item',
  only_for_match: () => 'used only to find items',
  not_known: () => 'not known',
  own_column: () => 'begins with _',
  without_header: () => 'no header',
  read_only: () => 'read-only',
  looks_secret: () => 'looks like a password, an access token or a payment card number',
  kept: () => 'kept as a custom field',
  from_template: () => 'template',
  template_ignores: () => 'ignored by the template',
  template_skips_rows: () => 'template: marks the rows to skip',
  template_decides: ({ fields }) => `template: determines ${fields.join(', ')}`,
  template_ticked: () => 'template: adds a tag to each ticked row',
  bad_custom_key: () => 'not a valid key of a custom field',
  values_contradict: () => 'its values contradict its header',
  ids_are_given: () => 'the service assigns ids; they are used only to update items',
  field_from_template: ({ field }) => `${field} is set by the template`,
  field_from_other: ({ field, column }) => `${field} is taken from column ${column}`,
  currency_of: ({ header }) => `the currency of ${header}`,
  together_with: ({ header }) => `together with "${header}"`,
  quantity_unused: () => 'not used: looks like a quantity',
  different_texts: ({ texts, cells }) => `${counted(texts, 'different text')} in ${counted(cells, 'cell')}`,
  cells_are: ({ cells, of, what }, say) =>
    cells === of
      ? `${of === 1 ? 'the filled cells' : `all ${count(of)} filled cells`} are ${say(what)}`
      : `${count(cells)} of ${count(of)} filled cells are ${say(what)}`,
  years: () => 'years',
  dates_with_year: () => 'dates with a year',
  amounts: () => 'amounts',
  amounts_with_currency: () => 'amounts, with a currency',
  yes_or_no: () => 'yes or no',
  yes_or_no_packaging: () => 'yes or no, read as in_package or loose',
  words_of_grading: () => 'grading words',
  words_of_condition: () => 'words for the condition',
  words_of_packaging: () => 'words for the packaging',
  words_of_status: () => 'words for the status',
  approximate_too: ({ what, cells }, say) => `${say(what)}, ${count(cells)} of them approximate`,
  header_points: ({ what }, say) => `the header suggests it, and ${say(what)}`,
  hundredths: ({ what }, say) => `hundredths (1250 is 12.50), and ${say(what)}`,
  may_be_paid: ({ what }, say) => `the header may also mean the purchase price, and ${say(what)}`,
  both: ({ first, second }, say) => `${say(first)}; ${say(second)}`,
  rival: ({ what, header, column, field }, say) =>
    `${say(what)}; but ${header === '' ? `column ${column}` : `"${header}" (column ${column})`} ${field === 'estimated_value' ? 'contains money, too' : `may be the ${field} too`}`,
  ticked: ({ cells }) =>
    `adds a tag to each ticked row: ${cells === 1 ? 'its one cell says' : `all ${count(cells)} cells say`} yes or no`,
  default_in_update: ({ pair, header, field }) =>
    `The default ${pair} has no effect: the column ${quoted(header)} is mapped to ${field}, and in an update its blank cells leave the field unchanged.`,
  fill_cells_in: () => 'Fill the cells in.',
  to_set_whatever: () => 'To set the value in every item',
  no_name_column: ({ columns }, say) =>
    `No column contains the names of the items: the columns are ${say(columns)}.`,
  to_split_column: () => 'The whole table is one column; to split it',
  put_headers_above: () => 'If this row is data, not headers, put a row of headers above it.',
  to_find_by_custom_field: () => 'To find items by a custom field',
  no_sheet_column: ({ job, sheets }) =>
    `The file has no column _sheet, but job ${job} has read ${sheets} sheets: rows with the same number cannot be told apart. Copy the column from the file that the job wrote.`,
  no_match_column: ({ field, columns }, say) =>
    `No column is mapped to ${field}, which identifies the items: the columns are ${say(columns)}.`,
  duplicate_column: ({ columns, header }) =>
    `Columns ${list(columns)} have the same header, ${quoted(header)}.`,
  to_say_which_column: () => 'To name the column',
  map_to_no_field: ({ pair, field }) => `map ${pair}: there is no field ${quoted(field)}.`,
  fields_are: ({ fields }) => `The fields are ${list(fields)}.`,
  map_no_column: ({ pair }) => `map ${pair}: there is no such column.`,
  map_own_column: ({ pair }) =>
    `${pair}: of the columns whose header begins with _, only _item_id can be used, and only as id.`,
  columns_are: ({ columns }, say) => `The columns are ${say(columns)}.`,
  columns_of_table: ({ columns, more }) =>
    `${columns.join(', ')}${more === 0 ? '' : ` and ${count(more)} more`}`,
  template_requires_column: ({ template, field, candidates }) =>
    `Template ${quoted(template)} requires a column for ${field} (${candidates.join(', ')}), but the file has no such column.`,
  template_tests_column: ({ template, purpose, names }, say) =>
    `Template ${quoted(template)} ${say(purpose)} based on column ${either(names)}, but the file has no such column.`,
  skips_rows: () => 'skips rows',
  sets_fields: ({ fields }) => `sets ${fields.join(', ')}`,
  header_is_data: ({ what }, say) => `The row read as the header is data: ${say(what)}.`,
  header_is_kind: ({ header, column, kind }, say) =>
    `${quoted(header)} (column ${column}) is ${say(kind)}, like the cells below it`,
  header_recurs: ({ header, column }) =>
    `${quoted(header)} (column ${column}) also appears in cells below it`,
  kind_year: () => 'a year',
  kind_number: () => 'a number',
  kind_id: () => 'an id',
  kind_code: () => 'a code or an address',
  kind_condition: () => 'a condition',
  kind_packaging: () => 'a kind of packaging',
  to_read_it_as_data: () => 'To read it as data (shelflift then names the columns by letter)',
  if_it_has_names: () => 'If this row does contain the column names',
  transposed_table: ({ column, fields }) =>
    `The table may be transposed: column ${column} holds the names of fields (${fields.join(', ')} …). Nothing was sent.`,
  swap_rows_and_columns: () => 'Swap its rows and columns: copy it, and use Paste Special, Transpose.',
  if_rows_are_items: () => 'If each row is an item',
  to_use_matching_template: () => 'These columns match a shipped template; to use it',
  preset_of_no_field: ({ preset, field }) =>
    `${preset}: ${quoted(field)} is not a field that can have a default.`,
  bad_default: ({ preset, field, what }, say) => `${preset}: ${field} ${say(what)}.`,
  write_two_decimals: ({ field }) =>
    `Write the amount without a thousands separator and with two decimals: ${field}=1250.00 or ${field}=1.25`,
  has_currency: () => 'has a currency, which cannot be sent',
  write_number_alone: () => 'Write only the number, in the currency of the items.',
  not_sent_exactly: ({ text }) => `${quoted(text)} cannot be sent exactly`,
  template_finds_by: ({ template, keys }) =>
    `Template ${quoted(template)} finds items by ${keys.join(', or ')}, but the file has no such column.`,
  no_such_template: ({ name }) => `There is no template ${quoted(name)}.`,
  templates_are: ({ names, path }) =>
    `The templates are ${names.join(', ')}. Give a template of your own as a path, such as ${path}.`,
  template_unreadable: ({ file }) => `The template ${file} cannot be read.`,
};
