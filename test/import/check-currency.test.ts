/** Amounts in another currency than the items' are issues of their rows, never silent numbers. */
import { expect, test } from 'vitest';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { openImport } from '../support/open-import.ts';

// The sandbox's items are in usd.
const ROWS = 'name,Value\nFalcon,$5\nTie,€ 12.50\nBus,7\nScout,US$ 3\nSpeeder,20 CAD\n';

test('a sign or code that no item has is an issue; $ and no sign are not', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const events: ImportEvent[] = [];
  const file = await it.file('toys.csv', ROWS);
  const { summary, exitCode } = await it.import(
    { file, collection: 'Trains', skipInvalid: true },
    { onEvent: (event) => void events.push(event) },
  );
  expect(exitCode).toBe(3);
  expect(summary.rows).toMatchObject({ read: 5, created: 3, invalid: 2 });
  const rejects = await it.read(summary.files.rejects);
  expect(rejects).toContain(
    'wrong_currency,Value,"estimated_value ""€ 12.50"" is in another currency than the items: expected an amount in USD"',
  );
  expect(rejects).toContain('20 CAD');
  const groups = events.flatMap((event) => (event.type === 'issues' ? event.groups : []));
  expect(groups).toMatchObject([{ code: 'wrong_currency', count: 2, rows: [3, 6] }]);
});

test('where a template says the column is in euros, amounts without a sign are euros', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', 'name,Value\nFalcon,5\nTie,\nBus,7\n');
  const template = await it.file(
    't.yaml',
    'name: t\ncolumns:\n  estimated_value: { from: Value, currency: eur }\n',
  );
  const { summary } = await it.import({ file, template, collection: 'Trains', skipInvalid: true });
  expect(summary.rows).toMatchObject({ created: 1, invalid: 2 });
  expect(await it.read(summary.files.rejects)).toContain('(EUR, the template says)');
  const right = await it.file(
    'u.yaml',
    'name: u\ncolumns:\n  estimated_value: { from: Value, currency: usd }\n',
  );
  const run = { allRows: true };
  const all = await it.import({ file, template: right, collection: 'Trains', run });
  expect(all.summary.rows.created).toBe(3);
});

test('a pattern that leaves the sign out says that the number is right as it is', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', ROWS);
  const template = await it.file(
    't.yaml',
    "name: t\ncolumns:\n  estimated_value: { from: Value, pattern: '[\\d.,]+' }\n",
  );
  expect((await it.import({ file, template, collection: 'Trains' })).summary.rows.created).toBe(5);
});

test('nothing to compare with is said: no item yet, or none that the key may list', async () => {
  await using it = await openImport({});
  const notes: string[] = [];
  const onEvent = (event: ImportEvent) => void (event.type === 'note' && notes.push(event.message));
  const file = await it.file('toys.csv', 'name,Value\nTie,€ 12.50\n');
  const { summary } = await it.import({ file, collection: 'Main', dryRun: true }, { onEvent });
  expect(summary.plan).toMatchObject({ create: 1, invalid: 0 });
  expect(notes).toContainEqual(expect.stringContaining('column B (Value) are in EUR. There is no item yet'));
});

test('a file without signs costs no request', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('toys.csv', 'name,Value\nTie,12.50\n');
  const { summary } = await it.import({ file, collection: 'Trains', dryRun: true });
  expect(summary.requests.sent).toBe(1);
});

test('a currency in a column of its own counts as a sign beside the amount', async () => {
  await using it = await openImport({ seed: 7, seedItems: 3 });
  const file = await it.file('games.csv', 'unit,name,worth\nGBP,Falcon,20\nUSD,Tie,5\nEUR,Bus,\n');
  const template = await it.file(
    't.yaml',
    "name: t\ncolumns:\n  estimated_value: { join: [worth, unit], pattern: '^\\d.*', noMatch: blank }\n",
  );
  const { summary } = await it.import({ file, template, collection: 'Trains', skipInvalid: true });
  expect(summary.rows).toMatchObject({ created: 2, invalid: 1 });
  expect(await it.read(summary.files.rejects)).toContain('""20 GBP"" is in another currency than the items');
});
