/** Units of a budget that were spent and are not back yet, oldest first, grouped by time. */

export interface SpentGroup {
  readonly firstAt: number;
  /** When the newest was sent, ms. */
  at: number;
  /** When their latest answer came, by which time the server had seen them all. ms; −∞ before the first. */
  answeredAt: number;
  units: number;
}

export class SpentUnits {
  #groups: SpentGroup[] = [];
  #units = 0;

  get units(): number {
    return this.#units;
  }

  get oldest(): SpentGroup | undefined {
    return this.#groups[0];
  }

  /** @param widthMs units sent within this time share a group, so that a million units are not a million objects */
  add(at: number, units: number, widthMs: number, answeredAt = Number.NEGATIVE_INFINITY): SpentGroup {
    this.#units += units;
    const last = this.#groups.at(-1);
    if (last !== undefined && last.units > 0 && at - last.firstAt < widthMs) {
      last.units += units;
      last.at = Math.max(last.at, at);
      last.answeredAt = Math.max(last.answeredAt, answeredAt);
      return last;
    }
    const group: SpentGroup = { firstAt: at, at, answeredAt, units };
    this.#groups.push(group);
    return group;
  }

  /** Units sent between two times, including the first. */
  unitsBetween(from: number, to: number): number {
    return this.#groups.reduce((sum, { at, units }) => sum + (at >= from && at < to ? units : 0), 0);
  }

  /** Records that one unit of the group was not spent. Does nothing if the group is already available again. */
  cancel(group: SpentGroup | undefined): void {
    if (group === undefined || group.units === 0) return;
    group.units -= 1;
    this.#units -= 1;
  }

  /** Removes up to `units` of the oldest units and returns their number. */
  takeOldest(units: number): number {
    let taken = 0;
    for (let group = this.#groups[0]; group !== undefined && taken < units; group = this.#groups[0]) {
      const part = Math.min(group.units, units - taken);
      group.units -= part;
      taken += part;
      if (group.units === 0) this.#groups.shift();
    }
    this.#units -= taken;
    return taken;
  }

  /** Removes the oldest group, which may be empty. */
  dropOldest(): void {
    const group = this.#groups.shift();
    if (group === undefined) return;
    this.#units -= group.units;
    group.units = 0;
  }

  clear(): void {
    for (const group of this.#groups) group.units = 0;
    this.#groups = [];
    this.#units = 0;
  }
}
