/** Turns an answer's status and body into the operation's value or an error (contract §7). */
import {
  type ApiErrorDetails,
  InvalidRequestError,
  LimitReachedError,
  MisfitResponseError,
  MissingScopeError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
  UnexpectedResponseError,
} from './errors.ts';
import { parseExactJson } from '../base/exact-json.ts';
import { inWords, saidIn } from '../base/schema-words.ts';
import { ErrorEnvelope, type Scope } from './schemas.ts';
import type { WireAnswer, WireRequest } from './wire.ts';
import { byHand, message, sentence } from '../messages/message.ts';
import type { Action } from '../messages/params.ts';

const FIRST_BYTES_SHOWN = 120;

/** @param withoutKey redacts the key if a server echoes it */
export function interpret<T>(
  wire: WireRequest<T>,
  status: number,
  body: Buffer,
  requestId: string | undefined,
  location: string,
  apiUrl: string,
  withoutKey: (text: string) => string,
): WireAnswer<T>['result'] {
  const request = `${wire.method} ${wire.path.split('?')[0] ?? ''}`;
  const text = body.toString('utf8');
  const json = parseJson(text);
  const details: ApiErrorDetails = { status, applied: 'no' };
  if (requestId !== undefined) details.requestId = requestId;

  if (status === wire.success) {
    if (wire.check?.(json) === true) return { ok: true, value: json as T, body };
    const parsed = json === undefined ? undefined : wire.schema.safeParse(json, { error: inWords });
    if (parsed?.success) return { ok: true, value: parsed.data, body };
    const [issue] = parsed?.error?.issues ?? [];
    const why =
      parsed === undefined
        ? message('answer_no_json', { found: firstBytes(withoutKey(text)) })
        : message('answer_misfits', {
            path: withoutKey(issue?.path.join('.') ?? ''),
            problem: saidIn(withoutKey(issue?.message ?? '')),
          });
    const Kind = parsed === undefined ? UnexpectedResponseError : MisfitResponseError;
    return {
      ok: false,
      error: new Kind('unexpected_response', message('answer_unreadable', { request, status, why }), {
        ...details,
        applied: 'unknown',
        actions: ELSEWHERE,
      }),
    };
  }

  const envelope = ErrorEnvelope.safeParse(json);
  if (envelope.success) {
    details.serverType = withoutKey(envelope.data.error.type);
    details.serverMessage = withoutKey(envelope.data.error.message);
  }
  const words = details.serverMessage === undefined ? {} : { words: sentence(details.serverMessage) };
  // Decided by the status alone: the contract shows no error.type for 401, scope 403 and 429 (§7).
  switch (status) {
    case 400:
      return {
        ok: false,
        error: new InvalidRequestError('invalid_request', message('api_rejects', words), details),
      };
    case 401:
      return {
        ok: false,
        error: new UnauthorizedError('unauthorized', message('unauthorized', words), {
          ...details,
          actions: [byHand('check_key_sent', {})],
        }),
      };
    case 403:
      if (envelope.data?.error.type === 'limit_reached') {
        return {
          ok: false,
          error: new LimitReachedError('limit_reached', message('plan_limit_reached', words), details),
        };
      }
      return {
        ok: false,
        error: new MissingScopeError('missing_scope', message('missing_scope', { request, ...words }), {
          ...details,
          actions: [byHand('give_scope', { scope: scopeOf(wire) })],
        }),
      };
    case 404:
      return {
        ok: false,
        error: new NotFoundError('not_found', message('not_found', { request, ...words }), {
          ...details,
          // Lists always exist, so here it is the API that is missing.
          ...(wire.path.startsWith('/items/')
            ? {}
            : { actions: [byHand('check_base_address', { address: apiUrl })] }),
        }),
      };
    case 429:
      return {
        ok: false,
        error: new RateLimitedError('rate_limited', message('rate_limited', words), details),
      };
    default: {
      const why =
        status >= 300 && status < 400
          ? message('answer_redirects', hostOf(withoutKey(location), apiUrl))
          : message('answer_is', { found: firstBytes(withoutKey(text)) });
      return {
        ok: false,
        error: new UnexpectedResponseError(
          'unexpected_response',
          message('unexpected_status', { request, status, why }),
          { ...details, applied: 'unknown', actions: ELSEWHERE },
        ),
      };
    }
  }
}

const ELSEWHERE: readonly Action[] = [
  { do: 'run', command: 'doctor', label: message('to_check_address', {}) },
  byHand('service_has_problem', {}),
];

/** The scope that an operation needs (contract §4). */
function scopeOf({ method, path }: Pick<WireRequest<unknown>, 'method' | 'path'>): Scope {
  if (path.startsWith('/collections')) return 'collections:read';
  if (path.startsWith('/marketplace')) return 'marketplace:read';
  if (path.startsWith('/sales')) return 'analytics:read';
  return method === 'GET' ? 'items:read' : 'items:write';
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

function firstBytes(text: string): string {
  const line = text.slice(0, FIRST_BYTES_SHOWN).replace(/\s+/g, ' ').trim();
  // oxlint-disable-next-line no-control-regex -- a hostile answer must not drive the terminal
  return `${line.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')}${text.length > FIRST_BYTES_SHOWN ? '…' : ''}`;
}

function hostOf(location: string, base: string): { host?: string } {
  const host = location === '' ? undefined : URL.parse(location, base)?.host;
  return host === undefined ? {} : { host };
}
