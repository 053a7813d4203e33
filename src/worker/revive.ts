/** Retries a waiting or parked run at once, with all its tries. */
import { UsageError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { deliveryQueue, type Queue } from './queue/queue.ts';
import { fileOf, forgetFile, isFinal, type Run } from './queue/run.ts';
import { Runs } from './queue/runs.ts';
import { isThere } from './tasks/run-import.ts';

/**
 * A file that exists is not made again; only its open deliveries are repeated. A fetched file that its import has read
 * is not fetched again; the import goes on. Runs that are done, cancelled or running
 * are left alone.
 *
 * @returns the run after the change
 * @throws UsageError `spool_missing` for a failed import whose file was archived or removed
 */
export async function reviveRun(
  id: string,
  { ledger, queue, now }: { ledger: Ledger; queue: Queue; now: number },
): Promise<Run | undefined> {
  const runs = new Runs(ledger);
  const run = await runs.get(id);
  if (run === undefined || ['running', 'done', 'cancelled'].includes(run.state)) return run;
  const before = run.notBefore;
  if (isFinal(run)) beginAnew(run, await isThere(ledger, run.id));
  for (const each of [run, ...(run.deliveries ?? [])]) delete each.awaySince;
  for (const each of run.deliveries ?? []) delete each.notBefore;
  run.notBefore = now;
  await runs.save(run);
  await queue.add(run.state === 'delivering' ? { ...run, queue: deliveryQueue(run.id) } : run, before);
  return run;
}

/** @param isRead whether the run's import has read its file: another file would not be read */
function beginAnew(run: Run, isRead: boolean): void {
  const { work } = run;
  const parked = run.state === 'parked_poison';
  if (work.kind === 'import' && ('claimed' in work.source || !parked))
    throw new UsageError('spool_missing', message('copy_missing', { file: fileOf(work.source) }), {
      actions: [
        {
          do: 'byHand',
          label: 'claimed' in work.source ? message('drop_file_again', {}) : message('submit_file_again', {}),
        },
      ],
    });
  if (!parked && !isRead) forgetFile(run);
  run.state = run.deliveries === undefined ? 'queued' : 'delivering';
  run.tries = 0;
  for (const each of run.deliveries ?? []) if (!each.done) each.tries = 0;
  delete run.endedAt;
  delete run.exitCode;
}
