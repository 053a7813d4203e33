/**
 * Enqueues each fire of each schedule once, however many workers check.
 *
 * A run's id consists of schedule and fire time, so the store itself refuses a second one. The mark of how far a
 * schedule has been handled moves only afterwards, so a kill in between loses nothing.
 */
import { everyValue, type KeyValue } from '../../ledger/key-values.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Schedule } from '../config/schema.ts';
import { profileQueue } from '../queue/queue.ts';
import { idOfFire, type Run } from '../queue/run.ts';
import { type CatchUp, dueFires } from './due.ts';
import { lastFire, nextFire, type Timetable } from './fire-times.ts';

const SPACE = 'schedules';
/** States begun in one change. */
const PAGE = 2_000;
/** As many states are read one by one rather than with all others. */
const FEW = 100;
/** Workers' clocks may differ by this much. A clock further ahead must not silence a schedule until its time comes. */
const AHEAD_MS = 3_600_000;

export interface ScheduleState {
  /** Fires up to here have been handled, ms since the epoch. */
  until: number;
  /** The schedule at that time: a changed schedule counts as new, and has missed nothing. */
  cron: string;
  timeZone: string;
  paused?: boolean;
}

/** A fire that is due. */
export interface Fire {
  schedule: string;
  fire: number;
  previous: number;
}

export class Schedules {
  readonly #values: Ledger['values'];

  constructor(ledger: Pick<Ledger, 'values'>) {
    this.#values = ledger.values;
  }

  /** The states of these schedules. */
  async states(names: readonly string[]): Promise<Map<string, ScheduleState>> {
    const states = new Map<string, ScheduleState>();
    const add = (name: string, text: string) => states.set(name, JSON.parse(text) as ScheduleState);
    if (names.length > FEW) {
      const wanted = new Set(names);
      for await (const { key, value } of this.all()) if (wanted.has(key)) add(key, value);
      return states;
    }
    for (const name of names) {
      const text = await this.#values.get(SPACE, name);
      if (text !== undefined) add(name, text);
    }
    return states;
  }

  /** The states of all schedules of the store, as texts. */
  all(): AsyncIterable<KeyValue> {
    return everyValue(this.#values, SPACE);
  }

  /**
   * Records new schedules as seen now, thousands in one change: one by one, 10,000 took minutes on a busy
   * disk.
   */
  async begin(fresh: ReadonlyMap<string, Timetable>, now: number): Promise<void> {
    const entries = [...fresh].map(([key, { cron, timeZone }]) => ({
      key,
      value: JSON.stringify({ until: now, cron, timeZone } satisfies ScheduleState),
    }));
    for (let from = 0; from < entries.length; from += PAGE)
      await this.#values.putMissing(SPACE, entries.slice(from, from + PAGE));
  }

  /** Calls `enqueue` for each fire that is due. Repeating `enqueue` must change nothing. */
  async look(
    name: string,
    timetable: Timetable,
    catchUp: CatchUp,
    now: number,
    enqueue: (fire: Fire) => Promise<void>,
  ): Promise<number> {
    const text = await this.#values.get(SPACE, name);
    const state = text === undefined ? undefined : (JSON.parse(text) as ScheduleState);
    const { cron, timeZone } = timetable;
    const fresh: ScheduleState = { until: now, cron, timeZone };
    if (text === undefined || state === undefined) {
      await this.#values.putIfAbsent(SPACE, name, JSON.stringify(fresh));
      return 0;
    }
    if (nextLook(text, timetable, now) > now) return 0;
    // Changed, or some worker's clock was far ahead. The fires that it saw have runs, so nothing runs twice.
    const isNew = state.cron !== cron || state.timeZone !== timeZone || now <= state.until;
    const fires = isNew ? [] : dueFires(timetable, state.until, now, catchUp);
    for (const fire of fires)
      await enqueue({ schedule: name, fire, previous: previousFire(timetable, fire) });
    await this.#values.replace(SPACE, name, text, JSON.stringify({ ...state, ...fresh }));
    return fires.length;
  }

  /** A paused schedule does not fire; once resumed, it has missed nothing. Other schedules are not affected. */
  async setPaused(name: string, { cron, timeZone }: Timetable, paused: boolean, now: number): Promise<void> {
    for (;;) {
      const text = await this.#values.get(SPACE, name);
      const state = text === undefined ? undefined : (JSON.parse(text) as ScheduleState);
      if ((state?.paused ?? false) === paused) return;
      const changed: ScheduleState = { until: now, cron, timeZone, ...(paused ? { paused } : {}) };
      const to = JSON.stringify(changed);
      const done =
        text === undefined
          ? await this.#values.putIfAbsent(SPACE, name, to)
          : await this.#values.replace(SPACE, name, text, to);
      if (done) return;
    }
  }
}

/**
 * When `look` has something to do, according to a state that may be out of date: whoever changes the state does the
 * rest.
 */
export function nextLook(text: string, timetable: Timetable, now: number): number {
  const { until, cron, timeZone, paused } = JSON.parse(text) as ScheduleState;
  if (cron !== timetable.cron || timeZone !== timetable.timeZone || until - now > AHEAD_MS) return now;
  return nextFire(timetable, paused === true ? now : until) ?? Number.POSITIVE_INFINITY;
}

/** The previous fire; for the very first, the fire itself. */
export function previousFire(timetable: Timetable, fire: number): number {
  return lastFire(timetable, fire) ?? fire;
}

export function runOfFire(
  { schedule, fire, previous }: Fire,
  queue: string,
  now: number,
  priority: Run['priority'] = 'read',
): Run {
  return {
    id: idOfFire(schedule, new Date(fire).toISOString()),
    queue,
    priority,
    work: { kind: 'schedule', schedule, fire, previous },
    state: 'queued',
    tries: 0,
    createdAt: now,
    notBefore: now,
  };
}

/** Imports give way to reads. */
export function priorityOf({ task }: Partial<Pick<Schedule, 'task'>>): Run['priority'] {
  return task?.import === undefined ? 'read' : 'write';
}

/** A run that a person requested: its fire time is now. */
export function manualRun(
  name: string,
  schedule: Timetable & { profile: string } & Partial<Pick<Schedule, 'task'>>,
  now: number,
): Run {
  const fire = { schedule: name, fire: now, previous: previousFire(schedule, now) };
  const run = runOfFire(fire, profileQueue(schedule.profile), now, priorityOf(schedule));
  return { ...run, id: `${run.id}-manual` };
}
