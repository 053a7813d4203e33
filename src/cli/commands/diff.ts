import type { DiffRow } from '../../export/diff/model.ts';
import type { CommandBody } from '../command-body.ts';
import { ExitCode } from '../../base/exit-code.ts';
import { examples } from '../examples.ts';
import { writeOut } from '../out-file.ts';
import { addFlags, type FlagsOf } from '../flags.ts';
import { print, printJson } from '../show/output.ts';
import { warningText } from '../show/say.ts';

export const diffCommand: CommandBody<FlagsOf<'diff'>> = {
  builder: (yargs) =>
    addFlags(yargs, 'diff').example(
      examples({
        '$0 diff may.csv june.csv': 'the changes from one export to the next',
        '$0 diff may.xlsx june.ndjson --by custom_fields.sku --json': 'by another key; only the counts',
        '$0 diff may.csv june.csv --out changes.html': 'every difference, to read and to send',
      }),
    ),
  handler: async (flags) => {
    const [
      { diffExports },
      { DiffOptions },
      { readOptions },
      { DiffRows, diffJson, diffText },
      { withLedger, withReporter },
    ] = await Promise.all([
      import('../../export/diff/diff.ts'),
      import('../options.ts'),
      import('../read-options.ts'),
      import('../show/diff.ts'),
      import('../session.ts'),
    ]);
    const { before: a, after: b, ...options } = readOptions(DiffOptions, flags);
    const rows = new DiffRows(flags.verbose === true);
    await withReporter(flags, async ({ say: tell }) => {
      const compare = () => diffExports({ ...options, a, b, onRow: (row: DiffRow) => rows.add(row) });
      // Only a file that is written needs the store.
      const summary =
        flags.out === undefined
          ? await compare()
          : await withLedger(flags, ({ values }) => writeOut(flags, values, compare));
      if (flags.json === true) printJson(diffJson(summary));
      else print(diffText(summary, rows, process.stdout.columns ?? 100));
      if (summary.a.missing + summary.b.missing > 0) process.exitCode = ExitCode.rows;
      for (const warning of summary.said) tell(warningText(warning));
    });
  },
};
