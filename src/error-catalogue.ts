/**
 * Every stable code that ends a command: what it means, what to do, and the exit code (DESIGN §2).
 *
 * `docs/errors.md` is made from this file. The constructors of errors.ts take these keys only, so a code that is
 * missing here does not compile. Codes of single rows, which end nothing, are in row-catalogue.ts.
 */
import type { ExitCode } from './exit-code.ts';

export interface CatalogueEntry {
  /** What happened, for the owner of a collection; one sentence. */
  cause: string;
  /** What to do about it; one sentence or two. */
  remedy: string;
}

export interface ErrorEntry extends CatalogueEntry {
  exit: ExitCode;
}

type Group = Record<string, ErrorEntry>;

const RESAVE = 'Open it in a spreadsheet program and save it as .xlsx or as CSV.';
const TRUSTED = 'If you trust the file, open it in a spreadsheet program and save the one sheet as CSV.';

const FILES = {
  no_such_file: {
    exit: 2,
    cause: 'There is no file of that name.',
    remedy: 'Check the spelling and the folder.',
  },
  is_a_folder: { exit: 2, cause: 'The name is that of a folder.', remedy: 'Name a file inside it.' },
  not_readable: {
    exit: 2,
    cause: 'The file may not be read by you, or another program holds it.',
    remedy: 'Change its permissions, close it in the other program, or copy it to a folder of your own.',
  },
  empty_file: {
    exit: 2,
    cause: 'The file has no bytes, or nothing but blank cells.',
    remedy: 'Check that it is the right file, and that its download or its saving was complete.',
  },
  no_header: {
    exit: 2,
    cause: 'The row that --header-row names is blank.',
    remedy: 'Give the number of the row that holds the column names.',
  },
  header_is_data: {
    exit: 2,
    cause: 'The file has no column names: its first row, which was taken for them, is data like those below.',
    remedy:
      'Put a row of names above the data; where the row does hold the names, give its number: --header-row N',
  },
  no_rows: {
    exit: 2,
    cause: 'There are column names, but no row below them.',
    remedy: 'Check that it is the right file and the right sheet (--sheet).',
  },
  html: { exit: 2, cause: 'The file is a web page, whatever its name says.', remedy: RESAVE },
  json: {
    exit: 2,
    cause: 'The file is JSON (NDJSON, perhaps an export for other programs), which is no table.',
    remedy: 'Export as CSV or XLSX, and import that.',
  },
  xml_spreadsheet: { exit: 2, cause: 'The file is an "XML Spreadsheet 2003".', remedy: RESAVE },
  old_xls: { exit: 2, cause: 'The file is a workbook in the old .xls format.', remedy: RESAVE },
  xlsb: { exit: 2, cause: 'The file is a binary workbook (.xlsb).', remedy: RESAVE },
  ods: { exit: 2, cause: 'The file is an OpenDocument spreadsheet (.ods).', remedy: RESAVE },
  numbers: {
    exit: 2,
    cause: 'The file is an Apple Numbers document.',
    remedy: 'In Numbers: File, Export To, Excel or CSV.',
  },
  binary: {
    exit: 2,
    cause: 'The file is a picture, an archive or something else that is no table.',
    remedy: 'Export the table from the program that made it, as .xlsx or as CSV.',
  },
  password_protected: {
    exit: 2,
    cause: 'The file can be opened with a password only.',
    remedy: 'Open it in your spreadsheet program, take the password off, and save it again.',
  },
  truncated: {
    exit: 2,
    cause: 'The end of the workbook is missing: a download or a copy broke off.',
    remedy: 'Download or copy it again.',
  },
  not_a_workbook: {
    exit: 2,
    cause: 'The file is a zip, but parts that a workbook has are not in it.',
    remedy: `Unpack it if it holds spreadsheets; a damaged workbook may still open elsewhere. ${RESAVE}`,
  },
  broken_xml: { exit: 2, cause: 'A part of the workbook is damaged.', remedy: RESAVE },
  bad_part_name: {
    exit: 2,
    cause: 'The zip holds a part whose name leads out of it, as no workbook does.',
    remedy: 'Do not trust this file.',
  },
  no_such_sheet: {
    exit: 2,
    cause: 'The workbook has no sheet of the name that --sheet gives.',
    remedy: 'Choose one of the names in the message.',
  },
  no_visible_sheet: {
    exit: 2,
    cause: 'No visible sheet of the workbook holds a table.',
    remedy: 'Name a hidden one with --sheet, or check that it is the right file.',
  },
  bad_currency: {
    exit: 2,
    cause:
      'The currency of --currency is not one of ISO 4217, so that nobody knows how many digits its cents have.',
    remedy: 'Give its three letters, such as USD or JPY; or leave --currency out.',
  },
  bad_delimiter: {
    exit: 2,
    cause: 'The delimiter given is not one character.',
    remedy: 'Give one character, or "tab".',
  },
  bad_encoding_name: {
    exit: 2,
    cause: 'The encoding given is not known.',
    remedy: 'Give one of the names in the message.',
  },
  broken_csv: {
    exit: 2,
    cause: 'The text cannot be cut into rows and cells.',
    remedy: 'Look at the line named: mostly a quote stands inside of a cell. Or give --delimiter.',
  },
  broken_json: {
    exit: 2,
    cause: 'A line of the file is no JSON.',
    remedy: 'The file was changed or cut since it was written: export it again.',
  },
  unclosed_quote: {
    exit: 2,
    cause: 'A cell begins with a quote that is never closed, so that the rest of the file became one cell.',
    remedy: 'Close or remove the quote at the line named.',
  },
  file_exists: {
    exit: 2,
    cause: 'There is a file of that name already, and it may hold work of yours.',
    remedy: 'Choose another name, or add --yes to replace it.',
  },
  cannot_write: {
    exit: 2,
    cause: 'The file cannot be written where it should go.',
    remedy: 'Choose another place, or close the file in the other program.',
  },
  cannot_stream: {
    exit: 2,
    cause: 'A workbook cannot be written to the screen or a pipe.',
    remedy: 'Name a file, or choose CSV.',
  },
} as const satisfies Group;

const LIMITS = {
  limit_columns: {
    exit: 2,
    cause: 'The table has more columns than a sheet can hold (16,384).',
    remedy: TRUSTED,
  },
  limit_rows: {
    exit: 2,
    cause: 'The sheet has more rows than a sheet can hold (1,048,576).',
    remedy: TRUSTED,
  },
  limit_record_size: {
    exit: 2,
    cause: 'A row of the CSV is longer than any should be: mostly a quote is never closed.',
    remedy: 'Close the quote at the line named, or write it twice.',
  },
  limit_zip_entries: { exit: 2, cause: 'The workbook has more parts than any should.', remedy: TRUSTED },
  limit_part_size: {
    exit: 2,
    cause: 'A part of the workbook is larger than 4 GB unpacked.',
    remedy: TRUSTED,
  },
  limit_inflation: {
    exit: 2,
    cause: 'A part of the workbook unpacks to far more than its size, as in a zip bomb.',
    remedy: TRUSTED,
  },
  limit_shared_strings: { exit: 2, cause: 'The workbook has more texts than any should.', remedy: TRUSTED },
  limit_shared_string_size: { exit: 2, cause: 'The texts of the workbook are too large.', remedy: TRUSTED },
  limit_cell_formats: {
    exit: 2,
    cause: 'The workbook has more cell formats than Excel allows.',
    remedy: TRUSTED,
  },
  limit_xml_text: {
    exit: 2,
    cause:
      'A cell of the workbook is larger than any can be, or a part of it is white space by the megabyte.',
    remedy: TRUSTED,
  },
  limit_xml_entities: {
    exit: 2,
    cause: 'The workbook declares XML entities, as none does but an attack.',
    remedy: TRUSTED,
  },
} as const satisfies Group;

const COLUMNS = {
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
} as const satisfies Group;

const COMMAND = {
  usage: {
    exit: 2,
    cause: 'A command or flag was mistyped, or something is missing.',
    remedy: 'See the usage line below the message, or add --help.',
  },
  bad_number: { exit: 2, cause: 'A flag needs another number.', remedy: 'Give one as the message says.' },
  bad_duration: {
    exit: 2,
    cause: 'A time span cannot be read.',
    remedy: 'Write 500ms, 10s, 5m or 24h.',
  },
  no_answer: {
    exit: 2,
    cause: 'A question could not be asked, because this is no terminal.',
    remedy: 'Give the answer as a flag or by a pipe.',
  },
  no_out: {
    exit: 2,
    cause: 'An export was not told where to go.',
    remedy: 'Add --out FILE, or --out - for a pipe.',
  },
  two_outputs: {
    exit: 2,
    cause: 'Both the rows and the JSON answer were sent to standard output.',
    remedy: 'Leave --json out, or write the rows to a file.',
  },
  no_stream: {
    exit: 2,
    cause: 'The program that called gave no stream to write to.',
    remedy: 'Give one, or a file.',
  },
  unknown_format: {
    exit: 2,
    cause: 'The ending of the file does not tell the format.',
    remedy: 'End it with .csv, .xlsx or .ndjson.',
  },
  unknown_status: {
    exit: 2,
    cause: 'There is no such status.',
    remedy: 'Use keep, sell, trade, sold or archived.',
  },
  no_live_changes: {
    exit: 2,
    cause:
      'A file of changes was to be held against the API, which has no changes but only what is there now.',
    remedy: 'Verify the file without --live.',
  },
  changes_need_file: {
    exit: 2,
    cause: 'An export of changes was to go to a stream.',
    remedy: 'Name a file with --out: the changes are forgotten only once it is in place.',
  },
  changes_need_store: {
    exit: 2,
    cause: 'An export of changes was asked for without a store, which remembers what the last one held.',
    remedy: 'Give the store (in the library: `values` of a ledger).',
  },
  other_selection: {
    exit: 2,
    cause: 'An export of changes has other filters than the last one of that name.',
    remedy: 'Give these filters a name of their own with --changed-since-last, or ask for the same ones.',
  },
  no_such_layout: {
    exit: 2,
    cause: 'There is no export layout of that name, and no file either.',
    remedy: 'See the names with: shelflift template list',
  },
  bad_layout: {
    exit: 2,
    cause: 'The export layout has mistakes, each named with its line and column.',
    remedy: 'Mend the lines; compare with: shelflift template show plain',
  },
  bad_locale: {
    exit: 2,
    cause: 'The locale given is no language tag.',
    remedy: 'Give one such as de-DE or en-GB.',
  },
  layout_and_columns: {
    exit: 2,
    cause: 'A layout and a list of columns were given, and both say what the columns are.',
    remedy: 'Give one of them; the columns of a copy of the layout can be changed.',
  },
  double_column: {
    exit: 2,
    cause: 'A column of an export is named twice.',
    remedy: 'Name each column once.',
  },
  needs_xlsx: {
    exit: 2,
    cause: 'The layout makes a sheet for each value of a field, and only a workbook has sheets.',
    remedy: 'Name a file that ends in .xlsx, or take `sheets` out of a copy of the layout.',
  },
  too_many_sheets: {
    exit: 2,
    cause: 'The field that a layout makes sheets of has more values than a workbook should have sheets.',
    remedy: 'Choose another field for `sheets`, or filter the rows.',
  },
  not_for_resource: {
    exit: 2,
    cause: 'A filter was given that this export does not have.',
    remedy: 'Leave it out.',
  },
  out_dir_unwritable: {
    exit: 2,
    cause: 'The results of an import cannot be written to their folder.',
    remedy: 'Name a folder that you may write to: --out-dir DIR.',
  },
  log_file_unwritable: {
    exit: 2,
    cause: 'The file of --log-file cannot be written.',
    remedy: 'Name another place for it.',
  },
  output_is_input: {
    exit: 2,
    cause: 'Two of the files named are one and the same: it would be written over.',
    remedy: 'Name another file for one of them.',
  },
  no_manifest: {
    exit: 2,
    cause: 'There is no manifest beside the exported file.',
    remedy: 'Keep the two files together; export again if it is lost.',
  },
  bad_manifest: {
    exit: 2,
    cause: 'The manifest beside the file is not one of ours.',
    remedy: 'Export again.',
  },
} as const satisfies Group;

const SETTINGS = {
  no_api_url: {
    exit: 2,
    cause: 'The address of the API is not known.',
    remedy: 'Set SHELFLIFT_API_URL, give --api-url, or keep it: shelflift profile add main.',
  },
  bad_address: {
    exit: 2,
    cause: 'The address of the API cannot be right.',
    remedy: 'Give the base address, https://…, without /api/public/v1.',
  },
  insecure_address: {
    exit: 2,
    cause: 'The address begins with http:, by which the key could be read on its way.',
    remedy: 'Use https:; http: is for this machine only.',
  },
  two_targets: { exit: 2, cause: 'Two flags name different APIs.', remedy: 'Give one of them.' },
  no_key: {
    exit: 2,
    cause: 'There is no API key.',
    remedy: 'Set SHELFLIFT_API_KEY, or SHELFLIFT_API_KEY_FILE to a file that only you can read.',
  },
  bad_key: {
    exit: 2,
    cause: 'The API key holds characters that no key has.',
    remedy: 'Copy it again, alone: without "Bearer" and without quotes.',
  },
  key_file_open_to_others: {
    exit: 2,
    cause: 'The key file can be read by other users of this machine.',
    remedy: 'chmod 600 FILE',
  },
  key_file_unreadable: {
    exit: 2,
    cause: 'The key file cannot be read.',
    remedy: 'Check its name and permissions.',
  },
  bad_variable: {
    exit: 2,
    cause: '--key-env was given something that is no name of a variable.',
    remedy: 'Give the name, such as SHELFLIFT_API_KEY, never the key.',
  },
  bad_config: {
    exit: 2,
    cause: 'The configuration has mistakes, each named with its line and column.',
    remedy: 'Mend the lines.',
  },
  config_unreadable: {
    exit: 2,
    cause: 'The configuration cannot be read.',
    remedy: 'Check its permissions.',
  },
  no_such_profile: {
    exit: 2,
    cause: 'There is no profile of that name.',
    remedy: 'See them with: shelflift profile list',
  },
  profile_exists: {
    exit: 2,
    cause: 'There is a profile of that name already.',
    remedy: 'Choose another name, or replace it as the message says.',
  },
  bad_profile_name: {
    exit: 2,
    cause: 'A profile cannot have that name.',
    remedy: 'Use letters, digits, - . and _.',
  },
} as const satisfies Group;

const STORE = {
  store_not_ours: {
    exit: 2,
    cause: 'The store is a file, or a schema, of another program; it was left as it is.',
    remedy: 'Name another one with --store.',
  },
  store_newer: {
    exit: 2,
    cause: 'The store was written by a newer shelflift.',
    remedy: 'Use that newer one, or another --store.',
  },
  store_locked: {
    exit: 2,
    cause: 'Another program holds the store.',
    remedy: 'Wait until the other command has ended, or name another --store.',
  },
  store_unwritable: {
    exit: 2,
    cause: 'The store cannot be opened for writing: its folder, its permissions or its disk do not allow it.',
    remedy: 'Check the folder and its permissions, or name another file with --store.',
  },
  bad_store_url: {
    exit: 2,
    cause: 'The address of the PostgreSQL store is not one.',
    remedy: 'Write it as postgres://user:password@host:5432/database, with %40 for an @ in the password.',
  },
  store_unreachable: {
    exit: 6,
    cause:
      'The PostgreSQL server of the store cannot be reached, or went away: nothing is sent that could not be recorded.',
    remedy: 'Start the server, or mend the address or the network; then: shelflift jobs resume last',
  },
  store_unauthorised: {
    exit: 2,
    cause: 'The PostgreSQL server of the store does not let this user in.',
    remedy: 'Check user and password of the address, PGPASSWORD or ~/.pgpass, and what pg_hba.conf allows.',
  },
  store_no_database: {
    exit: 2,
    cause: 'The PostgreSQL server of the store has no database of that name.',
    remedy: 'Check the name behind the last / of the address, or make it: createdb NAME',
  },
  store_no_rights: {
    exit: 2,
    cause: 'The user of the store may not use its schema, or not make it.',
    remedy: 'Let an administrator run: CREATE SCHEMA shelflift AUTHORIZATION user',
  },
  no_such_store: {
    exit: 2,
    cause: 'There is no store of that name to be copied, checked or backed up.',
    remedy: 'Check the name: a file, or postgres://… with its ?schema=',
  },
  store_not_empty: {
    exit: 2,
    cause: 'The store that was to be copied into holds something already; it was left as it is.',
    remedy: 'Copy into a new one: another file, or another ?schema=',
  },
  store_in_use: {
    exit: 2,
    cause: 'A job runs on the store, so a copy of it would be outdated at once; nothing was copied.',
    remedy: 'Wait until the job has ended, or stop it; then copy again. store backup works while jobs run.',
  },
  store_copy_differs: {
    exit: 1,
    cause: 'What was copied was read back, and is not what was there; nothing was copied.',
    remedy: 'Check the store that is copied: shelflift store check',
  },
  backup_exists: {
    exit: 2,
    cause: 'There is a file of that name already; it was left as it is.',
    remedy: 'Name another file for the backup.',
  },
  store_encoding: {
    exit: 2,
    cause: 'The database of the store cannot hold every character.',
    remedy: "Make one that can: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0",
  },
  store_failed: {
    exit: 1,
    cause: 'The store failed in a way that nobody foresaw.',
    remedy: 'Keep the file, and tell us the message.',
  },
  disk_full: {
    exit: 6,
    cause: 'The disk is full, so nothing more is sent that could not be recorded.',
    remedy: 'Make room, then: shelflift jobs resume last',
  },
} as const satisfies Group;

const JOBS = {
  no_such_job: {
    exit: 2,
    cause: 'This store has no such job.',
    remedy:
      'See the jobs with: shelflift jobs list. A file that was killed while it was read: import it again.',
  },
  ambiguous_job: {
    exit: 2,
    cause: 'The beginning of the id fits several jobs.',
    remedy: 'Give more of it.',
  },
  is_a_dry_run: {
    exit: 2,
    cause: 'The job is a dry run: there is nothing to resume.',
    remedy: 'Send it with: shelflift jobs apply ID',
  },
  newer_dry_run: {
    exit: 2,
    cause: 'The newest plan is a dry run, which `last` in `jobs apply last` never means.',
    remedy: 'Name the job that is meant: shelflift jobs list',
  },
  job_runs_elsewhere: {
    exit: 2,
    cause: 'Another process is sending this very job.',
    remedy: 'Wait for it, or stop it; then resume.',
  },
  already_claimed: {
    exit: 2,
    cause: 'The same file is being imported by another job.',
    remedy: 'See it with: shelflift jobs list. --force sends the file once more.',
  },
  no_such_row: {
    exit: 2,
    cause: 'No row of that number waits for a person’s word in this job.',
    remedy: 'The held rows stand in the results file, column _row.',
  },
  bad_resolution: {
    exit: 2,
    cause: 'A held row can be settled as created:ITEM_ID, retry or skip.',
    remedy: 'Look the item up first; its id stands in the row’s _error, or in an export.',
  },
  own_export: {
    exit: 2,
    cause:
      'The file is an export of this team’s own items, and the import would create every one of them once more.',
    remedy: 'To bring changes back: --mode update --match id. To create them all the same: --yes.',
  },
  sent_before: {
    exit: 2,
    cause: 'An earlier version of this file was imported, and some of its rows would be created once more.',
    remedy: 'Leave only the new rows in the file, or use --mode upsert --match FIELD.',
  },
  cannot_undo: {
    exit: 2,
    cause: 'The job has sent nothing, or what its items were before is not kept any more.',
    remedy: 'See the jobs with: shelflift jobs list. Before-images are kept for 90 days.',
  },
  similar_items: {
    exit: 2,
    cause: 'Rows to create look like items that are there already (--check-similar).',
    remedy: 'Look at the plan; then --similar skip, or --similar create.',
  },
  too_many_changes: {
    exit: 2,
    cause: 'The job would change more items than --max-changes allows.',
    remedy: 'Look at the plan; raise --max-changes, or add --yes.',
  },
  field_emptied: {
    exit: 2,
    cause: 'The job would empty a field in many items.',
    remedy: 'Look at the plan; if that is what you want, add --yes.',
  },
  too_many_refused: {
    exit: 3,
    cause: 'The API refused so many rows that something general must be wrong.',
    remedy: 'Look at _error in the results file; then resume the job, or cancel it.',
  },
  parked_unauthorised: {
    exit: 5,
    cause: 'The job stands still, because its key was not accepted.',
    remedy: 'Set a key of the same team, then: shelflift jobs resume ID',
  },
  parked_unreachable: {
    exit: 6,
    cause: 'The job stands still, because the API cannot be reached or keeps failing.',
    remedy: 'Try again later: shelflift jobs resume ID',
  },
  parked_disk: {
    exit: 6,
    cause: 'The job stands still, because the disk is full.',
    remedy: 'Make room, then: shelflift jobs resume ID',
  },
  lease_lost: {
    exit: 130,
    cause: 'Another process has taken this key over, and sends now.',
    remedy: 'Let the other end; then resume this job.',
  },
  interrupted: { exit: 130, cause: 'You stopped it.', remedy: 'Go on with: shelflift jobs resume last' },
} as const satisfies Group;

const API = {
  unauthorized: {
    exit: 5,
    cause: 'The API did not accept the key (401).',
    remedy: 'Check the key: it may be mistyped, revoked, or of another service. Then resume.',
  },
  missing_scope: {
    exit: 5,
    cause: 'The key may not do this (403): it lacks a scope.',
    remedy:
      'An owner or admin adds the scope to the key in the team settings; or use another key of the team.',
  },
  limit_reached: {
    exit: 4,
    cause: "The plan's item limit is reached (403 limit_reached). Nothing is lost.",
    remedy: 'Make room or raise the plan, then: shelflift jobs resume last',
  },
  not_found: {
    exit: 2,
    cause: 'The API has nothing at this address (404).',
    remedy: 'Check the base address (without /api/public/v1), or the id.',
  },
  invalid_request: {
    exit: 2,
    cause: 'The API refused the request (400).',
    remedy: "Read the server's words in the message; check the address.",
  },
  rate_limited: {
    exit: 6,
    cause: 'The rate limit was exceeded for longer than was to be waited (429).',
    remedy: 'Try again later, or wait longer: --wait 24h',
  },
  unexpected_response: {
    exit: 6,
    cause: 'An answer came that the API does not give: a redirect, a web page, a fault of the server.',
    remedy: 'Check the address with: shelflift doctor. If it is right, try again later.',
  },
  not_this_api: {
    exit: 6,
    cause: 'Something answers at the address, but not this API.',
    remedy: 'Give the base address, without /api/public/v1.',
  },
  unreachable: {
    exit: 6,
    cause: 'The API cannot be reached: the name, the network, or its certificate.',
    remedy: 'Check the address, the network and any proxy; then resume.',
  },
  bad_certificate: {
    exit: 6,
    cause: 'The certificate of the server is not trusted here.',
    remedy:
      "Check the address. Your own organisation's certificate is trusted by NODE_EXTRA_CA_CERTS=FILE.pem.",
  },
  timeout: {
    exit: 6,
    cause: 'The API did not answer in time.',
    remedy:
      'Try again later, or give it longer: --timeout 2m. What may have been applied is looked up first.',
  },
  aborted: {
    exit: 130,
    cause: 'A request was stopped on its way.',
    remedy: 'Resume: it is looked up first.',
  },
} as const satisfies Group;

const SANDBOX = {
  bad_option: {
    exit: 2,
    cause: 'A switch of the sandbox has a wrong value.',
    remedy: 'Give one as the message says.',
  },
  bad_rate_limit: { exit: 2, cause: 'The rate limit cannot be read.', remedy: 'Write it like 100/60s.' },
  port_in_use: {
    exit: 2,
    cause: 'Another program uses the port.',
    remedy: 'Choose another, or 0 for any free one.',
  },
  cannot_listen: {
    exit: 2,
    cause: 'The sandbox cannot listen at that address.',
    remedy: 'Choose another host or port; ports below 1024 need rights.',
  },
  sandbox_in_use: {
    exit: 2,
    cause: 'Another shelflift --sandbox is at work.',
    remedy: 'Wait until it has ended.',
  },
  sandbox_file_in_use: {
    exit: 2,
    cause: 'Another sandbox uses the data file.',
    remedy: 'Wait until it has ended, or send your requests to it.',
  },
  sandbox_file_unusable: {
    exit: 2,
    cause: "The file cannot be used as a sandbox's data file.",
    remedy: 'Name a file that can be written, or one that a sandbox made before.',
  },
  sandbox_file_newer: {
    exit: 2,
    cause: 'The data file was made by a newer shelflift.',
    remedy: 'Use the newer one, or another file.',
  },
  not_a_sandbox_file: {
    exit: 2,
    cause: 'The data file is a database of another program.',
    remedy: 'Name a new file.',
  },
  state_folder_unwritable: {
    exit: 2,
    cause: 'The folder for state cannot be made.',
    remedy: 'Check your home folder, or set XDG_STATE_HOME to one that you may write to.',
  },
} as const satisfies Group;

const WORKER = {
  no_such_schedule: {
    exit: 2,
    cause: 'The configuration has no schedule of that name.',
    remedy: 'shelflift schedule list shows the schedules there are.',
  },
  no_smtp: {
    exit: 2,
    cause: 'An e-mail is to be sent, and the configuration names no mail server.',
    remedy: 'Add smtp to the configuration.',
  },
  no_secret: {
    exit: 2,
    cause: 'The variable that should hold a password is not set.',
    remedy: 'Set it, or name a file with passwordFile.',
  },
  package_missing: {
    exit: 2,
    cause: 'An optional package is needed and not installed.',
    remedy: 'Install it; the message names the line.',
  },
  spool_missing: {
    exit: 2,
    cause: 'The copy of a submitted file is gone from the spool.',
    remedy: 'Submit the file again.',
  },
  spool_damaged: {
    exit: 2,
    cause:
      'A file that waited in the spool is not what was put there: the disk or the database has changed it.',
    remedy:
      'Submit the file again, or run the schedule again; then look after the store: shelflift store check',
  },
  folder_away: {
    exit: 6,
    cause: 'A watched folder, or a file in it, cannot be read or taken now.',
    remedy: 'The message says why: a share may be away, or permissions do not allow it.',
  },
  delivery_failed: {
    exit: 6,
    cause: 'A file was made and could not be brought to where it is wanted.',
    remedy: 'The message says why. Mend the place, then: shelflift jobs resume RUN',
  },
} as const satisfies Group;

const DEFECTS = {
  defect: {
    exit: 1,
    cause: 'A defect in shelflift. Nothing that was recorded is lost.',
    remedy: 'Run it again with --verbose and tell us what it says; jobs can be resumed.',
  },
} as const satisfies Group;

/** The tables of docs/errors.md, in their order. */
export const ERROR_GROUPS = [
  { title: 'The file', codes: FILES },
  { title: 'Limits of files', codes: LIMITS },
  { title: 'Columns, collections and templates', codes: COLUMNS },
  { title: 'The command and its output', codes: COMMAND },
  { title: 'Address, key and profiles', codes: SETTINGS },
  { title: 'The store', codes: STORE },
  { title: 'Jobs', codes: JOBS },
  { title: 'The API', codes: API },
  { title: 'The sandbox', codes: SANDBOX },
  { title: 'The worker', codes: WORKER },
  { title: 'Defects', codes: DEFECTS },
] as const satisfies readonly { title: string; codes: Group }[];

export const ERROR_CATALOGUE = {
  ...FILES,
  ...LIMITS,
  ...COLUMNS,
  ...COMMAND,
  ...SETTINGS,
  ...STORE,
  ...JOBS,
  ...API,
  ...SANDBOX,
  ...WORKER,
  ...DEFECTS,
} as const satisfies Group;

/** A stable code that ends a command. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;
