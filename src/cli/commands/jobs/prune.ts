import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';
import { print, printJson } from '../../show/output.ts';
import { message } from '../../../messages/message.ts';
import { say } from '../../show/say.ts';

export const prune: CommandModule<object, FlagsOf<'jobs prune'>> = {
  command: 'prune',
  describe: 'Delete the cells and earlier values of old jobs, and old dry runs.',
  builder: (yargs) =>
    addFlags(yargs, 'jobs prune').example(
      examples({ '$0 jobs prune --dry-run': 'list the jobs that are older than 90 days' }),
    ),
  handler: async (flags) => {
    const { withLedger } = await import('../../session.ts');
    const { pruneJobs } = await import('../../../import/jobs/prune-jobs.ts');
    const { readOptions } = await import('../../read-options.ts');
    const { PruneOptions } = await import('../../options.ts');
    const options = readOptions(PruneOptions, flags);
    await withLedger(flags, async (ledger) => {
      const { jobs, dryRuns } = await pruneJobs(ledger, {
        now: Date.now(),
        dryRun: flags['dry-run'] === true,
        ...options,
      });
      if (flags.json === true) {
        printJson({ jobs, dry_runs: dryRuns });
        return;
      }
      const code = flags['dry-run'] === true ? 'jobs_to_prune' : 'jobs_pruned';
      print(say(message(code, { jobs: jobs.length, dryRuns: dryRuns.length })));
    });
  },
};
