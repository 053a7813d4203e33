/** An e-mail when a schedule or a watched folder begins to fail, and one when it works again: not on each run. */
import type { Ledger } from '../ledger/ledger.ts';
import type { ReadConfig } from './config/read-config.ts';
import { sendMail } from './delivery/email.ts';
import type { Place } from './delivery/place.ts';

const SPACE = 'failing';

export class Notifier {
  readonly #values: Ledger['values'];
  readonly #config: ReadConfig;
  readonly #place: Place;
  readonly #onError: (message: string) => void;

  constructor(
    ledger: Pick<Ledger, 'values'>,
    config: ReadConfig,
    place: Place,
    onError: (message: string) => void,
  ) {
    this.#values = ledger.values;
    this.#config = config;
    this.#place = place;
    this.#onError = onError;
  }

  /** A mail that cannot be sent is told, and tried again with the next run of the subject. */
  async tell(subject: string, failed: boolean, message: string, signal: AbortSignal): Promise<void> {
    const to = this.#config.notify?.email;
    const failing = (await this.#values.get(SPACE, subject)) !== undefined;
    if (to === undefined || failing === failed) return;
    try {
      const mail = {
        to,
        subject: failed ? `shelflift: ${subject} fails` : `shelflift: ${subject} works again`,
        text: `${subject}: ${message}\n`,
        key: `${subject} ${failed ? 'fails' : 'works'} ${Date.now()}`,
      };
      await sendMail(this.#place, mail, signal);
    } catch (error) {
      this.#onError(`the notification about ${subject} could not be sent: ${(error as Error).message}`);
      return;
    }
    if (failed) await this.#values.put(SPACE, [{ key: subject, value: message }]);
    else await this.#values.remove(SPACE, [subject]);
  }
}
