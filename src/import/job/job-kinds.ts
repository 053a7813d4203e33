import type { JobKind, JobRecord } from '../../ledger/ledger.ts';

/** The properties of a kind of job that are needed outside its planner (plan/planners.ts). */
interface KindOfJob {
  /** Its rows come from a table of a person, who may correct them step by step. */
  bringsTable: boolean;
  /** Its updates take back the changes of another job, so texts about it differ, and the page offers no undo of it. */
  takesBack: boolean;
}

export const JOB_KINDS: Readonly<Record<JobKind, KindOfJob>> = {
  import: { bringsTable: true, takesBack: false },
  set: { bringsTable: false, takesBack: false },
  undo: { bringsTable: false, takesBack: true },
};

/**
 * True for a change of items that were selected from the whole account: no file names them, and they are planned while
 * they are read.
 */
export function isSelection({ kind, source }: Pick<JobRecord, 'kind' | 'source'>): boolean {
  return kind === 'set' && source.format === 'none';
}
