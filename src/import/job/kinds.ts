/** How people are told about each kind of job; what it does is in plan/planners.ts. */
import type { JobKind, JobRecord } from '../../ledger/ledger.ts';
import { shellWord } from '../../shell-word.ts';

interface KindWords {
  /** What was asked for. */
  asked: 'file' | 'change';
  /** How corrected rows are given to it again. */
  again: string;
  /** The command that does so, or the part of it that names the file. */
  withRejects: (job: JobRecord, rejects: string) => string;
  /** Items of a file that were as asked for already are told one by one. */
  tellsUnchanged?: true;
}

export const KINDS: Record<JobKind, KindWords> = {
  import: {
    asked: 'file',
    again: 'import again',
    // The rejects are a text file: what says how the source is read is not repeated.
    withRejects: ({ mode, request }, rejects) =>
      `shelflift import ${rejects} --mode ${mode} --match ${shellWord(request.match.join(','))}`,
  },
  set: {
    asked: 'change',
    again: 'repeat the command with that file',
    withRejects: (_, rejects) => `--from ${rejects}`,
    tellsUnchanged: true,
  },
  undo: {
    asked: 'change',
    again: 'undo again',
    withRejects: ({ request }) => `shelflift jobs undo ${request.undoes ?? ''}`,
  },
};
