import type { Argv } from 'yargs';
import { parseDuration } from '../../duration.ts';
import type { WorkerEnd } from '../../worker/worker-end.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { print, printJson } from '../show/output.ts';
import { describeRun, runsTable } from '../worker/runs-table.ts';
import { toRunOptions } from '../run-flags.ts';
import { CONFIG, type WorkerFlags } from '../worker/worker-session.ts';

export const workerCommand: CommandBody<WorkerFlags> = {
  builder: (yargs) =>
    yargs
      .option('config', CONFIG)
      .option('once', { type: 'boolean', describe: 'run what is queued or due, then end' })
      .option('check', {
        type: 'boolean',
        describe: 'say what is wrong with the configuration, or what would run',
      })
      .option('days', {
        type: 'number',
        describe: 'with --check: how many days ahead [7]',
        requiresArg: true,
      })
      .option('grace', {
        type: 'string',
        describe: 'at SIGTERM: how long what runs may take to end or to park [30s]',
        requiresArg: true,
      })
      .option('health', {
        type: 'string',
        describe: 'HOST:PORT of /healthz, /readyz and /metrics; wins over the configuration',
        requiresArg: true,
      })
      .example(
        examples({
          '$0 worker --config shelflift.yaml --check': 'what would run in the next days',
          '$0 worker --config shelflift.yaml --once': 'run what is due, then end: for cron and timers',
        }),
      ) as unknown as Argv<WorkerFlags>,
  handler: async (flags) => {
    if (flags.check === true) {
      const { printCheck } = await import('../worker/worker-check.ts');
      await printCheck(flags);
      return;
    }
    const { startWorker } = await import('../worker/start-worker.ts');
    const end = await startWorker(flags, {
      once: flags.once === true,
      graceMs: parseDuration(flags.grace ?? '30s', '--grace'),
      run: toRunOptions(flags),
    });
    process.exitCode = end.exitCode;
    if (flags.once === true) report(end, flags.json === true);
  },
};

function report({ runs, error }: WorkerEnd, json: boolean): void {
  if (json) printJson({ runs: runs.map(describeRun), ...(error === undefined ? {} : { error }) });
  else print(runs.length === 0 ? 'Nothing was queued or due.' : runsTable(runs));
}
