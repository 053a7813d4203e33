/**
 * The requests that the server admitted in each window of short simulations, as recorded: a change that paces a little
 * differently shows here. Whether it is better is for the slow tests and `npm run bench -- pacing` to say; then record
 * the new figures.
 */
import { expect, it } from 'vitest';
import type { LimiterKind } from '../../src/sandbox/settings.ts';
import { type Simulation, simulate } from './simulated-server.ts';

/** Requests admitted in each window, and the number answered 429. */
function figures(options: Partial<Simulation> & { limiter: LimiterKind }): string {
  const { windows, total } = simulate({
    headers: 'draft3',
    rate: { limit: 10, windowMs: 1000 },
    latencyMs: 20,
    jitterMs: 40,
    durationMs: 20_000,
    ...options,
  });
  const seconds = Array.from(windows, (admitted) => admitted ?? 0).join(' ');
  return `${seconds}, limited ${total.limited}, ${Math.round(total.ms)} ms`;
}

const EVENLY = (now: number) => now + 180;
const IN_BURSTS = (now: number) => (now % 500 < 3 ? now + 1 : Math.floor(now / 500) * 500 + 500);

const CASES: Record<string, Partial<Simulation>> = {
  alone: {},
  'with a known window': { headers: 'policy' },
  'with a fallen limit': { changes: [{ at: 6500, rate: { limit: 4, windowMs: 1000 } }] },
  'with a longer window': { changes: [{ at: 6500, rate: { limit: 10, windowMs: 2000 } }] },
  'with a shorter window': {
    rate: { limit: 10, windowMs: 2000 },
    changes: [{ at: 8500, rate: { limit: 10, windowMs: 500 } }],
  },
  'beside an even program': { others: EVENLY },
  'beside a program that sends bursts': { others: IN_BURSTS },
  'beside a program that stops': { others: (now) => (now < 8000 ? now + 120 : undefined) },
  'at 100 a second beside another program': {
    rate: { limit: 100, windowMs: 1000 },
    others: (now) => now + 20,
  },
};

it.each<[LimiterKind, string, string]>([
  ['fixed', 'alone', '9 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10, limited 0, 19204 ms'],
  [
    'fixed',
    'with a known window',
    '9 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10, limited 0, 19204 ms',
  ],
  ['fixed', 'with a fallen limit', '9 10 10 10 10 10 10 4 4 4 4 4 4 4 4 4 4 4 4 4, limited 0, 19759 ms'],
  [
    'fixed',
    'with a longer window',
    '9 10 10 10 10 10 10 10 0 10 0 10 0 10 0 10 0 10 0 10, limited 8, 19893 ms',
  ],
  ['fixed', 'with a shorter window', '9 10 10 10 10 20 20 20 11 28, limited 0, 19312 ms'],
  ['fixed', 'beside an even program', '9 9 8 7 7 2 5 6 1 6 5 5 4 0 6 6 5 1 6 1, limited 8, 19998 ms'],
  [
    'fixed',
    'beside a program that sends bursts',
    '6 7 7 7 7 7 4 2 2 0 2 1 2 2 4 2 3 3 2 2, limited 7, 19957 ms',
  ],
  [
    'fixed',
    'beside a program that stops',
    '9 8 7 8 7 7 7 2 9 10 1 10 10 10 10 10 10 10 10 10, limited 4, 19230 ms',
  ],
  [
    'fixed',
    'at 100 a second beside another program',
    '63 11 77 23 76 47 79 56 75 50 76 55 0 62 7 60 2 62 10 62, limited 40, 19980 ms',
  ],
  ['sliding', 'alone', '9 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 9 8 8 6, limited 0, 19764 ms'],
  [
    'sliding',
    'with a known window',
    '9 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 9 8 8 6, limited 0, 19764 ms',
  ],
  ['sliding', 'with a fallen limit', '9 10 10 10 10 10 12 4 4 4 4 4 4 4 4 4 4 3 2 4, limited 0, 19943 ms'],
  ['sliding', 'with a longer window', '9 10 10 10 10 10 17 1 9 1 9 1 9 1 9 1 9 1 7 3, limited 2, 19755 ms'],
  ['sliding', 'with a shorter window', '9 10 10 10 10 20 20 20 20 20, limited 0, 19961 ms'],
  ['sliding', 'beside an even program', '9 9 9 8 8 0 4 5 1 0 2 1 4 1 1 1 3 3 4 2, limited 9, 19980 ms'],
  [
    'sliding',
    'beside a program that sends bursts',
    '6 6 6 3 2 0 2 2 0 2 2 1 1 2 0 2 2 2 0 2, limited 16, 19503 ms',
  ],
  [
    'sliding',
    'beside a program that stops',
    '9 8 8 6 6 6 1 1 3 8 10 10 10 1 9 10 10 10 10 10, limited 5, 19526 ms',
  ],
  [
    'sliding',
    'at 100 a second beside another program',
    '63 11 44 46 1 25 39 46 43 41 5 15 18 20 25 23 31 38 39 41, limited 6, 19980 ms',
  ],
  ['bucket', 'alone', '9 10 10 12 10 11 11 11 10 11 10 11 10 9 11 10 4 11 10 10, limited 0, 19494 ms'],
  [
    'bucket',
    'with a known window',
    '9 10 10 12 10 11 11 11 10 11 10 11 10 9 11 10 4 11 10 10, limited 0, 19494 ms',
  ],
  ['bucket', 'with a fallen limit', '9 10 10 12 10 11 13 4 4 4 4 4 4 4 4 3 2 5 4 5, limited 0, 19797 ms'],
  ['bucket', 'with a longer window', '9 10 10 12 10 11 19 5 1 10 5 2 6 6 6 0 3 9 6 6, limited 11, 19677 ms'],
  ['bucket', 'with a shorter window', '15 12 10 11 20 11 19 20 21 21, limited 4, 19487 ms'],
  ['bucket', 'beside an even program', '9 7 5 5 5 5 5 4 1 10 3 2 8 6 3 3 5 6 6 3, limited 13, 19980 ms'],
  [
    'bucket',
    'beside a program that sends bursts',
    '6 4 4 4 5 2 5 3 4 1 2 2 2 2 1 2 3 2 3 3, limited 7, 19997 ms',
  ],
  [
    'bucket',
    'beside a program that stops',
    '9 4 2 3 2 2 3 2 6 10 10 0 10 10 10 10 10 9 11 10, limited 5, 19996 ms',
  ],
  [
    'bucket',
    'at 100 a second beside another program',
    '144 44 27 81 11 48 85 57 0 103 0 95 16 64 77 10 94 3 94 44, limited 17, 20000 ms',
  ],
])('%s, %s', (limiter, name, expected) => {
  expect(figures({ limiter, ...CASES[name] })).toBe(expected);
});
