/** An operation's answer, before it is sent. */
import type { ErrorEnvelope } from '../api/schemas.ts';

export interface Answer {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/**
 * A rejected request. The contract gives the type for 400, 404 and limit_reached (api-v1 §7). The types of 401, of 403
 * for a missing scope and of 429 are specific to this server; clients use only the status.
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
