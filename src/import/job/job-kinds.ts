import type { JobKind, JobRecord } from '../../ledger/ledger.ts';

/** What is asked of a kind of job outside its planner (plan/planners.ts). A new kind answers each question here. */
interface KindOfJob {
  /** Its rows come from a table that a person brings, step by step, and may still correct. */
  bringsTable: boolean;
  /** Its updates take back what another job did: it has other words, and no undo of its own on the page. */
  takesBack: boolean;
}

export const JOB_KINDS: Readonly<Record<JobKind, KindOfJob>> = {
  import: { bringsTable: true, takesBack: false },
  set: { bringsTable: false, takesBack: false },
  undo: { bringsTable: false, takesBack: true },
};

/** True for a change of the items that a selection chose of all: no file names them, and they are planned as they are read. */
export function isSelection({ kind, source }: Pick<JobRecord, 'kind' | 'source'>): boolean {
  return kind === 'set' && source.format === 'none';
}
