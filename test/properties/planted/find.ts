/**
 * Plants a defect into the sources as they are loaded, plays scenarios until one breaks the promise, and tells what it
 * broke as JSON: `node find.ts MOST NAME-OF-THE-DEFECT`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFECTS } from './defects.ts';
import { planted, sourcesIn } from './plant.ts';

const [, , most, name] = process.argv;
const defect = DEFECTS.find((each) => each.name === name);
if (defect === undefined) throw new Error(`there is no defect "${name}"`);
const changed = planted(defect, sourcesIn(resolve(import.meta.dirname, '../../..')));
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const source = url.startsWith('file:') ? changed.get(fileURLToPath(url)) : undefined;
    return source === undefined ? loaded : { ...loaded, source };
  },
});
// From here on modules of src are loaded.
const fc = await import('../../support/fast-check.ts');
const { seed } = await import('../../support/seed.ts');
const { Stage } = await import('../run-scenario.ts');
const { CLASSES, scenario } = await import('../classes.ts');

const scenarios = defect.among === undefined ? scenario : CLASSES[defect.among].arbitrary;
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
