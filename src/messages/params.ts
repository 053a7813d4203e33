/**
 * Every message, with its parameters: the one list that texts, types, checks of stored messages, and the golden file are
 * made from. A name that ends in `?` may be absent.
 */

/** What a parameter can be, and its type. */
export interface Kinds {
  /** A whole number, 0 or more. */
  count: number;
  /** A text of the file, of a person, or a name: shown as it is. */
  text: string;
  /** Several of them. */
  texts: readonly string[];
  /** A field of an item, or `custom_fields.NAME`. */
  field: string;
  /** A message within the message. */
  message: Message;
  /** Whether it is so. */
  yes: boolean;
}

/** A kind of parameter. */
export type Kind = keyof Kinds;

/** How a file is read. */
const READING = {
  /** A name that is the same in every language: UTF-8, XLSX, `;`. */
  verbatim: { text: 'text' },
  tab: {},
  decimal_comma: {},
  decimal_point: {},
  decimal_both: {},
  sheet: { sheet: 'text' },
  header_row: { row: 'count' },
  header_rows: { first: 'count', last: 'count' },
  headless: {},
  rows_given: { rows: 'count' },
  rows_left_out_by_map: { rows: 'count' },
  column_unnamed: { column: 'text' },
  header_repeated: { header: 'text', columns: 'texts' },
  block_before_not_read: { column: 'text' },
  block_after_not_read: { column: 'text' },
  hidden_rows_read: { rows: 'count' },
  hidden_columns_read: { columns: 'texts' },
  hidden_sheets_not_read: { sheets: 'texts' },
  other_sheets_left_out: { sheets: 'texts' },
  other_sheets_not_read: { sheet: 'text', others: 'texts' },
  late_accents: { encoding: 'text' },
  odd_quotes: { rows: 'count', line: 'count' },
  encoding_doubtful: { encoding: 'text', other: 'text' },
  first_row_is_data: {},
} as const;

/** Why a column is what it is. */
const COLUMNS = {
  by_name: {},
  by_values: {},
  by_synonym: { word: 'text' },
  by_person: {},
  by_match: {},
  only_for_match: {},
  not_known: {},
  own_column: {},
  without_header: {},
  read_only: {},
  looks_secret: {},
  kept: {},
  from_template: {},
  template_ignores: {},
  template_skips_rows: {},
  template_decides: { fields: 'texts' },
  template_ticked: {},
  bad_custom_key: {},
  values_contradict: {},
  ids_are_given: {},
  field_from_template: { field: 'field' },
  field_from_other: { field: 'field', column: 'text' },
  currency_of: { header: 'text' },
  together_with: { header: 'text' },
  quantity_unused: { header: 'text' },
  different_texts: { texts: 'count', cells: 'count' },
  cells_are: { cells: 'count', of: 'count', what: 'message' },
  years: {},
  dates_with_year: {},
  amounts: {},
  amounts_with_currency: {},
  yes_or_no: {},
  yes_or_no_packaging: {},
  words_of_grading: {},
  words_of_condition: {},
  words_of_packaging: {},
  words_of_status: {},
  approximate_too: { what: 'message', cells: 'count' },
  header_points: { what: 'message' },
  hundredths: { what: 'message' },
  may_be_paid: { what: 'message' },
  both: { first: 'message', second: 'message' },
  rival: { what: 'message', header: 'text', column: 'text', field: 'field' },
  ticked: { cells: 'count' },
} as const;

/** What was done to the cells of a row. */
const CELLS = {
  filled_down: { column: 'text', text: 'text' },
  corrected: { column: 'text', from: 'text', to: 'text' },
  taken_as_item: {},
  read_as: { field: 'field', text: 'text', value: 'text', isRange: 'yes' },
  taken_as: { field: 'field', text: 'text', value: 'text' },
  year_kept: { text: 'text' },
  date_kept: { text: 'text' },
  converted: { field: 'field', from: 'text', to: 'text', rate: 'text', currency: 'text' },
} as const;

/** What was read of a column as is likely: cells, the first of them, and what it was taken as. */
const LIKELY = {
  likely_words: { column: 'text', header: 'text', cells: 'count', text: 'text', as: 'text' },
  years_kept: { column: 'text', header: 'text', cells: 'count', text: 'text' },
  dates_kept: { column: 'text', header: 'text', cells: 'count', text: 'text' },
} as const;

/** What was noticed about a whole column; `column` is its letter. */
const WHOLE_COLUMNS = {
  ...LIKELY,
  secret_not_sent: { column: 'text', header: 'text' },
  decimal_decided: { column: 'text', header: 'text', isComma: 'yes' },
  currency_not_sent: { column: 'text', header: 'text', values: 'count', currencies: 'text' },
  approximate_read: {
    column: 'text',
    header: 'text',
    values: 'count',
    ranges: 'count',
    text: 'text',
    as: 'text',
  },
  long_numbers_kept: { column: 'text', header: 'text', text: 'text' },
  commas_in_tags: { column: 'text', header: 'text', cells: 'count', text: 'text' },
} as const;

/** What a job says while it runs. */
const JOBS = {
  already_imported: { job: 'text' },
  left_out_of_public: { columns: 'texts' },
  kept_columns: { columns: 'texts' },
  held_for_quantity: { rows: 'count', key: 'text' },
  no_item_matches: {},
  template_used: { template: 'text' },
  template_matches: { template: 'text' },
  answers_remembered: { day: 'text', columns: 'texts' },
  together_the_name: { headers: 'texts', text: 'text' },
  words_do_not_fit: { header: 'text', field: 'field', cells: 'count', of: 'count', texts: 'texts' },
  collections_not_known: { header: 'text', texts: 'texts', collection: 'text' },
  column_taken: { header: 'text', field: 'field', reason: 'message' },
  column_guessed: { header: 'text', field: 'field', reason: 'message' },
  could_fill_down: { field: 'field', header: 'text', rows: 'count', blank: 'count' },
} as const;

/** What an action is for, before its button or command. */
const ACTIONS = {
  to_read_as: { encoding: 'text' },
  to_make_copies: {},
  to_split_at_commas: {},
  to_read_strictly: {},
  to_read_without_it: {},
  to_read_by_it: {},
  to_use_it: {},
  to_use_one_of_them: {},
  to_read_it_so: {},
  to_read_one_otherwise: {},
  to_fill_down: {},
  to_keep: { columns: 'count' },
  to_leave_out: { columns: 'count' },
  to_see_them: {},
  to_read_other_sheets: {},
} as const;

export const CELL_NOTES = Object.keys(CELLS) as (keyof typeof CELLS)[];
export const LIKELY_NOTES = Object.keys(LIKELY) as (keyof typeof LIKELY)[];

export const PARAMS = { ...READING, ...COLUMNS, ...CELLS, ...WHOLE_COLUMNS, ...JOBS, ...ACTIONS } as const;

/** What a message is about: stable, snake_case. */
export type MessageCode = keyof typeof PARAMS;

/** What varies in the messages of a code. */
export type MessageParams<C extends MessageCode> = {
  readonly [Name in keyof (typeof PARAMS)[C]]: Kinds[(typeof PARAMS)[C][Name] & Kind];
};

/** An option for the command or call that said it. */
export interface SetOption {
  /** What can be done. */
  do: 'setOption';
  /** Name of the option, as the command line spells it, without dashes. */
  option: string;
  /** Its value; absent for an option without one. */
  value?: string;
  /** What it is for. */
  label: Message;
}

/** A correction of a job that has not sent its rows. */
export interface MendJob {
  /** What can be done. */
  do: 'mend';
  /** Id of the job. */
  job: string;
  /** `FIELD:OPTION`, as `jobs mend --option` takes it. */
  option: string;
  /** Value of the option. */
  value: string;
  /** What it is for. */
  label: Message;
}

/** A look at a job. */
export interface ShowJob {
  /** What can be done. */
  do: 'show';
  /** Id of the job. */
  job: string;
  /** What it is for. */
  label: Message;
}

/** What can be done, as data: the command line shows it as a command, the page as a button, and a program passes it on. */
export type Action = SetOption | MendJob | ShowJob;

/** A fact for a person, as data; `textOf` gives the sentence. */
export interface MessageOf<C extends MessageCode> {
  /** What it is about. */
  readonly code: C;
  /** What varies. */
  readonly params: MessageParams<C>;
  /** What can be done. */
  readonly actions?: readonly Action[];
}

/** A fact for a person, told by its code. */
export type Message = { [C in MessageCode]: MessageOf<C> }[MessageCode];
