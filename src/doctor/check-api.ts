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
import { ExitCode } from '../exit-code.ts';
import { duration } from '../words.ts';
import { failed, type Finding } from './check.ts';
import { count, counted } from '../counted.ts';

/** One read each, of the least that can be read (contract §4). */
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

/** A Date header counts whole seconds, and the answer takes its time. */
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
      const { status, ms, requestId } = answer;
      onRequest({ operation, method: 'GET', path, status, ms, requestId, error: error?.code });
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
    return failed(check, error, ExitCode.parked, 'Check the address, the network and any proxy.');
  if (error !== undefined && isElsewhere(error)) {
    return {
      check,
      state: 'failed',
      detail: `${apiUrl} answers, but not as this API: ${error.message}`,
      remedy:
        'Give the base address, without /api/public/v1. If it is right, the service has a fault at the moment.',
      exitCode: ExitCode.parked,
      code: 'not_this_api',
    };
  }
  return { check, state: 'ok', detail: `${apiUrl} answers in ${Math.round(answer.ms)} ms` };
}

async function checkTls(apiUrl: string, timeoutMs: number): Promise<Finding> {
  const check = 'tls';
  if (!apiUrl.startsWith('https:'))
    return { check, state: 'ok', detail: 'not needed: the address is this machine' };
  try {
    const report = await probeTls(apiUrl, timeoutMs);
    if (report === undefined) return { check, state: 'unknown', detail: 'no certificate was shown' };
    const until = new Date(report.validUntil).toISOString().slice(0, 10);
    const detail = `${report.protocol}, certificate valid until ${until}`;
    return report.validUntil - Date.now() < CERTIFICATE_WARNING_MS
      ? { check, state: 'warning', detail, remedy: 'Tell the service that its certificate ends soon.' }
      : { check, state: 'ok', detail };
  } catch (error) {
    if (!isCertificateError(error)) return { check, state: 'unknown', detail: 'there was no connection' };
    return failed(
      check,
      error,
      ExitCode.parked,
      'A certificate of your own organisation is trusted by NODE_EXTRA_CA_CERTS=FILE.pem; checking is never turned off.',
      'bad_certificate',
    );
  }
}

function isCertificateError(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /CERT|TLS|SSL|^UNABLE_TO_|HOSTNAME|ALTNAME/.test(code);
}

function checkKey({ answer, error }: ProbeAnswer): Finding {
  const check = 'key';
  if (error instanceof UnauthorizedError)
    return failed(check, error, ExitCode.unauthorised, 'Check the key.');
  if (answer.status === undefined || isElsewhere(error))
    return { check, state: 'unknown', detail: 'there was no answer that tells' };
  return { check, state: 'ok', detail: 'accepted' };
}

function checkScopes(probes: readonly ProbeAnswer[]): Finding[] {
  const findings = PROBES.map(({ scope }): Finding => {
    const check = `scope ${scope}`;
    const probe = probes.find((each) => each.scope === scope);
    const error = probe?.error;
    if (probe === undefined || probe.answer.status === undefined || error instanceof UnauthorizedError)
      return { check, state: 'unknown', detail: 'not asked' };
    if (error === undefined) return { check, state: 'ok', detail: 'granted' };
    if (error instanceof MissingScopeError) {
      return {
        check,
        state: 'failed',
        detail: 'the key lacks it',
        remedy: `${WITHOUT[scope]} An owner or admin can add it to the key in the team settings.`,
        exitCode: ExitCode.unauthorised,
        code: error.code,
      };
    }
    if (error instanceof RateLimitedError)
      return failed(check, error, ExitCode.parked, 'The rate limit is used up: try again later.');
    return failed(
      check,
      error,
      ExitCode.parked,
      'Try again; if it stays, ask the service, with the request id.',
    );
  });
  findings.splice(1, 0, {
    check: 'scope items:write',
    state: 'unknown',
    detail: 'cannot be probed without writing: the first row of an import tells (try --first 1)',
  });
  return findings;
}

const WITHOUT: Record<(typeof PROBES)[number]['scope'], string> = {
  'items:read': 'Without it there are no exports of items, no updates, and no settling of lost answers.',
  'collections:read': 'Without it collections can only be named by id.',
  'marketplace:read': 'Without it there are no exports of listings.',
  'analytics:read': 'Without it there are no sales totals.',
};

function checkClock({ answer }: ProbeAnswer): Finding {
  const check = 'clock';
  const date = answer.headers['date'];
  const server = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(server)) return { check, state: 'unknown', detail: 'the API sent no Date header' };
  const apart = Date.now() - server;
  const detail = `this machine is ${duration(Math.abs(apart))} ${apart < 0 ? 'behind' : 'ahead of'} the API`;
  if (Math.abs(apart) <= CLOCK_TOLERANCE_MS) return { check, state: 'ok', detail };
  return {
    check,
    state: 'warning',
    detail,
    remedy: 'Imports do not depend on it, but times in reports do: set the clock.',
  };
}

function checkRateLimit(probes: readonly ProbeAnswer[]): Finding {
  const check = 'rate limit';
  const seen = probes.map(({ answer }) => readRateLimit(answer.headers, Date.now()));
  const reading = seen.findLast((each) => Object.keys(each).length > 0);
  if (reading !== undefined) return { check, state: 'ok', detail: describeReading(reading) };
  return {
    check,
    state: probes[0]?.answer.status === undefined ? 'unknown' : 'ok',
    detail: 'no headers seen: the pace is found from "rate limit exceeded" answers alone',
  };
}

function describeReading(reading: RateLimitReading): string {
  const { limit, remaining, resetMs, windowMs, retryAfterMs } = reading;
  return [
    limit === undefined
      ? undefined
      : `${counted(limit, 'request')}${windowMs === undefined ? '' : ` in ${duration(windowMs)}`}`,
    remaining === undefined ? undefined : `${count(remaining)} left`,
    resetMs === undefined ? undefined : `full again in ${duration(resetMs)}`,
    retryAfterMs === undefined ? undefined : `asked to wait ${duration(retryAfterMs)}`,
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
