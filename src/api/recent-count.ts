/** How many requests were admitted of late, in steps of time, so that a long run keeps a bounded memory of itself. */

const STEP_MS = 50;
const MOST_STEPS = 2000;

export class RecentCount {
  #steps: { at: number; count: number }[] = [];

  add(at: number): void {
    const last = this.#steps.at(-1);
    if (last !== undefined && at - last.at < STEP_MS) {
      last.count += 1;
      return;
    }
    this.#steps.push({ at, count: 1 });
    if (this.#steps.length > 2 * MOST_STEPS) this.#steps = this.#steps.slice(-MOST_STEPS);
  }

  /** Admitted since then; undefined where that is longer ago than is remembered. */
  since(at: number): number | undefined {
    const first = this.#steps[0];
    if (first === undefined || (this.#steps.length >= MOST_STEPS && first.at > at)) return undefined;
    let count = 0;
    for (let index = this.#steps.length - 1; index >= 0; index -= 1) {
      const step = this.#steps[index];
      if (step === undefined || step.at < at) break;
      count += step.count;
    }
    return count;
  }
}
