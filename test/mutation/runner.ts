/** Runs each test once as it is, and once more for each mutant that it reaches and that no test has found yet. */
import { appendFileSync } from 'node:fs';
import * as fc from '../support/fast-check.ts';
import { type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest';
import { entries, LOG } from './log.ts';

/** As long as nothing has ended yet, a test may take this much longer than without a mutant. */
const TIMES = 10;
const MIN_TIMEOUT_MS = 4_000;
const MAX_MUTANTS = 10_000;

const names: string[] = [];
/** How often each was reached since the test began. */
const counts = new Float64Array(MAX_MUTANTS);
let active = -1;
/** How often all of them may be reached: the active one may have made a loop endless. */
let left = Number.POSITIVE_INFINITY;

Object.assign(globalThis, {
  /** Called by each mutated module; gives the number of its first mutant. */
  addMutants: (added: readonly string[]): number => names.push(...added) - added.length,
  mutant(number: number): boolean {
    counts[number] = (counts[number] ?? 0) + 1;
    left -= 1;
    if (left < 0) throw new Error('an endless loop');
    return number === active;
  },
});
// The smallest case says no more here than any other.
fc.configureGlobal({ endOnFailure: true });
const before = entries();
const found = new Set(before.flatMap((each) => each.found ?? []));
const passed = new Set(before.flatMap(({ tried, by }) => (tried === undefined ? [] : `${tried} ${by}`)));

export default class extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const once = TestRunner.getTestFn(test);
    const by = `${test.file.name} ${test.fullTestName}`;
    const loaded = reached();
    if (loaded.length > 0) note({ loaded: loaded.map((number) => names[number]) });
    counts.fill(0);
    const began = performance.now();
    await cleaned(test, once);
    const tookMs = performance.now() - began;
    const calls = counts.reduce((sum, each) => sum + each);
    const open = reached().filter(
      (number) => !found.has(names[number] ?? '') && !passed.has(`${names[number]} ${by}`),
    );
    counts.fill(0);
    if (open.length === 0) return;
    note({ reached: open.map((number) => names[number]) });
    // A test that cannot run twice says nothing about mutants.
    await cleaned(test, once);
    for (const number of open) {
      const name = names[number] ?? '';
      note({ tries: name });
      counts.fill(0);
      left = 5 * calls + 100_000;
      active = number;
      const result = await cleaned(test, () => inTime(once(), TIMES * tookMs + MIN_TIMEOUT_MS)).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      active = -1;
      left = Number.POSITIVE_INFINITY;
      if (result === undefined) {
        note({ tried: name, by });
        continue;
      }
      found.add(name);
      const late = result.includes(LATE);
      note({ found: name, by, error: result.slice(0, 200), late });
      // What it still does would meet the next mutant.
      if (late) process.exit(1);
    }
    counts.fill(0);
  }
}

/** The mutants that were reached since the counts were cleared. */
function reached(): number[] {
  return [...names.keys()].filter((number) => (counts[number] ?? 0) > 0);
}

const LATE = 'the test does not end';

async function inTime(run: unknown, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(LATE)), ms)));
  await Promise.race([run, late]).finally(() => clearTimeout(timer));
}

/** Runs a test with what is before each one, and then what it asked for with `onTestFinished`. */
async function cleaned(test: RunnerTestCase, run: () => unknown): Promise<void> {
  try {
    for (const suite of suitesOf(test))
      for (const before of TestRunner.getSuiteHooks(suite).beforeEach) await before(test.context, suite);
    await run();
  } finally {
    const own: { onFinished?: ((context: unknown) => unknown)[] } = test as object;
    const after = own.onFinished ?? [];
    own.onFinished = [];
    for (const each of after.toReversed()) await each(test.context);
  }
}

/** The outermost first. */
function suitesOf({ suite, file }: Pick<RunnerTestCase, 'suite' | 'file'>): RunnerTestSuite[] {
  return suite === undefined ? [file] : [...suitesOf(suite), suite];
}

function note(entry: object): void {
  appendFileSync(LOG, `${JSON.stringify(entry)}\n`);
}
