import type { COLUMNS } from '../params/columns.ts';
import type { TextsOf } from '../texts.ts';
import { counted } from './format.ts';

export const EN_COLUMNS: TextsOf<typeof COLUMNS> = {
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
  currency_of: ({ header }) => `the currency of ${header}`,
  together_with: ({ header }) => `together with "${header}"`,
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
};
