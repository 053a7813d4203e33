import type { CommandModule } from 'yargs';
import { aboutJob, type IdFlags, idOption } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import type { ResolveDeps } from '../../../import/jobs/resolve-row.ts';
import { reportOutcome } from '../../show/output.ts';
import { whole } from '../../run-flags.ts';

type ResolveFlags = IdFlags & { row: number; as: string; sheet?: string | undefined };

export const resolve: CommandModule<object, ResolveFlags> = {
  command: 'resolve <id>',
  describe: 'settle a held row by hand: only a person can know',
  builder: (yargs) =>
    idOption(yargs)
      .option('row', { type: 'number', demandOption: true, describe: 'row of the file', requiresArg: true })
      .option('sheet', {
        type: 'string',
        describe: 'sheet of the row, where several have one',
        requiresArg: true,
      })
      .option('as', {
        type: 'string',
        demandOption: true,
        describe: 'created:ITEM_ID (it is there), retry (it is not: send it), or skip',
        requiresArg: true,
      })
      .example(
        examples({
          '$0 jobs resolve last --row 17 --as retry': 'row 17 is not there: send it with the next resume',
        }),
      ),
  handler: (flags) =>
    aboutJob(flags, async () => {
      const { withImport, withLedger } = await import('../../session.ts');
      const { parseResolution, resolveRow } = await import('../../../import/jobs/resolve-row.ts');
      const resolution = parseResolution(flags.as);
      const settle = async (deps: ResolveDeps): Promise<void> => {
        const row = whole(flags.row, '--row', 1);
        reportOutcome(await resolveRow(flags.id, row, resolution, deps, flags.sheet), flags);
      };
      // Only the item of `created` is looked up: the others need no key.
      if (resolution.as === 'created') await withImport(flags, settle);
      else
        await withLedger(flags, (ledger, { meter, reporter }) =>
          settle({ ledger, meter, emit: (event) => reporter.onEvent(event) }),
        );
    }),
};
