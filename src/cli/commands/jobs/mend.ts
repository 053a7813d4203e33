import type { CommandModule } from 'yargs';
import { aboutJob, sayLast } from '../../about-job.ts';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';
import { shellWord } from '../../../base/shell-word.ts';
import { noteOf } from '../../../import/job/events.ts';
import { message } from '../../../messages/message.ts';
import { reportOutcome } from '../../show/output.ts';

export const mend: CommandModule<object, FlagsOf<'jobs mend'>> = {
  command: 'mend <id>',
  describe: 'Correct how a staged job is read, without its file; nothing is sent.',
  builder: (yargs) =>
    addFlags(yargs, 'jobs mend').example(
      examples({
        '$0 jobs mend last': 'list the problems; on a terminal, also ask how to correct them',
        "$0 jobs mend last --word 'condition:C7=mint_on_card'": 'what a word means, in all rows',
        '$0 jobs mend last --row 17 --set Price=20': 'correct one cell',
        '$0 jobs mend last --undo': 'undo the last correction',
      }),
    ),
  handler: (flags) =>
    aboutJob(flags, async () => {
      const { withImport } = await import('../../session.ts');
      const { correctAndReport } = await import('../../../import/correction/correct-job.ts');
      const { templateYaml } = await import('../../../import/correction/job-rows.ts');
      const { mendOnTerminal, saveAs } = await import('../../mend-on-terminal.ts');
      const { changesOf, CorrectionOptions } = await import(
        '../../../import/correction/correction-options.ts'
      );
      const { readOptions, readRun } = await import('../../read-options.ts');
      const options = readOptions(CorrectionOptions, flags);
      const changes = changesOf(options);
      await withImport(flags, async (deps, reporter, dialogue) => {
        await sayLast(flags, deps.ledger, (text) => reporter.say(text));
        const { id } = await deps.ledger.jobs.find(flags.id);
        const undo = options.undo === true ? 1 : 0;
        const run = readRun(flags);
        const asked =
          dialogue === undefined || changes.length + undo > 0
            ? undefined
            : await mendOnTerminal(id, run, deps, dialogue);
        const outcome = asked ?? (await correctAndReport(id, { changes, undo, run }, deps));
        if (flags['save-as'] !== undefined) await saveAs(flags['save-as'], outcome, deps);
        const { saveTemplate } = options;
        if (saveTemplate !== undefined) {
          const name = saveTemplate.replace(/^.*[\\/]/, '').replace(/\.ya?ml$/i, '');
          const { writeFileAtomic } = await import('../../../sheets/atomic-file.ts');
          await writeFileAtomic(saveTemplate, await templateYaml(outcome.summary.job, deps.ledger, name));
          const option = `--template ${shellWord(saveTemplate)}`;
          deps.emit(noteOf(message('for_other_files', { option })));
        }
        reporter.end();
        reportOutcome(outcome, flags);
      });
    }),
};
