import type { CommandModule } from 'yargs';
import { aboutJob, sayLast } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';

type UndoFlags = FlagsOf<'jobs undo'>;

export const undo: CommandModule<object, UndoFlags> = {
  command: 'undo <id>',
  describe: 'Undo the changes of a job, except fields that somebody has changed since.',
  builder: (yargs) =>
    addFlags(yargs, 'jobs undo').example(
      examples({
        '$0 jobs undo last --dry-run': 'show what would be restored',
        '$0 jobs undo last':
          'restore changed values; archive created items, and list them for deletion by hand',
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
