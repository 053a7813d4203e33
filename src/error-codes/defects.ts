/** Defects in shelflift itself. */
import type { ErrorGroup } from './entry.ts';

export const DEFECTS = {
  defect: {
    exit: 1,
    cause: 'This is a defect in shelflift. Nothing that was recorded is lost.',
    remedy: 'Run the command again with --verbose and report its output. Jobs can be resumed.',
  },
} as const satisfies ErrorGroup;
