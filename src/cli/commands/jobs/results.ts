import { resolve } from 'node:path';
import type { Argv, CommandModule } from 'yargs';
import { aboutJob, type IdFlags, idOption } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import { print, printJson } from '../../show/output.ts';

export const results: CommandModule<object, IdFlags & { 'out-dir'?: string }> = {
  command: 'results <id>',
  describe: 'write the results and rejects files again',
  builder: (yargs) =>
    idOption(yargs)
      .option('out-dir', { type: 'string', describe: 'folder for the files', requiresArg: true })
      .example(
        examples({ '$0 jobs results last --out-dir ./reports': 'the files again, elsewhere' }),
      ) as unknown as Argv<IdFlags & { 'out-dir'?: string }>,
  handler: (flags) =>
    aboutJob(flags, async () => {
      const { withLedger } = await import('../../session.ts');
      const { writeResults } = await import('../../../import/results/results.ts');
      await withLedger(flags, async (ledger, { reporter }) => {
        const job = await ledger.jobs.find(flags.id);
        if (flags['out-dir'] !== undefined)
          job.options = { ...job.options, outDir: resolve(flags['out-dir']) };
        const files = await writeResults(job, ledger, (event) => reporter.onEvent(event));
        if (flags.json === true) printJson({ job: job.id, files });
        else for (const [kind, path] of Object.entries(files)) print(`${kind}: ${path}`);
      });
    }),
};
