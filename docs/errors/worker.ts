/** Errors of the worker. */
import type { CodeGroup } from './entry.ts';

export const WORKER = {
  no_such_schedule: {
    cause: 'The configuration has no schedule of that name.',
    remedy: 'List the schedules: shelflift schedule list',
  },
  no_smtp: {
    cause: 'The configuration requests an e-mail but names no mail server.',
    remedy: 'Add smtp to the configuration.',
  },
  no_secret: {
    cause: 'The environment variable for a password or another secret is not set.',
    remedy: 'Set the variable, or NAME_FILE to a file that holds the secret.',
  },
  package_missing: {
    cause: 'A required optional package is not installed.',
    remedy: 'Install it with the command in the message.',
  },
  spool_missing: {
    cause: 'The copy of a submitted file is missing from the spool.',
    remedy: 'Submit the file again: shelflift jobs submit import FILE',
  },
  spool_damaged: {
    cause:
      'A file in the spool differs from the one that was submitted. The disk or the database changed it.',
    remedy: 'Submit the file again, or run the schedule again. Then check the store: shelflift store check',
  },
  unsafe_folder: {
    cause:
      'In a watched folder, processing/, done/ or failed/ is a link or belongs to another user. The worker does not use it.',
    remedy: 'Move it away. The worker then creates its own folder.',
  },
  claim_replaced: {
    cause: 'A file in processing/ was replaced after the worker claimed it.',
    remedy: 'To import the file that is there now, move it into the watched folder.',
  },
  mostly_rejected: {
    cause:
      'More rows of a watched file were invalid or rejected than alertShare allows. The other rows were imported.',
    remedy:
      'Correct the rows in the rejects file next to the failed file, and put the rejects file into the watched folder.',
  },
  folder_away: {
    cause:
      'A watched folder, or a file in it, cannot be read or moved, or the folder of a delivery does not exist.',
    remedy:
      'Read the cause in the message: a network share may not be mounted, or permissions may be missing.',
  },
  remote_away: {
    cause: 'A server that the configuration names cannot be reached, or is busy.',
    remedy: 'Nothing to do: the worker tries again. If the problem persists, read the cause in the message.',
  },
  remote_missing: {
    cause: 'The source has no such file, or the target has no such folder.',
    remedy: 'Correct the path in the configuration, or put the file there. The worker tries again.',
  },
  remote_refused: {
    cause:
      'The address cannot be used: it is private, it redirects to another host, its server refuses the request, or it returns a web page or a file that is too large.',
    remedy: 'Do what the message says, then: shelflift schedule run NAME',
  },
  program_missing: {
    cause: 'A program that the configuration needs is not installed.',
    remedy: 'Install it as the message says.',
  },
  delivery_failed: {
    cause: 'A file was made but could not be delivered.',
    remedy: 'Correct the cause that the message names, then: shelflift jobs resume RUN',
  },
} as const satisfies CodeGroup;
