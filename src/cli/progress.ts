/** One line of progress: redrawn on a terminal, repeated every few seconds on a pipe. */

export interface ProgressStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

const PIPE_INTERVAL_MS = 3000;

export class ProgressLine {
  readonly #stream: ProgressStream;
  #drawn = false;
  #lastAt = Number.NEGATIVE_INFINITY;
  #pending: string | undefined;

  constructor(stream: ProgressStream) {
    this.#stream = stream;
  }

  /** Shows where things stand. */
  update(text: string): void {
    if (this.#stream.isTTY === true) {
      const width = (this.#stream.columns ?? 80) - 1;
      this.#stream.write(`\r\u001b[2K${text.slice(0, width)}`);
      this.#drawn = true;
      return;
    }
    const now = performance.now();
    if (now - this.#lastAt < PIPE_INTERVAL_MS) {
      this.#pending = text;
      return;
    }
    this.#lastAt = now;
    this.#pending = undefined;
    this.#stream.write(`${text}\n`);
  }

  /** A line that stays, above the one that is redrawn. */
  say(text: string): void {
    this.clear();
    this.#stream.write(`${text}\n`);
  }

  /** The last state stays on the screen. */
  end(): void {
    if (this.#drawn) this.#stream.write('\n');
    else if (this.#pending !== undefined) this.#stream.write(`${this.#pending}\n`);
    this.#drawn = false;
    this.#pending = undefined;
    this.#lastAt = Number.NEGATIVE_INFINITY;
  }

  clear(): void {
    if (this.#drawn) this.#stream.write('\r\u001b[2K');
    this.#drawn = false;
  }
}
