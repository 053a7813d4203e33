/**
 * One request over the wire.
 *
 * A request on one long-lived Agent of undici takes a fifth of the time of global fetch and follows no redirects.
 * The key is in a private field and is written only into the Authorization header for the one origin. Values of an
 * answer are kept as they are, because an item's name may equal the key; only text that goes into messages, logs or
 * results files has the key blacked out.
 */
import { createHash } from 'node:crypto';
import { Agent, errors, buildConnector } from 'undici';
import { UsageError } from '../base/errors.ts';
import { normaliseAddress } from './address.ts';
import {
  AbortedError,
  type ApiErrorDetails,
  RequestTimeoutError,
  UnexpectedResponseError,
  UnreachableError,
} from './errors.ts';
import { interpret } from './interpret.ts';
import { keyEcho } from './key-echo.ts';
import { API_PREFIX } from './schemas.ts';
import { HeldBackError, Reception } from './reception.ts';
import type { WireAnswer, WireRequest } from './wire.ts';
import { byHand, message } from '../messages/message.ts';

export interface TransportOptions {
  /** Base address without the API's prefix. */
  apiUrl: string;
  key: string;
  /** Identifies the API if its address changes from run to run. Default: the address. */
  target?: string;
  /** Longest wait for the answer's headers, and between parts of its body, in ms. Default 30,000. */
  timeoutMs?: number;
}

/** No answer of this API is larger: it would be a page of 100 items of 300 kB each. */
const LARGEST_ANSWER_BYTES = 32 * 1024 * 1024;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** @throws UsageError for an unusable address or key */
export function laneIdOf({
  apiUrl,
  key,
  target,
}: Pick<TransportOptions, 'apiUrl' | 'key' | 'target'>): string {
  const whose = target ?? normaliseAddress(apiUrl);
  return createHash('sha256')
    .update(`${whose}\n${checkedKey(key)}`)
    .digest()
    .toString('hex', 0, 12);
}

export class Transport {
  readonly apiUrl: string;
  readonly #key: string;
  /** Matches the key in every form in which a server may echo it. */
  readonly #echo: RegExp;
  /**
   * Parsed only once: undici's `request(url)` parses each address, which took a quarter of a request's processor time.
   */
  readonly #base: { origin: string; path: string };
  readonly #agent: Agent;
  readonly timeoutMs: number;
  /** A hash that identifies the key without revealing it: names the lane that jobs of one key share. */
  readonly laneId: string;

  constructor(options: TransportOptions) {
    this.apiUrl = normaliseAddress(options.apiUrl);
    this.#key = checkedKey(options.key);
    this.laneId = laneIdOf(options);
    this.#echo = keyEcho(this.#key);
    const { origin, pathname } = new URL(`${this.apiUrl}${API_PREFIX}`);
    this.#base = { origin, path: pathname };
    this.timeoutMs = options.timeoutMs ?? 30_000;
    this.#agent = new Agent({
      // A limiter never has more in flight than this (design §5).
      connections: 64,
      headersTimeout: this.timeoutMs,
      bodyTimeout: this.timeoutMs,
      // undici sends a request again itself if a server ends an HTTP/2 session (GOAWAY).
      allowH2: false,
      connect: rememberingConnector({ timeout: Math.min(this.timeoutMs, 10_000), allowH2: false }),
      keepAliveTimeout: 4_000,
      maxResponseSize: LARGEST_ANSWER_BYTES,
    });
  }

  /** Sends once. Never throws and never retries: failures are in the answer. */
  async send<T>(wire: WireRequest<T>): Promise<WireAnswer<T>> {
    const startedAt = performance.now();
    const reception = new Reception(wire);
    const requestId = () => this.#requestIdOf(reception.headers);
    let result: WireAnswer<T>['result'];
    try {
      const { status, body } = await reception.of(this.#agent, {
        origin: this.#base.origin,
        path: `${this.#base.path}${wire.path}`,
        method: wire.method,
        headers: {
          authorization: `Bearer ${this.#key}`,
          accept: 'application/json',
          ...(wire.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(wire.body === undefined ? {} : { body: JSON.stringify(wire.body) }),
      });
      const location = headerText(reception.headers['location']) ?? '';
      result = interpret(wire, status, withoutMark(body), requestId(), location, this.apiUrl, (text) =>
        this.#withoutKey(text),
      );
    } catch (cause) {
      result = { ok: false, error: this.#wireError(cause, reception.status, requestId(), wire) };
    }
    const { headers, status } = reception;
    return { headers, status, requestId: requestId(), ms: performance.now() - startedAt, result };
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  /**
   * Redacts the key in a text: a server that echoes the request must not bring the key into a message, a log or a file.
   */
  #withoutKey(text: string): string {
    return text.replaceAll(this.#echo, '[key]');
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
    const request = `${wire.method} ${wire.path.split('?')[0] ?? ''}`;
    const why = describeCause(cause);
    // undici attaches the bytes that it could not parse, which may echo our own headers.
    if (cause instanceof errors.HTTPParserError) Reflect.deleteProperty(cause, 'data');
    const details: ApiErrorDetails = { cause, applied: 'unknown' };
    if (status !== undefined) details.status = status;
    if (requestId !== undefined) details.requestId = requestId;
    if (wire.signal?.aborted)
      return new AbortedError('aborted', message('request_stopped', { request }), details);
    if (cause instanceof HeldBackError)
      return new AbortedError('aborted', message('request_not_sent', { request }), {
        ...details,
        applied: 'no',
      });
    if (neverSent(cause)) {
      return new UnreachableError('unreachable', message('unreachable', { address: this.apiUrl, why }), {
        ...details,
        applied: 'no',
        actions: [
          isCertificate(code) ? byHand('trust_certificate', {}) : byHand('check_address_and_network', {}),
        ],
      });
    }
    if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
      const said = message('no_answer_within', { request, seconds: this.timeoutMs / 1000 });
      return new RequestTimeoutError('timeout', said, details);
    }
    if (status !== undefined) {
      const said = message('answer_cut_off', { request, status, why });
      return new UnexpectedResponseError('unexpected_response', said, details);
    }
    return new UnreachableError('unreachable', message('connection_broke', { request, why }), details);
  }
}

/** The body without its byte order mark. */
function withoutMark(whole: Buffer): Buffer {
  return BYTE_ORDER_MARK.equals(whole.subarray(0, BYTE_ORDER_MARK.length))
    ? whole.subarray(BYTE_ORDER_MARK.length)
    : whole;
}

/** @throws UsageError `bad_key`, without the key in it */
function checkedKey(key: string): string {
  const trimmed = key.trim();
  if (trimmed === '') throw new UsageError('no_key', message('key_empty', {}));
  // The HTTP layer would reject anything else in an error that quotes the header.
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new UsageError('bad_key', message('bad_key', {}), { actions: [byHand('copy_key_again', {})] });
  }
  return trimmed;
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Errors raised before a connection was established, TLS handshake included: no byte of a request was sent. */
const beforeConnection = new WeakSet<object>();

/**
 * undici's connector, which remembers its errors. Codes alone cannot distinguish a failed handshake from a TLS stream
 * that broke during a request (`ERR_SSL_…` is both).
 */
function rememberingConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...result) => {
      if (result[0] !== null) beforeConnection.add(result[0]);
      callback(...result);
    });
}

/** True for errors raised before a byte of the request was written. */
function neverSent(cause: unknown): boolean {
  return typeof cause === 'object' && cause !== null && beforeConnection.has(cause);
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
