import type { CommandModule } from 'yargs';
import { defined } from '../../../base/defined.ts';
import { aboutJob, sayLast } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';
import type { ResolveDeps } from '../../../import/jobs/resolve-row.ts';
import type { Session } from '../../session.ts';
import { reportOutcome } from '../../show/output.ts';

export const resolve: CommandModule<object, FlagsOf<'jobs resolve'>> = {
  command: 'resolve <id>',
  describe: 'Decide on a held row by hand.',
  builder: (yargs) =>
    addFlags(yargs, 'jobs resolve').example(
      examples({
        '$0 jobs resolve last --row 17 --as retry': 'row 17 has no item: send it with the next resume',
        '$0 jobs resolve last --row 18 --as theirs': 'keep the changes that somebody has made to its item',
      }),
    ),
  handler: (flags) =>
    aboutJob(flags, async () => {
      const { withImport, withLedger } = await import('../../session.ts');
      const { parseResolution, resolveRow } = await import('../../../import/jobs/resolve-row.ts');
      const resolution = parseResolution(flags.as);
      const { readOptions, readRun } = await import('../../read-options.ts');
      const { ResolveOptions } = await import('../../options.ts');
      const { row } = readOptions(ResolveOptions, flags);
      const { waitMs } = readRun(flags);
      const settle = async (deps: ResolveDeps, reporter: Pick<Session['reporter'], 'say'>): Promise<void> => {
        await sayLast(flags, deps.ledger, (text) => reporter.say(text));
        const patient = { ...deps, ...defined({ waitMs }) };
        reportOutcome(await resolveRow(flags.id, row, resolution, patient, flags.sheet), flags);
      };
      // Only these read an item; the others need no key.
      if (['created', 'theirs', 'mine'].includes(resolution.as)) await withImport(flags, settle);
      else
        await withLedger(flags, (ledger, { meter, reporter }) =>
          settle({ ledger, meter, emit: (event) => reporter.onEvent(event) }, reporter),
        );
    }),
};
