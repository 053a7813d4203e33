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

it('a person is asked whether a column of quantities makes copies; without an answer, the number is kept', async () => {
  const list = csv(
    ['Name', 'Qty'],
    [
      ['Robot', '2'],
      ['Car', '1'],
    ],
  );
  await using open = await openImport();
  const asked: string[] = [];
  const answer = (text: boolean) => async (question: string) => asked.push(question) > 0 && text;
  const yes = await open.import({ file: await open.file('yes.csv', list) }, { confirm: answer(true) });
  expect(asked).toEqual([expect.stringContaining('"Qty" contains 1 to 2: create one item for each piece?')]);
  expect(yes.summary.rows.created).toBe(3);
  expect(open.items().map(({ custom_fields: own }) => own)).toEqual([{}, {}, {}]);

  await using other = await openImport();
  const no = await other.import({ file: await other.file('no.csv', list) }, { confirm: answer(false) });
  expect(no.summary.rows.created).toBe(2);
  expect(other.items().find(({ name }) => name === 'Robot')?.custom_fields).toEqual({ Qty: '2' });

  // One piece each: nothing to ask.
  await using single = await openImport();
  const file = await single.file('one.csv', list.replace('Robot,2', 'Robot,1'));
  await single.import({ file }, { confirm: answer(true) });
  expect(asked).toHaveLength(2);
});
