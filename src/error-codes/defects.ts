/** Defects of ours. */
import type { ErrorGroup } from './entry.ts';

export const DEFECTS = {
  defect: {
    exit: 1,
    cause: 'A defect in shelflift. Nothing that was recorded is lost.',
    remedy: 'Run it again with --verbose and tell us what it says; jobs can be resumed.',
  },
} as const satisfies ErrorGroup;
