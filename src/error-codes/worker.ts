/** The worker. */
import type { ErrorGroup } from './entry.ts';

export const WORKER = {
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
  unsafe_folder: {
    exit: 2,
    cause:
      'In a watched folder, processing/, done/ or failed/ is a link, or belongs to another user: the worker reads and writes nothing there.',
    remedy: 'Move it away. The worker makes a folder of its own.',
  },
  claim_replaced: {
    exit: 2,
    cause: 'A file that waited in processing/ is not the one that the worker had claimed.',
    remedy: 'To import what lies there now, move it into the watched folder.',
  },
  mostly_rejected: {
    exit: 3,
    cause:
      'More rows of a watched file were invalid or refused than alertShare allows; the others were imported.',
    remedy: 'Mend the rows in the rejects file beside it, and drop that file into the folder.',
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
} as const satisfies ErrorGroup;
