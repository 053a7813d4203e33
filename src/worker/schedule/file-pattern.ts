/**
 * File names with dates: `items-{{period.end:yyyy-MM}}.xlsx`.
 *
 * `period.end` is the fire time and `period.start` the previous one, both as local times of the schedule's zone.
 */
import { wallOf } from '../../base/zone.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

export interface Period {
  /** ms since the epoch. */
  start: number;
  end: number;
  timeZone: string;
}

const PLACE = /\{\{([^{}]*)\}\}/g;
const EXPRESSION = /^\s*period\.(start|end)\s*(?::(.*))?$/;
const DEFAULT_FORMAT = 'yyyy-MM-dd';
/** Letters are parts of a date; other characters are literal. */
const PART = /yyyy|yy|MM|dd|HH|mm|ss|[A-Za-z]+/g;

/** Why the pattern cannot be used; undefined if it can. */
export function patternProblem(pattern: string): Message | undefined {
  for (const [place, inner = ''] of pattern.matchAll(PLACE)) {
    const match = EXPRESSION.exec(inner);
    if (match === null) return message('place_unknown', { place });
    const unknown = [...(match[2] ?? DEFAULT_FORMAT).matchAll(PART)].find(([part]) => !(part in PARTS));
    if (unknown !== undefined)
      return message('place_part_unknown', { place, part: unknown[0], known: Object.keys(PARTS) });
  }
  // oxlint-disable-next-line no-control-regex -- nobody could find a file with such a name, and NUL ends it
  if (/[\u0000-\u001f\u007f]/.test(pattern)) return message('control_character_in_name', {});
  if (/\{\{|\}\}/.test(pattern.replaceAll(PLACE, ''))) return message('place_open', {});
  return undefined;
}

export function fillPattern(pattern: string, period: Period): string {
  return pattern.replaceAll(PLACE, (_, inner: string) => {
    const [, which, format] = EXPRESSION.exec(inner) ?? [];
    const wall = new Date(wallOf(which === 'start' ? period.start : period.end, period.timeZone));
    return (format ?? DEFAULT_FORMAT).replaceAll(PART, (part) => PARTS[part]?.(wall) ?? part);
  });
}

const PARTS: Record<string, (wall: Date) => string> = {
  yyyy: (wall) => String(wall.getUTCFullYear()).padStart(4, '0'),
  yy: (wall) => two(wall.getUTCFullYear() % 100),
  MM: (wall) => two(wall.getUTCMonth() + 1),
  dd: (wall) => two(wall.getUTCDate()),
  HH: (wall) => two(wall.getUTCHours()),
  mm: (wall) => two(wall.getUTCMinutes()),
  ss: (wall) => two(wall.getUTCSeconds()),
};

function two(value: number): string {
  return String(value).padStart(2, '0');
}
