import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROW_MOVES, ROW_STATES } from '../../src/ledger/states.ts';

it('the diagram of the states of a row in docs/design.md shows exactly the moves in the code', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/design.md'), 'utf8');
  const picture = /stateDiagram-v2\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  const shown = [...picture.matchAll(/^ {2}(\w+) --> (\w+): /gm)].map(([, from, to]) => `${from} ${to}`);
  // The plan fills a row in and leaves it planned, or adds a problem: no move that a reader would look for.
  const made = ROW_STATES.flatMap((from) => ROW_MOVES[from].map((to) => `${from} ${to}`));
  expect(shown.toSorted()).toEqual(
    made.filter((move) => move !== 'planned planned' && move !== 'invalid invalid').toSorted(),
  );
});
