/** Parses the command's flags into SandboxOptions. */
import { defined } from '../base/defined.ts';
import { UsageError } from '../base/errors.ts';
import { durationMs, toRateLimit } from './rate-limit-text.ts';
import {
  FAULT_KINDS,
  type FaultKind,
  type FaultRates,
  FaultRatesForm,
  HEADER_STYLES,
  type HeaderStyle,
  LIMITER_KINDS,
  type LimiterKind,
  type SandboxOptions,
  type Storing,
} from './settings.ts';
import { message } from '../messages/message.ts';

/** The flags as typed; numbers may be numbers or text. */
export interface SandboxSwitches {
  port?: number | string | undefined;
  host?: string | undefined;
  /** --data FILE */
  data?: string | undefined;
  seed?: number | string | undefined;
  seedItems?: number | string | undefined;
  key?: string | undefined;
  currency?: string | undefined;
  /** `100/60s` */
  rateLimit?: string | undefined;
  limiter?: string | undefined;
  headers?: string | undefined;
  planLimit?: number | string | undefined;
  /** A duration: `20ms`. */
  latency?: string | undefined;
  customFields?: string | undefined;
  order?: string | undefined;
  /** Words from STORING_WORDS. */
  storing?: readonly string[] | undefined;
  /** A duration: `5s`. */
  listLag?: string | undefined;
  /** A duration; may be negative: `-2h`. */
  clockOffset?: string | undefined;
  /** `KIND=PROBABILITY` with a kind of FAULT_WORDS; `late-commit=PROBABILITY:DURATION` sets the delay. */
  fault?: readonly string[] | undefined;
  faultSeed?: number | string | undefined;
}

const STORING_BY_WORD: Readonly<Record<string, keyof Storing>> = {
  'trim-names': 'trimNames',
  'collapse-spaces': 'collapseSpaces',
  'round-values': 'roundValues',
  'sort-tags': 'sortTags',
  'normalise-unicode': 'normaliseUnicode',
  'cut-custom-fields': 'cutCustomFields',
  'drop-custom-fields': 'dropCustomFields',
  'add-custom-field': 'addCustomField',
  'escape-texts': 'escapeTexts',
  'raise-brands': 'raiseBrands',
  'short-lists': 'shortLists',
  'short-items': 'shortItems',
  'omit-empty': 'omitEmpty',
  'sparse-lists': 'sparseLists',
};
/** Words that --storing accepts. */
export const STORING_WORDS = Object.keys(STORING_BY_WORD);

const FAULT_BY_WORD: ReadonlyMap<string, FaultKind> = new Map(
  FAULT_KINDS.map((kind) => [kind.replace(/[A-Z]|\d+/g, (part) => `-${part.toLowerCase()}`), kind]),
);
/** Kinds of faults that --fault accepts before `=`. */
export const FAULT_WORDS = [...FAULT_BY_WORD.keys()];

const PORT_MAX = 65_535;
const FAULT = /^([a-z0-9-]+)=(\d*\.?\d+)(?::(.+))?$/;

/**
 * Parses the flags. A flag that is not given is left out, so that startSandbox's default applies.
 * @throws UsageError `bad_option`, `bad_rate_limit`
 */
export function parseSandboxOptions(switches: SandboxSwitches): SandboxOptions {
  const { host, data, key, currency, rateLimit } = switches;
  return defined({
    port: integer('--port', switches.port, PORT_MAX),
    host,
    dataFile: data,
    seed: integer('--seed', switches.seed, Number.MAX_SAFE_INTEGER),
    seedItems: integer('--seed-items', switches.seedItems, 10_000_000),
    key: key === undefined ? undefined : readKey(key),
    currency: currency?.toLowerCase(),
    rateLimit: rateLimit === undefined ? undefined : toRateLimit(rateLimit),
    limiter: choice<LimiterKind>('--limiter', switches.limiter, LIMITER_KINDS),
    headers: choice<HeaderStyle>('--headers', switches.headers, HEADER_STYLES),
    planLimit: integer('--plan-limit', switches.planLimit, Number.MAX_SAFE_INTEGER),
    latencyMs: duration('--latency', switches.latency, 0),
    customFields: choice('--custom-fields', switches.customFields, ['replace', 'merge'] as const),
    order: choice('--order', switches.order, ['created', 'updated'] as const),
    storing: switches.storing === undefined ? undefined : readStoring(switches.storing),
    listLagMs: duration('--list-lag', switches.listLag, 0),
    clockOffsetMs: duration('--clock-offset', switches.clockOffset, Number.NEGATIVE_INFINITY),
    faults: switches.fault === undefined ? undefined : readFaults(switches.fault),
    faultSeed: integer('--fault-seed', switches.faultSeed, Number.MAX_SAFE_INTEGER),
  });
}

function readFaults(words: readonly string[]): FaultRates {
  const rates: FaultRates = {};
  for (const text of words) {
    const [, word = '', probability = '', delay] = FAULT.exec(text) ?? [];
    const kind = FAULT_BY_WORD.get(word);
    if (kind === undefined || Number(probability) > 1 || (delay !== undefined && kind !== 'lateCommit')) {
      throw bad('--fault', `KIND=PROBABILITY, the kind one of ${FAULT_WORDS.join(', ')}, 0 to 1`, text);
    }
    rates[kind] = Number(probability);
    if (delay !== undefined) rates.lateCommitMs = duration('--fault late-commit', delay, 0);
  }
  if (!FaultRatesForm.safeParse(rates).success) {
    throw bad('--fault', 'probabilities that add up to 1 at most', words.join(' '));
  }
  return rates;
}

function readStoring(words: readonly string[]): Storing {
  const storing: Storing = {};
  for (const word of words) {
    const name = Object.hasOwn(STORING_BY_WORD, word) ? STORING_BY_WORD[word] : undefined;
    if (name === undefined) throw bad('--storing', `one of ${STORING_WORDS.join(', ')}`, word);
    storing[name] = true;
  }
  return storing;
}

function readKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw bad('--key', 'visible ASCII characters without spaces', key);
}

function integer(name: string, value: number | string | undefined, max: number): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'number' ? value : /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isInteger(number) && number >= 0 && number <= max) return number;
  throw bad(name, `an integer from 0 to ${max}`, String(value));
}

function duration(name: string, text: string | undefined, minMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = durationMs(text);
  if (ms !== undefined && ms >= minMs) return ms;
  throw bad(name, 'a duration such as 500ms, 10s, 5m or 24h', text);
}

function choice<T extends string>(
  name: string,
  text: string | undefined,
  choices: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  const chosen = choices.find((known) => known === text);
  if (chosen !== undefined) return chosen;
  throw bad(name, `one of ${choices.join(', ')}`, text);
}

function bad(name: string, expected: string, found: string): UsageError {
  return new UsageError('bad_option', message('sandbox_option', { option: name, expected, found }));
}
