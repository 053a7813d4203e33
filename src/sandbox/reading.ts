/** Parses requests by the contract: bodies, path ids, queries. Throws a Refusal for anything invalid. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { ITEM_STATUSES, PER_PAGE_DEFAULT, PER_PAGE_MAX, type ItemStatus } from '../api/schemas.ts';
import { invalid, notFound } from './answer.ts';

/** Larger bodies are rejected with 400, because the contract sets no limit and has no 413. */
export const BODY_MAX_BYTES = 1_000_000;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const DIGITS = /^\d+$/;

export interface Page {
  /** 1-based. */
  page: number;
  perPage: number;
}

/** @param bytes undefined if the body was larger than BODY_MAX_BYTES */
export function readJson(contentType: string | undefined, bytes: Buffer | undefined): unknown {
  if (contentType === undefined || !JSON_TYPE.test(contentType)) {
    throw invalid(`Content-Type: expected application/json, got ${contentType ?? 'none'}`);
  }
  if (bytes === undefined) throw invalid(`body: expected at most ${BODY_MAX_BYTES} bytes, got more`);
  if (bytes.length === 0) throw invalid('body: expected a JSON object, got nothing');
  if (!isUtf8(bytes)) throw invalid('body: expected JSON in UTF-8, got other bytes');
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw invalid(`body: expected JSON (${error instanceof Error ? error.message : 'unreadable'})`);
  }
}

/**
 * Checks a body against its schema and returns the body itself: zod's copy would lose a key named `__proto__` within
 * custom_fields.
 */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const { error } = schema.safeParse(body);
  if (error === undefined) return body as T;
  throw invalid(
    error.issues
      .slice(0, 5)
      .map((issue) => describeIssue(issue, body))
      .join('; '),
  );
}

function describeIssue(issue: z.core.$ZodIssue, body: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${key}: unknown property`).join('; ');
  }
  const found = issue.message.replace(/^Invalid (?:input|option): /, '');
  const [field] = issue.path;
  if (field === undefined) return `body: ${found}`;
  const missing = typeof body === 'object' && body !== null && !Object.hasOwn(body, field);
  return `${issue.path.join('.')}: ${missing ? 'required' : found}`;
}

/**
 * The path's id in lower case: UUIDs are compared without regard to case (RFC 9562 §4). Anything else is 404, because
 * getItem has no status 400 (api-v1 §4).
 */
export function readId(text: string): string {
  const id = text.toLowerCase();
  if (!UUID.test(id)) throw notFound(`No item has the id ${text.slice(0, 80)}: an id is a UUID.`);
  return id;
}

/** The query of every list. Ignores unknown parameters; rejects one that is given twice. */
export function readPage(query: URLSearchParams): Page {
  return {
    page: readInteger(query, 'page', 1, Number.MAX_SAFE_INTEGER),
    perPage: readInteger(query, 'per_page', PER_PAGE_DEFAULT, PER_PAGE_MAX),
  };
}

/** listItems' filter; undefined if it is not given. */
export function readStatus(query: URLSearchParams): ItemStatus | undefined {
  const text = single(query, 'status');
  if (text === undefined) return undefined;
  const status = ITEM_STATUSES.find((known) => known === text);
  if (status !== undefined) return status;
  throw invalid(`status: expected one of ${ITEM_STATUSES.join(', ')}, got ${quote(text)}`);
}

function readInteger(query: URLSearchParams, name: string, byDefault: number, max: number): number {
  const text = single(query, name);
  if (text === undefined) return byDefault;
  const value = DIGITS.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= max) return value;
  throw invalid(`${name}: expected an integer from 1 to ${max}, got ${quote(text)}`);
}

function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw invalid(`${name}: expected once, got ${values.length} times`);
  return values[0];
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

/** How much of a too large body is read and discarded, so that its sender receives the answer. */
const DISCARD_MAX_BYTES = 64 * BODY_MAX_BYTES;
const EMPTY = Buffer.alloc(0);

/**
 * The request's body, or undefined if it is larger than BODY_MAX_BYTES.
 * Rejects if the connection ends before the body does, or the body is far too large.
 */
export function readRequestBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_MAX_BYTES) chunks.push(chunk);
      else if (length <= DISCARD_MAX_BYTES) chunks = [];
      else incoming.destroy();
    });
    incoming.on('end', () => {
      if (length > BODY_MAX_BYTES) resolve(undefined);
      else resolve(chunks.length === 1 ? chunks[0] : length === 0 ? EMPTY : Buffer.concat(chunks, length));
    });
    incoming.on('error', reject);
    incoming.on('close', () => {
      if (!incoming.complete) reject(new Error('The connection ended within the request body.'));
    });
  });
}
