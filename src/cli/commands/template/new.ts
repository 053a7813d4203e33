import { existsSync } from 'node:fs';
import type { CommandModule } from 'yargs';
import { ShelfliftError, UsageError } from '../../../base/errors.ts';
import { shellWord } from '../../../base/shell-word.ts';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';
import type { GlobalFlags } from '../../flags.ts';
import { print, printJson } from '../../show/output.ts';
import { message } from '../../../messages/message.ts';
import type { Message } from '../../../messages/params.ts';
import { inLines } from '../../show/say.ts';
import { defined } from '../../../base/defined.ts';
import { noOutput } from '../../out-file.ts';
import { REPLACE } from '../../replace.ts';

export const newForm: CommandModule<object, FlagsOf<'template new'>> = {
  command: 'new [out]',
  describe: 'Write a workbook to fill in, with notes, drop-downs and your collections.',
  builder: (yargs) =>
    addFlags(yargs, 'template new').example(
      examples({
        '$0 template new toys-to-fill-in.xlsx': 'with a key, your collections are in its drop-down',
      }),
    ),
  handler: async (flags) => {
    const { out } = flags;
    if (out === undefined) {
      throw noOutput('template new toys.xlsx', {});
    }
    if (!/\.xlsx$/i.test(out)) {
      throw new UsageError('unknown_format', message('form_is_workbook', { file: out }));
    }
    if (flags.yes !== true && existsSync(out)) {
      throw new UsageError('file_exists', message('file_exists', { file: out }), { actions: REPLACE });
    }
    const { newWorkbook } = await import('../../../mapping/template/new-workbook.ts');
    const { writeForm } = await import('../../../sheets/write-form.ts');
    const { names, why } = await collectionNames(flags);
    const { file } = await writeForm(out, newWorkbook(names));
    if (flags.json === true) {
      printJson({ file, collections: names?.length ?? null });
      return;
    }
    print(
      inLines([
        names === undefined
          ? message('form_without_list', { file, ...defined({ why }) })
          : message('form_with_list', { file, collections: names.length }),
        message('form_needs_no_template', { command: `shelflift import ${shellWord(out)} --dry-run` }),
      ]),
    );
  },
};

/** The team's collections, if the address and key give access; otherwise the form has no collections. */
async function collectionNames(flags: GlobalFlags): Promise<{ names?: string[]; why?: Message }> {
  const { withClient } = await import('../../session.ts');
  try {
    const collections = await withClient(flags, ({ client, signal }) =>
      Array.fromAsync(client.collections({ signal })),
    );
    return { names: collections.map(({ name }) => name) };
  } catch (error) {
    if (!(error instanceof ShelfliftError)) throw error;
    return { why: error.said };
  }
}
