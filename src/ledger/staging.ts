/**
 * Jobs whose files this process is reading. A heartbeat shows other processes that it is alive. The token distinguishes
 * its job from a job with the same id that another process started because it considered this process dead.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { ShelfliftError } from '../base/errors.ts';
import { Heartbeats } from './heartbeat.ts';
import { message } from '../messages/message.ts';

export class Staging {
  readonly #hearts: Heartbeats;
  readonly #own = new Map<string, { token: string; stop: () => void }>();

  constructor(clock: Clock) {
    this.#hearts = new Heartbeats(clock);
  }

  /** @param beat tells the store that the job with this token is still being read */
  async begin(
    id: string,
    create: (token: string) => Promise<void>,
    beat: (token: string) => unknown,
  ): Promise<void> {
    const token = randomUUID();
    await create(token);
    this.#own.set(id, { token, stop: this.#hearts.start(() => beat(token)) });
  }

  /** Undefined if this process is not reading the job's file. */
  token(id: string): string | undefined {
    return this.#own.get(id)?.token;
  }

  end(id: string): void {
    this.#own.get(id)?.stop();
    this.#own.delete(id);
  }

  close(): void {
    this.#hearts.stopAll();
  }
}

/** Another process has started the same import again, so this one must not touch the job. */
export function stagingLost(id: string): ShelfliftError {
  return new ShelfliftError('lease_lost', message('file_read_elsewhere', { job: id }));
}
