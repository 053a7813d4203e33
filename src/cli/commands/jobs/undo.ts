import type { CommandModule } from 'yargs';
import { aboutJob, sayLast } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';

type UndoFlags = FlagsOf<'jobs undo'>;

export const undo: CommandModule<object, UndoFlags> = {
  command: 'undo <id>',
  describe: 'Undo what a job has written, except where somebody changed it since.',
  builder: (yargs) =>
    addFlags(yargs, 'jobs undo').example(
      examples({
        '$0 jobs undo last --dry-run': 'what would go back to what it was',
        '$0 jobs undo last': 'changes go back; created items are archived and listed for deletion by hand',
      }),
    ),
  handler: (flags) =>
    aboutJob(flags, async () => {
      const { withImport } = await import('../../session.ts');
      const { undoJob } = await import('../../../import/run.ts');
      const { readOptions, readRun } = await import('../../read-options.ts');
      const { UndoOptions } = await import('../../../import/job/options.ts');
      const request = { ...readOptions(UndoOptions, flags), run: readRun(flags) };
      const { reportPlan } = await import('../../show/report-plan.ts');
      await withImport(flags, async (deps, reporter) => {
        await sayLast(flags, deps.ledger, (text) => reporter.say(text));
        const outcome = await undoJob(flags.id, deps, request);
        reporter.end();
        await reportPlan(outcome, deps, flags);
      });
    }),
};
