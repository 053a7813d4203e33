/** Defects in shelflift itself. */
import type { CodeGroup } from './entry.ts';

export const DEFECTS = {
  defect: {
    cause: 'This is a defect in shelflift. Nothing that was recorded is lost.',
    remedy: 'Run the command again with --verbose and report its output. Jobs can be resumed.',
  },
} as const satisfies CodeGroup;
