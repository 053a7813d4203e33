/** Chooses which request gets which fault. wire/fail.ts carries the faults out. */
import type { Random } from './random.ts';
import {
  FAULT_KINDS,
  type FaultKind,
  type FaultRates,
  FaultRatesForm,
  type OperationName,
} from './settings.ts';

/** The fault of one request. */
export interface Fault {
  readonly kind: FaultKind;
  /** Whether the request is applied before the fault. */
  readonly commits: boolean;
  /** Whether a dropped connection ends with a reset (RST) instead of a normal close (FIN). */
  readonly resets: boolean;
  /** For lateCommit: how long after the connection ended, ms. */
  readonly afterMs: number;
}

const ALWAYS_COMMITS = new Set<FaultKind>(['dropAfterCommit', 'cutBody', 'lateCommit']);
const LATE_COMMIT_MS = 1000;

/** Chooses faults at random, or those that a test requested. */
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
   * @throws RangeError if FaultRates does not allow the rates
   */
  setRates(rates: FaultRates): void {
    this.#rates = checked(rates);
  }

  /**
   * The next request (of this operation) gets this fault, whatever the rates are. Calls queue up in order.
   * @param commits whether the request is applied, if the kind does not decide it; default: random
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
  const { data, error } = FaultRatesForm.safeParse(rates);
  if (data !== undefined) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'faults'}: ${message}`);
  throw new RangeError(problems.join('; '));
}
