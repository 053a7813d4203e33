/** Requests to a sandbox as a client sends them, and the bodies that tests send most. */
import { expect, onTestFinished } from 'vitest';
import { API_PREFIX } from '../../src/api/schemas.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON; undefined where it is none. */
  json: Record<string, unknown> | undefined;
}

/** A sandbox that ends with the test. */
export async function sandboxFor(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

export interface Call {
  body?: unknown;
  key?: string | null;
  headers?: Record<string, string>;
}

/**
 * Path without the prefix. A string as body is sent as it is, anything else as JSON. Whatever is asked and however
 * it ends, the answer has an X-Request-Id (api-v1 §1).
 */
export async function call(
  sandbox: Sandbox,
  method: string,
  path: string,
  { body, key = sandbox.key, headers = {} }: Call = {},
): Promise<Reply> {
  const answer = await fetch(`${sandbox.url}${API_PREFIX}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: parsed(text) };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** A collection of the default team. */
export function collectionOf(sandbox: Sandbox, team = 0): string {
  const id = sandbox.teams[team]?.collections[0]?.id;
  if (id === undefined) throw new Error('The team has no collection.');
  return id;
}

/** The names on a page, in order. */
export function names(reply: Reply): string[] {
  const data = (reply.json?.['data'] ?? []) as { name: string }[];
  return data.map(({ name }) => name);
}

export function errorOf(reply: Reply): { type: string; message: string } {
  return reply.json?.['error'] as { type: string; message: string };
}
