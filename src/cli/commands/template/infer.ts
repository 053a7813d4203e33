import { resolve } from 'node:path';
import type { Argv, CommandModule } from 'yargs';
import { shellWord } from '../../../shell-word.ts';
import { examples } from '../../examples.ts';
import { print, printJson } from '../../show/output.ts';
import { type ReadFlags, readOptions, toOpenOptions } from './read-flags.ts';
import { counted } from '../../../counted.ts';

type InferFlags = ReadFlags & { out?: string };

export const infer: CommandModule<object, InferFlags> = {
  command: 'infer <file>',
  describe: 'proposes a template for a file, by its headers and values',
  builder: (yargs) =>
    readOptions(yargs)
      .option('out', { type: 'string', describe: 'file to write [stdout]', requiresArg: true })
      .example(
        examples({
          '$0 template infer toys.csv': 'what each column seems to be, how sure that is, and why',
          '$0 template infer toys.csv --out my.yaml': 'a file to look at, change, and give to --template',
        }),
      ) as unknown as Argv<InferFlags>,
  handler: async (flags) => {
    const { inferFile } = await import('../../../mapping/infer/infer-file.ts');
    const { file, detected, inference, template, shipped } = await inferFile(
      flags.file,
      toOpenOptions(flags),
    );
    if (flags.out !== undefined) {
      const { writeFileAtomic } = await import('../../../sheets/atomic-file.ts');
      await writeFileAtomic(flags.out, template);
    }
    if (flags.json === true) {
      const columns = inference.columns.map(({ header, letter, target, confidence, reason }) => ({
        header,
        letter,
        target: target ?? null,
        confidence: confidence ?? null,
        reason,
      }));
      printJson({
        file,
        detected,
        rows: inference.rows,
        columns,
        template,
        ...(shipped === undefined ? {} : { shipped }),
        ...out(flags),
      });
    } else if (flags.out === undefined) print(template.trimEnd());
    else {
      const used = inference.columns.filter(
        ({ confidence }) => confidence === 'certain' || confidence === 'likely',
      );
      print(
        `${flags.out}: ${used.length} of ${counted(inference.columns.length, 'column')} ${used.length === 1 ? 'is' : 'are'} used; look at it, then:`,
      );
      print(`  shelflift template check ${shellWord(flags.file)} --template ${shellWord(flags.out)}`);
      if (shipped !== undefined) print(`These columns are what --template ${shipped} is made for.`);
    }
  },
};

function out({ out: file }: InferFlags): { out?: string } {
  return file === undefined ? {} : { out: resolve(file) };
}
