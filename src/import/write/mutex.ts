/** Admits one caller at a time, in the order of their calls. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Resolves once the caller holds the mutex; the returned function releases it. */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = before.then(() => promise);
    await before;
    return resolve;
  }
}
