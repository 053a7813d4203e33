/** Fire times found without any cron library: a walk over a year, step by step, by the clocks that Intl shows. */

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
/** All schedules here fire at multiples of it, and clocks change by them. */
const STEP = 5 * MINUTE;
export const YEAR = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2027, 0, 1) };
/** A change of an hour, of half an hour, at a quarter to three, and on the other half of the earth. */
export const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Chatham'];

interface Label {
  month: number;
  day: number;
  weekday: number;
  hour: number;
  minute: number;
}

/** The same schedules twice: as cron, and in plain words that no cron library reads. */
export const SCHEDULES: { cron: string; matches: (label: Label) => boolean }[] = [
  { cron: '30 2 * * *', matches: ({ hour, minute }) => hour === 2 && minute === 30 },
  { cron: '15 1,2,3 * * *', matches: ({ hour, minute }) => [1, 2, 3].includes(hour) && minute === 15 },
  { cron: '0 * * * *', matches: ({ minute }) => minute === 0 },
  {
    cron: '*/20 2 * * 0',
    matches: ({ hour, minute, weekday }) => weekday === 0 && hour === 2 && minute % 20 === 0,
  },
  { cron: '0 6 1 * *', matches: ({ day, hour, minute }) => day === 1 && hour === 6 && minute === 0 },
  {
    cron: '45 23 31 12 *',
    matches: ({ month, day, hour, minute }) => month === 12 && day === 31 && hour === 23 && minute === 45,
  },
];

const two = (text: string) => Number.parseInt(text, 10);

/** What a clock on the wall shows at each step of the year, and the times that it skipped just before. */
function* walk(zone: string): Generator<{ instant: number; wall: number; skipped: number[] }> {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  let last: number | undefined;
  for (let quarter = YEAR.from; quarter < YEAR.to; quarter += QUARTER) {
    // 29/03/2026, 03:00 — zones change at quarters only.
    const [, day = '', month = '', year = '', hour = '', minute = ''] =
      /(\d+)\/(\d+)\/(\d+), (\d+):(\d+)/.exec(format.format(quarter)) ?? [];
    const at = Date.UTC(two(year), two(month) - 1, two(day), two(hour), two(minute));
    for (let step = 0; step < QUARTER; step += STEP) {
      const wall = at + step;
      const skipped: number[] = [];
      if (last !== undefined) for (let gone = last + STEP; gone < wall; gone += STEP) skipped.push(gone);
      yield { instant: quarter + step, wall, skipped };
      last = wall;
    }
  }
}

/** Each local time that is named fires once: the first time it is shown, or when the clock has jumped over it. */
export function independentList(zone: string): Map<string, number[]> {
  const lists = new Map(SCHEDULES.map(({ cron }) => [cron, [] as number[]]));
  const shown = new Set<number>();
  for (const { instant, wall, skipped } of walk(zone)) {
    const labels = [...skipped, wall].filter((label) => !shown.has(label)).map(labelOf);
    for (const label of [...skipped, wall]) shown.add(label);
    for (const { cron, matches } of SCHEDULES) if (labels.some(matches)) lists.get(cron)?.push(instant);
  }
  return lists;
}

function labelOf(wall: number): Label {
  const date = new Date(wall);
  return {
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}
