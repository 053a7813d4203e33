/** What an operation gives back, before it is put on the wire. */
import type { ErrorEnvelope } from '../api/schemas.ts';

export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/**
 * A request that is refused. The contract shows the type for 400, 404 and limit_reached (api-v1 §7); those of 401,
 * of 403 for want of a scope and of 429 are this server's own, and clients go by the status alone.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.type = type;
  }

  toAnswer(): Answer {
    return errorAnswer(this.status, this.type, this.message);
  }
}

/** §7 error envelope. */
export function errorAnswer(status: number, type: string, message: string): Answer {
  return { status, body: JSON.stringify({ error: { type, message } } satisfies ErrorEnvelope) };
}

/** 400 invalid_request. */
export function invalid(message: string): Refusal {
  return new Refusal(400, 'invalid_request', message);
}

/** 404 not_found. */
export function notFound(message: string): Refusal {
  return new Refusal(404, 'not_found', message);
}
