import type { JobLearned } from '../../ledger/job-parts.ts';
import { withLearned } from '../../ledger/job-parts.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';

/** Stores what answers have newly shown of a job. */
export async function learn(
  ledger: Pick<Ledger, 'jobs'>,
  job: Pick<JobRecord, 'id' | 'learned'>,
  news: JobLearned,
): Promise<void> {
  job.learned = withLearned(job.learned, news);
  await ledger.jobs.update(job.id, { learned: news });
}
