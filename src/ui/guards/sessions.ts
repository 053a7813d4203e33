/** Access to the pages: a one-time token opens a session, which exists only in this process. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';

export interface UiSession {
  /** Forms contain it, because a page of another site cannot know it. */
  readonly formToken: string;
}

/** A link that was not opened within this time expires. */
const TOKEN_LIFE_MS = 12 * 3600 * 1000;
/** Each `shelflift ui` makes a token; the oldest tokens are dropped. */
const MAX_TOKENS = 20;

export class Sessions {
  readonly #clock: Pick<Clock, 'now'>;
  /** By hash, so that a look-up takes the same time for any guess. */
  readonly #tokens = new Map<string, number>();
  readonly #sessions = new Map<string, UiSession>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** A token that opens one session, once. */
  newToken(): string {
    const token = secret();
    const [oldest] = this.#tokens.keys();
    if (this.#tokens.size >= MAX_TOKENS && oldest !== undefined) this.#tokens.delete(oldest);
    this.#tokens.set(hashOf(token), this.#clock.now());
    return token;
  }

  /** @returns the value of the session's cookie; undefined for a token that is unknown, used or too old */
  redeem(token: string): string | undefined {
    const key = hashOf(token);
    const madeAt = this.#tokens.get(key);
    if (madeAt === undefined) return undefined;
    this.#tokens.delete(key);
    if (this.#clock.now() - madeAt > TOKEN_LIFE_MS) return undefined;
    const cookie = secret();
    this.#sessions.set(hashOf(cookie), { formToken: secret() });
    return cookie;
  }

  find(cookie: string | undefined): UiSession | undefined {
    return cookie === undefined ? undefined : this.#sessions.get(hashOf(cookie));
  }
}

export function isFormToken(session: UiSession, given: string | undefined): boolean {
  if (given === undefined) return false;
  const [own, other] = [session.formToken, given].map((text) => createHash('sha256').update(text).digest());
  return own !== undefined && other !== undefined && timingSafeEqual(own, other);
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
