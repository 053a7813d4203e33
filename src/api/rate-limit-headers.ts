/**
 * Reads the rate limit from an answer's headers, in every form that design §8 lists. Pure.
 *
 * The contract promises only "standard headers whose names begin with RateLimit-" (§8), without exact names and values.
 * So shelflift reads every published form, and ignores malformed or absurd values.
 */

import type { ServerTime } from './server-clock.ts';

/** One budget as the server advertises it. An answer may contain several; see `readRateLimit`. */
export interface RateLimitReading {
  /** Requests allowed in a whole window. */
  limit?: number;
  /** Requests left now. */
  remaining?: number;
  /** Milliseconds from the answer's arrival until the budget is restored. */
  resetMs?: number;
  /** The window's length in milliseconds, if a policy gives it. */
  windowMs?: number;
  /** By how much `resetMs` may be too long, if the reset was a time on the server's inexactly known clock. */
  resetErrorMs?: number;
  /** Resolution of `resetMs`: 1,000 if the header counts whole seconds, 1 for milliseconds. */
  resetResolutionMs?: number;
  /** Milliseconds to wait before anything is sent (Retry-After). Overrides everything else. */
  retryAfterMs?: number;
}

export type Headers = Record<string, string | string[] | undefined>;

/** Waits over a month are ignored (design §2, Waiting). */
const SANE_WAIT_MS = 31 * 24 * 3600 * 1000;
/** Seconds beyond this are an epoch (2001-09-09), not a delta of 31 years. */
const EPOCH_SECONDS = 1_000_000_000;
/** Values beyond this are epoch milliseconds, not epoch seconds (which would be the year 33658). */
const EPOCH_MILLISECONDS = 1_000_000_000_000;

/**
 * @param headers lower-case header names, as undici gives them
 * @param now this machine's clock in ms since the epoch: used for HTTP dates and epochs only
 * @param server the server's clock; default: from this answer's Date header
 * @returns the deciding budget: the exhausted one, or else the one with the fewest requests left; {} without rate limit
 *   headers
 */
export function readRateLimit(
  headers: Headers,
  now: number,
  server: ServerTime = serverTime(dateOf(headers), now),
): RateLimitReading {
  if (!saysAnything(headers)) return {};
  const reading = ruling([...separate(headers, server), ...combined(headers, server)]);
  const retryAfterMs = retryAfter(first(headers, 'retry-after'), server);
  if (retryAfterMs !== undefined) reading.retryAfterMs = retryAfterMs;
  return reading;
}

/** A quick check, because most answers have no rate limit headers: reading them takes 30 times as long. */
function saysAnything(headers: Headers): boolean {
  for (const name in headers) {
    if (name.startsWith('ratelimit') || name.startsWith('rate-limit')) return true;
    if (name.startsWith('x-rate') || name === 'retry-after') return true;
  }
  return false;
}

/** The Date header, ms since the epoch; undefined if it is missing or unreadable. */
export function dateOf(headers: Headers): number | undefined {
  return httpDate(first(headers, 'date'));
}

function first(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** `RateLimit-Limit`, `-Remaining`, `-Reset` (draft 3 and before, with or without `X-`), `RateLimit-Policy`. */
function separate(headers: Headers, now: ServerTime): RateLimitReading[] {
  for (const prefix of ['ratelimit', 'x-ratelimit', 'x-rate-limit', 'rate-limit']) {
    const reading: RateLimitReading = {};
    const limitText = first(headers, `${prefix}-limit`);
    const limit = leadingCount(limitText);
    const remaining = leadingCount(first(headers, `${prefix}-remaining`));
    if (limit !== undefined) reading.limit = limit;
    if (remaining !== undefined) reading.remaining = remaining;
    Object.assign(reading, resetOf(first(headers, `${prefix}-reset`), now));
    // Draft 3 lets the limit header carry its policy: `100, 100;w=60`.
    const policies = policiesOf([limitText, first(headers, `${prefix}-policy`)].join(', '));
    // The list also contains the limit itself, without a window.
    const named = policies.filter((each) => each.windowMs !== undefined);
    const policy = named.find((each) => each.quota === limit) ?? (named.length === 1 ? named[0] : undefined);
    if (policy?.windowMs !== undefined) reading.windowMs = policy.windowMs;
    if (reading.limit === undefined && policy !== undefined) reading.limit = policy.quota;
    if (reading.limit === undefined && reading.remaining === undefined && reading.resetMs === undefined)
      continue;
    return [reading];
  }
  return [];
}

/** The combined `RateLimit` header: a dictionary (2022) or named structured items (since 2024). */
function combined(headers: Headers, now: ServerTime): RateLimitReading[] {
  const text = first(headers, 'ratelimit');
  if (text === undefined) return [];
  const policies = policiesOf(first(headers, 'ratelimit-policy') ?? '');
  if (/(^|[,;\s])(limit|remaining|reset)\s*=/i.test(text)) {
    const reading: RateLimitReading = {};
    for (const match of text.matchAll(/(limit|remaining|reset)\s*=\s*("?)([0-9.]+)\2/gi)) {
      const [, key = '', , value = ''] = match;
      if (key.toLowerCase() === 'reset') Object.assign(reading, resetOf(value, now));
      else {
        const count = leadingCount(value);
        if (count !== undefined) reading[key.toLowerCase() === 'limit' ? 'limit' : 'remaining'] = count;
      }
    }
    const policy = policies.find((each) => each.quota === reading.limit) ?? policies[0];
    if (policy?.windowMs !== undefined) reading.windowMs = policy.windowMs;
    return [reading];
  }
  return splitOutsideQuotes(text, ',').flatMap((item) => {
    const [name = '', ...parameters] = splitOutsideQuotes(item, ';');
    const remaining = leadingCount(parameter(parameters, 'r'));
    if (remaining === undefined) return [];
    const reading: RateLimitReading = { remaining, ...resetOf(parameter(parameters, 't'), now) };
    const policy =
      policies.find((each) => each.name === unquote(name)) ??
      (policies.length === 1 ? policies[0] : undefined);
    if (policy !== undefined) {
      reading.limit = policy.quota;
      if (policy.windowMs !== undefined) reading.windowMs = policy.windowMs;
    }
    return [reading];
  });
}

interface Policy {
  name: string;
  quota: number;
  windowMs?: number;
}

/** `100;w=60`, `"default";q=100;w=60`, several of either after commas. */
function policiesOf(text: string): Policy[] {
  return splitOutsideQuotes(text, ',').flatMap((item) => {
    const [head = '', ...parameters] = splitOutsideQuotes(item, ';');
    const quota = leadingCount(parameter(parameters, 'q') ?? head);
    if (quota === undefined) return [];
    const seconds = Number(parameter(parameters, 'w'));
    const policy: Policy = { name: unquote(head), quota };
    if (seconds > 0 && seconds * 1000 <= SANE_WAIT_MS) policy.windowMs = seconds * 1000;
    return [policy];
  });
}

/** The exhausted budget with the longest wait decides, or else the one with the fewest requests left. */
function ruling(readings: RateLimitReading[]): RateLimitReading {
  const order = (reading: RateLimitReading) => reading.remaining ?? Number.POSITIVE_INFINITY;
  const sorted = [...readings].sort((a, b) => order(a) - order(b) || (b.resetMs ?? 0) - (a.resetMs ?? 0));
  return sorted[0] ?? {};
}

/** Delta seconds, or an epoch in s or ms, distinguished by magnitude. Ignores negative, malformed or absurd values. */
function resetOf(
  text: string | undefined,
  { earliest, latest }: ServerTime,
): Pick<RateLimitReading, 'resetMs' | 'resetErrorMs' | 'resetResolutionMs'> {
  const value = numberOf(text);
  if (value === undefined) return {};
  const resetResolutionMs = Number.isInteger(value) && value < EPOCH_MILLISECONDS ? 1000 : 1;
  if (value < EPOCH_SECONDS) {
    const resetMs = value * 1000;
    return resetMs > SANE_WAIT_MS ? {} : { resetMs, resetResolutionMs };
  }
  // Rather too long than too short: a request sent too early is answered 429.
  const resetMs = (value < EPOCH_MILLISECONDS ? value * 1000 : value) - earliest;
  if (resetMs > SANE_WAIT_MS) return {};
  return {
    resetMs: Math.max(0, resetMs),
    resetResolutionMs,
    ...(latest > earliest ? { resetErrorMs: latest - earliest } : {}),
  };
}

/** Retry-After: seconds, or an HTTP date (RFC 9110 §10.2.3). */
function retryAfter(text: string | undefined, { earliest }: ServerTime): number | undefined {
  const seconds = numberOf(text);
  const date = httpDate(text);
  const wait = seconds === undefined ? (date === undefined ? undefined : date - earliest) : seconds * 1000;
  if (wait === undefined || wait > SANE_WAIT_MS) return undefined;
  return Math.max(0, wait);
}

/**
 * The server's clock from one answer: our clock if it agrees with the Date header (whole seconds), else somewhere
 * within the header's second.
 */
function serverTime(date: number | undefined, now: number): ServerTime {
  return date === undefined || (now >= date && now < date + 1000)
    ? { earliest: now, latest: now }
    : { earliest: date, latest: date + 1000 };
}

function httpDate(text: string | undefined): number | undefined {
  // Date.parse takes almost anything ("1" is a year): only the forms with a weekday's name are HTTP dates.
  if (text === undefined || !/^[A-Za-z]{3,9},? /.test(text.trim())) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** A plain non-negative decimal number; undefined for anything else. */
function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d{1,16}(\.\d+)?\s*$/.test(text)) return undefined;
  return Number(text);
}

/** The whole number that a value begins with: `100`, `100;w=60`, `100, 100;w=60`. */
function leadingCount(text: string | undefined): number | undefined {
  const match = /^\s*(\d{1,15})(?=\s*(?:[;,]|$))/.exec(text ?? '');
  return match === null ? undefined : Number(match[1]);
}

function parameter(parameters: string[], name: string): string | undefined {
  for (const each of parameters) {
    const [key = '', value = ''] = each.split('=', 2);
    if (key.trim().toLowerCase() === name) return unquote(value);
  }
  return undefined;
}

function unquote(text: string): string {
  return text.trim().replace(/^"(.*)"$/s, '$1');
}

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let part = '';
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (character === separator && !quoted) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  parts.push(part);
  return parts.map((each) => each.trim());
}
