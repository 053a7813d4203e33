/**
 * What many answers say together of a picture of the budget that each of them alone fits.
 *
 * Requests under way together reach the server in any order, so that one answer may be off by as many; the mean
 * does not depend on the order.
 */
export class MeanError {
  #sum = 0;
  #count = 0;
  /** Most requests that were under way meanwhile. */
  #span = 0;

  restart(): void {
    this.#sum = 0;
    this.#count = 0;
    this.#span = 0;
  }

  /**
   * @param error units that the server has more than the picture
   * @returns the mean, once there are enough answers for one, which then begins anew
   */
  add(error: number, inFlight: number): number | undefined {
    this.#sum += error;
    this.#count += 1;
    this.#span = Math.max(this.#span, inFlight);
    // As many as were ever under way meanwhile, twice over: the end of a burst alone is no fair sample.
    if (this.#count < 2 * this.#span + 4) return undefined;
    const mean = this.#sum / this.#count;
    this.restart();
    return mean;
  }
}
