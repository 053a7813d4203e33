import type { Argv, CommandModule } from 'yargs';
import { aboutJob, type IdFlags, idOption } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import { planOption, runOptions, type RunFlags, toRunOptions } from '../../run-flags.ts';

type UndoFlags = IdFlags & RunFlags & { 'dry-run'?: boolean; 'out-dir'?: string };

export const undo: CommandModule<object, UndoFlags> = {
  command: 'undo <id>',
  describe: 'take back what a job has written, where nobody has changed it since',
  builder: (yargs) =>
    planOption(runOptions(idOption(yargs)))
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
  handler: (flags) =>
    aboutJob(flags, async () => {
      const { withImport } = await import('../../session.ts');
      const { undoJob } = await import('../../../import/run.ts');
      const request = {
        run: toRunOptions(flags),
        ...(flags['dry-run'] === true ? { dryRun: true } : {}),
        ...(flags['out-dir'] === undefined ? {} : { outDir: flags['out-dir'] }),
      };
      const { reportPlan } = await import('../../show/report-plan.ts');
      await withImport(flags, async (deps, reporter) => {
        const outcome = await undoJob(flags.id, deps, request);
        reporter.end();
        await reportPlan(outcome, deps, flags);
      });
    }),
};
