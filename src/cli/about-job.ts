/** A command about one job: where it fails, `--json` holds the job's summary beside the error (design §2, JSON). */
import { ShelfliftError } from '../errors.ts';
import type { JobSummary } from '../import/results/summary.ts';
import type { FlagsOf } from './flags.ts';

export type IdFlags = FlagsOf<'jobs cancel'>;

/** @param work prints its own result; what it throws becomes the command's one object where there is `--json` */
export async function aboutJob(flags: IdFlags, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (flags.json !== true) throw error;
    const { reportError } = await import('./show/output.ts');
    process.exitCode = reportError(error, flags, await summaryOf(flags, error));
  }
}

/** The job as it stands; undefined where there is none, or no store to look in. */
async function summaryOf(flags: IdFlags, error: unknown): Promise<JobSummary | undefined> {
  // A server that did not answer is not waited for twice.
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
