/** Errors about columns, collections and templates. */
import type { CodeGroup } from './entry.ts';

export const COLUMNS = {
  no_name_column: {
    cause: "No column holds the item's name.",
    remedy:
      'Choose one: --map name=HEADER. If the whole table is in one column, set the delimiter: --delimiter ";"',
  },
  unsure_mapping: {
    cause:
      'Some columns were recognised only by their values, and there was no terminal to ask for confirmation.',
    remedy: 'Check the columns in the message. To accept them: --yes. To change one: --map FIELD=COLUMN',
  },
  transposed_table: {
    cause: 'The first column holds the names of fields, and each item is a column.',
    remedy:
      'Swap rows and columns: copy the table, and use Paste Special, Transpose. If each row is an item: --map name=COLUMN',
  },
  unsure_encoding: {
    cause: 'The file may be in one of two encodings, and shelflift could not ask which.',
    remedy: 'Look at the accented letters with --dry-run; then add --yes, or --encoding NAME.',
  },
  unknown_field: {
    cause: '--map or --default names a field that does not exist.',
    remedy: 'Choose one of the fields in the message.',
  },
  unknown_column: {
    cause: 'The file has no column of that name, or a rejects file has a column that its job does not have.',
    remedy: 'Choose one of the columns in the message, or say what the added column is.',
  },
  duplicate_column: {
    cause: 'Two columns have the same header, or would fill the same field.',
    remedy: 'Choose one by its letter: --map FIELD=LETTER',
  },
  missing_column: {
    cause: 'The file lacks a column that the template requires, or a rejects file lacks a column of its job.',
    remedy: 'Put the column back, name the matching column with --map FIELD=COLUMN, or use another template.',
  },
  bad_default: {
    cause: 'The value from --default or the template is not valid for its field.',
    remedy: 'Give a value of the kind that the message names.',
  },
  bad_pair: {
    cause: 'A flag that expects NAME=VALUE has something else.',
    remedy: 'Write it as the message shows.',
  },
  bad_rate: {
    cause:
      'A rate converts nothing: no column is mapped to estimated_value, or the items are in that currency already.',
    remedy: 'Leave the rate out, or name the currency of the cells: --rate EUR=1.08 for euros',
  },
  default_in_update: {
    cause:
      'In an update, a default has no effect on a field that has a column: blank cells leave the field alone.',
    remedy: 'Fill the cells in, or set the field in all items: shelflift set FIELD=VALUE --from FILE',
  },
  match_without_mode: {
    cause: '--match needs --mode update or --mode upsert.',
    remedy: 'Add the mode, or remove --match.',
  },
  no_sheet_column: {
    cause: 'The column _sheet of a results or rejects file was deleted, and its job has read several sheets.',
    remedy:
      'Copy the column from the file that the job wrote (jobs results ID), or correct the job (jobs mend ID).',
  },
  no_match_column: {
    cause: 'The file has no column for a field that --match uses.',
    remedy: 'Map a column to that field with --map FIELD=COLUMN, or match by another field.',
  },
  read_differently: {
    cause:
      'A rejects or results file has rows of several jobs or sheets that were read in different ways, with options or corrections.',
    remedy: 'Import the file of each job, repeat the options, or correct the job (jobs mend ID).',
  },
  bad_choice: {
    cause: 'The flags contradict each other, or none of them says which items to change.',
    remedy: 'Give the flags that the message names.',
  },
  bad_stamp: {
    cause: '--stamp does not name a custom field.',
    remedy: 'Write it as --stamp custom_fields.NAME',
  },
  no_collection: {
    cause: 'Nothing says which collection the items belong to.',
    remedy: 'Add --collection NAME, or --map collection=HEADER.',
  },
  unknown_collection: {
    cause: 'Your team has no collection with that name or id.',
    remedy: 'Choose one of the names in the message.',
  },
  ambiguous_collection: {
    cause: 'Several collections have that name.',
    remedy: 'Give the id of the right one.',
  },
  no_such_recipe: {
    cause: 'The store has no recipe of this name.',
    remedy: 'To see the recipes: shelflift template list',
  },
  bad_recipe: {
    cause: 'The name of a recipe has characters that are not allowed.',
    remedy: 'Use letters, digits, spaces, dots and hyphens.',
  },
  no_such_template: {
    cause: 'There is no template or file of that name.',
    remedy: 'List the templates: shelflift template list',
  },
  bad_template: {
    cause: 'The template has errors; the message gives the line and column of each.',
    remedy: 'Correct those lines. To see a correct template: shelflift template show generic',
  },
} as const satisfies CodeGroup;
