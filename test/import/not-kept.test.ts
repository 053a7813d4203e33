/** Values that the server does not keep as they were sent: told once a field, and a job that lost one ends with 3. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { isLost } from '../../src/import/engine/equality.ts';
import { factsOf } from '../../src/import/results/facts.ts';
import { showJob } from '../../src/import/results/outcome.ts';
import { setItems, undoJob } from '../../src/import/run.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { english } from '../../src/messages/message.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { openImport, QUIET_MS } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

describe('a value', () => {
  const NOTE = 'custom_fields.note';
  it.each([
    ['if text is cut', NOTE, 'a long note', 'a long'],
    ['if text is replaced', 'name', 'Robot', 'Bear'],
    ['if text is removed', 'brand', 'Acme', null],
    ['if a custom field is missing', NOTE, 'x', undefined],
    ['if a custom field is empty', NOTE, 'x', ''],
    ['if a number differs', 'estimated_value', 1662.5, 1663],
    ['if a year is removed', 'release_year', 1985, null],
    ['if a number in a custom field is rounded', NOTE, 12.345, 12.35],
    ['if leading zeros are removed', NOTE, '00012', 12],
    ['if digits are lost in a number', NOTE, '12345678901234567', 12345678901234568],
    ['if a tag is missing', 'tags', ['a', 'b'], ['a']],
    ['if a word differs', 'condition', 'mint', 'loose_mint'],
    ['if a date differs', NOTE, '2024-05-01', '2024-01-05'],
    ['if a part of a map differs', NOTE, { a: 1 }, { a: 2 }],
  ])('counts as lost %s', (_, field, sent, stored) => {
    expect(isLost(field, sent, stored)).toBe(true);
  });

  it.each([
    ['it is trimmed and has single spaces', 'name', ' Moon   Rover ', 'Moon Rover'],
    ['it is escaped', 'name', 'A & "B"', 'A &amp; &quot;B&quot;'],
    ['it is in capitals', 'brand', 'Acme', 'ACME'],
    ['it is in another form of Unicode', 'name', 'Café', 'Café'],
    ['it is rounded to cents', 'estimated_value', 12.345, 12.35],
    ['it is rounded to cents by its decimal digits', 'estimated_value', 1.005, 1.01],
    ['it is rounded to cents by its binary digits', 'estimated_value', 1662.495, 1662.49],
    ['maps are in a longer list', NOTE, [{ a: 1 }], [{ a: 1 }, { b: 2 }]],
    ['a number is stored as text', NOTE, 12.5, '12.50'],
    ['text is stored as a number', NOTE, '12.50', 12.5],
    ['a date is stored with a time', NOTE, '2024-05-01', '2024-05-01T00:00:00.000Z'],
    ['tags are in another order, with a further tag', 'tags', ['b', 'A'], ['a', 'b', 'new']],
    ['nothing was sent', NOTE, '', undefined],
    ['nothing was sent, and the server has a value', 'estimated_value', null, 10],
    ['the answer does not contain it', 'brand', 'Acme', undefined],
  ])('does not count as lost if %s', (_, field, sent, stored) => {
    expect(isLost(field, sent, stored)).toBe(false);
  });
});

const FILE = 'Name,Brand,Note\nToy,Acme & Co,a very long note about the toy\nBear,Acme,\nBall,Acme,short\n';
const MAP = { 'custom_fields.note': 'Note' };
const CUTS: SandboxOptions = { storing: { cutCustomFields: true } };

it.each([
  ['cuts', { cutCustomFields: true }, 1, '"a very lon"'],
  ['drops', { dropCustomFields: true }, 2, ''],
])(
  'a job on a server that %s custom fields reports this once, and ends with exit code 3',
  async (_, storing, rows, found) => {
    await using at = await openImport({ storing });
    const file = await at.file('a.csv', FILE);
    const { summary, exitCode } = await at.import({ file, map: MAP });
    expect([exitCode, summary.rows]).toMatchObject([3, { created: 3, held: 0 }]);
    expect(summary.notKept).toEqual([{ field: 'custom_fields.note', rows, row: 2, found }]);
    const facts = factsOf(summary).map(english);
    expect(facts.filter((fact) => fact.startsWith('NOT KEPT'))).toHaveLength(1);
    expect(await at.read(summary.files['results'])).toContain('value_not_kept');
    // Asked a second time, it is no other answer.
    const again = await at.import({ file, map: MAP });
    expect([again.exitCode, again.summary.state]).toEqual([3, 'already_applied']);
    const shown = await at.run((deps) => showJob(summary.job, deps));
    expect([shown.exitCode, shown.summary.notKept]).toEqual([3, summary.notKept]);
    expect(at.items()).toHaveLength(3);
    // The mark of an undo is no value of a row.
    const run = { quietPeriodMs: QUIET_MS };
    const undone = await at.run((deps) => undoJob(summary.job, deps, { run }));
    expect([undone.exitCode, undone.summary.notKept]).toEqual([0, undefined]);
  },
);

it.each<SandboxOptions>([
  {},
  {
    storing: {
      trimNames: true,
      collapseSpaces: true,
      normaliseUnicode: true,
      roundValues: true,
      sortTags: true,
    },
  },
  { storing: { raiseBrands: true, escapeTexts: true, addCustomField: true } },
])('a server that only stores values in another form does not count as losing them: %j', async (options) => {
  await using at = await openImport(options);
  const file = await at.file(
    'a.csv',
    'Name,Brand,Price,Tags,Note\n" Moon  Rover ",Acme & Co,12.345,b;a,x & y\nBear,Acme,1,,\n',
  );
  const { summary, exitCode } = await at.import({ file, decimal: 'point', map: { ...MAP, tags: 'Tags' } });
  expect([exitCode, summary.rows.created, summary.notKept]).toEqual([0, 2, undefined]);
});

it('an update, and a set on a selection, report values that the server did not keep', async () => {
  await using at = await openImport(CUTS);
  const [id] = at.sandbox.control.insertItems([{ name: 'Toy', custom_fields: { note: 'old' } }]);
  const file = await at.file('u.csv', `id,custom_fields.note\n${id},a very long note about the toy\n`);
  const updated = await at.import({ file, mode: 'update' });
  expect([updated.exitCode, updated.summary.rows]).toMatchObject([3, { updated: 1, held: 0 }]);
  expect(updated.summary.notKept).toMatchObject([{ field: 'custom_fields.note', rows: 1, row: 2 }]);
  const request = { changes: ['custom_fields.note=another long note'], where: 'name=Toy', outDir: at.folder };
  const set = await at.run((deps) => setItems({ ...request, run: { quietPeriodMs: QUIET_MS } }, deps));
  expect(set).toMatchObject({ exitCode: 3, summary: { rows: { updated: 1 }, notKept: [{ rows: 1 }] } });
});

it('a job that continues in a copy of its store still reports lost values', async () => {
  await using at = await openImport(CUTS);
  const { summary } = await at.import({ file: await at.file('a.csv', FILE), map: MAP, run: { first: 1 } });
  const copy = join(at.folder, 'copy.db');
  await at.ledger.close();
  await copyFile(at.store, copy);
  await using ledger = openSqliteLedger(copy);
  const resumed = await at.resume(summary.job, {}, { ledger });
  expect([resumed.exitCode, resumed.summary.notKept]).toMatchObject([3, [{ rows: 1, row: 2 }]]);
});

it.each([
  ['escapes', { a: 'x &amp; y', z: 'A' }, (text: string) => text.replaceAll('&', '&amp;'), '"x &amp;amp; y"'],
  ['cuts', { a: 'a long text', z: 'A' }, (text: string) => text.slice(0, 6), '"a long"'],
])(
  'a field that the row does not set but the server %s again is reported as well',
  async (_, fields, store, found) => {
    await using at = await openImport();
    const [id] = at.sandbox.control.insertItems([{ name: 'Toy', custom_fields: fields }]);
    const file = await at.file('u.csv', `id,custom_fields.z\n${id},B\n`);
    const wrap = (client: ApiClient) =>
      overriding(client, {
        updateItem: (item, { custom_fields: custom = {}, ...update }, options) => {
          const stored = Object.entries(custom).map(([name, value]) => [name, store(String(value))]);
          return client.updateItem(item, { ...update, custom_fields: Object.fromEntries(stored) }, options);
        },
      });
    const { exitCode, summary } = await at.import({ file, mode: 'update' }, { wrap });
    expect([exitCode, summary.rows.updated]).toEqual([3, 1]);
    expect(summary.notKept).toEqual([{ field: 'custom_fields.a', rows: 1, row: 2, found }]);
  },
);

it('a field that the server itself updates with each write does not count as part of a row', async () => {
  await using at = await openImport();
  const [id] = at.sandbox.control.insertItems([{ name: 'Toy', custom_fields: { seen: '1', z: 'A' } }]);
  const file = await at.file('u.csv', `id,custom_fields.z\n${id},B\n`);
  const wrap = (client: ApiClient) =>
    overriding(client, {
      updateItem: (item, update, options) =>
        client.updateItem(
          item,
          { ...update, custom_fields: { ...update.custom_fields, seen: '2' } },
          options,
        ),
    });
  const { exitCode, summary } = await at.import({ file, mode: 'update' }, { wrap });
  expect([exitCode, summary.notKept]).toEqual([0, undefined]);
});
