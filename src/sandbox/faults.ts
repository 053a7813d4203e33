/** Which request meets which fault. What a fault does on the wire is in wire/. */
import type { Random } from './random.ts';
import { FAULT_KINDS, type FaultKind, FaultRates, type OperationName } from './settings.ts';

/** What is to happen to one request. */
export interface Fault {
  readonly kind: FaultKind;
  /** Whether the request is applied before the fault shows. */
  readonly commits: boolean;
  /** Whether a dropped connection ends by a reset (RST) rather than in good order (FIN). */
  readonly resets: boolean;
  /** For lateCommit: how long after the connection ended, ms. */
  readonly afterMs: number;
}

const ALWAYS_COMMITS = new Set<FaultKind>(['dropAfterCommit', 'cutBody', 'lateCommit']);
const LATE_COMMIT_MS = 1000;

/** Chooses faults at random, or the ones that a test asked for next. */
export class FaultPlan {
  readonly #random: Random;
  #rates: FaultRates;
  #next: { kind: FaultKind; operation: OperationName | undefined; commits: boolean | undefined }[] = [];

  constructor(random: Random, rates: FaultRates) {
    this.#random = random;
    this.#rates = checked(rates);
  }

  get rates(): FaultRates {
    return this.#rates;
  }

  /**
   * From the next request on.
   * @throws RangeError where the rates are not what FaultRates says
   */
  setRates(rates: FaultRates): void {
    this.#rates = checked(rates);
  }

  /**
   * The next request (of this operation) meets this fault, whatever the rates say. Calls add up, in order.
   * @param commits where the kind leaves it open: whether the request is applied; default by chance
   */
  failNext(kind: FaultKind, operation?: OperationName, commits?: boolean): void {
    this.#next.push({ kind, operation, commits });
  }

  forRequest(operation: OperationName): Fault | undefined {
    const asked = this.#next.findIndex(
      (next) => next.operation === undefined || next.operation === operation,
    );
    if (asked !== -1) {
      const [next] = this.#next.splice(asked, 1);
      if (next !== undefined) return this.#fault(next.kind, next.commits);
    }
    if (this.#rates.operations?.includes(operation) === false) return undefined;
    let draw: number | undefined;
    for (const kind of FAULT_KINDS) {
      const rate = this.#rates[kind];
      if (rate === undefined || rate === 0) continue;
      draw ??= this.#random();
      if (draw < rate) return this.#fault(kind, undefined);
      draw -= rate;
    }
    return undefined;
  }

  #fault(kind: FaultKind, commits: boolean | undefined): Fault {
    const byChance = this.#random() < 0.5;
    return {
      kind,
      commits: ALWAYS_COMMITS.has(kind) || (kind !== 'dropBefore' && (commits ?? byChance)),
      resets: this.#random() < 0.5,
      afterMs: this.#rates.lateCommitMs ?? LATE_COMMIT_MS,
    };
  }
}

function checked(rates: FaultRates): FaultRates {
  const { data, error } = FaultRates.safeParse(rates);
  if (data !== undefined) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'faults'}: ${message}`);
  throw new RangeError(problems.join('; '));
}
