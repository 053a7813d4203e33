/**
 * Errors of a request, as classes with stable codes.
 *
 * `applied` says whether the server may have applied the request. It is 'no' only if this is certain (design §4): the
 * request was never sent, or the server answered with one of the contract's own 4xx.
 */
import { type ErrorDetails, ShelfliftError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import type { Item } from './resources.ts';

/** The codes of failed requests. */
export type ApiErrorCode =
  | 'unauthorized'
  | 'missing_scope'
  | 'limit_reached'
  | 'not_found'
  | 'invalid_request'
  | 'rate_limited'
  | 'unexpected_response'
  | 'fields_unknown'
  | 'unreachable'
  | 'timeout'
  | 'aborted';

/** Details of a failed request. */
export interface ApiErrorDetails extends ErrorDetails {
  /** HTTP status, if an answer came. */
  status?: number;
  /** X-Request-Id of the answer, for the service's support. */
  requestId?: string;
  /** error.type and error.message of the contract's envelope (§7), as the server wrote them. */
  serverType?: string;
  /** The message of the contract's envelope. */
  serverMessage?: string;
  /** Whether the server may have applied the request. */
  applied: 'no' | 'unknown';
}

/** A request that failed. Its class and `code` say how; `applied` says whether the server may have applied it. */
export class ApiError extends ShelfliftError {
  /** Stable code. */
  declare readonly code: ApiErrorCode;
  /** HTTP status, if an answer came. */
  readonly status: number | undefined;
  /** X-Request-Id of the answer, for the service's support. */
  readonly requestId: string | undefined;
  /** The type of the contract's envelope, as the server wrote it. */
  readonly serverType: string | undefined;
  /** The message of the contract's envelope, as the server wrote it. */
  readonly serverMessage: string | undefined;
  /** `no` only if this is certain: the request was never sent, or was answered with one of the contract's own 4xx. */
  readonly applied: 'no' | 'unknown';

  constructor(code: ApiErrorCode, said: Message, details: ApiErrorDetails) {
    super(code, said, details);
    this.status = details.status;
    this.requestId = details.requestId;
    this.serverType = details.serverType;
    this.serverMessage = details.serverMessage;
    this.applied = details.applied;
  }
}

/** 401: the key is missing, wrong or revoked. Nothing was done (contract §5.5). */
export class UnauthorizedError extends ApiError {}
/** 403: the key lacks the scope that the call needs. Nothing was done (contract §5.5). */
export class MissingScopeError extends ApiError {}
/** 403 limit_reached: the account has reached its item limit. Nothing was created (contract §4, §7). */
export class LimitReachedError extends ApiError {}
/** 404: there is no resource with this id (contract §7). */
export class NotFoundError extends ApiError {}
/** 400: the API refuses these values; `serverMessage` says why (contract §7). */
export class InvalidRequestError extends ApiError {}
/**
 * 429: too many requests. The request was not applied, and all further requests wait for as long as the server asks
 * (contract §8).
 */
export class RateLimitedError extends ApiError {}
/** An answer that the contract does not describe: 3xx, 5xx, HTML, incomplete or unreadable bodies. */
export class UnexpectedResponseError extends ApiError {}
/** A success with complete JSON that does not match the contract, as opposed to a proxy's page or a truncated body. */
export class MisfitResponseError extends UnexpectedResponseError {}
/**
 * The answer about an item lacks fields that it may have, and the list does not show its current state: whatever was
 * written now could delete them.
 */
export class FieldsUnknownError extends ApiError {
  /** As the server answered it. */
  readonly item: Item;

  constructor(item: Item, fields: readonly string[]) {
    const said = message('item_fields_unknown', { item: item.id, fields: [...fields] });
    super('fields_unknown', said, { status: 200, applied: 'no' });
    this.item = item;
  }
}
/** No answer: DNS, refused, TLS, reset. `applied` says whether the request may have arrived. */
export class UnreachableError extends ApiError {}
/** No answer within `timeoutMs`. A write may have been applied. */
export class RequestTimeoutError extends ApiError {}
/** The caller's signal ended the request; `applied` says whether it may have been applied. */
export class AbortedError extends ApiError {}
