/** Turns a caller's target of the results into the options of the engine. */
import type { Writable } from 'node:stream';
import type { ImportRequest } from '../import/job/options.ts';
import type { ResultsTarget } from './options.ts';
import { StreamTarget } from './stream-target.ts';

export class Results implements Disposable {
  readonly #stream: StreamTarget | undefined;
  /** undefined: as without this option. */
  readonly request: Pick<ImportRequest, 'outDir'> & { noFiles?: boolean };

  /** @param given the checked option of a caller */
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

  /** @param hasFile false if there is no file to write the results beside: then they are written only on request */
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
