/** Which process had a team's key when, by what the workers say of their requests. */
import { expect } from 'vitest';

interface Stay {
  process: number;
  /** ms since the epoch. */
  from: number;
  to: number;
}

/** A line of a worker's log. */
export interface LogLine {
  msg: string;
  /** ISO 8601, or ms since the epoch. */
  time: string | number;
  run?: string;
  profile?: string;
  ms?: number;
  operation?: string;
  status?: number;
  requestId?: string;
}

export class LaneLog {
  readonly #requests = new Map<string, Stay[]>();

  /** A process tells of a request once it is answered or given up, and before it lets the key go. */
  note(process: number, { msg, time, profile, ms }: LogLine): void {
    if (msg !== 'request' || profile === undefined || ms === undefined) return;
    const to = new Date(time).getTime();
    const known = this.#requests.get(profile) ?? [];
    known.push({ process, from: to - ms, to });
    this.#requests.set(profile, known);
  }

  get requests(): number {
    return [...this.#requests.values()].reduce((sum, stays) => sum + stays.length, 0);
  }

  /** How often a key went from one process to another. */
  get handovers(): number {
    let count = 0;
    for (const stays of this.#requests.values()) {
      const inOrder = stays.toSorted((a, b) => a.from - b.from);
      count += inOrder.filter(
        (stay, index) => index > 0 && stay.process !== inOrder[index - 1]?.process,
      ).length;
    }
    return count;
  }

  /** No request of a key was under way in two processes at one time. */
  expectOneAtATime(): void {
    for (const [profile, stays] of this.#requests) {
      let last: Stay | undefined;
      for (const stay of stays.toSorted((a, b) => a.from - b.from)) {
        if (last !== undefined && last.process !== stay.process)
          // Times are told in whole milliseconds.
          expect(stay.from, `${profile}: process ${stay.process} and ${last.process}`).toBeGreaterThan(
            last.to - 2,
          );
        if (last === undefined || stay.to > last.to) last = stay;
      }
    }
  }
}
