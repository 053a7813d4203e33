/**
 * Plays scenarios against the sources beside it until one breaks the promise, and tells what it broke as JSON.
 *
 * Run in a copy of the sources into which a defect was planted: `node find.ts MOST [CLASS]`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from '../../support/fast-check.ts';
import { seed } from '../../support/seed.ts';
import { Stage } from '../run-scenario.ts';
import { CLASSES, scenario } from '../classes.ts';

const [, , most, name] = process.argv;
const scenarios = name === undefined ? scenario : CLASSES[name as keyof typeof CLASSES].arbitrary;
const folder = mkdtempSync(join(tmpdir(), 'shelflift-planted-'));
const stage = new Stage(folder);
await stage.prepare();
const found: string[] = [];
const { numRuns } = await fc.check(
  fc.asyncProperty(scenarios, async (each) => {
    found.push(...(await stage.play(each)).violations);
    return found.length === 0;
  }),
  { seed, numRuns: Number(most), endOnFailure: true },
);
rmSync(folder, { recursive: true });
process.stdout.write(JSON.stringify({ scenarios: numRuns, found }));
