/** Errors of jobs. */
import type { CodeGroup } from './entry.ts';

export const JOBS = {
  no_such_job: {
    cause: 'This store has no such job.',
    remedy:
      'List the jobs: shelflift jobs list. If the import stopped while it was still reading the file, import the file again.',
  },
  ambiguous_job: {
    cause: 'Several job ids begin with these characters.',
    remedy: 'Give more characters of the id.',
  },
  unknown_item: {
    cause: 'No job of this store has touched the item, or the text is not the id of an item.',
    remedy: 'Check the id and the store. Exports have the ids of all items.',
  },
  ambiguous_item: {
    cause: 'Several item ids begin with these characters.',
    remedy: 'Give more characters of the id.',
  },
  is_a_dry_run: {
    cause: 'The job is a dry run, so there is nothing to resume.',
    remedy: 'To send it: shelflift jobs apply ID',
  },
  not_a_plan: {
    cause: 'The newest job is not a plan, and `jobs apply last` refers to the newest job.',
    remedy: 'Find its id with shelflift jobs list, then: shelflift jobs apply ID',
  },
  job_runs_elsewhere: {
    cause: 'Another process is running this job.',
    remedy: 'Wait for it or stop it, then: shelflift jobs resume ID',
  },
  list_moved: {
    cause: 'Items were removed or added so fast that no complete list of them could be read.',
    remedy: 'Try again when nobody is removing items. To continue a job: shelflift jobs resume ID',
  },
  list_lags: {
    cause:
      'The list of items does not show items that were created more than ten minutes ago, so nothing can be concluded from it.',
    remedy: 'Try again later. To continue a job: shelflift jobs resume ID',
  },
  job_cancelled: {
    cause: 'Somebody cancelled the job.',
    remedy: 'To send the remaining rows anyway: shelflift jobs apply ID',
  },
  already_claimed: {
    cause: 'Another job is importing the same file.',
    remedy: 'To see it: shelflift jobs list. To send the file once more: --force',
  },
  no_such_row: {
    cause: 'The job has no held row with that number.',
    remedy: 'The results file lists the held rows; use the number in its column _row.',
  },
  bad_resolution: {
    cause:
      '--as accepts only theirs, mine, created:ITEM_ID, retry or skip, and not all of them apply to every row.',
    remedy: "Look the item up first. Its id is in the row's _error, or in an export.",
  },
  own_export: {
    cause:
      "The file is an export of this team's own items, or one of its columns contains their ids. An import as new items would create all of them a second time. Or the file is a plan, a comparison or an export with --locale, which were written for people to read.",
    remedy:
      'Export again without --locale. To update the items from the file: --mode update, and --map id=COLUMN if the column of ids has another name. To create them all again: --mode create. If the file is an export, also add --yes.',
  },
  foreign_export: {
    cause: 'The file is an export, and none of the items that it names is in this account.',
    remedy:
      'To create all of its items here: --mode create. To update the items that are here: --mode update',
  },
  rows_sent_before: {
    cause: 'Jobs of this store have sent some of these rows before. They would be created a second time.',
    remedy: 'To leave them out: --only-new. To create them again: --all-rows',
  },
  cannot_mend: {
    cause:
      'The rows of the job cannot be checked again: it was made without a file, is an undo, was cancelled, or its rows were pruned. Or a marked workbook came back with different columns, with added rows, or in another order.',
    remedy: 'Correct the rows in the rejects file or in the source, and import again.',
  },
  cannot_mark: {
    cause:
      'The wrong cells cannot be marked in the file: it is not an .xlsx file, is too large, has a password, or has changed since it was read.',
    remedy: 'Correct the rows in the rejects file, and import that.',
  },
  bad_change: {
    cause: 'A correction names a column, field or row that does not exist, or a value that is not accepted.',
    remedy: 'The message lists the columns. Nothing was changed.',
  },
  undo_grew: {
    cause: 'The job has written more rows since its undo was planned.',
    remedy:
      'Look at the plan: shelflift jobs show UNDO --changes. To send it: shelflift jobs apply UNDO --yes',
  },
  job_pruned: {
    cause:
      'The values of the rows were pruned (`store prune`), so the files of the job cannot be written again.',
    remedy: 'Use the files that were written before, or restore a backup of the store.',
  },
  cannot_undo: {
    cause:
      'The job has sent nothing, or the previous values of its items were deleted, which happens after 90 days at the earliest.',
    remedy: 'List the jobs: shelflift jobs list',
  },
  similar_items: {
    cause: 'Some rows to create look like existing items (--check-similar).',
    remedy: 'Check the plan, then choose --similar skip or --similar create.',
  },
  too_many_changes: {
    cause: 'The job would change more items than --max-changes allows.',
    remedy: 'Check the plan, then raise --max-changes or add --yes.',
  },
  too_many_missing: {
    cause: 'With --missing archive, more items would be archived than --max-missing allows.',
    remedy: 'Check that the file is the whole collection. Then: shelflift jobs apply ID --max-missing 20%',
  },
  missing_unsafe: {
    cause:
      'With --missing archive, a row is invalid, held, skipped or ambiguous: its item might look missing.',
    remedy: 'Correct the rows, or import the file without --missing.',
  },
  field_emptied: {
    cause: 'The job would empty a field in many items.',
    remedy: 'Check the plan. If that is what you want, add --yes.',
  },
  too_many_refused: {
    cause: 'The API rejected so many rows that the cause is probably the same for all.',
    remedy: 'Read _error in the results file. Then: shelflift jobs resume ID, or: shelflift jobs cancel ID',
  },
  key_not_kept: {
    cause:
      'The API stores the key of --match in a different form from the one that was sent, so a later import could not find the item.',
    remedy:
      'Match by a field that the API keeps as it is, or write the keys as the API keeps them. To continue anyway: shelflift jobs resume ID --yes',
  },
  other_currency: {
    cause: 'The first created item shows that the items are not in the currency of the amounts in the file.',
    remedy:
      'Correct the value of the one item that was created. Give a rate for each currency other than that of the items (shelflift jobs mend ID --rate CODE=RATE), then: shelflift jobs resume ID',
  },
  store_behind: {
    cause:
      'Rows that this store has not sent yet are on the server already: the store is a restored backup or a copy, or somebody has created the same items. The rows are held, and nothing was sent.',
    remedy:
      'Continue the job in the store that has the newest rows. Otherwise decide on each held row (shelflift jobs resolve ID --row N --as theirs, mine, created:ITEM_ID, retry or skip). To send the other rows: shelflift jobs resume ID',
  },
  parked_unauthorised: {
    cause: 'The job is parked because the API rejected its key.',
    remedy: 'Set a key of the same team, then: shelflift jobs resume ID',
  },
  parked_unreachable: {
    cause: 'The job is parked because the API cannot be reached or keeps failing.',
    remedy: 'Try again later: shelflift jobs resume ID',
  },
  parked_disk: {
    cause: 'The job is parked because the disk is full.',
    remedy: 'Free some space, then: shelflift jobs resume ID',
  },
  lease_lost: {
    cause: 'Another process took over this key and is sending now.',
    remedy: 'Let it finish, then: shelflift jobs resume ID',
  },
  interrupted: {
    cause: 'You stopped the command.',
    remedy: 'To continue: shelflift jobs resume last',
  },
} as const satisfies CodeGroup;
