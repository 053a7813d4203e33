import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { mostSevere } from '../../base/exit-code.ts';
import type { LeftOut } from '../../import/results/own-outputs.ts';
import type { JobOutcome } from '../../import/results/summary.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { checkLogFile } from '../log-file.ts';
import { addFlags, type FlagsOf, type GlobalFlags, STDIN_WORD } from '../flags.ts';
import { outcomeText, print, printJson, reportError } from '../show/output.ts';
import { warningOf } from '../../import/job/events.ts';
import { message } from '../../messages/message.ts';

export const importCommand: CommandBody<FlagsOf<'import'>> = {
  builder: (yargs) =>
    addFlags(yargs, 'import').example(
      examples({
        '$0 import toys.csv --collection Main --dry-run': 'show what would be sent',
        '$0 import toys.xlsx --template action-figures --collection Main': 'with a shipped template',
        '$0 import toys.csv --map name=Titel --map estimated_value=F --collection Main':
          'columns by name or by letter',
        '$0 import toys.csv --rate EUR=1.09 --collection Main':
          'dollars in the file, euros in the collection',
        '$0 import - --collection Main < toys.csv': 'from standard input; or run it and paste a table',
        '$0 import changes.csv --mode update --match id': 'send only what changed',
        '$0 import changes.csv --mode update --match id --dry-run --plan plan.html':
          'the plan as a page for a second person',
      }),
    ),
  handler: async (flags) => {
    const { withImport } = await import('../session.ts');
    const { importFile } = await import('../../import/run.ts');
    const { RequestMeter } = await import('../../api/meter.ts');
    const { reportPlan } = await import('../show/report-plan.ts');
    const { readImport } = await import('../read-options.ts');
    const { mendAndSend, saveAs } = await import('../mend-on-terminal.ts');
    const { leaveOutOutputs } = await import('../../import/results/own-outputs.ts');
    const { readsStdin, STDIN_NAME, withInput } = await import('../standard-input.ts');
    const options = readImport(flags);
    checkLogFile(flags, flags.file);
    const { sources, leftOut } = await leaveOutOutputs(flags.file);
    const isOne = flags.file.length === 1;
    const isStdinTaken = readsStdin(flags.file);
    const asStdin = { knownAs: STDIN_NAME, isStdin: true } as const;
    const single = (['plan', 'missing', 'save-as'] as const).find((name) => flags[name] !== undefined);
    if (single !== undefined && sources.length > 1)
      throw new UsageError('bad_choice', message('takes_one_file', { option: `--${single}` }), {
        actions:
          single === 'missing'
            ? [{ do: 'setOption', option: 'sheet', value: 'all', label: message('put_into_one_file', {}) }]
            : [],
      });
    const outcomes = await withImport(
      flags,
      async (deps, reporter, dialogue) => {
        const ended: Ended[] = [];
        for (const { file, source } of leftOut)
          deps.emit(warningOf(message('output_of_other_left_out', { file, source })));
        for (const file of sources) {
          // Each file is its own job and counts its own requests.
          const meter = new RequestMeter();
          const client = deps.client.withListener(meter.onRequest);
          try {
            const own = { ...deps, client, meter };
            const staged = await withInput(
              file,
              (path) =>
                importFile(
                  {
                    ...options,
                    ...(file === STDIN_WORD ? { ...asStdin, outDir: options.outDir ?? '.' } : {}),
                    file: path,
                  },
                  dialogue === undefined ? own : { ...own, asksNext: true },
                ),
              { signal: deps.signal, say: (text) => reporter.say(text) },
            );
            const outcome =
              dialogue === undefined ? staged : await mendAndSend(staged, options, own, dialogue);
            if (flags['save-as'] !== undefined) await saveAs(flags['save-as'], outcome, own);
            ended.push({ file, outcome });
            reporter.end();
            if (isOne) await reportPlan(outcome, deps, flags);
          } catch (error) {
            // One unreadable file must not hide the outcomes of the others.
            if (isOne || !(error instanceof ShelfliftError)) throw error;
            ended.push({ file, error });
          }
          reporter.end();
          if (deps.signal.aborted) break;
        }
        return ended;
      },
      isStdinTaken,
    );
    if (!isOne) reportSeveral(outcomes, leftOut, flags);
  },
};

/** The outcome of one of several files: a job, or an error before the job existed. */
type Ended = { file: string } & ({ outcome: JobOutcome } | { error: ShelfliftError });

/** Several files are several jobs; the most severe exit code wins. */
function reportSeveral(ended: Ended[], leftOut: LeftOut[], flags: GlobalFlags): void {
  const codes: number[] = ended.map((each) =>
    'outcome' in each ? each.outcome.exitCode : each.error.exitCode,
  );
  const worst = mostSevere(codes);
  process.exitCode = worst;
  for (const each of ended) {
    if ('error' in each) reportError(each.error, { ...flags, json: false });
    else if (flags.json !== true) print(outcomeText(each.outcome, flags));
  }
  if (flags.json !== true) return;
  const jobs = ended.map((each) =>
    'outcome' in each
      ? each.outcome.summary
      : { file: each.file, error: { code: each.error.code, message: each.error.message } },
  );
  const cause = ended[codes.indexOf(worst)];
  const error = cause !== undefined && 'error' in cause ? cause.error : cause?.outcome.summary.error;
  printJson({
    jobs,
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  });
}
