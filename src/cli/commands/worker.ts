import type { WorkerEnd } from '../../worker/worker-end.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { print, printJson } from '../show/output.ts';
import { describeRun, runsTable } from '../worker/runs-table.ts';
import { addFlags, type FlagsOf } from '../flags.ts';

export const workerCommand: CommandBody<FlagsOf<'worker'>> = {
  builder: (yargs) =>
    addFlags(yargs, 'worker').example(
      examples({
        '$0 worker --config shelflift.yaml --check': 'what would run in the next days',
        '$0 worker --config shelflift.yaml --once': 'run what is due, then end: for cron and timers',
      }),
    ),
  handler: async (flags) => {
    if (flags.check === true) {
      const { printCheck } = await import('../worker/worker-check.ts');
      await printCheck(flags);
      return;
    }
    const { readOptions, readRun } = await import('../read-options.ts');
    const { WorkerOptions } = await import('../options.ts');
    const { graceMs = 30_000 } = readOptions(WorkerOptions, flags);
    const { startWorker } = await import('../worker/start-worker.ts');
    const end = await startWorker(flags, {
      once: flags.once === true,
      graceMs,
      run: readRun(flags),
    });
    process.exitCode = end.exitCode;
    if (flags.once === true) report(end, flags.json === true);
  },
};

function report({ runs, error }: WorkerEnd, json: boolean): void {
  if (json) printJson({ runs: runs.map(describeRun), ...(error === undefined ? {} : { error }) });
  else print(runs.length === 0 ? 'Nothing was queued or due.' : runsTable(runs));
}
