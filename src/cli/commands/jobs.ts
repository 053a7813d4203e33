import type { Argv, CommandModule } from 'yargs';
import type { resumeJob } from '../../import/jobs/jobs.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import type { GlobalFlags } from '../globals.ts';
import { print, printJson, reportOutcome } from '../show/output.ts';
import { planOption, runOptions, type RunFlags, toRunOptions, whole } from '../run-flags.ts';
import { describeRun, printWorkerPart, runsTable, workerPart } from '../worker/runs-table.ts';
import { stopSignal } from '../stop-signal.ts';
import { count, table } from '../show/words.ts';
import { CONFIG, type ConfigFlags } from '../worker/worker-session.ts';
import { submitCommand } from './jobs-submit.ts';

type IdFlags = GlobalFlags & { id: string };

const ID = { type: 'string', demandOption: true, describe: 'id, the beginning of one, or last' } as const;

export const jobsCommand: CommandBody<object> = {
  builder: (yargs) =>
    yargs
      .command(list)
      .command(show)
      .command(submitCommand)
      .command(
        going(
          'resume',
          'last',
          'go on with a job where it was',
          async () => (await import('../../import/jobs/jobs.ts')).resumeJob,
        ),
      )
      .command(
        going(
          'apply',
          '261121-c5283c51',
          'send what a dry run planned',
          async () => (await import('../../import/jobs/jobs.ts')).applyJob,
        ),
      )
      .command(cancel)
      .command(undo)
      .command(prune)
      .command(results)
      .command(resolve)
      .demandCommand(
        1,
        'Name what to do with jobs: list, show, submit, resume, apply, cancel, undo, prune, results or resolve.',
      )
      .strict()
      .example(examples({ '$0 jobs resume last': 'go on after a kill, a limit or an outage' })),
  handler: () => undefined,
};

const list: CommandModule<object, ConfigFlags> = {
  command: 'list',
  describe: 'all jobs of this store, newest first; the runs of its workers, and what they run next',
  builder: (yargs) =>
    yargs
      .option('config', CONFIG)
      .example(examples({ '$0 jobs list': 'what was done so far' })) as unknown as Argv<ConfigFlags>,
  handler: async (flags) => {
    const { withLedger } = await import('../session.ts');
    const { rowTotals } = await import('../../import/results/summary.ts');
    await withLedger(flags, async (ledger) => {
      const jobs = await ledger.listJobs();
      const entries = await Promise.all(
        jobs.map(async (job) => ({
          job: job.id,
          state: job.dryRun ? 'planned (dry run)' : job.state,
          rows: rowTotals(await ledger.counts(job.id)),
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
        printWorkerPart(runs, schedules);
        return;
      }
      const lines = entries.map((entry) => [
        entry.job,
        entry.state,
        entry.kind === 'import' ? entry.mode : entry.kind,
        `${count(entry.rows.created + entry.rows.updated)}/${count(entry.rows.read)}`,
        entry.created_at.slice(0, 16).replace('T', ' '),
        entry.file,
      ]);
      print(table([['JOB', 'STATE', 'MODE', 'SENT', 'CREATED (UTC)', 'FILE'], ...lines]));
      printWorkerPart(runs, schedules);
    });
  },
};

type ShowFlags = IdFlags & { follow?: boolean; changes?: boolean };

const show: CommandModule<object, ShowFlags> = {
  command: 'show <id>',
  describe: 'how a job, or a run of a worker, stands',
  builder: (yargs) =>
    yargs
      .positional('id', ID)
      .option('changes', { type: 'boolean', describe: 'each row: what the item was, and what it became' })
      .option('follow', { type: 'boolean', describe: 'watch until it has ended' })
      .example(
        examples({
          '$0 jobs show last': 'how the newest one stands',
          '$0 jobs show last --changes': 'what its items were before, field by field',
          '$0 jobs show last --follow': 'watch it from another terminal',
        }),
      ) as unknown as Argv<ShowFlags>,
  handler: async (flags) => {
    const { withLedger } = await import('../session.ts');
    const { follow, lookAt } = await import('../worker/follow.ts');
    await withLedger(flags, async (ledger, session) => {
      using stop = stopSignal(() => undefined);
      const look = flags.follow === true ? follow : lookAt;
      const { outcome, run } = await look(flags.id, ledger, session, stop.signal);
      session.reporter.end();
      if (flags.changes === true && outcome !== undefined) {
        const { reportChanges } = await import('../show/report-changes.ts');
        await reportChanges(outcome, ledger, flags);
        return;
      }
      // Looking is no failure, whatever is seen.
      if (outcome !== undefined) reportOutcome({ ...outcome, exitCode: 0 }, flags);
      else if (run !== undefined && flags.json === true)
        printJson({ job: run.id, state: run.state, run: describeRun(run) });
      else if (run !== undefined) print(runsTable([run]));
    });
  },
};

const cancel: CommandModule<object, IdFlags> = {
  command: 'cancel <id>',
  describe: 'end a job; what was sent stays',
  builder: (yargs) =>
    yargs.positional('id', ID).example(examples({ '$0 jobs cancel last': 'give up what is left of it' })),
  handler: async (flags) => {
    const { withLedger } = await import('../session.ts');
    const { cancelJob } = await import('../../import/jobs/jobs.ts');
    await withLedger(flags, async (ledger, { meter }) => {
      reportOutcome(await cancelJob(flags.id, { ledger, meter }), flags);
    });
  },
};

type UndoFlags = IdFlags & RunFlags & { 'dry-run'?: boolean; 'out-dir'?: string };

const undo: CommandModule<object, UndoFlags> = {
  command: 'undo <id>',
  describe: 'take back what a job has written, where nobody has changed it since',
  builder: (yargs) =>
    planOption(runOptions(yargs))
      .positional('id', ID)
      .option('dry-run', { type: 'boolean', describe: 'show what would be done; jobs apply sends it' })
      .option('out-dir', {
        type: 'string',
        describe: 'folder for the files [that of the job]',
        requiresArg: true,
      })
      .example(
        examples({
          '$0 jobs undo last --dry-run': 'what would go back to what it was',
          '$0 jobs undo last': 'changes go back; created items are archived and listed for deletion by hand',
        }),
      ) as unknown as Argv<UndoFlags>,
  handler: async (flags) => {
    const { withImport } = await import('../session.ts');
    const { undoJob } = await import('../../import/undo/undo-job.ts');
    const request = {
      run: toRunOptions(flags),
      ...(flags['dry-run'] === true ? { dryRun: true } : {}),
      ...(flags['out-dir'] === undefined ? {} : { outDir: flags['out-dir'] }),
    };
    const { reportPlan } = await import('../show/report-plan.ts');
    await withImport(flags, async (deps, reporter) => {
      const outcome = await undoJob(flags.id, deps, request);
      reporter.end();
      await reportPlan(outcome, deps, flags);
    });
  },
};

const results: CommandModule<object, IdFlags & { 'out-dir'?: string }> = {
  command: 'results <id>',
  describe: 'write the results and rejects files again',
  builder: (yargs) =>
    yargs
      .positional('id', ID)
      .option('out-dir', { type: 'string', describe: 'folder for the files', requiresArg: true })
      .example(
        examples({ '$0 jobs results last --out-dir ./reports': 'the files again, elsewhere' }),
      ) as unknown as Argv<IdFlags & { 'out-dir'?: string }>,
  handler: async (flags) => {
    const { withLedger } = await import('../session.ts');
    const { writeResults } = await import('../../import/results/results.ts');
    await withLedger(flags, async (ledger, { reporter }) => {
      const job = await ledger.findJob(flags.id);
      if (flags['out-dir'] !== undefined) job.options = { ...job.options, outDir: flags['out-dir'] };
      const files = await writeResults(job, ledger, (event) => reporter.onEvent(event));
      if (flags.json === true) printJson({ job: job.id, files });
      else for (const [kind, path] of Object.entries(files)) print(`${kind}: ${path}`);
    });
  },
};

type PruneFlags = GlobalFlags & { 'older-than'?: string; 'dry-run'?: boolean };

const prune: CommandModule<object, PruneFlags> = {
  command: 'prune',
  describe: 'forget the cells and before-images of old jobs, and old dry runs',
  builder: (yargs) =>
    yargs
      .option('older-than', {
        type: 'string',
        describe: 'jobs that have not moved for so long [2160h: 90 days, the least]',
        requiresArg: true,
      })
      .option('dry-run', { type: 'boolean', describe: 'only say which' })
      .example(
        examples({ '$0 jobs prune --dry-run': 'which jobs are older than 90 days' }),
      ) as unknown as Argv<PruneFlags>,
  handler: async (flags) => {
    const { withLedger } = await import('../session.ts');
    const { pruneJobs } = await import('../../import/jobs/prune-jobs.ts');
    const { parseDuration } = await import('../../config.ts');
    await withLedger(flags, async (ledger) => {
      const { jobs, dryRuns } = await pruneJobs(ledger, {
        now: Date.now(),
        dryRun: flags['dry-run'] === true,
        ...(flags['older-than'] === undefined
          ? {}
          : { olderThanMs: parseDuration(flags['older-than'], '--older-than') }),
      });
      if (flags.json === true) {
        printJson({ jobs, dry_runs: dryRuns });
        return;
      }
      const done = flags['dry-run'] === true ? 'would be forgotten' : 'are forgotten';
      print(
        `before-images and cells of ${count(jobs.length)} jobs ${done}, and ${count(dryRuns.length)} dry runs`,
      );
    });
  },
};

type ResolveFlags = IdFlags & { row: number; as: string; sheet?: string | undefined };

const resolve: CommandModule<object, ResolveFlags> = {
  command: 'resolve <id>',
  describe: 'settle a held row by hand: only a person can know',
  builder: (yargs) =>
    yargs
      .positional('id', ID)
      .option('row', { type: 'number', demandOption: true, describe: 'row of the file', requiresArg: true })
      .option('sheet', {
        type: 'string',
        describe: 'sheet of the row, where several have one',
        requiresArg: true,
      })
      .option('as', {
        type: 'string',
        demandOption: true,
        describe: 'created:ITEM_ID (it is there), retry (it is not: send it), or skip',
        requiresArg: true,
      })
      .example(
        examples({
          '$0 jobs resolve last --row 17 --as retry': 'row 17 is not there: send it with the next resume',
        }),
      ),
  handler: async (flags) => {
    const { withLedger } = await import('../session.ts');
    const { parseResolution, resolveRow } = await import('../../import/jobs/resolve-row.ts');
    const resolution = parseResolution(flags.as);
    await withLedger(flags, async (ledger, { meter, reporter }) => {
      reportOutcome(
        await resolveRow(
          flags.id,
          whole(flags.row, '--row', 1),
          resolution,
          { ledger, meter, emit: (event) => reporter.onEvent(event) },
          flags.sheet,
        ),
        flags,
      );
    });
  },
};

function going(
  verb: string,
  /** As the example names the job: `last` is never a dry run. */
  whose: string,
  describe: string,
  load: () => Promise<typeof resumeJob>,
): CommandModule<object, IdFlags & RunFlags> {
  return {
    command: `${verb} <id>`,
    describe,
    builder: (yargs) =>
      runOptions(yargs)
        .positional('id', ID)
        .example(examples({ [`$0 jobs ${verb} ${whose}`]: describe })) as unknown as Argv<IdFlags & RunFlags>,
    handler: async (flags) => {
      const { withImport } = await import('../session.ts');
      const run = await load();
      reportOutcome(await withImport(flags, (deps) => run(flags.id, deps, toRunOptions(flags))), flags);
    },
  };
}
