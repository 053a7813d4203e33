import { Pacer } from '../../src/api/pacer.ts';
import { type Headers, readRateLimit } from '../../src/api/rate-limit-headers.ts';
import type { Adversary } from './adversary.ts';
import { corpus } from './corpus.ts';
import { numbersOf, spoil } from './spoil.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const MONTH_MS = 31 * 86_400_000;
const NAMES = [
  ...['ratelimit', 'x-ratelimit', 'x-rate-limit', 'rate-limit'].flatMap((prefix) =>
    ['', '-limit', '-remaining', '-reset', '-policy'].map((end) => prefix + end),
  ),
  'retry-after',
  'date',
];
const WORDS = [
  '0',
  '-1',
  '1e9',
  '1e400',
  'NaN',
  'Infinity',
  '0x10',
  '١',
  '9007199254740993',
  '1795348800',
  '1795348800000',
  ';w=60',
  ';q=100',
  ';r=0',
  ';t=30',
  'limit=',
  'remaining=',
  'reset=',
  '"',
  '\\"',
  ',',
  ';',
  '=',
  ' ',
  '\t',
  'Sun, 22 Nov 2026 12:00:30 GMT',
  'Fri, 31 Feb 9999999 00:00:00 GMT',
  'limit '.repeat(50),
  ' '.repeat(400),
];
const TIMES = ['resetMs', 'windowMs', 'retryAfterMs', 'resetErrorMs', 'resetResolutionMs'] as const;

/** Rate limit headers: what is read, and what pacing makes of a few such answers in turn. */
export function headers(): Adversary {
  const seeds = corpus('headers').map((text) => text.trim().split('\n'));
  return {
    play(number) {
      const random = numbersOf(number * 2_654_435_761 + 11);
      const pacer = new Pacer();
      let now = 0;
      let told = 'nothing';
      for (let answers = 1 + random(4); answers > 0; answers -= 1) {
        const given = spoiled(seeds[random(seeds.length)] ?? [], random);
        const reading = readRateLimit(given, NOW);
        for (const name of TIMES) {
          const ms = reading[name];
          if (ms !== undefined && !(ms >= 0 && ms <= MONTH_MS))
            throw new Error(`${name} is ${ms}: ${show(given)}`);
        }
        for (const count of [reading.limit, reading.remaining])
          if (count !== undefined && !Number.isSafeInteger(count))
            throw new Error(`${count}: ${show(given)}`);
        if (Object.keys(reading).length > 0) told = 'read';
        const start = pacer.started(now);
        now += 1 + random(200);
        pacer.answered({ start, limited: random(4) === 0, reading, now });
        const available = pacer.available(now);
        const next = pacer.nextAt(now);
        // A server may say "wait", and never "for ever".
        if (Number.isNaN(available) || (available < 1 && !(next !== undefined && next <= now + MONTH_MS)))
          throw new Error(`${available} may be sent, the next at ${next}: ${show(given)}`);
        now = Math.max(now, available < 1 ? (next ?? now) : now);
      }
      return told;
    },
  };
}

function spoiled(lines: readonly string[], random: (below: number) => number): Headers {
  const given: Headers = {};
  for (const line of lines) {
    const at = line.indexOf(':');
    const name = random(8) === 0 ? (NAMES[random(NAMES.length)] ?? '') : line.slice(0, at).toLowerCase();
    const value = line.slice(at + 1).trim();
    const text = random(3) === 0 ? value : spoil(Buffer.from(value), WORDS, random).toString('latin1');
    given[name] = random(10) === 0 ? [value, text] : text.slice(0, 16_384);
  }
  return given;
}

function show(given: Headers): string {
  return JSON.stringify(given);
}
