import type { CommandModule } from 'yargs';
import { aboutJob, type IdFlags, idOption } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import { reportOutcome } from '../../show/output.ts';

export const cancel: CommandModule<object, IdFlags> = {
  command: 'cancel <id>',
  describe: 'end a job; what was sent stays',
  builder: (yargs) =>
    idOption(yargs).example(examples({ '$0 jobs cancel last': 'give up what is left of it' })),
  handler: (flags) =>
    aboutJob(flags, async () => {
      const { withLedger } = await import('../../session.ts');
      const { cancelJob } = await import('../../../import/jobs/jobs.ts');
      await withLedger(flags, async (ledger, { meter }) => {
        reportOutcome(await cancelJob(flags.id, { ledger, meter }), flags);
      });
    }),
};
