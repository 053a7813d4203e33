import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';
import { print, printJson } from '../../show/output.ts';
import { describeRun, printWorkerPart, workerPart } from '../../worker/runs-table.ts';
import { table } from '../../show/words.ts';
import { count, utcTime } from '../../../words.ts';

export const list: CommandModule<object, FlagsOf<'jobs list'>> = {
  command: 'list',
  describe: 'List the jobs of this store, newest first, the runs of its workers, and what runs next.',
  builder: (yargs) =>
    addFlags(yargs, 'jobs list').example(examples({ '$0 jobs list': 'what was done so far' })),
  handler: async (flags) => {
    const { withLedger } = await import('../../session.ts');
    const { rowTotals } = await import('../../../import/results/row-totals.ts');
    await withLedger(flags, async (ledger) => {
      const jobs = await ledger.jobs.list();
      const entries = await Promise.all(
        jobs.map(async (job) => ({
          job: job.id,
          state: job.dryRun ? 'planned (dry run)' : job.state,
          rows: rowTotals(await ledger.rows.counts(job.id)),
          kind: job.kind,
          mode: job.mode,
          file: job.source.file,
          api_url: job.apiUrl,
          created_at: new Date(job.createdAt).toISOString(),
        })),
      );
      const { runs, schedules } = await workerPart(flags, ledger);
      if (flags.json === true) {
        printJson({ jobs: entries, runs: runs.map(describeRun), schedules });
        return;
      }
      if (entries.length === 0) {
        print('There are no jobs in this store yet.');
        printWorkerPart(runs, schedules, flags);
        return;
      }
      const lines = entries.map((entry) => [
        entry.job,
        entry.state,
        entry.kind === 'import' ? entry.mode : entry.kind,
        `${count(entry.rows.created + entry.rows.updated)}/${count(entry.rows.read)}`,
        utcTime(Date.parse(entry.created_at)),
        entry.file,
      ]);
      print(table([['JOB', 'STATE', 'MODE', 'SENT', 'CREATED', 'FILE'], ...lines]));
      printWorkerPart(runs, schedules, flags);
    });
  },
};
