/** Columns, collections and templates. */
import type { ErrorGroup } from './entry.ts';

export const COLUMNS = {
  no_name_column: {
    exit: 2,
    cause: "No column is the item's name.",
    remedy: 'Say which one it is: --map name=HEADER. If all stands in one column: --delimiter.',
  },
  unsure_mapping: {
    exit: 2,
    cause: 'What some columns are is told by their values only, and there was nobody to ask.',
    remedy: 'Look at the columns in the message; --yes takes them so, --map FIELD=COLUMN says otherwise.',
  },
  unknown_field: {
    exit: 2,
    cause: '--map or --default names a field that there is not.',
    remedy: 'Choose one of the fields in the message.',
  },
  unknown_column: {
    exit: 2,
    cause: 'A column is named that there is not.',
    remedy: 'Choose one of the columns in the message.',
  },
  duplicate_column: {
    exit: 2,
    cause: 'Two columns have the same header, or would fill the same field.',
    remedy: 'Choose one by its letter: --map FIELD=LETTER.',
  },
  missing_column: {
    exit: 2,
    cause: 'The template wants a column that the file does not have.',
    remedy: 'Name the column that it is with --map, or use another template.',
  },
  bad_default: {
    exit: 2,
    cause: 'The value that --default or the template gives is not possible for its field.',
    remedy: 'Give a value of the kind that the message names.',
  },
  bad_pair: {
    exit: 2,
    cause: 'A flag that takes NAME=VALUE was given something else.',
    remedy: 'Write it as the message shows.',
  },
  default_in_update: {
    exit: 2,
    cause: 'A default was given for an update, which would fill it into every item.',
    remedy: 'Put the value into a column of its own, or leave the default out.',
  },
  match_without_mode: {
    exit: 2,
    cause: '--match was given without --mode update or upsert.',
    remedy: 'Add the mode, or leave --match out.',
  },
  no_match_column: {
    exit: 2,
    cause: 'The file has no column for a field by which items are to be found.',
    remedy: 'Map a column to it with --map, or match by another field.',
  },
  bad_choice: {
    exit: 2,
    cause: 'Flags that do not go together were given, or the one that says which items are meant is missing.',
    remedy: 'Give those that the message names.',
  },
  bad_stamp: {
    exit: 2,
    cause: '--stamp does not name a custom field.',
    remedy: 'Write it as custom_fields.NAME.',
  },
  no_collection: {
    exit: 2,
    cause: 'Nothing says which collection the items go to.',
    remedy: 'Name it: --collection NAME, or --map collection=HEADER.',
  },
  unknown_collection: {
    exit: 2,
    cause: 'Your team has no collection of that name or id.',
    remedy: 'Choose one of the names in the message.',
  },
  ambiguous_collection: {
    exit: 2,
    cause: 'Several collections have that name.',
    remedy: 'Give the id of the one that is meant.',
  },
  no_such_template: {
    exit: 2,
    cause: 'There is no template of that name, and no file either.',
    remedy: 'See the names with: shelflift template list',
  },
  bad_template: {
    exit: 2,
    cause: 'The template has mistakes, each named with its line and column.',
    remedy: 'Mend the lines; compare with: shelflift template show generic',
  },
} as const satisfies ErrorGroup;
