import { UsageError } from '../../base/errors.ts';
import type { Explained } from '../../import/history/explain-item.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { addFlags, type FlagsOf } from '../flags.ts';
import { print, printJson } from '../show/output.ts';

export const whyCommand: CommandBody<FlagsOf<'why'>> = {
  builder: (yargs) =>
    addFlags(yargs, 'why').example(
      examples({
        '$0 why 3f0c9a52-7d1e-4b7a-9c1d-2a6f4e8b9d10': 'which row and job set each of its fields',
        '$0 why 3f0c9a52 --json': 'for a program; the beginning of the id is enough',
        '$0 why 3f0c9a52 --offline': 'without reading the API',
      }),
    ),
  handler: async (flags) => {
    const { storyJson, storyText } = await import('../show/story.ts');
    const explained = await explain(flags);
    if (flags.json === true) printJson(storyJson(explained));
    else print(storyText(explained, process.stdout.columns ?? 100));
  },
};

async function explain(flags: FlagsOf<'why'>): Promise<Explained> {
  const [{ withClient, withLedger }, { explainItem }] = await Promise.all([
    import('../session.ts'),
    import('../../import/history/explain-item.ts'),
  ]);
  return withLedger(flags, async (ledger) => {
    if (flags.offline === true) return explainItem(flags.item, { ledger });
    try {
      return await withClient(flags, ({ client, signal }) =>
        explainItem(flags.item, { ledger, client, signal }),
      );
    } catch (error) {
      const isUnset = error instanceof UsageError && (error.code === 'no_api_url' || error.code === 'no_key');
      if (!isUnset) throw error;
      const { message: notRead, said: notReadSaid } = error;
      return { ...(await explainItem(flags.item, { ledger })), notRead, notReadSaid };
    }
  });
}
