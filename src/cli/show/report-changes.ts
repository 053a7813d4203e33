/** `jobs show ID --changes`: every row with the values of its item before and after. */
import { once } from 'node:events';
import { changeRows } from '../../import/review/change-rows.ts';
import type { JobOutcome } from '../../import/results/summary.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { GlobalFlags } from '../flags.ts';
import { rowJson, summaryJson } from './job-json.ts';
import { outcomeText, print } from './output.ts';
import { rowsText } from './plan-text.ts';

/** Streams, because a job may have a million rows, each with its item. */
export async function reportChanges(outcome: JobOutcome, ledger: Ledger, flags: GlobalFlags): Promise<void> {
  process.exitCode = 0;
  const job = await ledger.jobs.find(outcome.summary.job);
  if (flags.json !== true) print(outcomeText(outcome, flags));
  else
    process.stdout.write(
      `${JSON.stringify(summaryJson(outcome.summary, flags)).slice(0, -1)},"changes":{"rows":[`,
    );
  let first = true;
  for await (const rows of changeRows(job, ledger)) {
    if (flags.json === true)
      process.stdout.write(`${first ? '' : ','}${rows.map((row) => JSON.stringify(rowJson(row))).join(',')}`);
    else print(`${first ? '\n' : ''}${rowsText(rows, process.stdout.columns ?? 100)}`);
    first = false;
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  }
  if (flags.json === true) process.stdout.write(']}}\n');
}
