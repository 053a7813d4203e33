import type { CommandModule } from 'yargs';
import type { findPlan, resumeJob } from '../../../import/run.ts';
import { aboutJob, type IdFlags, sayLast } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import { reportOutcome } from '../../show/output.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';

export const resume = going('resume', 'last', 'Continue a job where it stopped.', async () => ({
  goOn: (await import('../../../import/run.ts')).resumeJob,
}));

export const apply = going(
  'apply',
  // The example names a job, because `last` is never a dry run.
  '261121-c5283c51',
  'Send what a dry run planned.',
  async () => {
    const { applyJob, findPlan } = await import('../../../import/run.ts');
    return { goOn: applyJob, find: findPlan };
  },
);

/** Queues work again that only a worker can continue: a schedule's run, or a file that was not read yet. */
async function revived(flags: IdFlags): Promise<boolean> {
  const [{ withLedger }, { findEither }] = await Promise.all([
    import('../../session.ts'),
    import('../../../worker/queue/find-either.ts'),
  ]);
  return withLedger(flags, async (ledger) => {
    const { job, run } = await findEither(flags.id, ledger);
    if (job !== undefined || run === undefined) return false;
    const [{ openQueue }, { reviveRun }, { reportRun }] = await Promise.all([
      import('../../../worker/queue/open-queue.ts'),
      import('../../../worker/revive.ts'),
      import('../../worker/runs-table.ts'),
    ]);
    await using queue = await openQueue(ledger);
    reportRun((await reviveRun(run.id, { ledger, queue, now: Date.now() })) ?? run, flags);
    return true;
  });
}

function going(
  verb: string,
  whose: string,
  describe: string,
  load: () => Promise<{ goOn: typeof resumeJob; find?: typeof findPlan }>,
): CommandModule<object, FlagsOf<'jobs resume'>> {
  return {
    command: `${verb} <id>`,
    describe,
    builder: (yargs) =>
      addFlags(yargs, 'jobs resume').example(examples({ [`$0 jobs ${verb} ${whose}`]: describe })),
    handler: (flags) =>
      aboutJob(flags, async () => {
        const { withImport } = await import('../../session.ts');
        if (verb === 'resume' && (await revived(flags))) return;
        const { readRun } = await import('../../read-options.ts');
        const run = readRun(flags);
        const { goOn, find } = await load();
        const outcome = await withImport(flags, async (deps, reporter) => {
          const meant = find && ((reference: string) => find(reference, deps));
          await sayLast(flags, deps.ledger, (text) => reporter.say(text), meant);
          return goOn(flags.id, deps, run);
        });
        reportOutcome(outcome, flags);
      }),
  };
}
