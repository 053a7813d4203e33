/**
 * Every stable code of a row's problem, as `_error_code` shows it: what it means, and what to do.
 *
 * A row's problem ends nothing: all of them are reported, and the command ends with 3 where a row stays behind.
 * `docs/errors.md` is made from this file.
 */
import type { CatalogueEntry } from './error-codes/entry.ts';

type Group = Record<string, CatalogueEntry>;

const MEND = 'Correct the cell in the rejects file and import that file.';
const SETTLED = 'Nothing: the next resume looks the item up before it sends anything again.';

const CELLS = {
  required: {
    cause: 'A value that every item needs is missing.',
    remedy: 'Fill the cell, or give --default.',
  },
  too_long: {
    cause: 'The text is longer than the API takes (255 characters for a name).',
    remedy: 'Shorten it.',
  },
  control_character: { cause: 'The text holds a character that cannot be seen.', remedy: MEND },
  broken_character: { cause: 'The text holds half of a character.', remedy: MEND },
  number_lost: {
    cause: 'The spreadsheet program has rounded a long number, such as a bar code, and digits are gone.',
    remedy: 'Format the column as text and type the number again.',
  },
  not_a_number: { cause: 'The cell is no amount: a number of at least 0.', remedy: MEND },
  negative: { cause: 'The amount is below 0.', remedy: 'Correct it, or leave the cell blank.' },
  ambiguous_number: {
    cause: 'A number such as 1,234 can be read in two ways, and the column does not tell which.',
    remedy: 'Say which mark stands for fractions: --decimal point or --decimal comma.',
  },
  wrong_currency: {
    cause: 'The amount is in another currency than the column.',
    remedy: 'Convert it, or keep the rows of each currency in a file of their own.',
  },
  not_a_year: { cause: 'The cell is no year.', remedy: MEND },
  out_of_range: {
    cause: 'The year is outside of 1968 to 2100.',
    remedy: 'Correct it, or leave the cell blank.',
  },
  uncertain_year: {
    cause: 'The year is marked as not certain.',
    remedy: 'Write one year, or leave the cell blank.',
  },
  two_digit_year: { cause: 'The year has two digits only.', remedy: 'Write all four.' },
  unknown_word: {
    cause: 'The word is not one that the field knows.',
    remedy: 'Use one of the words in the message, or add yours to the words of a template.',
  },
  no_match: {
    cause: "The cell does not fit the template's pattern.",
    remedy: 'Correct the cell, or say what such a cell is: noMatch: blank, or noMatch: keep.',
  },
  not_an_integer: { cause: 'The cell is no whole number.', remedy: MEND },
  not_yes_or_no: { cause: 'The cell says neither yes nor no.', remedy: MEND },
  bad_quantity: { cause: 'The quantity is not a whole number that is possible.', remedy: MEND },
  not_an_id: {
    cause: 'The cell is no id (a UUID).',
    remedy: 'Take ids from an export: shelflift export items.',
  },
  cell_error: {
    cause: 'The cell shows an error, such as #N/A or #REF!.',
    remedy: 'Mend the formula, or type the value.',
  },
  not_clearable: { cause: 'The field cannot be emptied.', remedy: 'Give a value, or leave the cell blank.' },
  cannot_clear: { cause: 'The field cannot be emptied.', remedy: 'Give a value, or leave the cell blank.' },
} as const satisfies Group;

const ROWS = {
  too_many_cells: {
    cause: 'The row has more cells than there are columns: mostly a delimiter inside of a text.',
    remedy: 'Put the text into quotes.',
  },
  unclosed_quote: { cause: 'A quote in this row is not closed.', remedy: 'Close or remove it.' },
  bad_encoding: {
    cause: 'The row holds bytes that are no characters in the encoding of the file.',
    remedy: 'Save the file as UTF-8, or say which encoding it has: --encoding windows-1252',
  },
  merge_conflict: {
    cause: 'The file holds both sides of a merge conflict of git: a marker, or a row between two.',
    remedy: 'Keep one version of each row, and take the lines with <<<<<<<, ======= and >>>>>>> out.',
  },
  unknown_collection: {
    cause: 'Your team has no collection of that name or id.',
    remedy: 'Correct the cell; see the names with: shelflift export collections --out collections.csv',
  },
  ambiguous_collection: { cause: 'Several collections have that name.', remedy: 'Write the id instead.' },
  already_sent: {
    cause: 'Skipped: an equal row was sent before, or its _state says so.',
    remedy: 'Nothing. To create it once more: --all-rows, and with its _state emptied.',
  },
  sent_before: {
    cause: 'Held: an equal row was sent before, by a file that this one does not continue.',
    remedy:
      'If it is another thing: shelflift jobs resolve ID --row N --as retry. If it is the same: --as skip.',
  },
  row_changed: {
    cause: 'Held: a row with the same identifier was sent before, with other values.',
    remedy: 'Update its item with the command in _error.',
  },
  skipped_by_rule: {
    cause: 'Skipped: a rule of the template says so.',
    remedy: 'Nothing, or change the rule.',
  },
} as const satisfies Group;

const KEYS = {
  blank_key: { cause: 'The cells by which the item is found are blank.', remedy: 'Fill them.' },
  duplicate_key: {
    cause: 'Several rows change the same item, and not in the same way.',
    remedy: 'Keep one of them.',
  },
  ambiguous_match: {
    cause: 'Several items fit the row.',
    remedy: 'Match by id, or by more fields: --match name,brand',
  },
  no_such_item: { cause: 'There is no item of that id.', remedy: 'Check the id; take ids from an export.' },
  drifted: {
    cause: 'Held: somebody has changed the item since the plan was made.',
    remedy: 'Look at the item; then import the row again, or use --on-drift overwrite.',
  },
  similar: {
    cause: 'An item that is there already looks like the row (--check-similar).',
    remedy: 'Look at the item; then --similar skip or --similar create.',
  },
  server_merges: {
    cause: 'Held: a custom field that was to be removed is still there, because the server merges them.',
    remedy: 'Remove it in the service itself, if it matters. All else of the row was changed.',
  },
} as const satisfies Group;

const ANSWERS = {
  invalid_request: { cause: 'The API refused the row; its own words are in the message.', remedy: MEND },
  not_found: { cause: 'The API does not know what the row refers to.', remedy: MEND },
  unreachable: { cause: 'The connection broke before the answer came.', remedy: SETTLED },
  timeout: { cause: 'The answer did not come in time.', remedy: SETTLED },
  unexpected_response: { cause: 'The answer could not be read.', remedy: SETTLED },
  aborted: { cause: 'The job was stopped before the answer came.', remedy: SETTLED },
} as const satisfies Group;

const HELD =
  'Look in the API for the items that the message names. If the row is there, leave it; if not, import the row again.';

const SETTLING = {
  not_settled: { cause: 'Held: the answer was lost, and --no-settle forbids looking.', remedy: HELD },
  too_many_matches: { cause: 'Held: more items fit than answers were lost.', remedy: HELD },
  doubtful_match: { cause: 'Held: an item looks like the row, but not in every respect.', remedy: HELD },
  list_never_still: { cause: 'Held: the list of items changed too fast to be read.', remedy: HELD },
  keeps_failing: { cause: 'Held: it was sent several times, and no answer ever came.', remedy: HELD },
  unproven_absence: { cause: 'Held: it could not be shown that the item is not there.', remedy: HELD },
} as const satisfies Group;

/** The tables of docs/errors.md, in their order. */
export const ROW_GROUPS = [
  { title: 'Cells', codes: CELLS },
  { title: 'Rows', codes: ROWS },
  { title: 'Finding the item', codes: KEYS },
  { title: "The API's answer to the row", codes: ANSWERS },
  { title: 'Lost answers', codes: SETTLING },
] as const satisfies readonly { title: string; codes: Group }[];

const ROW_CATALOGUE = { ...CELLS, ...ROWS, ...KEYS, ...ANSWERS, ...SETTLING } as const satisfies Group;

/** A stable code of a row's problem. */
export type RowCode = keyof typeof ROW_CATALOGUE;
