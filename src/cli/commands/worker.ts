import type { CommandModule } from 'yargs';
import { saidOf, UsageError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { WorkerEnd } from '../../worker/worker-end.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { print, printJson } from '../show/output.ts';
import { say } from '../show/say.ts';
import { describeRun, runsTable } from '../worker/runs-table.ts';
import { addFlags, type FlagsOf, type GlobalFlags } from '../flags.ts';
import { byHand, message } from '../../messages/message.ts';

export const workerCommand: CommandBody<FlagsOf<'worker'>> = {
  builder: (yargs) =>
    addFlags(yargs, 'worker')
      .command(init)
      .example(
        examples({
          '$0 worker init': 'answer questions to make a configuration',
          '$0 worker --config shelflift.yaml --check': 'what would run in the next days',
          '$0 worker --config shelflift.yaml --once':
            'run everything that is due, then end: for cron and timers',
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
    if (flags.once === true) report(end, flags);
  },
};

const init: CommandModule<object, FlagsOf<'worker'>> = {
  command: 'init',
  describe: 'Ask what to run, when, where files go and whom to notify; write shelflift.yaml.',
  builder: (yargs) =>
    yargs.example(examples({ '$0 worker init': 'asks, and writes shelflift.yaml into this folder' })),
  handler: async (flags) => {
    const [{ askAndWrite, checkNew, offerTestMail }, { CONFIG_FILE }, { Dialogue }, { Reporter }] =
      await Promise.all([
        import('../worker/init.ts'),
        import('../worker/worker-session.ts'),
        import('../session.ts'),
        import('../show/reporter.ts'),
      ]);
    const file = flags.config ?? CONFIG_FILE;
    checkNew(file);
    if (!process.stdin.isTTY || !process.stderr.isTTY || flags.json === true)
      throw new UsageError('no_answer', message('init_needs_terminal', {}), {
        actions: [byHand('run_in_terminal', {})],
      });
    using dialogue = new Dialogue(new Reporter(flags));
    const variables = await askAndWrite(file, dialogue, process.env);
    await offerTestMail(file, dialogue, process.env);
    const named = flags.config === undefined ? '' : ` --config ${shellWord(file)}`;
    const runOnce = `shelflift worker${named} --once`;
    print(
      [
        message('written_to', { file }),
        ...(variables.length === 0 ? [] : [message('set_before_run', { variables })]),
        message('to_check_config', { command: `shelflift worker${named} --check --connect` }),
        message('to_try_config', { command: `shelflift schedule run NAME${named}`, runOnce }),
        message('to_start_worker', { command: `shelflift worker${named}` }),
      ]
        .map(say)
        .join('\n'),
    );
  },
};

function report({ runs, error }: WorkerEnd, flags: GlobalFlags): void {
  if (flags.json === true)
    printJson({ runs: runs.map(describeRun), ...(error === undefined ? {} : { error }) });
  else {
    if (error?.code === 'folder_away')
      process.stderr.write(`${say(message('label_error', {}))}: ${say(saidOf(error))}\n`);
    print(runs.length === 0 ? say(message('nothing_due', {})) : runsTable(runs, flags));
  }
}
