/** Where the results of a job go: what the engine takes of it. */
import type { Writable } from 'node:stream';
import type { ImportRequest } from '../import/job/options.ts';
import type { ResultsTarget } from './options.ts';
import { StreamTarget } from './stream-target.ts';

export class Results implements Disposable {
  readonly #stream: StreamTarget | undefined;
  /** undefined: as it would be without them. */
  readonly request: Pick<ImportRequest, 'outDir'> & { noFiles?: boolean };

  /** @param given from a caller, checked */
  constructor(given: object | string | false | undefined, signal: AbortSignal) {
    this.#stream =
      typeof given === 'object'
        ? new StreamTarget(given as Exclude<ResultsTarget, string | false>, signal)
        : undefined;
    this.request =
      given === undefined
        ? {}
        : typeof given === 'string'
          ? { outDir: given, noFiles: false }
          : { noFiles: true };
  }

  /** @param hasFile false if there is no file that results could be beside: then none are written unless they are asked for */
  requestFor(hasFile: boolean): Pick<ImportRequest, 'outDir' | 'noFiles'> {
    const { noFiles = !hasFile, ...rest } = this.request;
    return { ...rest, ...(noFiles ? { noFiles } : {}) };
  }

  get deps(): { resultsTo?: Writable } {
    return this.#stream === undefined ? {} : { resultsTo: this.#stream.writable };
  }

  [Symbol.dispose](): void {
    this.#stream?.[Symbol.dispose]();
  }
}
