import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { examples } from '../../examples.ts';
import { message } from '../../../messages/message.ts';
import { print, printJson } from '../../show/output.ts';
import { inLines } from '../../show/say.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';

type SubmitFlags = FlagsOf<'jobs submit import'>;

/** `jobs submit import FILE…`: stores the file now; a worker imports it. */
export const submit: CommandModule<object, object> = {
  command: 'submit',
  describe: 'Submit files for a worker to import.',
  builder: (yargs) =>
    yargs
      .command(submitImports)
      .demandCommand(1, 'Name what to submit: import.')
      .strict()
      .example(examples({ '$0 jobs submit import toys.csv --collection Main': 'a worker imports it' })),
  handler: () => undefined,
};

const submitImports: CommandModule<object, SubmitFlags> = {
  command: 'import <file..>',
  describe: 'Have a worker with the same key import a spreadsheet.',
  builder: (yargs) =>
    addFlags(yargs, 'jobs submit import')
      // These flags are read only to explain why they are refused: a person must review the plan.
      .hide('missing')
      .hide('max-missing')
      .example(examples({ '$0 jobs submit import toys.csv --collection Main': 'a worker imports it' })),
  handler: async (flags) => {
    const { withSubmission } = await import('../../worker/submission.ts');
    const { submitImport } = await import('../../../worker/submit.ts');
    const { readImport } = await import('../../read-options.ts');
    const options = readImport(flags);
    const requests = flags.file.map((file) => ({ ...options, file }));
    const queued = await withSubmission(flags, async (deps) => {
      const runs = [];
      for (const request of requests)
        runs.push({ file: request.file, run: await submitImport(request, deps) });
      return runs;
    });
    const entries = queued.map(({ file, run }) => ({
      job: run.id,
      state: run.state,
      file: resolve(file),
    }));
    const [only] = entries;
    if (flags.json === true) printJson(entries.length === 1 ? only : { jobs: entries });
    else
      for (const { job, file } of entries)
        print(
          inLines([
            message('file_queued', { job, file }),
            message('to_watch_it', { command: `shelflift jobs show ${job} --follow` }),
          ]),
        );
  },
};
