/**
 * Columns that nobody mapped are kept as custom fields when a file without a template makes new items. They may hold what
 * others should not see, such as purchase prices, so a public collection gets them only if a person agrees.
 */
import { counted } from '../../counted.ts';
import { cut } from '../../mapping/casts/cast.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { mendNow } from './remap.ts';

/** Tells of them, or asks; once for each job, before anything is sent. */
export async function settleKept(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<JobRecord> {
  const { kept, intoPublic } = job.plan;
  if (kept === undefined) return job;
  const isOne = kept.length === 1;
  const columns = `${counted(kept.length, 'column')} that nothing maps (${kept.map(cut).join(', ')}) ${isOne ? 'is' : 'are'}`;
  const asKept = `${columns} kept as ${isOne ? 'a custom field' : 'custom fields'}`;
  const them = isOne ? 'it' : 'them';
  const question = `${asKept}, in a collection that everybody can see. Keep ${them}?`;
  if (intoPublic !== true)
    deps.emit({ type: 'note', message: `${asKept}; --drop-unknown leaves ${them} out.` });
  else if (!(await confirmWithUser(deps, question))) {
    await mendNow(
      job,
      kept.map((column) => ({ type: 'ignore', column })),
      deps,
      run,
    );
    deps.emit({
      type: 'warning',
      message: `${columns} left out, because everybody can see the collection; --keep-unknown keeps ${them}.`,
    });
  }
  const now = await deps.ledger.jobs.find(job.id);
  await deps.ledger.jobs.update(job.id, { plan: { ...now.plan, kept: undefined } });
  return deps.ledger.jobs.find(job.id);
}
