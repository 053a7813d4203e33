import type { Argv } from 'yargs';
import type { ItemStatus } from '../../api/schemas.ts';
import type { SetRequest } from '../../import/set/stage-set.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import type { GlobalFlags } from '../globals.ts';
import { planOption, runOptions, type RunFlags, toRunOptions } from '../run-flags.ts';

interface SetFlags extends GlobalFlags, RunFlags {
  change: string[];
  'ids-from'?: string;
  status?: string | string[];
  collection?: string;
  'dry-run'?: boolean;
  'out-dir'?: string;
}

export const setCommand: CommandBody<SetFlags> = {
  builder: (yargs) =>
    planOption(runOptions(yargs))
      .positional('change', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: "FIELD=VALUE; 'FIELD=<clear>' empties; tags+=VALUE and tags-=VALUE add and take away",
      })
      .option('ids-from', {
        type: 'string',
        describe: 'CSV, XLSX or plain list of the ids of the items',
        requiresArg: true,
      })
      .option('status', {
        type: 'string',
        describe: 'items of this status, instead of a list (repeatable)',
        requiresArg: true,
      })
      .option('collection', {
        type: 'string',
        describe: 'items of this collection, by name or id, instead of a list',
        requiresArg: true,
      })
      .option('dry-run', { type: 'boolean', describe: 'show what would be done; jobs apply sends it' })
      .option('out-dir', {
        type: 'string',
        describe: 'folder for results and rejects [beside the list, or here]',
        requiresArg: true,
      })
      .example(
        examples({
          '$0 set status=sold --ids-from sold.csv': 'what a list names is sold',
          '$0 set status=archived --status sold --collection Main --dry-run':
            'what would be archived of one collection',
          '$0 set tags+=boxed custom_fields.shelf=A3 --ids-from sold.csv': 'several changes at once',
        }),
      ) as unknown as Argv<SetFlags>,
  handler: async (flags) => {
    const { withImport } = await import('../session.ts');
    const { setItems } = await import('../../import/run.ts');
    const { reportPlan } = await import('../show/report-plan.ts');
    await withImport(flags, async (deps, reporter) => {
      const outcome = await setItems(toSetRequest(flags), deps);
      reporter.end();
      await reportPlan(outcome, deps, flags);
    });
  },
};

function toSetRequest(flags: SetFlags): SetRequest {
  const request: SetRequest = { changes: flags.change, run: toRunOptions(flags) };
  if (flags['ids-from'] !== undefined) request.idsFrom = flags['ids-from'];
  if (flags.status !== undefined) request.status = words(flags.status) as ItemStatus[];
  if (flags.collection !== undefined) request.collection = flags.collection;
  if (flags['dry-run'] === true) request.dryRun = true;
  if (flags['out-dir'] !== undefined) request.outDir = flags['out-dir'];
  return request;
}

/** Judged by setItems: `--help` needs no schemas. */
function words(given: string | string[]): string[] {
  return [given].flat().flatMap((text) => text.split(',').map((word) => word.trim()));
}
