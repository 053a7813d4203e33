/** However often the rejects of a file are imported, and in whatever parts, each of its rows becomes one item. */
import { expect, it } from 'vitest';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { csv } from '../support/csv.ts';
import * as fc from '../support/fast-check.ts';
import { openImport } from '../support/open-import.ts';
import { again, alive, BEAR, HEADERS, refusing, ROBOT } from './rejects.ts';

const FILES = {
  rows: [csv(HEADERS, [ROBOT, BEAR, ROBOT, ROBOT, BEAR]), {}],
  quantity: [
    'name,brand,release_year,Qty\nRobot,Kenner,1984,3\nBear,Steiff,1950,2\n',
    { map: { quantity: 'Qty' } },
  ],
} as const;
const ITEMS = 5;

const PARTS: Record<string, <Line>(lines: Line[]) => Line[]> = {
  all: (lines) => lines,
  first: (lines) => lines.slice(0, 1),
  last: (lines) => lines.slice(-1),
  reversed: (lines) => lines.toReversed(),
};

const refusals = fc.uniqueArray(fc.integer({ min: 1, max: ITEMS }), { maxLength: 4 });
const setting = fc.record({
  first: refusals,
  /** When another file has sent one of the rows. */
  known: fc.constantFrom('never', 'before', 'after'),
  steps: fc.array(
    fc.record({
      /** The whole file, or one of the rejects so far. */
      file: fc.option(fc.nat(9)),
      part: fc.constantFrom(...Object.keys(PARTS)),
      refused: refusals,
    }),
    { maxLength: 6 },
  ),
  last: fc.constantFrom('file', 'rejects'),
});

it.each(['rows', 'quantity'] as const)('no row is lost or sent twice: equal %s', async (kind) => {
  const [text, request] = FILES[kind];
  await fc.assert(
    fc.asyncProperty(setting, async ({ first, known, steps, last }) => {
      await using at = await openImport();
      const sendKnown = async () =>
        at.import({ file: await at.file('known.csv', csv(HEADERS, [ROBOT])), run: { onlyNew: true } });
      if (known === 'before') await sendKnown();
      const file = await at.file('a.csv', text);
      const rejects: string[] = [];
      // A later import of the file may replace or remove its rejects.
      const keep = async ({ summary: { files } }: JobOutcome) => {
        expect(alive(at)).toBeLessThanOrEqual(ITEMS);
        if (files.rejects === undefined) return;
        const content = await at.read(files.rejects).catch(() => undefined);
        if (content !== undefined) rejects.push(await at.file(`kept ${rejects.length}.csv`, content));
      };
      const run = { onlyNew: true };
      const whole = async (refused: number[]) =>
        keep(await at.import({ file, ...request, run }, refusing(...refused)));
      await whole(first);
      if (known === 'after') await sendKnown();
      for (const { file: index, part, refused } of steps) {
        const path = index === null ? undefined : rejects[index % rejects.length];
        if (path === undefined) await whole(refused);
        else await keep(await again(at, path, run, PARTS[part], refusing(...refused)));
      }
      if (last === 'file') await whole([]);
      else for (const path of rejects.slice()) await keep(await again(at, path, run));
      expect(alive(at)).toBe(ITEMS);
    }),
    { numRuns: 15 },
  );
});
