import { expect, it } from 'vitest';
import * as fc from '../support/fast-check.ts';
import { seed } from '../support/seed.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { Stage } from './run-scenario.ts';
import { scenario } from './classes.ts';

it('the same scenario always gives the same trace', async () => {
  const stage = new Stage(await temporaryFolder());
  await stage.prepare();
  const tracesOf = async () => {
    const traces: string[] = [];
    for (const each of fc.sample(scenario, { seed, numRuns: 30 })) {
      const lines: string[] = [];
      await stage.play(each, lines);
      traces.push(withNames(lines.join('\n')));
    }
    return traces;
  };
  const traces = await tracesOf();
  expect(traces.join().length).toBeGreaterThan(100_000);
  expect(await tracesOf()).toEqual(traces);
});

/** Ids, folders, and hashes of what holds ids are new in each run: numbered in the order in which they come. */
function withNames(trace: string): string {
  const names = new Map<string, string>();
  return trace.replace(
    /\d{6}-[\da-f]{8}\b|\b[\da-f]{64}\b|(?<=")[\w-]{16}(?=")|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\/[^" ]*\/\d+(?=[/"])/g,
    (id) => {
      const name = names.get(id) ?? `#${names.size + 1}`;
      names.set(id, name);
      return name;
    },
  );
}
