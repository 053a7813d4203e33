/** `worker --check`: what would run, in each schedule's zone and in UTC. */
import { resolve } from 'node:path';
import { fireTimes } from '../../worker/schedule/fire-times.ts';
import { fillPattern } from '../../worker/schedule/file-pattern.ts';
import { previousFire } from '../../worker/schedule/schedules.ts';
import { describeSource } from '../../worker/sources/fetch-source.ts';
import { describeDelivery, placeOf } from '../../worker/delivery/deliver.ts';
import { checkWorkerConfig, type Lacking } from '../../worker/config/check-config.ts';
import { ExitCode } from '../../base/exit-code.ts';
import type { Connection } from '../../worker/config/connection-checks.ts';
import type { ReadConfig } from '../../worker/config/read-config.ts';
import { print, printJson } from '../show/output.ts';
import type { FlagsOf } from '../flags.ts';
import { WorkerOptions } from '../options.ts';
import { readOptions } from '../read-options.ts';
import { table } from '../show/words.ts';
import { utcTime } from '../../base/words.ts';
import { localTime } from './next-times.ts';
import { needConfigFile } from './worker-session.ts';
import { english, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { reasonText } from '../../worker/remote/plain-words.ts';
import { messageJson } from '../show/actions.ts';
import { say, warningText } from '../show/say.ts';

const DAY_MS = 86_400_000;
const SHOWN = 10;
/** For all connections together. */
const CONNECT_MS = 300_000;

interface Fire {
  schedule: string;
  local: string;
  utc: string;
  out: string;
}

/**
 * At least the next fire of each schedule, however far away, and those of the next days; also, anything that this
 * machine lacks.
 */
export async function printCheck(flags: FlagsOf<'worker'>): Promise<void> {
  const file = needConfigFile(flags);
  const { config, warnings } = await checkWorkerConfig(file, process.env);
  for (const { path, line, column, said } of warnings)
    process.stderr.write(`${warningText(`${file}:${line}:${column}: ${path}: ${say(said)}`)}\n`);
  const { days = 7 } = readOptions(WorkerOptions, flags);
  const fires = upcoming(config, Date.now(), days);
  const alike = namedAlike(config, fires).map((name) => message('change_files_alike', { name }));
  for (const said of alike) process.stderr.write(`${warningText(`${file}: ${say(said)}`)}\n`);
  const connections = flags.connect === true ? await connected(config) : undefined;
  if (connections?.some(({ problem }) => problem !== undefined) === true) process.exitCode = ExitCode.parked;
  const hotFolders = config.hotFolders.map(({ path, profile }) => ({ path, profile }));
  if (flags.json === true) {
    const more = connections === undefined ? {} : { connections: connections.map(connectionJson) };
    printJson({
      profiles: Object.keys(config.profiles),
      fires,
      hotFolders,
      warnings: [...warnings.map(asJson), ...alike.map(asMessage)],
      ...more,
    });
    return;
  }
  print(say(message('config_is_right', { profiles: Object.keys(config.profiles) })));
  for (const folder of hotFolders) print(say(message('folder_is_watched', folder)));
  if (connections !== undefined)
    print(
      table([
        [say(message('head_connection', {})), say(message('head_to', {})), ''],
        ...connections.map(({ path, to, problem }) => [
          path,
          to,
          problem === undefined ? 'ok' : reasonText(problem, say),
        ]),
      ]),
    );
  if (fires.length > 0)
    print(
      table([
        HEADS.map(say),
        ...fires.map((fire) => [
          fire.schedule,
          fire.local,
          fire.utc,
          fire.out,
          goesTo(config, fire.schedule),
        ]),
      ]),
    );
}

const HEADS = [
  message('head_schedule', {}),
  message('head_local_time', {}),
  message('verbatim', { text: 'UTC' }),
  message('head_file', {}),
  message('head_goes_to', {}),
];

function connectionJson({ problem, ...connection }: Connection): Record<string, unknown> {
  return { ...connection, ...(problem === undefined ? {} : { problem: reasonText(problem) }) };
}

async function connected(config: ReadConfig): Promise<Connection[]> {
  const { checkConnections } = await import('../../worker/config/connection-checks.ts');
  return checkConnections(config, process.env, AbortSignal.timeout(CONNECT_MS));
}

function goesTo(config: ReadConfig, name: string): string {
  return (config.schedules[name]?.deliver ?? []).map(describeDelivery).join(', ');
}

function upcoming(config: ReadConfig, now: number, days: number): Fire[] {
  const found: { at: number; fire: Fire }[] = [];
  for (const [schedule, settings] of Object.entries(config.schedules)) {
    let shown = 0;
    for (const at of fireTimes(settings, now)) {
      if (shown > 0 && (at > now + days * DAY_MS || shown >= SHOWN)) break;
      shown += 1;
      const { timeZone, task } = settings;
      const period = { start: previousFire(settings, at), end: at, timeZone };
      found.push({
        at,
        fire: {
          schedule,
          local: localTime(at, timeZone),
          utc: utcTime(at),
          out: task.import === undefined ? fillPattern(task.out ?? '', period) : describeSource(task.import),
        },
      });
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ fire }) => fire);
}

/** The names that several of these runs make at one target, one of them for a file of changes. */
function namedAlike({ schedules, folder }: ReadConfig, fires: readonly Fire[]): string[] {
  const runs = new Map<string, { name: string; changes: boolean }[]>();
  for (const { schedule, out } of fires) {
    const { task, deliver } = schedules[schedule] ?? { deliver: [] };
    if (task === undefined || task.import !== undefined) continue;
    const places =
      deliver.length === 0
        ? [resolve(folder, out)]
        : deliver.flatMap((each) => placeOf(each, out, { configFolder: folder }) ?? []);
    for (const place of places)
      runs.set(place, [
        ...(runs.get(place) ?? []),
        { name: out, changes: task.changedSinceLast !== undefined },
      ]);
  }
  const alike = [...runs.values()].filter((each) => each.length > 1 && each.some(({ changes }) => changes));
  return [...new Set(alike.flatMap((each) => each.map(({ name }) => name)))];
}

function asJson({ said, ...place }: Lacking): Record<string, unknown> {
  return { ...place, ...asMessage(said) };
}

function asMessage(said: Message): Record<string, unknown> {
  return { message: english(said), ...messageJson(said) };
}
