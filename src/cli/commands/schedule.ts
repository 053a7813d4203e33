import type { CommandModule } from 'yargs';
import type { Schedule } from '../../worker/config/schema.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { addFlags, type FlagsOf } from '../flags.ts';
import { shellWord } from '../../base/shell-word.ts';
import { utcTime } from '../../base/words.ts';
import { print, printJson } from '../show/output.ts';
import { withLedger } from '../session.ts';
import { saidOf } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { inLines, say } from '../show/say.ts';
import { table } from '../show/words.ts';
import type { DescribedSchedule } from '../worker/describe-schedules.ts';
import { type ConfigFlags, needConfig, needConfigFile } from '../worker/worker-session.ts';

type NameFlags = ConfigFlags & FlagsOf<'schedule run'>;

export const scheduleCommand: CommandBody<object> = {
  builder: (yargs) =>
    addFlags(yargs, 'schedule')
      .command(list)
      .command(run)
      .command(pausing('pause', 'Stop a schedule from firing.'))
      .command(pausing('resume', 'Let a paused schedule fire again; missed times are not made up.'))
      .demandCommand(1, 'Name what to do with schedules: list, run, pause or resume.')
      .strict()
      .example(examples({ '$0 schedule list --config shelflift.yaml': 'what runs next, and when' })),
  handler: () => undefined,
};

const list: CommandModule<object, ConfigFlags> = {
  command: 'list',
  describe: 'List schedules, their next times and their last runs.',
  builder: (yargs) =>
    yargs.example(examples({ '$0 schedule list --config shelflift.yaml': 'what runs next, and when' })),
  handler: async (flags) => {
    const config = await needConfig(flags);
    const { describeSchedules } = await import('../worker/describe-schedules.ts');
    await withLedger(flags, async (ledger) => {
      const schedules = await describeSchedules(config.schedules, ledger);
      if (flags.json === true) {
        printJson({ schedules });
        return;
      }
      if (schedules.length === 0) print(say(message('no_schedules', {})));
      else
        print(
          table([
            HEADS.map(say),
            ...schedules.map((each) => [
              each.schedule,
              each.cron,
              each.paused
                ? say(message('is_paused', {}))
                : (each.next?.local ?? say(message('fires_never', {}))),
              each.paused ? '' : (each.next?.utc ?? ''),
              each.last === null ? say(message('no_last_run', {})) : lastRun(each.last),
            ]),
          ]),
        );
    });
  },
};

const run: CommandModule<object, NameFlags> = {
  command: 'run <name>',
  describe: 'Queue one run of a schedule now; a worker runs it.',
  builder: (yargs) =>
    addFlags(yargs, 'schedule run').example(
      examples({ '$0 schedule run accounting --config shelflift.yaml': 'now, instead of at its time' }),
    ),
  handler: async (flags) => {
    const schedule = await needSchedule(flags);
    const [{ Runs }, { openQueue }, { manualRun }] = await Promise.all([
      import('../../worker/queue/runs.ts'),
      import('../../worker/queue/open-queue.ts'),
      import('../../worker/schedule/schedules.ts'),
    ]);
    await withLedger(flags, async (ledger) => {
      const queued = manualRun(flags.name, schedule, Date.now());
      await using queue = await openQueue(ledger);
      await queue.enqueue(queued, new Runs(ledger));
      if (flags.json === true) printJson({ run: queued.id, state: queued.state });
      else
        print(
          inLines([
            message('run_queued', { run: queued.id }),
            message('worker_runs_it', { command: 'shelflift worker --config … [--once]' }),
          ]),
        );
    });
  },
};

const HEADS = [
  message('head_schedule', {}),
  message('verbatim', { text: 'CRON' }),
  message('head_next', {}),
  message('head_next_utc', {}),
  message('head_last_run', {}),
];

function lastRun({ run, state, fire, error }: NonNullable<DescribedSchedule['last']>): string {
  const isGivenUp = state === 'parked_poison';
  const command = `shelflift jobs resume ${shellWord(run)}`;
  return [
    `${isGivenUp ? say(message('gave_up', {})) : state} (${utcTime(Date.parse(fire))})`,
    error === undefined ? '' : `: ${say(saidOf(error))}`,
    isGivenUp ? `; ${say(message('to_retry_run', { command }))}` : '',
  ].join('');
}

function pausing(verb: 'pause' | 'resume', describe: string): CommandModule<object, NameFlags> {
  return {
    command: `${verb} <name>`,
    describe,
    builder: (yargs) =>
      addFlags(yargs, `schedule ${verb}`).example(
        examples({ [`$0 schedule ${verb} accounting --config shelflift.yaml`]: describe }),
      ),
    handler: async (flags) => {
      const schedule = await needSchedule(flags);
      const { Schedules } = await import('../../worker/schedule/schedules.ts');
      await withLedger(flags, async (ledger) => {
        await new Schedules(ledger).setPaused(flags.name, schedule, verb === 'pause', Date.now());
        if (flags.json === true) printJson({ schedule: flags.name, paused: verb === 'pause' });
        else print(`${flags.name}: ${say(message(verb === 'pause' ? 'is_paused' : 'fires_again', {}))}`);
      });
    },
  };
}

async function needSchedule(flags: NameFlags): Promise<Schedule> {
  const { readSchedule } = await import('../../worker/config/read-config.ts');
  return readSchedule(needConfigFile(flags), flags.name);
}
