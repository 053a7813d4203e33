/** The operations that a run would send, for the gates: ordinals of rows, ascending. */
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { fieldChanges, isEmptied } from '../engine/field-changes.ts';
import { createsByKey } from '../changes/match-key.ts';
import { isArchiving, type Update, updateOf } from '../engine/operation.ts';
import { rowPages } from '../job/row-pages.ts';
import { chooseCanary } from './canary.ts';
import { unaskedRewrite } from './keys-kept.ts';

export interface Operations {
  /** Creates that look like an existing item. */
  similar: number[];
  /**
   * Creates with keys that the server may not keep: all creates, once the job's own answers have shown a changed key.
   */
  rewritten: number[];
  /** Filled only if a gate asks about all creates. */
  creates: number[];
  updates: number[];
  /** Updates that archive items missing from the file. */
  archives: number[];
  /** True if some of the updates are relative. */
  areRelative: boolean;
  /** Updates that empty a field, by field. */
  emptied: Map<string, number[]>;
  /** How many updates that the job has sent before emptied one of these fields. */
  emptiedBefore: Map<string, number>;
}

/** @param only ordinals of the rows that are sent; otherwise, `first` of them are chosen, or all */
export async function operationsOf(
  job: JobRecord,
  ledger: Ledger,
  { first, only: given }: { first?: number | undefined; only?: readonly number[] | undefined },
): Promise<Operations> {
  const { id, request, plan } = job;
  const all: Operations = {
    similar: [],
    rewritten: [],
    creates: [],
    updates: [],
    archives: [],
    areRelative: false,
    emptied: new Map(),
    emptiedBefore: new Map(),
  };
  const asksOfCreates = plan.ownExport || plan.similar !== undefined || createsByKey(job);
  const { plannedUpdates, updated } = await ledger.rows.counts(id);
  // Most imports only create, and a create alone raises no question.
  if (plannedUpdates === 0 && !asksOfCreates) return all;
  const chosen = given ?? (first === undefined ? undefined : await chooseCanary(id, ledger, first));
  const only = chosen === undefined ? undefined : new Set(chosen);
  const isRewriting = createsByKey(job) && (await showsRewriting(job, ledger));
  const actions = asksOfCreates ? (['create', 'update'] as const) : (['update'] as const);
  for await (const rows of rowPages(ledger, id, { states: ['planned'], actions })) {
    for (const row of rows) {
      const { ordinal } = row;
      if (only?.has(ordinal) === false) continue;
      if (row.action === 'create') {
        all.creates.push(ordinal);
        const codes = row.issues.map(({ code }) => code);
        if (codes.includes('similar')) all.similar.push(ordinal);
        if (isRewriting || codes.includes('key_not_kept')) all.rewritten.push(ordinal);
        continue;
      }
      all.updates.push(ordinal);
      const update = updateOf(row);
      if (isArchiving(update)) all.archives.push(ordinal);
      all.areRelative ||= update.relative !== undefined;
      // An undo empties only what its job had filled.
      if (request.undoes !== undefined) continue;
      for (const field of emptiedBy(update)) {
        const ordinals = all.emptied.get(field) ?? [];
        all.emptied.set(field, ordinals);
        ordinals.push(ordinal);
      }
    }
  }
  if (all.emptied.size === 0 || updated === 0) return all;
  for await (const rows of rowPages(ledger, id, { states: ['done'], actions: ['update'] }))
    for (const field of rows.flatMap((row) => emptiedBy(updateOf(row))))
      all.emptiedBefore.set(field, (all.emptiedBefore.get(field) ?? 0) + 1);
  return all;
}

function emptiedBy(update: Update): string[] {
  return fieldChanges(update).flatMap(({ field, to }) => (isEmptied(to) ? [field] : []));
}

/** True if a row of the job was created under a key that the server rewrote, without anybody's consent. */
async function showsRewriting(job: JobRecord, ledger: Ledger): Promise<boolean> {
  const made = { states: ['done'], actions: ['create'], withIssues: true } as const;
  for await (const rows of rowPages(ledger, job.id, made))
    if (rows.some((row) => unaskedRewrite(job, row) !== undefined)) return true;
  return false;
}
