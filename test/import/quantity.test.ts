/** With a quantity column, one row of the file makes several items: both are counted, and each item once. */
import { nextText } from '../../src/cli/show/output.ts';
import { expect, it } from 'vitest';
import { outcomeText } from '../../src/cli/show/output.ts';
import { correctAndReport } from '../../src/import/correction/correct-job.ts';
import { csv } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

it('the note, the plan, the mended job and the summary count both rows and items', async () => {
  await using open = await openImport();
  const rows = [
    ['Robot', '3', '1990'],
    ['Rover', '4', 'c. 1985'],
    ['Car', '1', '1991'],
  ];
  const file = await open.file('toys.csv', csv(['Name', 'Quantity', 'Year'], rows));
  const notes: string[] = [];
  const staged = await open.import(
    { file, map: { quantity: 'Quantity' }, strict: true },
    { onEvent: (event) => void (event.type === 'note' && notes.push(event.message)) },
  );
  expect(notes).toContain('3 rows = 5 items (quantity column).');
  expect(outcomeText(staged, {})).toContain('rows: 3 rows = 5 items = 1 invalid + 4 pending');
  const { job } = staged.summary;
  const changes = [{ type: 'option', field: 'release_year', option: 'approximate', value: 'read' } as const];
  const mended = await open.run((deps) => correctAndReport(job, { changes }, deps));
  expect(mended.summary.plan).toMatchObject({ create: 8, invalid: 0 });
  expect(outcomeText(mended, {})).toContain('rows: 3 rows = 8 items = 8 pending');
  expect(nextText(mended, {})).toContain('To send the 8 items:');
  const progress: string[] = [];
  const sent = await open.apply(
    job,
    {},
    {
      onEvent: (event) =>
        void (event.type === 'sending' && progress.push(`${event.done} of ${event.total} ${event.unit}s`)),
    },
  );
  expect(progress.at(-1)).toBe('8 of 8 items');
  expect(outcomeText(sent, {})).toContain('rows: 3 rows = 8 items = 8 created');
  expect(open.items()).toHaveLength(8);
  // Every item is in one of the sums.
  const { read, ...states } = sent.summary.rows;
  expect(Object.values(states).reduce((sum, each) => sum + each)).toBe(read);
});
