import { messageJson } from '../../show/actions.ts';
import { english, inOneLine, message } from '../../../messages/message.ts';
import { say } from '../../show/say.ts';
import { resolve } from 'node:path';
import type { CommandModule } from 'yargs';
import { shellWord } from '../../../base/shell-word.ts';
import { examples } from '../../examples.ts';
import { writeOut } from '../../out-file.ts';
import { addFlags, type FlagsOf, STDIN_WORD } from '../../flags.ts';
import { print, printJson } from '../../show/output.ts';

export const infer: CommandModule<object, FlagsOf<'template infer'>> = {
  command: 'infer <file>',
  describe: 'Propose a template for a file from its headers and values.',
  builder: (yargs) =>
    addFlags(yargs, 'template infer').example(
      examples({
        '$0 template infer toys.csv': 'the likely field of each column, with its confidence and the reason',
        '$0 template infer toys.csv --out my.yaml': 'a file to review, edit and pass to --template',
      }),
    ),
  handler: async (flags) => {
    const { inferFile } = await import('../../../mapping/infer/infer-file.ts');
    const { readOptions } = await import('../../read-options.ts');
    const { ReadOptions } = await import('../../options.ts');
    const { askingFilePassword, withLedger } = await import('../../session.ts');
    const password = askingFilePassword(flags, flags.file === STDIN_WORD);
    const options = { ...readOptions(ReadOptions, flags), password };
    const { STDIN_NAME, withInput } = await import('../../standard-input.ts');
    const { file, detected, inference, template, shipped } = await withInput(
      flags.file,
      (path) => inferFile(path, options, flags.file === STDIN_WORD ? STDIN_NAME : undefined),
      { say: (text) => process.stderr.write(`${text}\n`) },
    );
    if (flags.out !== undefined) {
      const { out } = flags;
      const { writeFileAtomic } = await import('../../../sheets/atomic-file.ts');
      await withLedger(flags, ({ values }) => writeOut(flags, values, () => writeFileAtomic(out, template)));
    }
    if (flags.json === true) {
      const columns = inference.columns.map(({ header, letter, target, confidence, reason }) => ({
        header,
        letter,
        target: target ?? null,
        confidence: confidence ?? null,
        reason: english(reason),
        why: messageJson(reason),
      }));
      printJson({
        file,
        detected: inOneLine(detected),
        rows: inference.rows,
        columns,
        template,
        ...(shipped === undefined ? {} : { shipped }),
        ...(flags.out === undefined ? {} : { out: resolve(flags.out) }),
      });
    } else if (flags.out === undefined) print(template.trimEnd());
    else {
      const used = inference.columns.filter(
        ({ confidence }) => confidence === 'certain' || confidence === 'likely',
      );
      const columns = { used: used.length, all: inference.columns.length };
      print(say(message('template_inferred', { file: flags.out, ...columns })));
      print(`  shelflift template check ${shellWord(flags.file)} --template ${shellWord(flags.out)}`);
      if (shipped !== undefined)
        print(say(message('made_for_template', { option: `--template ${shipped}` })));
    }
  },
};
