/** Numbers and times as people read them, in English. */

import { counted } from './counted.ts';

/** ms → `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const AGES = [
  { noun: 'day', ms: 86_400_000 },
  { noun: 'hour', ms: 3_600_000 },
  { noun: 'minute', ms: 60_000 },
  { noun: 'second', ms: 1000 },
];

/** ms → `3 days`, `1 hour`, `5 minutes`: the largest whole unit. */
export function ageText(ms: number): string {
  const unit = AGES.find((each) => ms >= each.ms) ?? { noun: 'second', ms: 1000 };
  return counted(Math.max(0, Math.floor(ms / unit.ms)), unit.noun);
}

/** ms since the epoch → `2026-12-01T05:00:00Z`. The one form of times that people read; a local time stands before it. */
export function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
