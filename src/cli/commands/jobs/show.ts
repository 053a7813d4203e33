import type { CommandModule } from 'yargs';
import { aboutJob } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';
import { english } from '../../../messages/message.ts';
import { print, reportOutcome } from '../../show/output.ts';
import { warningText } from '../../show/say.ts';
import { reportRun } from '../../worker/runs-table.ts';
import { stopSignal } from '../../stop-signal.ts';

export const show: CommandModule<object, FlagsOf<'jobs show'>> = {
  command: 'show <id>',
  describe: 'Show the state of a job or of a run of a worker.',
  builder: (yargs) =>
    addFlags(yargs, 'jobs show').example(
      examples({
        '$0 jobs show last': 'the state of the newest job',
        '$0 jobs show last --changes': 'the earlier values of its items, field by field',
        '$0 jobs show last --follow': 'watch it from another terminal',
      }),
    ),
  handler: (flags) =>
    aboutJob(flags, async () => {
      const { withLedger } = await import('../../session.ts');
      const { follow, lookAt } = await import('../../worker/follow.ts');
      await withLedger(flags, async (ledger, session) => {
        using stop = stopSignal(() => undefined);
        const look = flags.follow === true ? follow : lookAt;
        const { outcome, run } = await look(flags.id, ledger, session, stop.signal);
        session.reporter.end();
        if (flags.changes === true && outcome !== undefined) {
          const { reportChanges } = await import('../../show/report-changes.ts');
          await reportChanges(outcome, ledger, flags);
          return;
        }
        // Showing a failed job is not a failure.
        const warnings = run?.warnings ?? [];
        if (outcome !== undefined) {
          const more = warnings.length === 0 ? {} : { warnings: warnings.map(english) };
          reportOutcome({ ...outcome, exitCode: 0 }, flags, more);
          if (flags.json !== true) for (const warning of warnings) print(warningText(warning));
        } else if (run !== undefined) reportRun(run, flags);
      });
    }),
};
