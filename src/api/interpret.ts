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
import { parseExactJson } from '../exact-json.ts';
import { inWords } from '../yaml-words.ts';
import { ErrorEnvelope, type Scope } from './schemas.ts';
import type { WireAnswer, WireRequest } from './wire.ts';

const FIRST_BYTES_SHOWN = 120;

/** @param withoutKey blacks out the key where a server echoes it */
export function interpret<T>(
  wire: WireRequest<T>,
  status: number,
  body: Buffer,
  requestId: string | undefined,
  location: string,
  apiUrl: string,
  withoutKey: (text: string) => string,
): WireAnswer<T>['result'] {
  const what = `${wire.method} ${wire.path.split('?')[0] ?? ''}`;
  const text = body.toString('utf8');
  const json = parseJson(text);
  const details: ApiErrorDetails = { status, applied: 'no' };
  if (requestId !== undefined) details.requestId = requestId;

  if (status === wire.success) {
    if (wire.check?.(json) === true) return { ok: true, value: json as T, body };
    const parsed = json === undefined ? undefined : wire.schema.safeParse(json, { error: inWords });
    if (parsed?.success) return { ok: true, value: parsed.data, body };
    const why =
      parsed === undefined
        ? `It is not JSON: ${firstBytes(withoutKey(text))}.`
        : withoutKey(
            `${parsed.error.issues[0]?.path.join('.') ?? ''}: ${parsed.error.issues[0]?.message ?? ''}.`,
          );
    const Kind = parsed === undefined ? UnexpectedResponseError : MisfitResponseError;
    return {
      ok: false,
      error: new Kind(
        'unexpected_response',
        `${what} returned status ${status}, but its answer cannot be read. ${why}`,
        { ...details, applied: 'unknown', remedy: ELSEWHERE },
      ),
    };
  }

  const envelope = ErrorEnvelope.safeParse(json);
  if (envelope.success) {
    details.serverType = withoutKey(envelope.data.error.type);
    details.serverMessage = withoutKey(envelope.data.error.message);
  }
  const said = details.serverMessage === undefined ? '.' : `: ${closed(details.serverMessage)}`;
  // Decided by the status alone: the contract shows no error.type for 401, scope 403 and 429 (§7).
  switch (status) {
    case 400:
      return {
        ok: false,
        error: new InvalidRequestError('invalid_request', `The API rejected the request${said}`, details),
      };
    case 401:
      return {
        ok: false,
        error: new UnauthorizedError('unauthorized', `The API key was not accepted${said}`, {
          ...details,
          remedy:
            'Check SHELFLIFT_API_KEY or the key file. The key may be mistyped, revoked or for another service.',
        }),
      };
    case 403:
      if (envelope.data?.error.type === 'limit_reached') {
        return {
          ok: false,
          error: new LimitReachedError('limit_reached', `The plan's item limit is reached${said}`, details),
        };
      }
      return {
        ok: false,
        error: new MissingScopeError('missing_scope', `The API key is not allowed to ${what}${said}`, {
          ...details,
          remedy: `Give the key the scope ${scopeOf(wire)}, or use another key of the same team.`,
        }),
      };
    case 404:
      return {
        ok: false,
        error: new NotFoundError('not_found', `${what}: not found${said}`, {
          ...details,
          // Lists always exist, so here it is the API that is missing.
          ...(wire.path.startsWith('/items/')
            ? {}
            : { remedy: `Check the address ${apiUrl}. Give the base address, without /api/public/v1.` }),
        }),
      };
    case 429:
      return {
        ok: false,
        error: new RateLimitedError('rate_limited', `The rate limit was exceeded${said}`, details),
      };
    default: {
      const redirect =
        status >= 300 && status < 400
          ? `It redirects${location === '' ? '' : ` to ${hostOf(withoutKey(location), apiUrl)}`}. Redirects are never followed with a key.`
          : `The answer is ${firstBytes(withoutKey(text))}.`;
      return {
        ok: false,
        error: new UnexpectedResponseError(
          'unexpected_response',
          `${what} returned the unexpected status ${status}. ${redirect}`,
          {
            ...details,
            applied: 'unknown',
            remedy: ELSEWHERE,
          },
        ),
      };
    }
  }
}

const ELSEWHERE =
  'Check the address: shelflift doctor. If it is right, the service has a problem at the moment, so try again later.';

/** The scope that an operation needs (contract §4). */
function scopeOf({ method, path }: Pick<WireRequest<unknown>, 'method' | 'path'>): Scope {
  if (path.startsWith('/collections')) return 'collections:read';
  if (path.startsWith('/marketplace')) return 'marketplace:read';
  if (path.startsWith('/sales')) return 'analytics:read';
  return method === 'GET' ? 'items:read' : 'items:write';
}

/** A server's sentence with a full stop at its end. */
function closed(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function parseJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}

function firstBytes(text: string): string {
  if (text === '') return 'empty';
  const line = text.slice(0, FIRST_BYTES_SHOWN).replace(/\s+/g, ' ').trim();
  // oxlint-disable-next-line no-control-regex -- a hostile answer must not drive the terminal
  return `"${line.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')}${text.length > FIRST_BYTES_SHOWN ? '…' : ''}"`;
}

function hostOf(location: string, base: string): string {
  try {
    return new URL(location, base).host;
  } catch {
    return 'an unreadable address';
  }
}
