import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { cancel } from './jobs/cancel.ts';
import { list } from './jobs/list.ts';
import { mend } from './jobs/mend.ts';
import { prune } from './jobs/prune.ts';
import { resolve } from './jobs/resolve.ts';
import { results } from './jobs/results.ts';
import { apply, resume } from './jobs/resume.ts';
import { show } from './jobs/show.ts';
import { submit } from './jobs/submit.ts';
import { undo } from './jobs/undo.ts';

export const jobsCommand: CommandBody<object> = {
  builder: (yargs) =>
    yargs
      .command(list)
      .command(show)
      .command(submit)
      .command(resume)
      .command(apply)
      .command(mend)
      .command(cancel)
      .command(undo)
      .command(prune)
      .command(results)
      .command(resolve)
      .demandCommand(
        1,
        'Name what to do with jobs: list, show, submit, resume, apply, mend, cancel, undo, prune, results or resolve.',
      )
      .strict()
      .example(examples({ '$0 jobs resume last': 'continue after a kill, a limit or an outage' })),
  handler: () => undefined,
};
