/**
 * The paced client alone: the seven operations of the Collection Inventory API, at the pace that the server allows.
 *
 * @module shelflift/client
 * @example
 * import { createClient } from 'shelflift/client';
 * await using client = createClient({ apiUrl, key });
 * for await (const item of client.items({ status: 'sell' })) console.log(item.name);
 */
import './base/check-node.ts';
import { type Client, type ClientOptions, createClient as createPaced } from './api/client.ts';

export type { Answer, Page } from './api/answer.ts';
export type {
  CallOptions,
  Client,
  ClientOptions,
  Operation,
  PageOptions,
  RequestListener,
  RequestRecord,
  WriteOptions,
} from './api/client.ts';
export {
  AbortedError,
  ApiError,
  type ApiErrorCode,
  type ApiErrorDetails,
  InvalidRequestError,
  LimitReachedError,
  MissingScopeError,
  NotFoundError,
  RateLimitedError,
  RequestTimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from './api/errors.ts';
export type {
  Collection,
  Item,
  ItemCondition,
  ItemCreate,
  ItemPackaging,
  ItemStatus,
  ItemUpdate,
  Pagination,
  SalesSummary,
} from './api/resources.ts';
export type { ErrorCode } from './base/error-codes.ts';
export { type ErrorDetails, type Position, ShelfliftError, UsageError } from './base/errors.ts';
export { ExitCode } from './base/exit-code.ts';

/**
 * Makes a client. Nothing is sent yet. Use one client per key, because each client paces only its own requests.
 *
 * @throws UsageError for an address or key that cannot be used
 */
export function createClient(options: ClientOptions): Client {
  return createPaced(options);
}
