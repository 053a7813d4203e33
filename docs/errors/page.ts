/** Errors of the page in the browser (`shelflift ui`). */
import type { CodeGroup } from './entry.ts';

export const PAGE = {
  bad_upload: {
    cause: 'The page did not receive the whole file.',
    remedy: 'Choose the file again.',
  },
  no_such_upload: {
    cause: 'The page no longer has the file: files that you do not import are removed after 24 hours.',
    remedy: 'Choose the file again.',
  },
} as const satisfies CodeGroup;
