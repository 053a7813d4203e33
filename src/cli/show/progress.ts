/** One line of progress: redrawn on a terminal, repeated every few seconds on a pipe. */

export interface ProgressStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

const PIPE_INTERVAL_MS = 3000;
/** A shorter interval would flicker, and burden the terminal. */
const TERMINAL_INTERVAL_MS = 80;

export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #intervalMs: number;
  #drawn = false;
  #lastAt = Number.NEGATIVE_INFINITY;
  #pending: string | undefined;
  /** The text before the colon: reading, sending, writing. */
  #stage: string | undefined;

  constructor(stream: ProgressStream) {
    this.#stream = stream;
    this.#intervalMs = stream.isTTY === true ? TERMINAL_INTERVAL_MS : PIPE_INTERVAL_MS;
  }

  /** Shows the state, unless it was shown a moment ago; the last state of each stage is always shown. */
  update(text: string): void {
    const stage = /^([^:]+):/.exec(text)?.[1] ?? this.#stage;
    // On a terminal the next stage reuses the line; in a log, a stage that ends at 9 % would look interrupted.
    if (stage !== this.#stage && this.#stream.isTTY !== true) this.#flush();
    this.#stage = stage;
    const now = performance.now();
    if (now - this.#lastAt < this.#intervalMs) {
      this.#pending = text;
      return;
    }
    this.#lastAt = now;
    this.#show(text);
  }

  /** Prints a permanent line above the redrawn line; on a pipe, after the earlier lines. */
  say(text: string): void {
    if (this.#stream.isTTY !== true) this.#flush();
    this.clear();
    this.#stream.write(`${text}\n`);
  }

  /** Leaves the last state on the screen. */
  end(): void {
    this.#flush();
    if (this.#drawn) this.#stream.write('\n');
    this.#drawn = false;
    this.#lastAt = Number.NEGATIVE_INFINITY;
  }

  clear(): void {
    if (this.#drawn) this.#stream.write('\r\u001b[2K');
    this.#drawn = false;
  }

  #flush(): void {
    if (this.#pending !== undefined) this.#show(this.#pending);
  }

  #show(text: string): void {
    this.#pending = undefined;
    if (this.#stream.isTTY !== true) {
      this.#stream.write(`${text}\n`);
      return;
    }
    // One column stays free: a full line would wrap, and could not be redrawn.
    const width = (this.#stream.columns ?? 80) - 1;
    const shown = text.length > width ? `${text.slice(0, width - 1)}…` : text;
    this.#stream.write(`\r\u001b[2K${shown}`);
    this.#drawn = true;
  }
}
