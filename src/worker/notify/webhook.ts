/**
 * Webhooks as Standard Webhooks defines them (https://www.standardwebhooks.com): one POST for each run that has ended.
 *
 * A message stays in the store until the receiver has accepted it, so that no end is missed; it may arrive twice, with
 * the same `webhook-id`.
 */
import { createHmac, randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { everyValue, type KeyValues } from '../../ledger/key-values.ts';
import type { ReadConfig } from '../config/read-config.ts';
import type { Webhook } from '../config/schema.ts';
import type { Run } from '../queue/run.ts';
import { post } from '../remote/https.ts';
import { type ConnectionContext, secretFrom } from '../remote/connection-context.ts';

const SPACE = 'webhooks';
const MIN_WAIT_MS = 60_000;
const MAX_WAIT_MS = 3_600_000;

interface Message {
  /** Id of the message, the same however often it is sent. */
  id: string;
  body: string;
  /** Time of the run's end. All times are ms since the epoch. */
  at: number;
  /** The message is not sent before this time. */
  next: number;
}

export interface ReportDeps {
  config: ReadConfig;
  values: KeyValues;
  context: ConnectionContext;
  clock: Clock;
  warn: (message: string) => void;
}

export class Webhooks {
  readonly #webhook: Webhook;
  readonly #deps: ReportDeps;

  constructor(webhook: Webhook, deps: ReportDeps) {
    this.#webhook = webhook;
    this.#deps = deps;
  }

  /** Stores the message of a run's end. @throws errors of the store */
  async keep(run: Run): Promise<void> {
    const { values, clock } = this.#deps;
    const at = clock.now();
    const body = JSON.stringify({
      type: typeOf(run),
      timestamp: new Date(at).toISOString(),
      data: dataOf(run),
    });
    const message: Message = { id: `msg_${randomUUID()}`, body, at, next: at };
    await values.put(SPACE, [{ key: `${run.id} ${typeOf(run)}`, value: JSON.stringify(message) }]);
  }

  /** Sends the messages that are due; after a failure, the others wait. */
  async send(signal: AbortSignal): Promise<void> {
    const { values, clock, config, warn } = this.#deps;
    const kept: { key: string; message: Message }[] = [];
    for await (const { key, value } of everyValue(values, SPACE))
      kept.push({ key, message: JSON.parse(value) as Message });
    for (const { key, message } of kept.sort((a, b) => a.message.at - b.message.at)) {
      const now = clock.now();
      // A clock that was ahead has set a time which is further away.
      if (now < message.next && message.next <= now + MAX_WAIT_MS) continue;
      try {
        await this.#post(message, now, signal);
        await values.remove(SPACE, [key]);
      } catch (error) {
        if (signal.aborted || !(error instanceof ShelfliftError)) throw error;
        const age = now - message.at;
        if (age >= config.retries.outage) {
          warn(`The webhook about ${key} is given up: ${error.message}`);
          await values.remove(SPACE, [key]);
          continue;
        }
        // No retry here: the message is sent again for days.
        if (age < MIN_WAIT_MS)
          warn(`The webhook about ${key} was not taken. It is tried again: ${error.message}`);
        const next = now + Math.min(Math.max(age, MIN_WAIT_MS), MAX_WAIT_MS);
        await values.put(SPACE, [{ key, value: JSON.stringify({ ...message, next }) }]);
        return;
      }
    }
  }

  async #post({ id, body }: Message, now: number, signal: AbortSignal): Promise<void> {
    const { context } = this.#deps;
    const { secretEnv, secretFile } = this.#webhook;
    const secret = secretFrom({ variable: secretEnv, file: secretFile }, context) ?? '';
    const timestamp = String(Math.floor(now / 1000));
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(secret, id, timestamp, body),
    };
    await post(this.#webhook, { headers, body }, context, signal);
  }
}

/**
 * Signs a message as the specification says, in five lines; the reference library would add its own SHA-256.
 *
 * @param secret `whsec_` and the key in base64
 * @throws UsageError `no_secret`
 */
export function signatureOf(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length < 16) throw new UsageError('no_secret', message('webhook_secret_short', {}));
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

function typeOf({ state }: Run): 'run.done' | 'run.failed' {
  return state === 'done' ? 'run.done' : 'run.failed';
}

/** The content of a message: paths and texts, but no data from rows. */
function dataOf(run: Run): object {
  const { work, deliveries } = run;
  return {
    run: run.id,
    ...(work.kind === 'schedule' ? { schedule: work.schedule, fire: new Date(work.fire).toISOString() } : {}),
    state: run.state,
    exit_code: run.exitCode ?? null,
    rows: run.rows ?? null,
    files: run.files ?? [],
    ...(deliveries === undefined ? {} : { deliveries: deliveries.map(({ to, done }) => ({ to, done })) }),
    ...(run.error === undefined ? {} : { error: run.error }),
  };
}
