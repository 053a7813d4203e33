/** Columns that nobody mapped: kept for new items without a template, and never shown to everybody unasked. */
import { expect, it } from 'vitest';
import type { ImportEvent } from '../../src/import/job/events.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { csv } from '../support/csv.ts';
import { openImport, type RunSetting } from '../support/open-import.ts';

const TOYS = csv(
  ['name', 'Shelf', 'Qty', 'Paid'],
  [
    ['Robot', 'A1', '2', '12 €'],
    ['Car', '', '1', ''],
  ],
);

async function kept(request: Partial<ImportRequest> = {}, setting: RunSetting = {}, isPublic = false) {
  await using at = await openImport();
  at.sandbox.control.addCollection('Shop', { isPublic });
  const said: string[] = [];
  const unasked: string[] = [];
  const onEvent = (event: ImportEvent) => {
    if (event.type === 'opened')
      unasked.push(...event.columns.flatMap(({ header, isUnasked }) => (isUnasked === true ? [header] : [])));
    if (event.type === 'note' || event.type === 'warning') said.push(event.message);
  };
  const file = await at.file('toys.csv', TOYS);
  const { summary } = await at.import({ file, collection: 'Shop', ...request }, { onEvent, ...setting });
  const robot = at.items().find(({ name }) => name === 'Robot');
  return { fields: robot?.custom_fields ?? {}, said: said.join('\n'), summary, unasked };
}

it('unknown columns, including quantities, become custom fields; --drop-unknown leaves them out', async () => {
  const { fields, said, summary, unasked } = await kept();
  expect(unasked).toEqual(['Shelf', 'Qty', 'Paid']);
  expect(fields).toEqual({ Shelf: 'A1', Qty: '2', Paid: '12 €' });
  expect(summary.rows.created).toBe(2);
  expect(said).toContain('3 unmapped columns (Shelf, Qty, Paid) are kept as custom fields.');
  expect((await kept({ dropUnknown: true })).fields).toEqual({});
  expect((await kept({ keepUnknown: true })).unasked).toEqual([]);
});

it('a column without a header is kept under its letter, and blank ones are not named', async () => {
  await using it = await openImport();
  const file = await it.file('toys.csv', 'Name,,Maker,\nRobot,,Acme,found in the attic\nBus,,Kenner,\n');
  const said: string[] = [];
  await it.import({ file }, { onEvent: (event) => void (event.type === 'note' && said.push(event.message)) });
  expect(it.items().find(({ name }) => name === 'Robot')?.custom_fields).toEqual({ D: 'found in the attic' });
  expect(said.join('\n')).toContain('1 unmapped column (D) is kept as a custom field.');
});

it('for a public collection, shelflift asks about unknown columns, and leaves them out if nobody can be asked', async () => {
  const silent = await kept({}, {}, true);
  expect(silent.fields).toEqual({});
  expect(silent.said).toContain('are left out, because everybody can see the collection.');
  // `--yes` answers what holds a job up, and is no consent to publish.
  expect((await kept({ run: { yes: true } }, {}, true)).fields).toEqual({});
  const asked: string[] = [];
  const confirm = async (question: string) =>
    asked.push(question) > 0 && !question.includes('one item for each piece');
  expect((await kept({}, { confirm }, true)).fields).toEqual({
    Shelf: 'A1',
    Qty: '2',
    Paid: '12 €',
  });
  expect(asked).toEqual([
    expect.stringContaining('one item for each piece'),
    expect.stringContaining('Everybody can see the collection. Keep them?'),
  ]);
  expect((await kept({ keepUnknown: true }, {}, true)).fields).toMatchObject({ Shelf: 'A1' });
  expect((await kept({ dryRun: true }, {}, true)).said).toContain('left out');
});

it('columns that a rule leaves out do not count as a correction, and no problem is reported twice', async () => {
  const told: string[] = [];
  const onEvent = (event: ImportEvent) => {
    if (event.type === 'issues') told.push(...event.reasons.map(({ code }) => code));
  };
  await using at = await openImport();
  at.sandbox.control.addCollection('Shop', { isPublic: true });
  const file = await at.file('toys.csv', `${TOYS},B2,1,\r\n`);
  const { summary } = await at.import({ file, collection: 'Shop' }, { onEvent });
  expect(told).toEqual(['required']);
  expect(summary.mended).toMatchObject([
    { step: 1, byRule: true, changes: ['Shelf', 'Qty', 'Paid'].map((name) => `column ${name} is not used`) },
  ]);
});

it('updates, upserts and templates never keep unknown columns, and earlier files are still recognised', async () => {
  expect((await kept({ template: 'generic' })).fields).toEqual({});
  await using at = await openImport();
  const file = await at.file('toys.csv', TOYS);
  const upsert = await at.import({ file, mode: 'upsert', match: ['name'] });
  expect(upsert.summary.rows.created).toBe(2);
  expect(at.items().map((item) => item.custom_fields ?? {})).toEqual([{}, {}]);
  const other = await at.file('other.csv', TOYS.replace('Robot', 'Robot II'));
  await at.import({ file: other, run: { allRows: true } });
  const [job] = await at.ledger.jobs.list();
  const last = await at.file('last.csv', TOYS.replace('Car', 'Car II'));
  await at.import({ file: last, dropUnknown: true, run: { allRows: true } });
  // What is kept unasked is no part of what a file is known by.
  expect((await at.ledger.jobs.list())[0]?.request.mappingHash).toBe(job?.request.mappingHash);
});

it('a column is kept even if another column has its field, whether detected, confirmed or set by --map', async () => {
  const lines = csv(['Bezeichnung', 'Preis', 'Wert'], [['Robot', '12.50', '99.00']]);
  const fieldsWith = async (table: string, request: Partial<ImportRequest>) => {
    await using at = await openImport();
    const file = await at.file('toys.csv', table);
    await at.import({ file, ...request });
    return at.items().map(({ estimated_value, custom_fields }) => ({ estimated_value, ...custom_fields }));
  };
  const both = [{ estimated_value: 99, Preis: '12.50' }];
  expect(await fieldsWith(lines, { run: { yes: true } })).toEqual(both);
  expect(await fieldsWith(lines, { map: { estimated_value: 'Wert' } })).toEqual(both);
  expect(await fieldsWith(lines, { map: { estimated_value: 'Wert' }, keepUnknown: true })).toEqual(both);
  expect(await fieldsWith(lines, { map: { estimated_value: 'Wert' }, dropUnknown: true })).toEqual([
    { estimated_value: 99 },
  ]);
  const exact = csv(['Name', 'Price', 'Value'], [['Robot', '12.50', '99.00']]);
  expect(await fieldsWith(exact, { run: { yes: true } })).toEqual([{ estimated_value: 99, Price: '12.50' }]);
  const template = { template: 'generic', map: { estimated_value: 'Value' }, keepUnknown: true };
  expect(await fieldsWith(exact, template)).toEqual([{ estimated_value: 99, Price: '12.50' }]);
});

it('columns that look secret, by name or by values, are never sent, and a note names them', async () => {
  await using at = await openImport();
  const said: string[] = [];
  const onEvent = (event: ImportEvent) => {
    if (event.type === 'note' || event.type === 'warning') said.push(event.message);
  };
  const file = await at.file(
    'users.csv',
    csv(
      ['name', 'Password', 'Reference', 'Shelf'],
      [
        ['Robot', 'hunter2', '4111111111111111', 'A1'],
        ['Car', 'letmein', '5555555555554444', 'A2'],
        ['Doll', 'swordfish', '378282246310005', 'A3'],
      ],
    ),
  );
  await at.import({ file, collection: 'Main' }, { onEvent });
  expect(at.items().map(({ custom_fields }) => custom_fields)).toEqual(
    expect.arrayContaining([{ Shelf: 'A1' }, { Shelf: 'A2' }, { Shelf: 'A3' }]),
  );
  expect(said.join('\n')).toMatch(/B \(Password\) looks like a password.*\n.*C \(Reference\) looks like/u);
});
