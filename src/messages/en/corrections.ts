import type { CORRECTIONS } from '../params/corrections.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, quoted } from './format.ts';

export const EN_CORRECTIONS: TextsOf<typeof CORRECTIONS> = {
  what_do_blanks_mean: ({ header, rows, blank }) =>
    `${header} is blank in ${count(blank)} of ${counted(rows, 'row')}, each time below a filled cell: what do the blank cells mean?`,
  same_as_above: ({ cells }) => `The same as the cell above: fill in ${counted(cells, 'cell')}.`,
  leave_them_blank: () => 'Nothing: leave them blank.',
  decide_later: () => 'Decide later.',
  leave_rows_out: ({ rows }) => `Leave out ${counted(rows, 'row')} with this problem.`,
  leave_remaining_out: () => 'Leave out all rows that still have this problem.',
  rows_with_problem: ({ rows, problem, place, values, isMore }, say) =>
    `${counted(rows, 'row')}: ${say(problem)}${place === undefined ? '' : ` (${place})`}${values.length === 0 ? '' : `: ${values.join(', ')}${isMore ? ' …' : ''}`}`,
  take_likeliest_of_all: ({ words }) =>
    words === 1
      ? 'Take the likeliest meaning, and keep the word itself in a custom field.'
      : `Take the likeliest meanings of all ${counted(words, 'word')}, and keep the words themselves in a custom field.`,
  take_likeliest_from_here: () => 'Take the likeliest meanings from here on.',
  a_word: ({ word }) => word,
  a_meaning: ({ meaning, keptIn }) =>
    `${meaning}${keptIn.length === 0 ? '' : `, and the word itself is kept in ${keptIn.join(', ')}`}`,
  ignore_word: () => 'Ignore this word: leave the field blank.',
  what_does_word_mean: ({ header, word, rows }) =>
    `${header}: what does ${quoted(word)} mean? (${counted(rows, 'row')})`,
  convert_amounts: ({ to }) =>
    `Convert the amounts${to === undefined ? '' : ` to ${to}`} at a rate that you give.`,
  rate_of: ({ from, to = ITEMS }) => `1 ${from} in ${to}, such as 0.92`,
  what_is_rate: ({ rows, atLeast, from, to }) =>
    `${atLeast ? 'at least ' : ''}${counted(rows, 'row is', 'rows are')} in ${from}${to === undefined ? '' : `, your items in ${to}`}: what is 1 ${from} in ${to ?? ITEMS}?`,
  what_is_rate_to_most: ({ rows, atLeast, from, to }) =>
    `${atLeast ? 'at least ' : ''}${counted(rows, 'row is', 'rows are')} in ${from}, most others in ${to}: what is 1 ${from} in ${to}?`,
  leave_cells_blank: ({ cells }) => `Leave ${cells === 1 ? 'this cell' : 'these cells'} blank.`,
  amounts_as_others: ({ currency }) => `They are in ${currency}, like the other amounts of the column.`,
  amounts_as_items: ({ currency }) => `They are in ${currency}, like your items.`,
  read_them: ({ readings }, say) => `Read them: ${readings.map(say).join(', ')}.`,
  read_them_as_near: () => 'Read them as precisely as the text allows.',
  text_is: ({ text, value }) => `${quoted(text)} is ${value}`,
  year_blank_and_kept: () => 'Leave the year blank, and keep the actual year in custom_fields.year.',
  year_blank: () => 'Leave the year blank.',
  comma_is_thousands: ({ text }) => `${text}: the comma separates thousands.`,
  comma_is_decimal: ({ text }) => `${text}: the comma is the decimal mark.`,
  which_collection: ({ name, rows }) =>
    `Your team has no collection ${quoted(name)} (${counted(rows, 'row')}). Where do the items go?`,
  into_other_collection: () => 'Into a collection of your team.',
  name_of_collection: () => 'Name or id of the collection',
  give_one_name: () => 'Give them all the same name.',
  a_name: () => 'Name',
  it_is_an_item: ({ rows }) =>
    rows === 1 ? 'It is an item: import it.' : `They are items: import all ${counted(rows, 'row')}.`,
  only_row_is_an_item: ({ row }) => `Only row ${row} is an item.`,
  job_is_cancelled: ({ job }) => `Job ${job} was cancelled.`,
  keep_public_columns: ({ kept, columns }, say) =>
    `${say(kept)} Everybody can see the collection. Keep ${columns === 1 ? 'it' : 'them'}?`,
  to_send_after_all: () => 'To send it after all',
  import_file_again: () => 'Import the file again.',
  years_from: ({ first, last }) => `They are years from ${first} to ${last}.`,
  to_give_meanings: () => 'To say what they mean',
  to_name_collections: () => 'To choose a collection for each',
  to_give_name: () => 'To give it a name',
  to_convert: ({ rates }) => `To convert them (RATE: ${rates.join(', ')})`,
  take_cells_whole: () => 'Take the cells as they are.',
  in_template: ({ field, spec }) => `In a template, under columns: ${field}: { ${spec} }`,
  in_template_if_right: ({ field, spec }) =>
    `If the numbers are right as they are, in a template, under columns: ${field}: { ${spec} }`,
  name_in_template: () => 'In a template, under defaults: { name: … }, or fill the cells in.',
  format_as_text: () =>
    'Format the column as text in the spreadsheet program, type the numbers again, and save.',
  correction_without_row: () => 'To correct rows, name the rows.',
  to_say_row: () => 'To name the rows',
  row_without_correction: ({ rows }) => `Row ${rows} has no correction.`,
  to_correct_by_set: () => 'To correct a cell',
  to_correct_by_item: () => 'To name the item that the row refers to',
  to_correct_by_accept: () => 'To accept the row as an item',
  to_correct_by_omit: () => 'To leave the row out',
  bad_change: ({ change, problem }, say) => `${say(change)}: ${say(problem)}. Nothing was changed.`,
  change_map: ({ column, field }) => `column ${column} → ${field}`,
  change_ignore: ({ column }) => `column ${column} is not used`,
  change_keep: ({ column }) => `column ${column} is kept as a custom field`,
  change_word: ({ field, word, meaning }) => `${field}: ${word} → ${meaning || 'nothing'}`,
  change_default: ({ field, value }) => `${field}: ${value || 'nothing'} for rows without a value`,
  change_option: ({ field, option, value }) => `${field}: ${option} ${value}`,
  change_option_removed: ({ field, option }) => `${field}: ${option} as usual`,
  change_condition: ({ values, tests }, say) => `${values} where ${tests.map(say).join(' and ')}`,
  tests_pass: ({ tests }, say) => tests.map(say).join(' and '),
  change_skip: ({ tests }, say) => `rows left out where ${tests.map(say).join(' and ')}`,
  change_cell: ({ row, column, text }, say) => `${say(row)}, ${column}: ${JSON.stringify(text)}`,
  change_omit: ({ row }, say) => `${say(row)} left out`,
  change_item: ({ row, item }, say) => `${say(row)} is item ${item}`,
  change_accept: ({ row }, say) => `${say(row)} is an item`,
  change_accept_reason: ({ code }) => `rows that have ${code} are items`,
  change_template: () => 'read without a template',
  change_omit_reason: ({ code, column }) =>
    `rows left out that have ${code}${column === undefined ? '' : ` in column ${column}`}`,
  test_is: ({ columns, words }) => `${columns.join(' or ')} is ${words.join(' or ')}`,
  test_is_not: ({ columns, words }) => `${columns.join(' or ')} is not ${words.join(' or ')}`,
  test_matches: ({ columns, pattern }) => `${columns.join(' or ')} matches ${pattern}`,
  test_blank: ({ columns }) => `${columns.join(' or ')} is blank`,
  test_filled: ({ columns }) => `${columns.join(' or ')} is filled`,
  no_field_expected: ({ field, expected }) => `there is no field ${quoted(field)}; expected ${expected}`,
  no_problem_of_code: ({ meant }) =>
    `no problem has this code${meant === undefined ? '' : `; the nearest is ${meant}`}`,
  only_taken_with: ({ code }) => `only rows with ${code} can be accepted as they are`,
  only_new_without_template: ({ job }) =>
    `Job ${job} changes existing items: its template also says how to find them, so it cannot be left out.`,
  ids_not_corrected: () =>
    'ids of items cannot be corrected here: import the file again, and map its columns',
  no_column_of_job: ({ column, columns }, say) =>
    `there is no column ${quoted(column)}; the columns are ${say(columns)}`,
  no_row_with_data: ({ row }) => `the file has no row ${row} with data`,
  several_sheets_have_row: ({ row, sheets }) => `several sheets have a row ${row}: ${sheets.join(', ')}`,
  row_no_total: ({ row }) => `row ${row} does not look like a total`,
  row_sent_already: ({ row }) => `row ${row} was already sent`,
  cannot_mark: ({ file, why }, say) => `The wrong cells of ${file} cannot be marked: ${say(why)}.`,
  is_no_plain_xlsx: () => 'this works only for .xlsx workbooks without a password',
  is_unusual_xlsx: () => 'it was written by a program that writes workbooks in an unusual way',
  was_changed_since: () => 'it has changed since it was read',
  sheet_is_gone: ({ sheet }) => `it has no sheet ${quoted(sheet)}`,
  too_large_to_mark: ({ megabytes }) => `it is larger than ${megabytes} MB when unpacked`,
  too_many_to_mark: ({ most }) => `more than ${counted(most, 'cell is', 'cells are')} wrong`,
  returned_differs: ({ job, why }, say) => `Job ${job} is unchanged: ${say(why)}.`,
  returned_other_columns: () => 'the workbook now has different columns, or a different sheet',
  returned_too_different: ({ most }) =>
    `the workbook differs in more than ${counted(most, 'cell')}, or its rows are in another order`,
  returned_has_more: ({ rows }) =>
    `rows were added to the workbook (${rows.join(', ')}); import them as a separate file`,
  returned_was_sorted: ({ row }) =>
    `the rows of the workbook are in another order (from row ${row} on), so they cannot be matched`,
  returned_has_options: ({ job, options }) =>
    `This workbook continues job ${job}, which was read without these options: ${options.join(', ')}.`,
  returned_continues: ({ job, changes, sent }) =>
    `The workbook continues job ${job}: ${changes === 0 ? 'no cell was corrected' : counted(changes, 'correction')}.${sent === 0 ? '' : ` ${counted(sent, 'row')} that ${sent === 1 ? 'differs was' : 'differ were'} sent before and ${sent === 1 ? 'is' : 'are'} not sent again.`}`,
  correct_rejects_file: () => 'Correct the rows in the rejects file, and import that file.',
  leave_options_out: () => 'Leave the options out, or import the whole file as a new one.',
  item_matches_not: ({ row, item }) => `item ${item} is not one of those that match row ${row}`,
};

const ITEMS = 'the currency of your items';
