import type { ItemStatus } from '../../api/schemas.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { addFlags, type FlagsOf, STDIN_WORD } from '../flags.ts';

export const setCommand: CommandBody<FlagsOf<'set'>> = {
  builder: (yargs) =>
    addFlags(yargs, 'set').example(
      examples({
        '$0 set status=sold --ids-from sold.csv': 'mark the items of a list as sold',
        '$0 set status=archived --status sold --collection Main --dry-run':
          'show what would be archived in one collection',
        '$0 set status=sold --from orders.csv --match custom_fields.sku=SKU':
          'items by a key, and values from columns',
        '$0 set tags+=boxed custom_fields.shelf=A3 --ids-from sold.csv': 'several changes at once',
      }),
    ),
  handler: async (flags) => {
    const { withImport } = await import('../session.ts');
    const { setItems } = await import('../../import/run.ts');
    const { readOptions, readRun } = await import('../read-options.ts');
    const { SetOptions } = await import('../../import/job/options.ts');
    const { STDIN_NAME, withInput } = await import('../standard-input.ts');
    const { reportPlan } = await import('../show/report-plan.ts');
    const { status, ...options } = readOptions(SetOptions, flags);
    const request = {
      ...options,
      // setItems checks this option.
      ...(status === undefined ? {} : { status: status as ItemStatus[] }),
      changes: flags.change,
      run: readRun(flags),
    };
    const from = request.from === '-' ? STDIN_WORD : request.from;
    const isStdin = from === STDIN_WORD;
    await withImport(
      flags,
      async (deps, reporter) => {
        const change = (file?: string) =>
          setItems(
            {
              ...request,
              ...(file === undefined ? {} : { from: file }),
              ...(isStdin
                ? { knownAs: STDIN_NAME, isStdin: true as const, outDir: request.outDir ?? '.' }
                : {}),
            },
            deps,
          );
        const outcome =
          from === undefined
            ? await change()
            : await withInput(from, change, {
                signal: deps.signal,
                say: (text) => reporter.say(text),
              });
        reporter.end();
        await reportPlan(outcome, deps, flags);
      },
      isStdin,
    );
  },
};
