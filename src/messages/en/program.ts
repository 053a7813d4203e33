import type { PROGRAM } from '../params/program.ts';
import type { TextsOf } from '../texts.ts';
import { quoted } from './format.ts';

export const EN_PROGRAM: TextsOf<typeof PROGRAM> = {
  option_is: ({ of, option, found, problem }, say) =>
    `${of === undefined ? '' : `${of}: `}${option} is ${say(found)}; ${say(problem)}.`,
  option_missing: ({ of, option, problem }, say) => `${of}: ${option} is missing; ${say(problem)}.`,
  call_wrong: ({ of, problem }, say) => `${of}: ${say(problem)}.`,
  options_are_not: ({ of, found }, say) => `${of}: the options are ${say(found)}; expected an object.`,
  unknown_option: ({ of, name }) => `${of} has no option ${quoted(name)}.`,
  options_are: ({ options }) => `The options are ${options.join(', ')}.`,
  run_without_job: ({ run, state }) =>
    `${run} is a worker run that has no job${state === undefined ? '' : `; its state is ${state}`}.`,
  expected_job: () => 'The job is not a string: expected a job id, its first characters, or last.',
  a_store: () => 'a path, postgres://… or :memory:',
  not_a_ledger: () => 'store is not a ledger: expected a location, or a ledger from openLedger.',
  changes_of_no_kind: () => 'the changes are neither an object nor a list of strings',
  change_of_no_kind: ({ field }) =>
    `${field} is neither a value nor one of { times }, { plus } and { minus } with a number`,
  tags_of_no_kind: () => 'tags are neither a list of strings nor { add, remove } with lists',
  no_rows_given: ({ file }) => `${file}: there are no rows.`,
  map_left_all_out: () => 'The mapping function left all rows out.',
  mapping_failed: ({ row, detail }) => `The mapping function failed at row ${row}: ${detail}`,
  map_gave_unknown_field: ({ row, field }) =>
    `The mapping function returned the field ${quoted(field)} for row ${row}, but there is no such field.`,
  bad_row: ({ row, mapped, found, expected }, say) =>
    `${mapped ? 'The result of the mapping function for row' : 'Row'} ${row} ${say(found)}; expected ${say(expected)}.`,
  row_is: ({ found }, say) => `is ${say(found)}`,
  row_has: ({ found, header }, say) => `has ${say(found)} in ${header}`,
  row_not_plain: ({ detail }) => `is not plain data (${detail})`,
  row_has_json: ({ header }) => `has text that looks like JSON in ${header}`,
  an_object_of_columns: () => 'an object with a key for each column',
  an_object_of_values: () => 'an object of strings and numbers',
  the_object_itself: () => 'the object itself',
  a_cell: () => 'a string, number, boolean, date, list of strings or null',
  a_secret_key: () => 'the secret key of the API',
  shelf_closed: () => 'The shelf is closed.',
  an_item_id: () => 'an item id, or its first characters',
  map_version_alone: () => 'mapVersion belongs to a mapping function, and map is not a function',
  a_map_version: () => 'a string that changes with the function',
  give_map_version: () => "Set mapVersion: '1', and change it whenever the function maps differently.",
  map_and_option: ({ option }) =>
    `${option} and a mapping function both define how rows are read. Give only one of them`,
  map_reads_one_sheet: () => 'a mapping function reads one sheet at a time; expected its name',
  expected_one_source: ({ given }) =>
    `Expected one of { file }, { rows } and { stream }; found ${given.length === 0 ? 'none of them' : given.join(' and ')}.`,
  source_name_no_text: () => 'The name of the source is not a string.',
  source_file_no_path: () => 'file is not a path: expected a string.',
  source_rows_not_iterable: () =>
    'rows cannot be iterated: expected an array, or an (async) iterable of objects.',
  source_stream_no_stream: () => 'stream is not a stream: expected a Node stream or a Web stream of bytes.',
  stream_failed: ({ name, detail }) => `The stream ${quoted(name)} failed: ${detail}`,
  a_shared_store: () => 'a store that other processes can open',
  a_path_or_object: () => 'a path, or an object',
  a_location: () => 'a location, or a ledger from openLedger',
  no_results_or_place: () => 'false, a folder or a stream',
  a_template: () => 'the name or path of a template, or a template',
  a_mapping: () => 'a function, or an object of fields and columns',
  a_path_or_stream: () => 'a path or a stream',
  a_layout: () => 'the name or path of a layout, or a layout',
  an_action_that_mends: () => 'an action that corrects rows',
  the_item_id: () => 'the id of an item',
};
