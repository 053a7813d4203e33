/** `report --by` and `--locale`: sections by any field, and numbers as people write them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Item } from '../../src/api/schemas.ts';
import { textForm } from '../../src/mapping/text-form.ts';
import { htmlPage } from '../../src/reports/html/page.ts';
import { Inventory } from '../../src/reports/inventory.ts';
import { writeReportFile } from '../../src/reports/report.ts';
import type { Section } from '../../src/reports/model.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { openTable } from '../../src/sheets/open-table.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import {
  array,
  assert,
  constantFrom,
  dictionary,
  integer,
  oneof,
  property,
  record,
} from '../support/fast-check.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { COLLECTIONS, itemOf, reportOf } from './support.ts';

function sectionsOf(items: readonly Item[], by: readonly string[]): Section[] {
  const inventory = new Inventory(COLLECTIONS, undefined, by);
  for (const item of items) inventory.add(item);
  return inventory.sections(undefined, true);
}

/** Label and number of items of each row, and the total. */
function countsOf(section: Section | undefined): Record<string, unknown> {
  const rows = section?.blocks[0]?.rows ?? [];
  return Object.fromEntries(rows.map(({ values }) => [values[0], values[1]]));
}

describe('--by', () => {
  it('adds a section with the counts and sums of a plain grouping, for any field', () => {
    const values = oneof(
      constantFrom('A3', 'a3', ' ', '=x', '<b>'),
      integer({ min: 0, max: 3 }),
      constantFrom(true),
    );
    const fields = record({
      series: constantFrom(null, 'One', 'Two'),
      release_year: constantFrom(null, 1980, 1999),
      tags: constantFrom<string[][]>([], ['a'], ['a', 'b']),
      custom_fields: dictionary(constantFrom('shelf', 'brand'), values, { noNullPrototype: true }),
      estimated_value: constantFrom(null, 0.1, 0.2, 5),
      created_at: constantFrom('2026-01-31T23:59:59Z', '2026-02-01T00:00:00Z'),
    });
    const by = ['series', 'release_year', 'tags', 'custom_fields.shelf', 'custom_fields.brand', 'created_at'];
    assert(
      property(array(fields, { minLength: 1, maxLength: 12 }), (contents) => {
        const items = contents.map((each) => itemOf(each));
        const sections = sectionsOf(items, by);
        for (const [index, field] of by.entries()) {
          const section = sections[6 + index];
          const groups = Map.groupBy(items, (item) => {
            const value = field.startsWith('custom_fields.')
              ? item.custom_fields?.[field.slice('custom_fields.'.length)]
              : (item as Item<Record<string, unknown>>)[field];
            const text = textForm(field, value).trim() === '' ? '' : textForm(field, value);
            return field === 'created_at' ? text.slice(0, 7) : text;
          });
          const found = new Map(section?.blocks[0]?.rows.map((row) => [row.key, row.values]));
          expect(new Set(found.keys())).toEqual(new Set(groups.keys()));
          for (const [key, members] of groups) {
            const cents = members.reduce(
              (sum, { estimated_value: value }) => sum + Math.round((value ?? 0) * 10),
              0,
            );
            const known = members.some(({ estimated_value: value }) => typeof value === 'number');
            expect(found.get(key)?.[1]).toBe(members.length);
            const sum = found.get(key)?.[2] ?? null;
            expect(sum === null ? null : Number(sum)).toBe(known ? cents / 10 : null);
          }
        }
      }),
    );
  });

  it('gives each section a unique name and title, and skips fields that the report already has', () => {
    const by = ['custom_fields.brand', 'brand', 'custom_fields.a b', 'custom_fields.a_b', 'collection_name'];
    const sections = sectionsOf([itemOf({ custom_fields: { brand: 'Acme' } })], by).slice(6, 9);
    expect(sections.map(({ id, title }) => [id, title])).toEqual([
      ['by_custom_fields.brand', 'By brand (2)'],
      ['by_custom_fields.a_b', 'By a b'],
      ['by_custom_fields.a_b_2', 'By a_b'],
    ]);
    expect(countsOf(sections[0])).toEqual({ Acme: 1 });
    expect(countsOf(sections[1])).toEqual({ '(no a b)': 1 });
    const page = htmlPage(reportOf(sectionsOf([itemOf()], ['custom_fields."><script>x'])));
    expect(page).not.toContain('<script>x');
  });
});

it('a page and a CSV follow the locale, and every format has the sections', async () => {
  const folder = await temporaryFolder();
  await using sandbox = await startSandbox();
  await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  const currency = 'eur';
  sandbox.control.insertItems([
    { name: 'A', estimated_value: 1234.5, currency, custom_fields: { shelf: 'A3' } },
    { name: 'B', estimated_value: 29.13, currency, custom_fields: { shelf: 'A3', box: 2 } },
    { name: 'C', currency },
  ]);
  const write = (name: string, more = {}) =>
    writeReportFile(
      {
        report: 'inventory',
        out: join(folder, name),
        by: ['custom_fields.shelf', 'custom_fields.box'],
        ...more,
      },
      { client },
    );
  await write('a.html', { locale: 'de-DE' });
  const page = await readFile(join(folder, 'a.html'), 'utf8');
  expect(page).toContain('<h2>By shelf</h2>');
  expect(page).toContain('1.263,63');
  expect(page).toContain('data-v="1263.63"');
  expect(page).toMatch(/As read on <time datetime="[^"]+">\d\d\.\d\d\.\d{4}, \d\d:\d\d UTC</);
  await write('b.html');
  expect(await readFile(join(folder, 'b.html'), 'utf8')).toContain('1,263.63');

  await write('a.csv', { locale: 'de-DE' });
  await write('b.csv');
  const figure = async (file: string) => {
    const { batches } = await openTable(join(folder, file), {});
    const rows = (await Array.fromAsync(batches)).flat().map(({ cells }) => cells);
    return rows.find(
      ([section, key, , measure]) =>
        section === 'by_custom_fields.shelf' && key === 'A3' && measure === 'value',
    );
  };
  expect((await figure('a.csv'))?.[4]).toBe('1.263,63');
  expect((await figure('b.csv'))?.[4]).toBe('1263.63');

  await write('a.xlsx', { by: ['custom_fields.shelf', 'custom_fields.Shelf'] });
  expect((await openTable(join(folder, 'a.xlsx'), { sheet: 'By shelf' })).sheets).toContain('By Shelf (2)');
  await expect(write('c.csv', { by: ['custom_field.shelf'] })).rejects.toMatchObject({ code: 'bad_by' });
  await expect(write('c.csv', { locale: 'no_NO!' })).rejects.toMatchObject({ code: 'bad_locale' });
  await expect(write('c.csv', { report: 'sales' })).rejects.toMatchObject({ code: 'bad_by' });
  const listings = await write('l.html', { report: 'listings', by: ['brand'] });
  expect(await readFile(listings.file, 'utf8')).toContain('<h2>By brand</h2>');
});

it('the command line and a schedule accept the options of --by', async () => {
  await using sandbox = await startSandbox({ seed: 7, seedItems: 20 });
  const place = newPlace({ SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key });
  const by = ['--by', 'series', '--by', 'custom_fields.a,b'];
  const { code, stderr } = await place.call([
    'report',
    'inventory',
    '--out',
    'r.csv',
    ...by,
    '--locale',
    'de-DE',
  ]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('No item has custom_fields.a,b.')]);
  expect(await readFile(join(place.folder, 'r.csv'), 'utf8')).toContain('by_series');
  const wrong = await place.call(['report', 'inventory', '--out', 'r.csv', '--by', 'serie']);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--by series')]);
  const schedule = (task: string) =>
    place.file(
      'shelflift.yaml',
      `profiles:\n  main: { apiUrl: ${sandbox.url}, keyEnv: SHELFLIFT_API_KEY }\nschedules:\n  weekly:\n    cron: 0 5 * * 1\n    timeZone: UTC\n    profile: main\n    task: ${task}\n`,
    );
  schedule('{ report: inventory, out: r.csv, by: [series, custom_fields.shelf], locale: de-DE }');
  const good = await place.call(['worker', '--check']);
  expect([good.code, good.stderr]).toEqual([0, '']);
  schedule('{ report: inventory, out: r.csv, by: [serie] }');
  const bad = await place.call(['worker', '--check']);
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('no field "serie"')]);
});
