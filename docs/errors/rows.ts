/**
 * Causes and remedies of the codes of rows' problems, as in the column `_error_code`.
 *
 * A row's problem does not stop the job. The command exits with 3 if any row was not imported.
 */
import type { RowCode } from '../../src/messages/row-codes.ts';
import type { CodeEntry, CodeGroup } from './entry.ts';

const CORRECT = 'Correct the cell in the rejects file and import that file.';
const LOOKED_UP = 'Nothing to do: the next resume looks the item up before it sends anything again.';

const CELLS = {
  required: {
    cause: 'A required value is missing.',
    remedy: 'Fill in the cell, or set a default: --default FIELD=VALUE',
  },
  too_long: {
    cause: 'The text is longer than the API accepts (255 characters for a name).',
    remedy: 'Shorten it.',
  },
  control_character: { cause: 'The text contains an invisible control character.', remedy: CORRECT },
  broken_character: { cause: 'The text contains an incomplete character.', remedy: CORRECT },
  number_lost: {
    cause: 'The spreadsheet program rounded a long number, such as a bar code, and lost digits.',
    remedy: 'Format the column as text and type the number again.',
  },
  uncertain_mark: {
    cause:
      'The number differs from the earlier one only by its decimal mark. A spreadsheet program in another language may have read 14.875 as 14875.',
    remedy:
      'Format the column as text and type the earlier number again; or, if the new one is right, type it with two decimal places.',
  },
  not_a_number: { cause: 'The cell is not an amount. Amounts are numbers of 0 or more.', remedy: CORRECT },
  not_exact: {
    cause:
      'The result of the change has more digits than can be sent, or its starting value is text, such as 007.',
    remedy: 'Set the value itself: shelflift set FIELD=VALUE',
  },
  negative: { cause: 'The amount is below 0.', remedy: 'Correct it, or leave the cell blank.' },
  ambiguous_number: {
    cause:
      'A number such as 1,234 can be read in two ways, and the other amounts of the file do not show which is right.',
    remedy: 'Choose the decimal mark: --decimal point or --decimal comma',
  },
  wrong_currency: {
    cause:
      'The amount is not in the currency of the item that it would change, or of the items in its collection.',
    remedy: 'Convert it, or import the rows of each currency from a separate file.',
  },
  unclear_currency: {
    cause:
      'The amount shows no currency, and the other amounts of its column show a currency that your items do not have.',
    remedy:
      'Say which currency these amounts are in: shelflift jobs mend ID --option estimated_value:currency=EUR; or in a template, under estimated_value: currency: eur',
  },
  not_a_year: { cause: 'The cell is not a year.', remedy: CORRECT },
  out_of_range: {
    cause: 'The year is not between 1968 and 2100.',
    remedy: 'Correct it; or, in a template, under release_year: outOfRange: keep (or blank)',
  },
  uncertain_year: {
    cause: 'The year is uncertain, or covers several years.',
    remedy: 'Write a single year, or let a template read it: approximate: read',
  },
  two_digit_year: { cause: 'The year has only two digits.', remedy: 'Write all four digits.' },
  unknown_word: {
    cause: 'The field does not accept this word.',
    remedy: 'Use one of the words in the message, or add yours to the words of a template.',
  },
  inexact_word: {
    cause: 'The word is a grade without an exact counterpart in the API.',
    remedy:
      'Accept the suggested meaning. Or, in a template, under condition: set offeredWords: take, or define the word under words.',
  },
  approximate_number: {
    cause: 'The number is approximate, is a range, or has a unit: `ca. 20`, `20-25`, `2x`.',
    remedy: 'Write a single number, or let a template read it: approximate: read',
  },
  no_match: {
    cause: "The cell does not match the template's pattern.",
    remedy:
      'Correct the cell, or say in the template what to do with such cells: noMatch: blank, or noMatch: keep',
  },
  not_an_integer: { cause: 'The cell is not a whole number.', remedy: CORRECT },
  not_yes_or_no: { cause: 'The cell says neither yes nor no.', remedy: CORRECT },
  bad_quantity: { cause: 'The quantity is not a whole number in the allowed range.', remedy: CORRECT },
  not_an_id: {
    cause: 'The cell is not an id (a UUID).',
    remedy: 'Take the ids from an export: shelflift export items --out items.csv',
  },
  cell_error: {
    cause: 'The cell shows an error, such as #N/A or #REF!.',
    remedy: 'Correct the formula, or type the value.',
  },
  refused_by_map: {
    cause:
      'The mapping function of a program has thrown a RowError for this row. The message comes from the function.',
    remedy: 'Correct the row at its source, or change the function.',
  },
  not_clearable: { cause: 'This field cannot be emptied.', remedy: 'Give a value, or leave the cell blank.' },
  not_json: {
    cause:
      'The field holds a list or an object, which exports write as JSON, and the cell is no longer valid JSON.',
    remedy: 'Correct the cell so that it reads, for example, ["a", "b"], or leave it blank.',
  },
  cannot_clear: { cause: 'This field cannot be emptied.', remedy: 'Give a value, or leave the cell blank.' },
} satisfies CodeGroup;

const ROWS = {
  too_many_cells: {
    cause: 'The row has more cells than there are columns, usually because a value contains the delimiter.',
    remedy: 'Put the text in quotes.',
  },
  unclosed_quote: { cause: 'A quote in this row is never closed.', remedy: 'Close or remove it.' },
  bad_encoding: {
    cause: "The row contains bytes that are not valid in the file's encoding.",
    remedy: 'Save the file as UTF-8, or name its encoding: --encoding windows-1252',
  },
  merge_conflict: {
    cause: 'The row is part of an unresolved Git merge conflict.',
    remedy: 'Keep one version of each row, and delete the lines with <<<<<<<, ======= and >>>>>>>.',
  },
  summary_row: {
    cause: 'The row looks like a total or a statistic, but may be an item.',
    remedy:
      'Delete the row, or pass --skip-invalid. If it is an item: shelflift jobs mend ID --row ROW --accept, or fill in more of its cells.',
  },
  unknown_collection: {
    cause: 'Your team has no collection with that name or id.',
    remedy: 'Correct the cell. To see the names: shelflift export collections --out collections.csv',
  },
  ambiguous_collection: { cause: 'Several collections have that name.', remedy: 'Write the id instead.' },
  already_sent: {
    cause:
      'Skipped: an identical row was sent before, somebody left the row out of an earlier job, or the column _state shows that the row was sent.',
    remedy: 'Nothing to do. To create it again, empty its _state and add --all-rows.',
  },
  sent_before: {
    cause:
      'Held: an identical row from an unrelated file was sent before, or the same values were sent in columns with other names, or an unfinished import is creating an item with the same key.',
    remedy:
      'If it is a different item: shelflift jobs resolve ID --row N --as retry. If it is the same: --as skip. If an import is unfinished, resume or cancel that import first; then --as retry looks the item up.',
  },
  row_changed: {
    cause:
      'Held: a row with the same identifier was sent before with other values, or a row of a results file was edited after it had been sent.',
    remedy:
      'Update its item with the command in _error, or with: shelflift jobs resolve ID --row N --as mine. To leave the item as it is: --as theirs.',
  },
  blank_value: {
    cause:
      'The change starts from a value that the item does not have: the field stays as it is, and other changes of the row are made.',
    remedy: 'Nothing to do. To give such items a value: shelflift set FIELD=VALUE',
  },
  other_currency: {
    cause:
      'The value is not in the currency that --currency names: it stays as it is, and other changes of the row are made.',
    remedy: 'Nothing to do. Change the items of that currency with a separate command.',
  },
  skipped_by_rule: {
    cause: 'Skipped: a rule of the template applies to this row.',
    remedy: 'Nothing to do, or change the rule.',
  },
} satisfies CodeGroup;

const KEYS = {
  blank_key: { cause: 'The cells that identify the item are blank.', remedy: 'Fill them in.' },
  duplicate_key: {
    cause: 'Several rows change the same item in different ways.',
    remedy: 'Keep one of them.',
  },
  surplus_items: {
    cause: "Held: more items have the row's key than its quantity says.",
    remedy:
      'Correct the quantity and import the row again, or remove the surplus items and look again: shelflift jobs resolve ID --row N --as retry',
  },
  ambiguous_match: {
    cause: 'Several items match the row.',
    remedy:
      'Write the id of the right one into _item_id in the rejects file and import that. Or match by more fields: --match name,brand',
  },
  not_a_candidate: {
    cause: 'The id in _item_id is not one of the items that match the row.',
    remedy: 'Write one of the ids that _error shows for the row, or clear the cell.',
  },
  no_such_item: {
    cause: 'No item has that id.',
    remedy: 'Check the id. To see the ids: shelflift export items --out items.csv',
  },
  key_spelled_otherwise: {
    cause: 'An item has the key of the row in a custom field whose name differs only in case.',
    remedy:
      'In --match, spell the name of the field as it is in that item, and map the column to the same name.',
  },
  key_changed: {
    cause: 'Held: the key of the item that this row (or an identical row) created has changed.',
    remedy:
      'If the row still refers to that item, restore the key of the item, or correct the row. Then look again: shelflift jobs resolve ID --row N --as retry',
  },
  key_not_kept: {
    cause: 'The item was created, but the server keeps its key in another form.',
    remedy: 'Nothing to do for this row: this store knows its item.',
  },
  value_not_kept: {
    cause:
      'The row was sent, but the answer shows that the server stored only part of a value, or a different value.',
    remedy: 'Look at the item. The service may have shortened the text or changed another field.',
  },
  not_missing: {
    cause: 'Skipped: the item was to be archived as missing (--missing), but the file now contains it.',
    remedy: 'Nothing to do.',
  },
  drifted: {
    cause:
      'Held: somebody changed the item, or created it, after the plan was made; or changed it after it was exported to the file.',
    remedy: 'Check the item. Then import the row again, or use --on-drift overwrite.',
  },
  similar: {
    cause: 'The row looks like an existing item (--check-similar).',
    remedy: 'Check the item, then choose --similar skip or --similar create.',
  },
  server_merges: {
    cause:
      'Held: a custom field could not be removed, because the server merges custom fields. The other changes of the row were applied.',
    remedy: 'If it matters, remove the field in the service itself.',
  },
} satisfies CodeGroup;

const ANSWERS = {
  invalid_request: {
    cause: "The API rejected the row; the message contains the server's own words.",
    remedy: CORRECT,
  },
  fields_unknown: {
    cause:
      "Held: the API's answer about the item lacks fields, and the list of items does not show their current values. A change could delete them.",
    remedy: 'Once the list shows the item: shelflift jobs resolve ID --row N --as retry',
  },
  not_found: { cause: 'The API does not know something that the row refers to.', remedy: CORRECT },
  unreachable: { cause: 'The connection was lost before the answer arrived.', remedy: LOOKED_UP },
  timeout: { cause: 'The answer did not arrive in time.', remedy: LOOKED_UP },
  unexpected_response: { cause: 'The answer could not be understood.', remedy: LOOKED_UP },
  aborted: { cause: 'The job was stopped before the answer arrived.', remedy: LOOKED_UP },
} satisfies CodeGroup;

const HELD =
  'Look in the API for the items that the message names. If one of them belongs to the row: shelflift jobs resolve ID --row N --as created:ITEM_ID. If not: --as retry';

const SETTLING = {
  not_settled: {
    cause: 'Held: the answer was lost, and --no-settle forbids looking the item up.',
    remedy: HELD,
  },
  too_many_matches: { cause: 'Held: more items match than there are lost answers.', remedy: HELD },
  doubtful_match: { cause: 'Held: an item resembles the row but differs in some fields.', remedy: HELD },
  store_behind: {
    cause: 'Held: an identical item was created after this store last sent a row of the job.',
    remedy: HELD,
  },
  list_never_still: { cause: 'Held: the list of items changed too fast to be read.', remedy: HELD },
  list_lags: {
    cause: 'Held: for ten minutes the list of items did not show items that were created earlier.',
    remedy: HELD,
  },
  keeps_failing: { cause: 'Held: the row was sent several times, but the API never answered.', remedy: HELD },
  unproven_absence: {
    cause: 'Held: the item may have been created; shelflift could not find out.',
    remedy: HELD,
  },
} satisfies CodeGroup;

/** The tables of docs/errors.md, in their order. */
export const ROW_GROUPS = [
  { title: 'Cells', codes: CELLS },
  { title: 'Rows', codes: ROWS },
  { title: 'Finding the item', codes: KEYS },
  { title: "The API's answer to the row", codes: ANSWERS },
  { title: 'Lost answers', codes: SETTLING },
] satisfies readonly { title: string; codes: CodeGroup }[];

// A code that has no entry, or an entry without a code, does not compile.
({ ...CELLS, ...ROWS, ...KEYS, ...ANSWERS, ...SETTLING }) satisfies Record<RowCode, CodeEntry>;
