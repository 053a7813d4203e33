/** A command about one job: if it fails, `--json` prints the job's summary with the error (design §2, JSON). */
import { ShelfliftError } from '../base/errors.ts';
import type { JobSummary } from '../import/results/summary.ts';
import type { JobRecord, Ledger } from '../ledger/ledger.ts';
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
 * Reports which job `last` refers to, for commands that change something. From then on the flags name this job, because
 * another process may make a newer one at any time.
 *
 * @param find finds the job, if `last` means another one than `jobs.find` says (`apply`)
 */
export async function sayLast(
  flags: { id: string },
  { jobs }: Pick<Ledger, 'jobs'>,
  tell: (text: string) => void,
  find: (reference: string) => Promise<JobRecord> = (reference) => jobs.find(reference),
): Promise<void> {
  if (flags.id !== 'last') return;
  const { id, source } = await find(flags.id);
  flags.id = id;
  tell(say(message('last_is_job', { job: id, file: source.file })));
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
