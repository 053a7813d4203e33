/** Time that stands still while code runs, and jumps to what happens next once nothing more can. */

/** What was planned for a moment; equal moments in the order of planning. */
interface Happening {
  at: number;
  run: () => void;
}

/** Promise chains and group commits (one setImmediate) that follow from one happening end within these rounds. */
const ROUNDS = 3;
/** Whatever takes longer than this goes round in circles: scenarios take two hours at most, and seldom three. */
const MAX_MS = 86_400_000;

export class SimulatedTime {
  /** ms since the simulation began. */
  now = 0;
  readonly #happenings: Happening[] = [];
  readonly #trace: string[] | undefined;

  /** @param trace gets a line for all that happens, to find out why a scenario fails */
  constructor(trace?: string[]) {
    this.#trace = trace;
  }

  /** Plans; the returned function takes it back. */
  at(moment: number, run: () => void): () => void {
    const happening = { at: Math.max(moment, this.now), run };
    // Short lists: a binary search for the place costs more than it saves.
    let index = this.#happenings.length;
    while (index > 0 && (this.#happenings[index - 1]?.at ?? 0) > happening.at) index -= 1;
    this.#happenings.splice(index, 0, happening);
    return () => {
      const planned = this.#happenings.indexOf(happening);
      if (planned >= 0) this.#happenings.splice(planned, 1);
    };
  }

  /** Adds to the trace what happens now. */
  tell(who: string, what: string, ...values: unknown[]): void {
    const texts = values.map((value) => JSON.stringify(value));
    this.#trace?.push(`${this.now} ${who} ${what} ${texts.join(' ')}`);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(this.now + ms, resolve));
  }

  /** Lets everything happen until the work has ended. */
  async until<T>(work: Promise<T>): Promise<T> {
    let ended = false;
    const mark = () => {
      ended = true;
    };
    work.then(mark, mark);
    for (;;) {
      // Real files are read and written, which takes no simulated time.
      for (let round = 0; round < ROUNDS; round = filesAreBusy() ? 0 : round + 1)
        await new Promise(setImmediate);
      if (ended) return work;
      const next = this.#happenings.shift();
      if (next === undefined)
        throw new Error(`nothing will ever happen again, ${this.now} ms after the start`);
      if (next.at > MAX_MS) throw new Error(`the work has not ended after ${MAX_MS / 3_600_000} hours`);
      this.now = next.at;
      next.run();
    }
  }
}

function filesAreBusy(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.includes('Req'));
}
