/** Access to the pages: a one-time token opens a session, which exists only in this process. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';

export interface UiSession {
  /** Forms contain it, because a page of another site cannot know it; on a page, with the account that it shows. */
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

/** The session as its pages see it while they show this account; undefined if none is set up. */
export function inAccount({ formToken }: UiSession, account: string | undefined): UiSession {
  const shown = createHash('sha256').update(`${formToken}${account ?? ''}`);
  return { formToken: `${formToken}.${shown.digest('base64url').slice(0, 16)}` };
}

/** Why a form is not accepted: it is none of the session, or it was shown for another account, which another tab has left. */
export function refusedForm(
  { formToken }: UiSession,
  given: string | undefined,
): 'badForm' | 'otherAccount' | undefined {
  const [[own = '', shown], [other = '', sent]] = [formToken.split('.'), (given ?? '').split('.')];
  const [a, b] = [own, other].map((text) => createHash('sha256').update(text).digest());
  if (a === undefined || b === undefined || !timingSafeEqual(a, b)) return 'badForm';
  return shown === sent ? undefined : 'otherAccount';
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
