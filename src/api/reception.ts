/**
 * One answer of undici, received whole. `request` makes a stream of each body, which took two fifths of a request's
 * processor time.
 */
import type { Dispatcher } from 'undici';

/** The caller stopped the request at the last moment. */
export class HeldBackError extends Error {}

export class Reception implements Dispatcher.DispatchHandler {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined> = {};
  readonly #mayLeave: (() => boolean) | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #parts: Buffer[] = [];
  readonly #whole = Promise.withResolvers<{ status: number; body: Buffer }>();
  #controller: Dispatcher.DispatchController | undefined;

  constructor({ mayLeave, signal }: { mayLeave?: () => boolean; signal?: AbortSignal }) {
    this.#mayLeave = mayLeave;
    this.#signal = signal;
  }

  /** Sends the request; the body of the answer, read to its end. @throws what undici reports */
  async of(
    dispatcher: Dispatcher,
    request: Dispatcher.DispatchOptions,
  ): Promise<{ status: number; body: Buffer }> {
    this.#signal?.addEventListener('abort', this.#stop);
    try {
      dispatcher.dispatch(request, this);
      return await this.#whole.promise;
    } finally {
      this.#signal?.removeEventListener('abort', this.#stop);
    }
  }

  readonly #stop = () => this.#controller?.abort(this.#signal?.reason as Error);

  /** A connection is available, and nothing is written yet. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal?.aborted === true) this.#stop();
    else if (this.#mayLeave?.() === false) controller.abort(new HeldBackError('kept back'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 103 and the like come before the answer.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, part: Buffer): void {
    this.#parts.push(part);
  }

  onResponseEnd(): void {
    // A copy, because a part keeps all that was read from the connection with it.
    this.#whole.resolve({ status: this.status ?? 0, body: Buffer.concat(this.#parts) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#whole.reject(error);
  }
}
