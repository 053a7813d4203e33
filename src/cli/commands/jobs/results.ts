import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { aboutJob } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';
import { print, printJson } from '../../show/output.ts';
import { say } from '../../show/say.ts';

export const results: CommandModule<object, FlagsOf<'jobs results'>> = {
  command: 'results <id>',
  describe: 'Write the results and rejects files again.',
  builder: (yargs) =>
    addFlags(yargs, 'jobs results').example(
      examples({ '$0 jobs results last --out-dir ./reports': 'write the files to another folder' }),
    ),
  handler: (flags) =>
    aboutJob(flags, async () => {
      const { withLedger } = await import('../../session.ts');
      const { writeAgain } = await import('../../../import/results/results.ts');
      const { filesOf } = await import('../../../import/results/facts.ts');
      await withLedger(flags, async (ledger, { reporter }) => {
        const job = await ledger.jobs.find(flags.id);
        const outDir = flags['out-dir'] === undefined ? undefined : resolve(flags['out-dir']);
        const files = await writeAgain(job, ledger, (event) => reporter.onEvent(event), { outDir });
        if (flags.json === true) printJson({ job: job.id, files });
        else for (const file of filesOf(files)) print(say(file));
      });
    }),
};
