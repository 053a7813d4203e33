import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';
import { JOB_STATES } from '../../../ledger/states.ts';
import { tally } from '../../../ledger/stored-row.ts';
import { FINAL_STATES, OPEN_STATES } from '../../../worker/queue/run.ts';
import { ListOptions } from '../../options.ts';
import { readOptions } from '../../read-options.ts';
import { print, printJson } from '../../show/output.ts';
import { describeRun, printWorkerPart, workerPart } from '../../worker/runs-table.ts';
import { table } from '../../show/words.ts';
import { message } from '../../../messages/message.ts';
import { say } from '../../show/say.ts';
import { utcTime } from '../../../base/words.ts';

const SHOWN = 50;
const NO_ROWS = tally([]);
const HEADS = (
  ['head_job', 'head_state', 'head_mode', 'head_sent', 'head_created', 'head_file'] as const
).map((code) => message(code, {}));

export const list: CommandModule<object, FlagsOf<'jobs list'>> = {
  command: 'list',
  describe: 'List the jobs of this store, newest first, the runs of its workers, and what runs next.',
  builder: (yargs) => addFlags(yargs, 'jobs list').example(examples({ '$0 jobs list': 'all jobs so far' })),
  handler: async (flags) => {
    const { withLedger } = await import('../../session.ts');
    const { rowTotals } = await import('../../../import/job/row-totals.ts');
    await withLedger(flags, async (ledger) => {
      const { limit = SHOWN, state, sinceMs } = readOptions(ListOptions, flags);
      const since = sinceMs === undefined ? {} : { since: Date.now() - sinceMs };
      const jobStates = JOB_STATES.filter((each) => each === state);
      const runStates = [...OPEN_STATES, ...FINAL_STATES].filter((each) => each === state);
      const jobs = await ledger.jobs.list(limit, {
        ...since,
        ...(state === undefined ? {} : { states: jobStates }),
      });
      const counts = await ledger.rows.countsOf(jobs.map(({ id }) => id));
      const entries = jobs.map((job) => ({
        job: job.id,
        state: job.dryRun ? 'planned (dry run)' : job.state,
        rows: rowTotals(counts.get(job.id) ?? NO_ROWS),
        kind: job.kind,
        mode: job.mode,
        ...(job.request.undoes === undefined ? {} : { undoes: job.request.undoes }),
        file: job.source.file,
        api_url: job.apiUrl,
        created_at: new Date(job.createdAt).toISOString(),
      }));
      const part = await workerPart(flags, ledger, {
        limit,
        ...since,
        ...(state === undefined ? {} : { states: runStates }),
      });
      if (flags.json === true) {
        const { runs, counts: run_counts, schedules } = part;
        printJson({ jobs: entries, runs: runs.map(describeRun), run_counts, schedules });
        return;
      }
      if (entries.length === 0) {
        print(
          say(message(state === undefined && sinceMs === undefined ? 'no_jobs_yet' : 'no_such_jobs', {})),
        );
        printWorkerPart(part, flags);
        return;
      }
      const dryRuns = new Set(jobs.filter(({ dryRun }) => dryRun).map(({ id }) => id));
      const lines = entries.map((entry) => [
        entry.job,
        dryRuns.has(entry.job) ? say(message('planned_in_dry_run', {})) : entry.state,
        entry.undoes === undefined
          ? entry.kind === 'import'
            ? entry.mode
            : entry.kind
          : say(message('undo_of_job', { job: entry.undoes })),
        say(message('rows_sent_of', { sent: entry.rows.created + entry.rows.updated, of: entry.rows.read })),
        utcTime(Date.parse(entry.created_at)),
        entry.file,
      ]);
      print(table([HEADS.map(say), ...lines]));
      printWorkerPart(part, flags);
    });
  },
};
