/** One line of progress: redrawn on a terminal, repeated every few seconds on a pipe. */

export interface ProgressStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

const PIPE_INTERVAL_MS = 3000;
/** Faster than this is flicker, and work for the terminal. */
const TERMINAL_INTERVAL_MS = 80;

export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #intervalMs: number;
  #drawn = false;
  #lastAt = Number.NEGATIVE_INFINITY;
  #pending: string | undefined;

  constructor(stream: ProgressStream) {
    this.#stream = stream;
    this.#intervalMs = stream.isTTY === true ? TERMINAL_INTERVAL_MS : PIPE_INTERVAL_MS;
  }

  /** Shows where things stand, unless it was shown a moment ago; the last state is shown in any case. */
  update(text: string): void {
    const now = performance.now();
    if (now - this.#lastAt < this.#intervalMs) {
      this.#pending = text;
      return;
    }
    this.#lastAt = now;
    this.#show(text);
  }

  /** A line that stays, above the one that is redrawn. */
  say(text: string): void {
    this.clear();
    this.#stream.write(`${text}\n`);
  }

  /** The last state stays on the screen. */
  end(): void {
    if (this.#pending !== undefined) this.#show(this.#pending);
    if (this.#drawn) this.#stream.write('\n');
    this.#drawn = false;
    this.#lastAt = Number.NEGATIVE_INFINITY;
  }

  clear(): void {
    if (this.#drawn) this.#stream.write('\r\u001b[2K');
    this.#drawn = false;
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
