/** Writes a plan to a file for review: a workbook or an HTML page. */
import { extname, resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { writePlanHtml } from './plan-html.ts';
import { planReport } from './plan-report.ts';
import { type PlanTable, planTable } from './plan-table.ts';

const WIDTH = 24;
const WIDTHS: Record<string, number> = { row: 8, what: 12, item: 38, name: 36, note: 60 };

/** Checked before a file is read. @throws UsageError `unknown_format`, `output_is_input` */
export function checkPlanFile(file: string, source?: string): void {
  if (source !== undefined && resolve(source) === resolve(file)) {
    throw new UsageError('output_is_input', `--plan ${file} is the file to import.`);
  }
  if (['.xlsx', '.html'].includes(extname(file).toLowerCase())) return;
  throw new UsageError('unknown_format', `--plan ${file}: expected a name that ends in .xlsx or .html.`);
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
  const table = await planTable(job, ledger, await planReport(job, ledger, client.lane.knownRate, run));
  const sha256 = await (extname(path).toLowerCase() === '.html'
    ? writePlanHtml(path, table)
    : writeXlsx(path, table));
  const files = { ...(await ledger.jobs.find(job.id)).files, plan: { path, sha256 } };
  await ledger.jobs.update(job.id, { files });
  return path;
}

async function writeXlsx(file: string, { summary, columns, rows }: PlanTable): Promise<string> {
  const { writeMarkedWorkbook } = await import('../../sheets/xlsx/write-marked.ts');
  const totals = async function* () {
    yield summary.map(([name, value]) => [name, value]);
  };
  return writeMarkedWorkbook(file, [
    {
      name: 'Plan',
      columns: columns.map((header) => ({ header, width: WIDTHS[header] ?? WIDTH })),
      rows: rows(),
    },
    {
      name: 'Totals',
      columns: [
        { header: 'what', width: 40 },
        { header: 'value', width: 40 },
      ],
      rows: totals(),
    },
  ]);
}
