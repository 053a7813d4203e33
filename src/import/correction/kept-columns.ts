/**
 * Columns that nobody mapped are kept as custom fields when a file without a template makes new items. They may contain
 * private data, such as purchase prices, so they go to a public collection only if a person agrees.
 */
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import { noteOf, warningOf, without } from '../job/events.ts';
import { cut } from '../../mapping/casts/cast.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { correctJob } from './correct-job.ts';

/** Reports the kept columns, or asks a person to confirm them, once for each job and before anything is sent. */
export async function settleKept(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<JobRecord> {
  const { kept, intoPublic } = job.plan;
  if (kept === undefined) return job;
  const columns = kept.map(cut);
  const keptOnes = message('kept_columns', { columns }, option('drop-unknown', 'to_leave_out', kept.length));
  const question = message('keep_public_columns', { kept: keptOnes, columns: kept.length });
  if (intoPublic !== true) deps.emit(noteOf(keptOnes));
  else if (!(await confirmWithUser(deps, question))) {
    const changes = kept.map((column) => ({ type: 'ignore', column }) as const);
    const emit = without(deps.emit, 'issues', 'note', 'warning');
    await correctJob(job.id, { changes, run, byRule: true }, { ...deps, emit });
    deps.emit(
      warningOf(message('left_out_of_public', { columns }, option('keep-unknown', 'to_keep', kept.length))),
    );
  }
  const now = await deps.ledger.jobs.find(job.id);
  await deps.ledger.jobs.update(job.id, { plan: { ...now.plan, kept: undefined } });
  return deps.ledger.jobs.find(job.id);
}

function option(name: string, code: 'to_keep' | 'to_leave_out', columns: number): Action {
  return { do: 'setOption', option: name, label: message(code, { columns }) };
}
