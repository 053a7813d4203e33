/**
 * One request over the wire, and what its answer means.
 *
 * undici's `request` on one long-lived Agent: a third of the time of global fetch, and no redirect followed.
 * The key lives in a private field, is written only into the Authorization header of the one origin, and
 * stands in no message. What an answer holds is sorted as it came: an item may be called what the key is called.
 * Only what becomes words (of an error, a log, a results file) is blacked out.
 */
import { createHash } from 'node:crypto';
import { Agent, type Dispatcher, errors, request } from 'undici';
import type { z } from 'zod';
import { UsageError } from '../errors.ts';
import { normaliseAddress } from './address.ts';
import type { Check } from './compile-check.ts';
import {
  AbortedError,
  type ApiError,
  type ApiErrorDetails,
  InvalidRequestError,
  LimitReachedError,
  MisfitResponseError,
  MissingScopeError,
  NotFoundError,
  RateLimitedError,
  RequestTimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from './errors.ts';
import { API_PREFIX, ErrorEnvelope, type Scope } from './schemas.ts';

export interface TransportOptions {
  /** Base address without the API's prefix. */
  apiUrl: string;
  key: string;
  /** Longest wait for the answer's headers, and between parts of its body, in ms. Default 30,000. */
  timeoutMs?: number;
}

export interface WireRequest<T> {
  method: 'GET' | 'POST' | 'PATCH';
  /** Below the prefix, beginning with a slash; may carry a query. */
  path: string;
  body?: unknown;
  /** The contract's success status of this operation. */
  success: 200 | 201;
  schema: z.ZodType<T>;
  /** What the schema says, without its copies: where it says yes, the answer is taken as it came. */
  check?: Check;
  signal?: AbortSignal;
  /** Asked when a connection is there and nothing is written yet; false keeps the request back. */
  mayLeave?: () => boolean;
}

/** What came back, sorted: a value or an error, and always the headers that pacing reads. */
export interface WireAnswer<T> {
  headers: Record<string, string | string[] | undefined>;
  status: number | undefined;
  requestId: string | undefined;
  /** Milliseconds from the write to the end of the answer. */
  ms: number;
  result: { ok: true; value: T; body: Uint8Array } | { ok: false; error: ApiError };
}

/** Beyond this an answer is not one of this API: a page of 100 items of 300 kB each. */
const LARGEST_ANSWER_BYTES = 32 * 1024 * 1024;
const FIRST_BYTES_SHOWN = 120;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

export class Transport {
  readonly apiUrl: string;
  readonly #key: string;
  readonly #agent: Agent;
  readonly #dispatcher: Dispatcher;
  readonly timeoutMs: number;
  /** Tells keys apart without telling the key: names the lane that jobs of one key share. */
  readonly laneId: string;

  constructor(options: TransportOptions) {
    this.apiUrl = normaliseAddress(options.apiUrl);
    this.#key = checkedKey(options.key);
    this.timeoutMs = options.timeoutMs ?? 30_000;
    this.laneId = createHash('sha256').update(`${this.apiUrl}\n${this.#key}`).digest('hex').slice(0, 24);
    this.#agent = new Agent({
      // A lane never has more in flight than this (DESIGN §5).
      connections: 64,
      headersTimeout: this.timeoutMs,
      bodyTimeout: this.timeoutMs,
      connect: { timeout: Math.min(this.timeoutMs, 10_000) },
      keepAliveTimeout: 4_000,
      maxResponseSize: LARGEST_ANSWER_BYTES,
    });
    this.#dispatcher = this.#agent.compose(askBeforeWriting);
  }

  /** Sends once. Never throws and never retries: what it means is in the answer. */
  async send<T>(wire: WireRequest<T>): Promise<WireAnswer<T>> {
    const startedAt = performance.now();
    let answer: Dispatcher.ResponseData<WireRequest<T>['mayLeave'] | null> | undefined;
    let status: number | undefined;
    try {
      answer = await request(`${this.apiUrl}${API_PREFIX}${wire.path}`, {
        dispatcher: this.#dispatcher,
        opaque: wire.mayLeave ?? null,
        method: wire.method,
        headers: {
          authorization: `Bearer ${this.#key}`,
          accept: 'application/json',
          ...(wire.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(wire.body === undefined ? {} : { body: JSON.stringify(wire.body) }),
        ...(wire.signal === undefined ? {} : { signal: wire.signal }),
      });
      status = answer.statusCode;
      // Always read to the end: a body left unread stalls the connection for good once it is large.
      const body = withoutMark(await answer.body.bytes());
      const requestId = this.#requestIdOf(answer.headers);
      return {
        headers: answer.headers,
        status,
        requestId,
        ms: performance.now() - startedAt,
        result: interpret(
          wire,
          status,
          body,
          requestId,
          headerText(answer.headers['location']) ?? '',
          this.apiUrl,
          (text) => this.#withoutKey(text),
        ),
      };
    } catch (cause) {
      const requestId = this.#requestIdOf(answer?.headers);
      return {
        headers: answer?.headers ?? {},
        status,
        requestId,
        ms: performance.now() - startedAt,
        result: { ok: false, error: this.#wireError(cause, status, requestId, wire) },
      };
    }
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  /** Ends every connection at once; what was in flight is unknown. */
  async destroy(): Promise<void> {
    await this.#agent.destroy();
  }

  /** A server that echoes what it was sent must not bring the key into a message, a log or a file. */
  #withoutKey(text: string): string {
    return text.includes(this.#key) ? text.replaceAll(this.#key, '[key]') : text;
  }

  #requestIdOf(headers: WireAnswer<unknown>['headers'] | undefined): string | undefined {
    const id = headerText(headers?.['x-request-id']);
    return id === undefined ? undefined : this.#withoutKey(id);
  }

  #wireError<T>(
    cause: unknown,
    status: number | undefined,
    requestId: string | undefined,
    wire: WireRequest<T>,
  ) {
    const code = errorCode(cause);
    const what = `${wire.method} ${wire.path.split('?')[0] ?? ''}`;
    // undici's parser attaches the bytes that it could not read: an echo of our own headers, perhaps.
    if (cause instanceof errors.HTTPParserError) Reflect.deleteProperty(cause, 'data');
    const details: ApiErrorDetails = { cause, applied: 'unknown' };
    if (status !== undefined) details.status = status;
    if (requestId !== undefined) details.requestId = requestId;
    if (wire.signal?.aborted)
      return new AbortedError('aborted', `${what} was stopped while it was under way`, details);
    if (cause instanceof HeldBackError)
      return new AbortedError('aborted', `${what} was kept back`, { ...details, applied: 'no' });
    if (neverSent(cause)) {
      return new UnreachableError(
        'unreachable',
        `${this.apiUrl} cannot be reached: ${describeCause(cause)}`,
        {
          ...details,
          applied: 'no',
          remedy: isCertificate(code)
            ? "Check the address. Your own organisation's certificate is trusted by NODE_EXTRA_CA_CERTS=FILE.pem."
            : 'Check the address and the network.',
        },
      );
    }
    if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
      return new RequestTimeoutError(
        'timeout',
        `${what}: no answer within ${this.timeoutMs / 1000} s`,
        details,
      );
    }
    if (status !== undefined) {
      return new UnexpectedResponseError(
        'unexpected_response',
        `${what}: the answer (status ${status}) broke off: ${describeCause(cause)}`,
        details,
      );
    }
    return new UnreachableError(
      'unreachable',
      `${what}: the connection broke: ${describeCause(cause)}`,
      details,
    );
  }
}

/** A body without its byte order mark. */
function withoutMark(bytes: Uint8Array): Buffer {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return BYTE_ORDER_MARK.equals(whole.subarray(0, BYTE_ORDER_MARK.length))
    ? whole.subarray(BYTE_ORDER_MARK.length)
    : whole;
}

/** A request that its caller stopped at the last moment. */
class HeldBackError extends Error {}

/**
 * Asks once more, when a connection is there, whether a request may be written. The question travels as undici's
 * `opaque`, so that one composed dispatcher serves all requests.
 */
const askBeforeWriting: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { opaque } = options as { opaque?: WireRequest<unknown>['mayLeave'] | null };
  if (opaque === undefined || opaque === null) return dispatch(options, handler);
  const onRequestStart = handler.onRequestStart?.bind(handler);
  handler.onRequestStart = (controller, context) => {
    onRequestStart?.(controller, context);
    if (!opaque()) controller.abort(new HeldBackError('kept back'));
  };
  return dispatch(options, handler);
};

/** @throws UsageError `bad_key`, without the key in it */
function checkedKey(key: string): string {
  const trimmed = key.trim();
  if (trimmed === '') throw new UsageError('no_key', 'the API key is empty');
  // Anything else would be refused by the HTTP layer in an error that quotes the header.
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new UsageError(
      'bad_key',
      'the API key holds characters that no key has (a space, a line feed, quotes?)',
      {
        remedy: 'Copy the key again; it stands alone, without "Bearer" and without quotes.',
      },
    );
  }
  return trimmed;
}

function interpret<T>(
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
    const parsed = json === undefined ? undefined : wire.schema.safeParse(json);
    if (parsed?.success) return { ok: true, value: parsed.data, body };
    const why =
      parsed === undefined
        ? `it is not JSON: ${firstBytes(withoutKey(text))}`
        : withoutKey(
            `${parsed.error.issues[0]?.path.join('.') ?? ''}: ${parsed.error.issues[0]?.message ?? ''}`,
          );
    const Kind = parsed === undefined ? UnexpectedResponseError : MisfitResponseError;
    return {
      ok: false,
      error: new Kind(
        'unexpected_response',
        `${what}: status ${status}, but the answer cannot be read: ${why}`,
        { ...details, applied: 'unknown', remedy: ELSEWHERE },
      ),
    };
  }

  const envelope = ErrorEnvelope.safeParse(json);
  if (envelope.success) {
    details.serverType = withoutKey(envelope.data.error.type);
    details.serverMessage = withoutKey(envelope.data.error.message);
  }
  const said = details.serverMessage === undefined ? '' : `: ${details.serverMessage}`;
  // Decided by the status alone: the contract shows no error.type for 401, scope 403 and 429 (§7).
  switch (status) {
    case 400:
      return { ok: false, error: new InvalidRequestError('invalid_request', `refused${said}`, details) };
    case 401:
      return {
        ok: false,
        error: new UnauthorizedError('unauthorized', `the API key was not accepted${said}`, {
          ...details,
          remedy:
            'Check SHELFLIFT_API_KEY or the key file: the key may be mistyped, revoked, or of another service.',
        }),
      };
    case 403:
      if (envelope.data?.error.type === 'limit_reached') {
        return {
          ok: false,
          error: new LimitReachedError('limit_reached', `the plan's item limit is reached${said}`, details),
        };
      }
      return {
        ok: false,
        error: new MissingScopeError('missing_scope', `the API key may not do ${what}${said}`, {
          ...details,
          remedy: `Give the key the scope ${scopeOf(wire)}, or use another key of the same team.`,
        }),
      };
    case 404:
      return {
        ok: false,
        error: new NotFoundError('not_found', `${what}: not found${said}`, {
          ...details,
          // A list is always there: what is missing is the API.
          ...(wire.path.startsWith('/items/')
            ? {}
            : { remedy: `Check the address ${apiUrl}: it is the base address, without /api/public/v1.` }),
        }),
      };
    case 429:
      return {
        ok: false,
        error: new RateLimitedError('rate_limited', `the rate limit was exceeded${said}`, details),
      };
    default: {
      const redirect =
        status >= 300 && status < 400
          ? `it redirects${location === '' ? '' : ` to ${hostOf(withoutKey(location), apiUrl)}`}, which is never followed with a key`
          : firstBytes(withoutKey(text));
      return {
        ok: false,
        error: new UnexpectedResponseError(
          'unexpected_response',
          `${what}: unexpected status ${status}: ${redirect}`,
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
  'Look at the address with: shelflift doctor. If it is right, the service has a fault at the moment: try again later.';

/** The scope that an operation needs (contract §4). */
function scopeOf({ method, path }: Pick<WireRequest<unknown>, 'method' | 'path'>): Scope {
  if (path.startsWith('/collections')) return 'collections:read';
  if (path.startsWith('/marketplace')) return 'marketplace:read';
  if (path.startsWith('/sales')) return 'analytics:read';
  return method === 'GET' ? 'items:read' : 'items:write';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
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

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function hostOf(location: string, base: string): string {
  try {
    return new URL(location, base).host;
  } catch {
    return 'an unreadable address';
  }
}

/** Errors that can only happen before a byte of the request was written. */
function neverSent(cause: unknown): boolean {
  const code = errorCode(cause) ?? '';
  const syscall = (cause as { syscall?: unknown } | null)?.syscall;
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  if (
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    code === 'ENOTFOUND' ||
    code === 'EAI_AGAIN' ||
    code === 'ECONNREFUSED'
  )
    return true;
  if (/^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)) return true;
  if (cause instanceof Error && /before secure TLS connection was established/.test(cause.message))
    return true;
  // Several addresses of one host, each refused.
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(neverSent);
  return false;
}

function isCertificate(code: string | undefined): boolean {
  return code !== undefined && /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
}

function errorCode(cause: unknown): string | undefined {
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

function describeCause(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return describeCause(cause.errors[0]);
  const code = errorCode(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}
