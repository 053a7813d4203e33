/** Writes a plan to a file for review: a workbook or an HTML page. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import { checkMarkedFile, writeMarkedTable } from '../../sheets/write-marked-table.ts';
import type { JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { planReport } from './plan-report.ts';
import { planTable } from './plan-table.ts';

/**
 * Checked before a file is read. A plan that a reviewer has edited is not replaced, nor is any other file of a person.
 *
 * @throws UsageError `unknown_format`, `output_is_input`, `not_our_file`
 */
export async function checkPlanFile(
  file: string,
  { jobs }: Pick<Ledger, 'jobs'>,
  source?: string,
): Promise<void> {
  const path = resolve(file);
  if (source !== undefined && resolve(source) === path) {
    throw new UsageError('output_is_input', message('plan_is_source', { file }));
  }
  checkMarkedFile(file);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true || (await jobs.fileWriter(await hashFile(path))) !== undefined) return;
  throw new UsageError('not_our_file', message('plan_not_replaced', { file: path }), {
    actions: [byHand('choose_other_name', {})],
  });
}

/** Writes the plan of a job and adds the file to the job's record. */
export async function writePlan(
  job: JobRecord,
  deps: Pick<JobDeps, 'ledger' | 'client'>,
  file: string,
  run: RunOptions,
): Promise<void> {
  const path = resolve(file);
  const sha256 = await writePlanFile(job, deps, path, run);
  const { jobs } = deps.ledger;
  await jobs.noteFile(sha256, job.id);
  const files = { ...(await jobs.find(job.id)).files, plan: { path, sha256 } };
  await jobs.update(job.id, { files });
}

/** Writes the plan of a job. @returns the SHA-256 of the file */
export async function writePlanFile(
  job: JobRecord,
  { ledger, client }: Pick<JobDeps, 'ledger' | 'client'>,
  path: string,
  run: RunOptions,
): Promise<string> {
  const report = await planReport(job, ledger, client.limiter.knownRate, run);
  return writeMarkedTable(path, await planTable(job, ledger, report));
}
