import { resolve } from 'node:path';
import { english, message } from '../../messages/message.ts';
import { UsageError } from '../../base/errors.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { writeOut } from '../out-file.ts';
import { addFlags, type FlagsOf } from '../flags.ts';
import { print, printJson } from '../show/output.ts';
import { cut } from '../show/plan-words.ts';
import { say } from '../show/say.ts';
import { commandOf } from '../show/actions.ts';

const GROUPS_SHOWN = 10;

export const dupesCommand: CommandBody<FlagsOf<'dupes'>> = {
  builder: (yargs) =>
    addFlags(yargs, 'dupes').example(
      examples({
        '$0 dupes': 'items that are equal in name, brand, series and year',
        '$0 dupes --close --out dupes.xlsx': 'close spellings too, as a workbook to fill in',
      }),
    ),
  handler: async (flags) => {
    const { out } = flags;
    if (out === '-' && flags.json === true)
      throw new UsageError('two_outputs', message('two_outputs', { options: ['--out -', '--json'] }));
    const { withClient, withLedger } = await import('../session.ts');
    const { findDuplicates } = await import('../../import/similar/find-duplicates.ts');
    const { formatOf, writeDuplicates } = await import('../../import/similar/write-duplicates.ts');
    if (out !== undefined) formatOf(out);
    const find = async () => {
      const duplicates = await withClient(flags, ({ client, signal, reporter, patience }) =>
        findDuplicates({
          client,
          signal,
          patience,
          onRetry: ({ message: text, said }, tryNumber, waitMs) =>
            reporter.onExportEvent({ type: 'retry', tryNumber, waitMs, message: text, said }),
          close: flags.close === true,
          archived: flags.archived === true,
          ...(flags.where === undefined ? {} : { where: flags.where }),
          onWarning: (said) => reporter.onExportEvent({ type: 'warning', message: english(said), said }),
          onRead: (items) => reporter.update(say(message('items_being_read', { items }))),
        }),
      );
      const stream = out === '-' ? { stream: process.stdout } : {};
      if (out !== undefined)
        await writeDuplicates(duplicates, { out, suggest: flags.suggest === true, ...stream });
      return duplicates;
    };
    // Only a file that is written needs the store.
    const found =
      out === undefined || out === '-'
        ? await find()
        : await withLedger(flags, ({ values }) => writeOut(flags, values, find));
    const { groups, items } = found;
    const doubled = groups.reduce((sum, group) => sum + group.items.length, 0);
    if (flags.json === true) {
      printJson({
        items,
        groups: groups.map((group) => ({ looks: group.why, ids: group.items.map(({ id }) => id) })),
        ...(out === undefined ? {} : { file: resolve(out) }),
      });
      return;
    }
    if (out === '-') return;
    print(say(message('items_look_the_same', { groups: groups.length, items: doubled, all: items })));
    for (const { items: alike } of groups.slice(0, GROUPS_SHOWN)) {
      print(
        `  ${alike.length} × ${cut(alike[0]?.name ?? '')}: ${alike.map(({ id, status }) => `${id} (${status})`).join(', ')}`,
      );
    }
    if (groups.length > GROUPS_SHOWN)
      print(`  ${say(message('more_groups', { groups: groups.length - GROUPS_SHOWN }))}`);
    if (out !== undefined) {
      const label = message('to_look_first', {});
      const options = { 'dry-run': true } as const;
      const command = commandOf({ do: 'run', command: 'import', args: [out], options, label }, flags);
      print(say(message('fill_duplicates_in', { file: out, command })));
    }
  },
};
