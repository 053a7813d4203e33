/** Jobs. */
import type { ErrorGroup } from './entry.ts';

export const JOBS = {
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
  list_moved: {
    exit: 3,
    cause:
      'Items were removed, or came too fast, each time the list of items was read: nobody can say what is missing in it.',
    remedy: 'Try again when nobody removes items. A job that was made: shelflift jobs resume ID',
  },
  job_cancelled: {
    exit: 3,
    cause: 'Somebody cancelled the job while it waited, was planned or was sent.',
    remedy: 'Send what is left after all with: shelflift jobs apply ID',
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
  rows_sent_before: {
    exit: 2,
    cause: 'Rows of the file were sent before, by any job of this store, and would be created once more.',
    remedy: '--only-new leaves them out; --all-rows creates them once more.',
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
} as const satisfies ErrorGroup;
