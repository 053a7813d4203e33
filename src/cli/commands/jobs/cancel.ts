import type { CommandModule } from 'yargs';
import { aboutJob, sayLast } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';
import { reportOutcome } from '../../show/output.ts';
import { reportRun } from '../../worker/runs-table.ts';

export const cancel: CommandModule<object, FlagsOf<'jobs cancel'>> = {
  command: 'cancel <id>',
  describe: 'End a job or a run of a worker; sent rows stay.',
  builder: (yargs) =>
    addFlags(yargs, 'jobs cancel').example(
      examples({ '$0 jobs cancel last': 'do not send its remaining rows' }),
    ),
  handler: (flags) =>
    aboutJob(flags, async () => {
      const { withLedger } = await import('../../session.ts');
      const { cancelAnywhere } = await import('../../../worker/cancel.ts');
      const { systemClock } = await import('../../../base/clock.ts');
      await withLedger(flags, async (ledger, { meter, reporter }) => {
        await sayLast(flags, ledger, (text) => reporter.say(text));
        const { outcome, run } = await cancelAnywhere(flags.id, { ledger, meter, clock: systemClock });
        if (outcome !== undefined) reportOutcome(outcome, flags);
        else if (run !== undefined) reportRun(run, flags);
      });
    }),
};
