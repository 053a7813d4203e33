import { UsageError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import type { ShelfEvent } from './events.ts';
import { type Run, startRun } from './run.ts';

/** The runs that a shelf has started and that have not ended. */
export class Running {
  readonly #ends = new Set<Promise<void>>();
  readonly #emits = new Set<(event: ShelfEvent) => void>();
  readonly #over = new AbortController();

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  tell(event: ShelfEvent): void {
    for (const emit of this.#emits) emit(event);
  }

  start<Result>(
    outside: AbortSignal | undefined,
    work: (context: { signal: AbortSignal; emit: (event: ShelfEvent) => void }) => Promise<Result>,
  ): Run<Result, ShelfEvent> {
    const signal = outside === undefined ? this.#over.signal : AbortSignal.any([outside, this.#over.signal]);
    // Not chained to the run itself: that would hide a rejection that nobody handles.
    const end = Promise.withResolvers<void>();
    this.#ends.add(end.promise);
    return startRun<Result, ShelfEvent>(async (context) => {
      this.#emits.add(context.emit);
      try {
        if (this.#over.signal.aborted) throw new UsageError('bad_option', message('shelf_closed', {}));
        return await work(context);
      } finally {
        this.#emits.delete(context.emit);
        this.#ends.delete(end.promise);
        end.resolve();
      }
    }, signal);
  }

  async end(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#ends);
  }
}

/** A run with its result converted. */
export function mapRun<From, To>(
  run: Run<From, ShelfEvent>,
  change: (from: From) => To,
): Run<To, ShelfEvent> {
  const result = run.then(change) as Promise<To>;
  return {
    // oxlint-disable-next-line unicorn/no-thenable -- a run is awaited
    then: (onFulfilled, onRejected) => result.then(onFulfilled, onRejected),
    catch: (onRejected) => result.catch(onRejected),
    finally: (onFinally) => result.finally(onFinally),
    stop: () => run.stop(),
    [Symbol.asyncIterator]: () => {
      // A reader of the events gets a rejection from them.
      result.catch(() => undefined);
      return run[Symbol.asyncIterator]();
    },
  };
}
