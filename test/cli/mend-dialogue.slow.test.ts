/** From the first command to all rows planned, with answers typed into a terminal: no YAML and no editor. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from './run-shelflift.ts';
import { type Answer, atTerminal } from './terminal.ts';

async function sandboxed(currency = 'usd') {
  const sandbox = await startSandbox({ currency });
  const place = newPlace({ SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key });
  const write = (name: string, lines: readonly string[], encoding: 'latin1' | 'utf8' = 'utf8') =>
    writeFileSync(
      join(place.folder, name),
      Buffer.from(lines.join('\r\n').replaceAll('€', encoding === 'utf8' ? '€' : '\u0080'), encoding),
    );
  const items = () => new Map(sandbox.control.items().map((item): [string, Item] => [item.name, item]));
  return { sandbox, place, write, items, [Symbol.asyncDispose]: () => sandbox.close() };
}

const rowsOf = <T>(count: number, row: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => row(index));

test('mend corrects a German list with unknown words, approximate values and early years', async () => {
  await using at = await sandboxed('eur');
  const conditions = ['neu', 'Vitrine', 'bespielt', 'gut', 'defekt'];
  const values = ['12,50', 'ca. 20 €', 'VB 50', '1.234,50', '8', '20-25', '13,-'];
  const years = ['1985', 'ca. 1975', '1962', '1990', '2001'];
  const rows = rowsOf(140, (index) =>
    [
      `Lok ${index}`,
      'Märklin',
      years[index % 5],
      conditions[index % 5],
      values[index % 7],
      `Regal ${index % 4}`,
    ].join(';'),
  );
  at.write('züge.csv', ['Bezeichnung;Hersteller;Bj.;Zust.;Wert;Notiz', ...rows], 'latin1');
  // The question of most rows comes first.
  const answers: Answer[] = [
    [/Zust\.: what does "(?:neu|bespielt|gut)" mean/, '1'],
    [/Zust\.: what does "(?:neu|bespielt|gut)" mean/, '1'],
    [/Zust\.: what does "(?:neu|bespielt|gut)" mean/, '1'],
    ['"VB 50" is 50', '1'],
    ['what does "Vitrine" mean', '2'],
    ['"ca. 1975" is 1975', '1'],
    ['keep the actual year in custom_fields.year', '1'],
    ['Send 140 rows now?', 'perhaps'],
    ['Please answer y or n.', 'y'],
  ];
  const { code, text } = await atTerminal(
    at.place,
    'shelflift import züge.csv --strict --collection Main',
    answers,
  );
  expect(code, text).toBe(0);
  const items = at.items();
  expect(items.size).toBe(140);
  expect(items.get('Lok 1')).toMatchObject({ brand: 'Märklin', release_year: 1975, estimated_value: 20 });
  expect(items.get('Lok 2')).toMatchObject({
    release_year: null,
    custom_fields: { year: 1962 },
    estimated_value: 50,
  });
  expect(items.get('Lok 5')).toMatchObject({ estimated_value: 20 });
  expect(items.get('Lok 3')).toMatchObject({ estimated_value: 1234.5 });
  // The answers serve the next file with these headers, without a question.
  at.write(
    'züge 2.csv',
    ['Bezeichnung;Hersteller;Bj.;Zust.;Wert;Notiz', ...rows.slice(0, 20).map((row) => `Neue ${row}`)],
    'latin1',
  );
  const again = await atTerminal(at.place, 'shelflift import "züge 2.csv" --strict --collection Main', []);
  expect(again.code, again.text).toBe(0);
  expect(at.items().get('Neue Lok 1')).toMatchObject({ release_year: 1975, estimated_value: 20 });
});

test('mend asks which of two money columns is the value, and keeps the other', async () => {
  await using at = await sandboxed();
  const rows = rowsOf(20, (index) => `Bus ${index},Matchbox,${index + 1},${index + 100},1990`);
  at.write('buses.csv', ['Name,Brand,Price,Worth today,Year', ...rows]);
  const answers: Answer[] = [
    [/1 {2}"Price" → estimated_value/, '1'],
    [/2 {2}Use column D "Worth today" as estimated_value instead/, '2'],
  ];
  const { code, text } = await atTerminal(
    at.place,
    'shelflift import buses.csv --strict --collection Main',
    answers,
  );
  expect(code, text).toBe(0);
  expect(at.items().get('Bus 3')).toMatchObject({ estimated_value: 103 });
});

test('mend accepts all grades of a card seller’s list in one answer', async () => {
  await using at = await sandboxed();
  const grades = ['NM', 'LP', 'MP', 'HP'];
  const rows = rowsOf(40, (index) => `Dragon ${index},Alpha,${grades[index % 4]},${index}.50`);
  at.write('cards.csv', ['Card Name,Set,Condition,Price', ...rows]);
  const answers: Answer[] = [
    [/what does "\w\w" mean[\s\S]*2 {2}Take the likeliest meaning/, '2'],
    ['Send 40 rows now?', 'y'],
  ];
  const { code, text } = await atTerminal(
    at.place,
    'shelflift import cards.csv --strict --collection Main --save-as cards',
    answers,
  );
  expect(code, text).toBe(0);
  expect(text).toContain('--recipe cards');
  expect(at.items().get('Dragon 0')).toMatchObject({
    condition: 'loose_mint',
    custom_fields: { grade: 'NM' },
  });
  at.write('more.csv', ['Card Name,Set,Condition,Price', 'Wizard,Beta,LP,3']);
  const more = await atTerminal(at.place, 'shelflift import more.csv --recipe cards', []);
  expect(more.code, more.text).toBe(0);
  expect(at.items().get('Wizard')).toMatchObject({ custom_fields: { grade: 'LP' } });
});

test('mend sends the readable rows of a list with notes and emojis, and leaves the others for later', async () => {
  await using at = await sandboxed();
  const rows = rowsOf(
    30,
    (index) =>
      `"🦖 Rex ${index}",Kenner,${index % 10 === 3 ? 'soon' : 1990 + (index % 5)},"shelf ${index}\nleft"`,
  );
  at.write('dinos.csv', ['Name,Brand,Year,Notes', ...rows]);
  const answers: Answer[] = [
    [/Leave (?:this cell|these cells) blank/, '7'],
    ['Please answer with a number', '1'],
    ['Send 30 rows now?', 'y'],
  ];
  const { code, text } = await atTerminal(
    at.place,
    'shelflift import dinos.csv --collection Main',
    answers,
    60,
  );
  expect(code, text).toBe(0);
  expect(at.items().get('🦖 Rex 3')).toMatchObject({ release_year: null });
});

test('for a workbook with merged cells and approximate values, mend asks about the groups first', async () => {
  await using at = await sandboxed('eur');
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Häuser');
  sheet.addRow(['Hersteller', 'Bezeichnung', 'Bj.', 'Wert']);
  const values = ['12,50', 'ca. 20 €', '8', '9,90', 'VB 50', '13', '7,25', '20-25'];
  for (const [group, maker] of ['Faller', 'Kibri', 'Vollmer', 'Auhagen'].entries()) {
    for (const index of rowsOf(8, (each) => each))
      sheet.addRow([
        index === 0 ? maker : null,
        `${maker} Haus ${index}`,
        index === 3 ? '1960er' : 1980 + index,
        values[index],
      ]);
    sheet.mergeCells(2 + group * 8, 1, 9 + group * 8, 1);
  }
  await workbook.xlsx.writeFile(join(at.place.folder, 'häuser.xlsx'));
  const answers: Answer[] = [
    ['Hersteller is blank in 28 of 32 rows, each time below a filled cell', '1'],
    [/"(?:ca\. 20 €|VB 50|20-25)" is \d+/, '1'],
    ['1960er', '1'],
    [/keep the actual year in custom_fields\.year/, '1'],
    ['Send 32 rows now?', 'y'],
  ];
  const { code, text } = await atTerminal(
    at.place,
    'shelflift import häuser.xlsx --strict --collection Main',
    answers,
  );
  expect(code, text).toBe(0);
  const items = at.items();
  expect(items.size).toBe(32);
  expect(items.get('Kibri Haus 7')).toMatchObject({ brand: 'Kibri', estimated_value: 20 });
  expect(items.get('Vollmer Haus 0')).toMatchObject({ brand: 'Vollmer', release_year: 1980 });
  expect(items.get('Faller Haus 3')).toMatchObject({ release_year: null, custom_fields: { year: 1960 } });
});

test('mend leaves out rows with years before 1968, or leaves them for a later jobs mend', async () => {
  await using at = await sandboxed();
  const rows = rowsOf(25, (index) => `Car ${index},Corgi,${1955 + index}`);
  at.write('cars.csv', ['Model Name,Manufacturer,Year', ...rows]);
  const later = await atTerminal(at.place, 'shelflift import cars.csv --strict --collection Main', [
    ['keep the actual year', '4'],
    ['Send 12 rows now and leave 13 rows for later?', 'n'],
  ]);
  expect(later.code, later.text).toBe(3);
  expect(at.items().size).toBe(0);
  const mended = await atTerminal(at.place, 'shelflift jobs mend last', [['keep the actual year', '1']]);
  expect(mended.text).toContain('25 rows can be sent now');
  const sent = await at.place.call(['jobs', 'apply', 'last', '--json']);
  expect(sent.code, sent.stdout).toBe(0);
  expect(at.items().get('Car 0')).toMatchObject({ release_year: null, custom_fields: { year: 1955 } });
  expect(at.items().get('Car 20')).toMatchObject({ release_year: 1975 });
});
