/** A command about one job: if it fails, `--json` prints the job's summary with the error (design §2, JSON). */
import { ShelfliftError } from '../base/errors.ts';
import type { JobSummary } from '../import/results/summary.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { message } from '../messages/message.ts';
import type { FlagsOf } from './flags.ts';
import { say } from './show/say.ts';

export type IdFlags = FlagsOf<'jobs cancel'>;

/** @param work prints its own result; with `--json`, an error becomes the command's one object */
export async function aboutJob(flags: IdFlags, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (flags.json !== true) throw error;
    const { reportError } = await import('./show/output.ts');
    process.exitCode = reportError(error, flags, await summaryOf(flags, error));
  }
}

/**
 * Reports which job `last` refers to, for commands that change something.
 *
 * @param newest `last` includes dry runs, as for `apply`
 */
export async function sayLast(
  { id }: IdFlags,
  { jobs }: Pick<Ledger, 'jobs'>,
  tell: (text: string) => void,
  newest = false,
): Promise<void> {
  if (id !== 'last') return;
  const [found] = newest ? await jobs.list(1) : [await jobs.find(id)];
  if (found === undefined) return;
  tell(say(message('last_is_job', { job: found.id, file: found.source.file })));
}

/** The job's current summary; undefined if there is no such job or no store. */
async function summaryOf(flags: IdFlags, error: unknown): Promise<JobSummary | undefined> {
  // Do not wait twice for a server that did not answer.
  if (error instanceof ShelfliftError && error.code.startsWith('store_')) return undefined;
  const { withLedger } = await import('./session.ts');
  const { showJob } = await import('../import/results/outcome.ts');
  try {
    return await withLedger(flags, async (ledger, { meter }) => {
      const { summary } = await showJob(flags.id, { ledger, meter });
      return summary;
    });
  } catch {
    return undefined;
  }
}
