import type { Clock } from '../base/clock.ts';

/** A sleep that can be ended early. If nobody sleeps, `ring` ends the next sleep at once. */
export class Alarm {
  readonly #clock: Clock;
  #rung = false;
  #end: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    if (this.#end === undefined) this.#rung = true;
    else this.#end();
  }

  async sleep(ms: number): Promise<void> {
    if (!this.#rung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#end = resolve;
      const cancel = this.#clock.after(ms, resolve);
      await promise;
      cancel();
      this.#end = undefined;
    }
    this.#rung = false;
  }
}
