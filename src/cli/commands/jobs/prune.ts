import type { Argv, CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import type { GlobalFlags } from '../../globals.ts';
import { print, printJson } from '../../show/output.ts';
import { counted } from '../../../counted.ts';

type PruneFlags = GlobalFlags & { 'older-than'?: string; 'dry-run'?: boolean };

export const prune: CommandModule<object, PruneFlags> = {
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
    const { withLedger } = await import('../../session.ts');
    const { pruneJobs } = await import('../../../import/jobs/prune-jobs.ts');
    const { parseDuration } = await import('../../../duration.ts');
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
        `before-images and cells of ${counted(jobs.length, 'job')} ${done}, and ${counted(dryRuns.length, 'dry run')}`,
      );
    });
  },
};
