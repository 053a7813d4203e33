/** Writes a plan to a file for review: a workbook or an HTML page. */
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { checkMarkedFile, writeMarkedTable } from '../../sheets/write-marked-table.ts';
import type { JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { planReport } from './plan-report.ts';
import { planTable } from './plan-table.ts';

/** Checked before a file is read. @throws UsageError `unknown_format`, `output_is_input` */
export function checkPlanFile(file: string, source?: string): void {
  if (source !== undefined && resolve(source) === resolve(file)) {
    throw new UsageError('output_is_input', message('plan_is_source', { file }));
  }
  checkMarkedFile(file);
}

/** Writes the plan of a job and adds the file to the job's record. @returns its absolute path */
export async function writePlan(
  job: JobRecord,
  { ledger, client }: Pick<JobDeps, 'ledger' | 'client'>,
  file: string,
  run: RunOptions,
): Promise<string> {
  checkPlanFile(file);
  const path = resolve(file);
  const table = await planTable(job, ledger, await planReport(job, ledger, client.limiter.knownRate, run));
  const sha256 = await writeMarkedTable(path, table);
  const files = { ...(await ledger.jobs.find(job.id)).files, plan: { path, sha256 } };
  await ledger.jobs.update(job.id, { files });
  return path;
}
