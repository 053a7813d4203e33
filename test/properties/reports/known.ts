/** What a store may know, as the documentation says it: its readings, by time. */
import { type Truth } from './truth.ts';

export const DAY = 86_400_000;
/** Commands are minutes apart, and take less than this. */
export const SLACK = 30_000;

export interface Reading {
  at: number;
  /** When the first item was read. */
  from: number;
  /** Whether the store surely has it: a command that died may have stored it. */
  isSure: boolean;
  isReported: boolean;
}

/** What a file of sales begins with: those that its reading showed as sold. */
export interface Base {
  at: number;
  ids: string[];
  isSure: boolean;
}

export interface Name {
  bases: Base[];
  /** Sales that somebody has received in a file that the store does not count. */
  received: string[];
  /** What somebody has who applies each file of changes to the rows of the earlier ones. */
  copy: Map<string, string>;
}

export interface Known {
  /** By selection; '' is everything. */
  readings: Map<string, Reading[]>;
  /** End of a month → the reading that closed it, or opened the next one. */
  turns: Map<number, number>;
  /** Readings of months whose report died. */
  ofDead: number[];
  months: Map<string, { opening: number | null; closing: number }>;
  names: Map<string, Name>;
  sales: { at: number; totals: Record<string, number>; isSure: boolean }[];
}

export const nothing = (): Known => ({
  readings: new Map(),
  turns: new Map(),
  ofDead: [],
  months: new Map(),
  names: new Map(),
  sales: [],
});

export function readingsOf(known: Known, selection: string): Reading[] {
  const found = known.readings.get(selection) ?? [];
  known.readings.set(selection, found);
  return found;
}

/** The readings that may be the nearest to an instant; only commands that died make it more than one. */
export function near<T extends { at: number; isSure?: boolean }>(readings: readonly T[], instant: number) {
  const distance = ({ at }: T) => Math.abs(at - instant);
  const sure = readings.filter(({ isSure = true }) => isSure);
  const least = Math.min(DAY, ...sure.map(distance));
  return {
    least,
    allowed: readings.filter((each) => distance(each) <= least + SLACK),
    isSure: sure.some((each) => distance(each) < DAY - SLACK),
  };
}

/** The same, for the end of a month. */
export function turnOf(known: Known, instant: number) {
  const readings = readingsOf(known, '');
  const at = known.turns.get(instant);
  return near(at === undefined ? readings : readings.filter((each) => each.at === at), instant);
}

/** Readings that may be the last one that somebody has received; null: none. */
export function lastReported(readings: readonly Reading[]): (Reading | null)[] {
  const reported = readings.filter(({ isReported }) => isReported);
  const sure = reported.findLastIndex(({ isSure }) => isSure);
  return sure < 0 ? [null, ...reported] : reported.slice(sure);
}

/** All readings; those that surely have their items count as sure: near the turn of a month, and that of the last report. */
export function withItems(known: Known, zone: string): Reading[] {
  const readings = readingsOf(known, '');
  const last = lastReported(readings);
  return readings.map((reading) => {
    const turns = periodOf(dayOf(reading.at, zone).slice(0, 7), zone);
    const isNear = turns.some((turn) => Math.abs(reading.at - turn) < DAY);
    return { ...reading, isSure: reading.isSure && (isNear || (last.length === 1 && last[0] === reading)) };
  });
}

export function prune(known: Known, before: number): void {
  const turns = new Set(known.turns.values());
  for (const [selection, readings] of known.readings) {
    const isNeeded = (which: (reading: Reading) => boolean) => {
      const some = readings.filter(which);
      return some.slice(some.findLastIndex(({ isSure }) => isSure));
    };
    const [last, reported] = [isNeeded(() => true), isNeeded(({ isReported }) => isReported)];
    const kept = readings.flatMap((reading) => {
      if (reading.at >= before || turns.has(reading.at)) return [reading];
      if (known.ofDead.includes(reading.at)) return [{ ...reading, isSure: false }];
      const others = [last, reported].filter((some) => some.includes(reading));
      if (others.length === 0) return [];
      // A later one that may be there as well makes it needless.
      return [{ ...reading, isSure: reading.isSure && others.some((some) => some.length === 1) }];
    });
    known.readings.set(selection, kept);
  }
}

/** Midnight of a day, and of the day after the end of a period: `2026-10` or `2026-10-31`. */
export function periodOf(name: string, zone: string): [start: number, end: number] {
  const [year = 0, month = 1, day] = name.split('-').map(Number);
  const next = day === undefined ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, day + 1);
  const first = Date.UTC(year, month - 1, day ?? 1);
  return [midnight(first, zone), midnight(next, zone)];
}

function midnight(day: number, zone: string): number {
  const name = new Date(day).toISOString().slice(0, 10);
  let [low, high] = [day - DAY, day + DAY];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dayOf(middle, zone) < name) low = middle;
    else high = middle;
  }
  return high;
}

/** Making one takes a thousand times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-10-31` */
export function dayOf(instant: number, zone: string): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  formats.set(zone, format);
  return format.format(instant);
}

/** Whether the item may have come to be sold between two times. */
export function mayBecomeSold(truth: Truth, id: string, from: number, to: number): boolean {
  const seen = truth.between(from, to).map((state) => state.get(id)?.status === 'sold');
  return seen.at(-1) === true && seen.includes(false);
}
