/**
 * Wall clocks of time zones, from Node's zone data (Intl).
 *
 * A wall time is represented by the ms that its digits would be in UTC, so that calendar arithmetic needs no zone.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();
const DAY_MS = 86_400_000;

export function isZone(name: string): boolean {
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The wall time at an instant. */
export function wallOf(instant: number, zone: string): number {
  const seconds = Math.floor(instant / 1000);
  const parts: Record<string, number> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(seconds * 1000)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (instant - seconds * 1000);
}

/**
 * The instant of a wall time. If the clock shows it twice (it goes back), the first one; if never (it goes forward),
 * the first instant after the gap.
 */
export function instantOf(wall: number, zone: string): number {
  // No zone is more than a day from UTC, so these are the offsets before and after a change nearby, if there is one.
  const before = offsetAt(wall - DAY_MS, zone);
  const after = offsetAt(wall + DAY_MS, zone);
  if (before === after) return wall - before;
  const found = [wall - before, wall - after].filter((instant) => wallOf(instant, zone) === wall);
  if (found.length > 0) return Math.min(...found);
  return firstAtOrPast(wall, wall - DAY_MS - before, wall + DAY_MS - after, zone);
}

/** The first instant at which the wall clock is at or past `wall`, found by bisection, in whole seconds. */
function firstAtOrPast(wall: number, from: number, to: number, zone: string): number {
  let low = Math.floor(from / 1000);
  let high = Math.ceil(to / 1000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallOf(middle * 1000, zone) >= wall) high = middle;
    else low = middle;
  }
  return high * 1000;
}

function offsetAt(instant: number, zone: string): number {
  return wallOf(instant, zone) - instant;
}

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, made);
  return made;
}
