/** What doctor finds out about the API by reading: reach, TLS, key, scopes, clock, rate limit. Nothing is written. */
import type { RequestRecord } from '../api/client.ts';
import {
  type ApiError,
  MissingScopeError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
} from '../api/errors.ts';
import { type RateLimitReading, readRateLimit } from '../api/rate-limit-headers.ts';
import { CollectionList, ItemList, SalesSummary, type Scope } from '../api/schemas.ts';
import { probeTls } from '../api/tls-probe.ts';
import { Transport } from '../api/transport.ts';
import type { WireAnswer } from '../api/wire.ts';
import { ExitCode } from '../base/exit-code.ts';
import { failed, type Finding } from './check.ts';
import { saidOf } from '../base/errors.ts';
import { byHand, message } from '../messages/message.ts';
import type { Action, Message, MessageCode } from '../messages/params.ts';
import { defined } from '../base/defined.ts';

/** One read for each, as small as possible (contract §4). */
const PROBES = [
  { scope: 'items:read', operation: 'listItems', path: '/items?page=1&per_page=1', schema: ItemList },
  {
    scope: 'collections:read',
    operation: 'listCollections',
    path: '/collections?page=1&per_page=1',
    schema: CollectionList,
  },
  {
    scope: 'marketplace:read',
    operation: 'listListings',
    path: '/marketplace/listings?page=1&per_page=1',
    schema: ItemList,
  },
  { scope: 'analytics:read', operation: 'getSalesSummary', path: '/sales/summary', schema: SalesSummary },
] as const satisfies readonly {
  scope: Scope;
  operation: RequestRecord['operation'];
  [more: string]: unknown;
}[];

/** A Date header has whole seconds, and the answer takes time to arrive. */
const CLOCK_TOLERANCE_MS = 60_000;
const CERTIFICATE_WARNING_MS = 14 * 24 * 3600 * 1000;

interface ProbeAnswer {
  scope: Scope;
  answer: WireAnswer<unknown>;
  error: ApiError | undefined;
}

export async function checkApi(
  connection: { apiUrl: string; key: string; timeoutMs: number },
  onRequest: (record: RequestRecord) => void,
): Promise<Finding[]> {
  const transport = new Transport(connection);
  try {
    const tls = await checkTls(transport.apiUrl, connection.timeoutMs);
    const probes: ProbeAnswer[] = [];
    for (const { scope, operation, path, schema } of PROBES) {
      const answer: WireAnswer<unknown> = await transport.send<unknown>({
        method: 'GET',
        path,
        success: 200,
        schema,
      });
      const error = answer.result.ok ? undefined : answer.result.error;
      const { status, ms: tookMs, requestId } = answer;
      onRequest({ operation, method: 'GET', path, status, tookMs, requestId, error: error?.code });
      probes.push({ scope, answer, error });
      // Without an API or a valid key, the other checks would only repeat that.
      if (status === undefined || error instanceof UnauthorizedError || isElsewhere(error)) break;
    }
    const first = probes[0];
    if (first === undefined) return [];
    return [
      checkReach(transport.apiUrl, first),
      tls,
      checkKey(first),
      ...checkScopes(probes),
      checkClock(first),
      checkRateLimit(probes),
    ];
  } finally {
    await transport.close();
  }
}

/** Something answers, but not as the contract says: a 404 on a list, a redirect, a page. */
function isElsewhere(error: ApiError | undefined): boolean {
  return error instanceof NotFoundError || error?.code === 'unexpected_response';
}

function checkReach(apiUrl: string, { answer, error }: ProbeAnswer): Finding {
  const check = 'address';
  if (answer.status === undefined && error !== undefined)
    return failed(check, error, ExitCode.parked, [byHand('check_address_and_network', {})]);
  if (error !== undefined && isElsewhere(error)) {
    return {
      check,
      state: 'failed',
      found: message('not_this_api', { address: apiUrl, why: saidOf(error) }),
      actions: [byHand('check_base_address', { address: apiUrl }), byHand('service_has_problem', {})],
      exitCode: ExitCode.parked,
      code: 'not_this_api',
    };
  }
  const found = message('address_answers', { address: apiUrl, took: Math.round(answer.ms) });
  return { check, state: 'ok', found };
}

async function checkTls(apiUrl: string, timeoutMs: number): Promise<Finding> {
  const check = 'tls';
  if (!apiUrl.startsWith('https:')) return { check, state: 'ok', found: message('tls_not_needed', {}) };
  try {
    const report = await probeTls(apiUrl, timeoutMs);
    if (report === undefined) return { check, state: 'unknown', found: message('no_certificate', {}) };
    const day = new Date(report.validUntil).toISOString().slice(0, 10);
    const found = message('certificate_until', { protocol: report.protocol, day });
    return report.validUntil - Date.now() < CERTIFICATE_WARNING_MS
      ? { check, state: 'warning', found, actions: [byHand('tell_of_certificate', {})] }
      : { check, state: 'ok', found };
  } catch (error) {
    if (!isCertificateError(error)) return { check, state: 'unknown', found: message('no_connection', {}) };
    return failed(check, error, ExitCode.parked, [byHand('trust_certificate', {})], 'bad_certificate');
  }
}

function isCertificateError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /CERT|TLS|SSL|^UNABLE_TO_|HOSTNAME|ALTNAME/.test(code);
}

function checkKey({ answer, error }: ProbeAnswer): Finding {
  const check = 'key';
  if (error instanceof UnauthorizedError) return failed(check, error, ExitCode.unauthorized, []);
  if (answer.status === undefined || isElsewhere(error))
    return { check, state: 'unknown', found: message('not_known_yet', {}) };
  return { check, state: 'ok', found: message('key_accepted', {}) };
}

function checkScopes(probes: readonly ProbeAnswer[]): Finding[] {
  const findings = PROBES.map(({ scope }): Finding => {
    const check = `scope ${scope}`;
    const probe = probes.find((each) => each.scope === scope);
    const error = probe?.error;
    if (probe === undefined || probe.answer.status === undefined || error instanceof UnauthorizedError)
      return { check, state: 'unknown', found: message('not_asked', {}) };
    if (error === undefined) return { check, state: 'ok', found: message('scope_granted', {}) };
    if (error instanceof MissingScopeError) {
      return {
        check,
        state: 'failed',
        found: message('scope_lacking', {}),
        actions: [byHand(WITHOUT[scope], {}), byHand('ask_for_scope', {})],
        exitCode: ExitCode.unauthorized,
        code: error.code,
      };
    }
    if (error instanceof RateLimitedError)
      return failed(check, error, ExitCode.parked, [byHand('try_after_limit', {})]);
    return failed(check, error, ExitCode.parked, [byHand('ask_service', {})]);
  });
  findings.splice(1, 0, {
    check: 'scope items:write',
    state: 'unknown',
    found: message('write_not_probed', {}),
    actions: [SEND_ONE_ROW],
  });
  return findings;
}

const SEND_ONE_ROW: Action = {
  do: 'run',
  command: 'import',
  args: ['FILE'],
  options: { first: '1' },
  label: message('to_send_one_row', {}),
};

const WITHOUT = {
  'items:read': 'without_items_read',
  'collections:read': 'without_collections_read',
  'marketplace:read': 'without_marketplace_read',
  'analytics:read': 'without_analytics_read',
} as const satisfies Record<(typeof PROBES)[number]['scope'], MessageCode>;

function checkClock({ answer }: ProbeAnswer): Finding {
  const check = 'clock';
  const date = answer.headers['date'];
  const server = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(server)) return { check, state: 'unknown', found: message('no_date_header', {}) };
  const apart = Date.now() - server;
  const found = message('clock_apart', { apart: Math.abs(apart), isBehind: apart < 0 });
  if (Math.abs(apart) <= CLOCK_TOLERANCE_MS) return { check, state: 'ok', found };
  return { check, state: 'warning', found, actions: [byHand('set_clock', {})] };
}

function checkRateLimit(probes: readonly ProbeAnswer[]): Finding {
  const check = 'rate limit';
  const seen = probes.map(({ answer }) => readRateLimit(answer.headers, Date.now()));
  const reading = seen.findLast((each) => Object.keys(each).length > 0);
  if (reading !== undefined) return { check, state: 'ok', found: describeReading(reading) };
  return {
    check,
    state: probes[0]?.answer.status === undefined ? 'unknown' : 'ok',
    found: message('no_rate_headers', {}),
  };
}

function describeReading({ limit, remaining, resetMs, windowMs, retryAfterMs }: RateLimitReading): Message {
  return message('rate_reading', {
    ...defined({ limit, window: windowMs, left: remaining, full: resetMs, wait: retryAfterMs }),
  });
}
