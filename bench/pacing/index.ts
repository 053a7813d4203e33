/**
 * What share of a rate limit is used, and how many requests are answered 429: ours, which is told nothing,
 * beside senders that are told the true limit or wait blindly. From a cold start; the first two windows are not
 * counted. At 100 a second all senders of a row go at the same time, each with its own server; at 1,000 a second one
 * after another, and the others, which read no headers, once a limiter.
 *
 *     node bench/pacing/index.ts [--rate N] [--seconds N] [--latency MS]
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import {
  HEADER_STYLES,
  type HeaderStyle,
  LIMITER_KINDS,
  type LimiterKind,
} from '../../src/sandbox/settings.ts';
import { bottleneck, type Sender, sequential, shelflift, throttled } from './senders.ts';

export const name = 'pacing';

export interface PacingOptions {
  /** Requests a second that the limit admits. Default: a table for 100 and one for 1,000. */
  rate?: number;
  /** Windows of one second that are counted, after two that are not. Default 20. */
  seconds?: number;
  /** Round trip, ms. Default 20. */
  latencyMs?: number;
}

const SENDERS: [string, Sender][] = [
  ['shelflift, told nothing', shelflift],
  ['Bottleneck, told the limit', bottleneck],
  ['p-throttle, told the limit', throttled],
  ['sequential, backoff', sequential],
];
const WINDOW_MS = 1000;
const UNCOUNTED_WINDOWS = 2;

/** @returns Markdown tables; about 10 minutes with the defaults */
export async function run(options: PacingOptions = {}): Promise<string> {
  const { rate, seconds = 20, latencyMs = 20 } = options;
  if (rate !== undefined)
    return rate > MAX_TOGETHER ? fast(rate, seconds, latencyMs) : together(rate, seconds, latencyMs);
  return `${await together(100, seconds, latencyMs)}\n${await fast(1000, seconds, latencyMs)}`;
}

/** More than this a second, and the senders would slow each other down. */
const MAX_TOGETHER = 200;

function heading(rate: number, seconds: number, latencyMs: number): string[] {
  return [
    `Limit ${rate}/1s, ${latencyMs} ms, ${seconds} windows after the first two: share of the limit (answered 429).`,
    '',
    `| limiter | headers | ${SENDERS.map(([title]) => title).join(' | ')} |`,
    `|---|---|${SENDERS.map(() => '---|').join('')}`,
  ];
}

async function together(rate: number, seconds: number, latencyMs: number): Promise<string> {
  const lines = heading(rate, seconds, latencyMs);
  const rows = LIMITER_KINDS.flatMap((limiter) => HEADER_STYLES.map((headers) => ({ limiter, headers })));
  // Some rows at a time: they wait for their limits most of the time.
  for (let index = 0; index < rows.length; index += ROWS_AT_A_TIME) {
    const some = rows.slice(index, index + ROWS_AT_A_TIME).map(async ({ limiter, headers }) => {
      const cells = await Promise.all(
        SENDERS.map(([, send]) => measure(send, limiter, headers, rate, seconds, latencyMs)),
      );
      return `| ${limiter} | ${headers} | ${cells.join(' | ')} |`;
    });
    lines.push(...(await Promise.all(some)));
  }
  return `${lines.join('\n')}\n`;
}

async function fast(rate: number, seconds: number, latencyMs: number): Promise<string> {
  const lines = heading(rate, seconds, latencyMs);
  for (const limiter of LIMITER_KINDS) {
    const others: string[] = [];
    for (const [, send] of SENDERS.slice(1))
      others.push(await measure(send, limiter, 'draft3', rate, seconds, latencyMs));
    for (const headers of ['draft3', 'structured', 'retry-after', 'none'] as const) {
      const ours = await measure(shelflift, limiter, headers, rate, seconds, latencyMs);
      lines.push(`| ${limiter} | ${headers} | ${[ours, ...others].join(' | ')} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const ROWS_AT_A_TIME = 4;

async function measure(
  send: Sender,
  limiter: LimiterKind,
  headers: HeaderStyle,
  limit: number,
  seconds: number,
  latencyMs: number,
): Promise<string> {
  const startedAt = performance.now();
  const from = startedAt + UNCOUNTED_WINDOWS * WINDOW_MS;
  const until = from + seconds * WINDOW_MS;
  let admitted = 0;
  let limited = 0;
  await using sandbox = await startSandbox({
    rateLimit: { limit, windowMs: WINDOW_MS },
    limiter,
    headers,
    latencyMs,
    onRequest: ({ status }) => {
      const now = performance.now();
      if (now < from || now >= until) return;
      if (status === 429) limited += 1;
      else admitted += 1;
    },
  });
  const collectionId = sandbox.control.addCollection('Bench').id;
  await send({ url: sandbox.url, key: sandbox.key, collectionId, limit, windowMs: WINDOW_MS }, until);
  const share = (admitted / (limit * seconds)) * 100;
  return `${share.toFixed(1)} % (${((limited / Math.max(1, admitted + limited)) * 100).toFixed(2)} %)`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { rate: { type: 'string' }, seconds: { type: 'string' }, latency: { type: 'string' } },
  });
  process.stdout.write(
    await run({
      ...(values.rate === undefined ? {} : { rate: Number(values.rate) }),
      seconds: Number(values.seconds ?? 20),
      latencyMs: Number(values.latency ?? 20),
    }),
  );
}
