/** Work in progress: its result, its events, and a way to stop it. */
import { InterruptedError, interruptedOr } from '../import/job/interrupted.ts';

/**
 * Work in progress. `await` it for the result, or read its events with `for await`; both are optional.
 *
 * @example
 * const run = shelf.import({ file: 'toys.csv' }, { collection: 'Main' });
 * for await (const event of run) {
 *   if (event.type === 'sending') console.log(`${event.done} of ${event.total}`);
 * }
 * const { rows } = await run;
 */
export interface Run<Result, Event extends { type: string }>
  extends PromiseLike<Result>,
    AsyncIterable<Event> {
  /**
   * Ends the work as soon as the requests in flight are answered and recorded. The run then rejects with
   * InterruptedError, whose `job` is the id for `jobs.resume`, unless the work had already ended.
   */
  stop(): void;
  /** As in `Promise`. */
  catch<Other = never>(
    onRejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Result | Other>;
  /** As in `Promise`. */
  finally(onFinally?: (() => void) | null): Promise<Result>;
  /**
   * The events: the first reader gets them from the beginning, other readers from now on. The iteration ends when the
   * work ends, and throws the error that the run rejects with. Leaving the loop early does not stop the work. A reader
   * that is slower than the work misses some progress, but no other event unless more than 10,000 are waiting.
   */
  [Symbol.asyncIterator](): AsyncIterator<Event, void>;
}

/** The context of the work. */
export interface RunContext<Event> {
  signal: AbortSignal;
  emit: (event: Event) => void;
}

/** Events that replace an unread event of the same type. */
const PROGRESS: ReadonlySet<string> = new Set([
  'staging',
  'judging',
  'checking',
  'sending',
  'page',
  'read',
  'written',
]);
const MAX_WAITING = 10_000;

/**
 * Starts the work.
 *
 * @param outside a signal that also ends the work
 */
export function startRun<Result, Event extends { type: string }>(
  work: (context: RunContext<Event>) => Promise<Result>,
  outside?: AbortSignal,
): Run<Result, Event> {
  return new StartedRun(work, outside);
}

class StartedRun<Result, Event extends { type: string }> implements Run<Result, Event> {
  readonly #result: Promise<Result>;
  readonly #stopper = new AbortController();
  /** Unread events; the first reader gets them. */
  #unread: EventQueue<Event> | undefined = new EventQueue();
  readonly #readers = new Set<EventQueue<Event>>();

  constructor(work: (context: RunContext<Event>) => Promise<Result>, outside: AbortSignal | undefined) {
    const { signal: own } = this.#stopper;
    const signal = outside === undefined ? own : AbortSignal.any([outside, own]);
    const emit = (event: Event) => {
      this.#unread?.push(event);
      for (const reader of this.#readers) reader.push(event);
    };
    this.#result = (async () => {
      try {
        return await work({ signal, emit });
      } catch (error) {
        throw interruptedOr(error, signal);
      }
    })();
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting it is what it is for
  then<Value = Result, Other = never>(
    onFulfilled?: ((value: Result) => Value | PromiseLike<Value>) | null,
    onRejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Value | Other> {
    return this.#result.then(onFulfilled, onRejected);
  }

  catch<Other = never>(
    onRejected?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Result | Other> {
    return this.#result.catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Result> {
    return this.#result.finally(onFinally);
  }

  stop(): void {
    this.#stopper.abort(new InterruptedError(undefined));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event, void> {
    const queue = this.#unread ?? new EventQueue<Event>();
    this.#unread = undefined;
    this.#readers.add(queue);
    const end = () => queue.end();
    // A rejection is thrown below: until then it must not count as unhandled.
    void this.#result.then(end, end);
    try {
      yield* queue.events();
    } finally {
      this.#readers.delete(queue);
    }
    await this.#result;
  }
}

/** Events on their way to a reader. */
class EventQueue<Event extends { type: string }> {
  #waiting: Event[] = [];
  #ended = false;
  #wake: () => void = () => undefined;

  push(event: Event): void {
    const last = this.#waiting.length - 1;
    if (PROGRESS.has(event.type) && this.#waiting[last]?.type === event.type) this.#waiting[last] = event;
    else if (this.#waiting.push(event) > MAX_WAITING) this.#waiting.shift();
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *events(): AsyncGenerator<Event, void> {
    for (;;) {
      const events = this.#waiting;
      this.#waiting = [];
      yield* events;
      if (this.#waiting.length > 0) continue;
      if (this.#ended) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}
