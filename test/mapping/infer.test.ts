import * as fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { compileMapping } from '../../src/mapping/compile.ts';
import type { Inference } from '../../src/mapping/infer/column-guess.ts';
import { profileColumn } from '../../src/mapping/infer/column-profile.ts';
import { inferColumns } from '../../src/mapping/infer/infer-columns.ts';
import { inferredTemplate } from '../../src/mapping/infer/inferred-template.ts';
import { writeTemplate } from '../../src/mapping/infer/write-template.ts';
import { parseTemplate } from '../../src/mapping/template/load-template.ts';
import type { MappingOptions } from '../../src/mapping/mapping.ts';
import { type Cell, cellText, columnLetter } from '../../src/sheets/cell.ts';
import { codesOf, valuesOf } from './helpers.ts';

function optionsOf(headers: string[], more: Partial<MappingOptions> = {}): MappingOptions {
  const letters = headers.map((_, index) => columnLetter(index));
  return { headers, letters, format: 'csv', map: {}, defaults: {}, mode: 'create', match: [], ...more };
}

function infer(table: Record<string, Cell[]>, more: Partial<MappingOptions> = {}): Inference {
  return inferColumns(optionsOf(Object.keys(table), more), rowsOf(table));
}

function rowsOf(table: Record<string, Cell[]>): Cell[][] {
  const columns = Object.values(table);
  const length = Math.max(...columns.map((column) => column.length));
  return Array.from({ length }, (_, row) => columns.map((column) => column[row] ?? ''));
}

/** Header → target and confidence. */
function found(table: Record<string, Cell[]>, more: Partial<MappingOptions> = {}): Record<string, string> {
  const { columns } = infer(table, more);
  return Object.fromEntries(
    columns
      .filter((column) => column.target !== undefined)
      .map(({ header, target, confidence }) => [header, `${target} ${confidence}`]),
  );
}

function write(table: Record<string, Cell[]>): string {
  const rows = rowsOf(table);
  return writeTemplate(infer(table), {
    name: 'inferred list',
    file: 'list.csv',
    schema: './import.schema.json',
    texts: (index) =>
      rows.map((cells) => cellText(cells[index] ?? null).trim()).filter((text) => text !== ''),
  });
}

const NAMES = ['Falcon', 'X-Wing', 'Scout', 'Tie'];

describe('inferring columns', () => {
  test.each(['Name', 'Titel', 'Bezeichnung'])('codes under the header %s may be used as names', (header) => {
    const codes = ['GT40', 'F50', 'M3', 'R2-D2', 'P1'];
    const brands = ['Ford', 'Ferrari', 'BMW', 'Kenner', 'McLaren'];
    expect(found({ [header]: codes, Brand: brands })).toMatchObject({ [header]: 'name likely' });
    expect(found({ [header]: ['12', '13', '14', '15', '16'], Brand: brands })[header]).toBeUndefined();
  });

  test('known headers are certain, whatever values are in their columns', () => {
    expect(found({ Name: NAMES, Year: ['x', 'y'], status: ['?'] })).toEqual({
      Name: 'name certain',
      Year: 'release_year certain',
      status: 'status certain',
    });
  });

  test('approximate amounts and years are recognised as amounts and years', () => {
    expect(
      found({
        Name: NAMES,
        Wert: ['ca. 20 €', '~5 €', 'VB 50', '20-25'],
        Jahr: ['um 1975', 'c. 1980', '1985/86', '1970s'],
        Paid: ['ca. 2 €', 'ca. 3 €', 'ca. 4 €', '5 €'],
      }),
    ).toEqual({ Name: 'name certain', Wert: 'estimated_value certain', Jahr: 'release_year certain' });
  });

  test('a price paid does not compete with a column called value', () => {
    const amounts = ['2', '3', '4.50', '5'];
    expect(found({ Name: NAMES, Value: amounts, Paid: amounts })).toMatchObject({
      Value: 'estimated_value certain',
    });
    expect(found({ Name: NAMES, Price: amounts, Paid: amounts })).toMatchObject({
      Price: 'estimated_value certain',
    });
    expect(found({ Name: NAMES, Price: amounts, 'Cover price': amounts })).toMatchObject({
      Price: 'estimated_value likely',
    });
    // Words written together are read like words written apart.
    expect(found({ Name: NAMES, currentPrice: amounts, fullPrice: amounts })).toMatchObject({
      currentPrice: 'estimated_value certain',
    });
  });

  test('a price that names its currency is a price, unless there are several', () => {
    const amounts = ['2', '3', '4.50', '5'];
    expect(found({ Name: NAMES, price_eur: amounts })).toEqual({
      Name: 'name certain',
      price_eur: 'estimated_value certain',
    });
    expect(found({ Name: NAMES, price_eur: amounts, price_usd: amounts })).toMatchObject({
      price_eur: 'estimated_value likely',
    });
  });

  test('beside a set_name, set is a code, and not the series', () => {
    const sets = ['Alpha', 'Beta', 'Alpha', 'Beta'];
    const codes = ['m20', 'm21', 'm20', 'm21'];
    expect(found({ name: NAMES, set: codes, set_name: sets })).toEqual({
      name: 'name certain',
      set_name: 'series likely',
    });
    expect(found({ Set: codes, 'Set name': NAMES })).toMatchObject({ Set: 'series likely' });
  });

  test('the artist of a comic is not the brand next to its writer', () => {
    const people = ['Moore', 'Gibbons', 'Miller', 'Sim'];
    expect(found({ Title: NAMES, Artist: people })).toMatchObject({ Artist: 'brand likely' });
    expect(found({ Title: NAMES, Artist: people, Writer: people })).toEqual({ Title: 'name certain' });
  });

  test.each(['Rarity', 'Seltenheit'])('the artist of a card is not the brand next to its %s', (rarity) => {
    const table = { Name: NAMES, Artist: NAMES, [rarity]: ['Common', 'Rare', 'Common', 'Rare'] };
    expect(found(table)).toEqual({ Name: 'name certain' });
  });

  test('the list price of a shop is the value if no other price competes', () => {
    const amounts = ['12.50', '4', '7.25', '3'];
    expect(found({ Name: NAMES, 'Regular price': amounts })).toMatchObject({
      'Regular price': 'estimated_value certain',
    });
    expect(found({ Name: NAMES, 'Regular price': amounts, 'Sale price': amounts })).toMatchObject({
      'Regular price': 'estimated_value likely',
    });
  });

  test.each(['current_price', 'Guide Value', 'Market price'])(
    '%s is the value next to the price on the day of issue',
    (header) => {
      const amounts = ['12.50', '4', '7.25', '3'];
      for (const other of ['full_price', 'USD_MSRP', 'Cover Price'])
        expect(found({ Name: NAMES, [header]: amounts, [other]: amounts })).toMatchObject({
          [header]: 'estimated_value certain',
        });
      expect(found({ Name: NAMES, [header]: amounts, 'eBay price': amounts })).toMatchObject({
        [header]: 'estimated_value likely',
      });
    },
  );

  test('a rating is not money next to a price', () => {
    const table = { Name: NAMES, Price: ['4', '7', '3.50', '9'], rating_value: ['4.2', '3.9', '5', '4.8'] };
    expect(found(table)).toEqual({ Name: 'name certain', Price: 'estimated_value certain' });
  });

  test.each(['Face value', 'Melt value', 'Purchase value'])('%s is not the value of an item', (header) => {
    expect(found({ Name: NAMES, [header]: ['1', '2', '5', '10'] })[header]).toBeUndefined();
  });

  test('a set name is the name if there is no other, and a theme with many sets is the series', () => {
    const sets = Array.from({ length: 12 }, (_, at) => `Harbour ${'abcdefghijkl'[at]}`);
    const themes = sets.map((_, at) => (at < 6 ? 'Town' : 'Space'));
    const { columns } = infer({
      set_number: sets.map((_, at) => `${at}-1`),
      set_name: sets,
      theme_name: themes,
    });
    expect(columns.slice(1)).toMatchObject([
      { target: 'name', confidence: 'likely', isOnly: true },
      { target: 'series', confidence: 'likely' },
    ]);
    expect(found({ Name: sets, 'Set name': sets })).toMatchObject({ 'Set name': 'series likely' });
  });

  test('a column with the mean of several prices is the value, and mana is not', () => {
    const amounts = ['1', '2', '3', '4'];
    expect(found({ Name: NAMES, prix_min: amounts, prix_moyen: amounts, manaValue: amounts })).toEqual({
      Name: 'name certain',
      prix_moyen: 'estimated_value likely',
    });
  });

  test('"Date" is the year of release if each cell is a bare year', () => {
    expect(found({ Titre: NAMES, Date: ['1990', '1965', '2001', ''] })).toMatchObject({
      Date: 'release_year likely',
    });
    expect(found({ Titre: NAMES, Date: ['1990', '1965', '2001', 'Various'] })['Date']).not.toBe(
      'release_year likely',
    );
    expect(found({ Titre: NAMES, Date: ['1990', '1.2.1965', '2001', ''] })['Date']).not.toBe(
      'release_year likely',
    );
  });

  test('the number of a set is not read as the issue number of its title', () => {
    const titles = ['City Park', 'Harbour', 'City Park', 'Castle'];
    const found4 = infer({ title: titles, number: ['3061', '60411', '3063', '6080'] });
    expect(found4.columns[0]?.options).toBeUndefined();
    const comics = infer({ title: ['Saga', 'Saga', 'Alias', 'Saga'], number: ['12', '15', '1', '7'] });
    expect(comics.columns[0]?.options).toMatchObject({ join: ['title', 'number'] });
  });

  test('values identify a column with an unknown header', () => {
    expect(
      found({
        Was: NAMES,
        Zst: ['MOC', 'loose mint', 'damaged', 'moc'],
        Karton: ['OVP', 'ohne OVP', 'lose', 'offen'],
        Sammlerwert: ['1.234,00 €', '20,00 €', '30 €', ''],
        'Ersch.': ['1979', '1978', 'c. 1980', '1985-03-01'],
        Verbl: ['verkauft', 'behalten', 'zu verkaufen', ''],
      }),
    ).toEqual({
      Was: 'name likely',
      Zst: 'condition likely',
      Karton: 'packaging likely',
      Sammlerwert: 'estimated_value likely',
      'Ersch.': 'release_year likely',
      Verbl: 'status likely',
    });
  });

  test('the price and date of purchase are neither value nor release year', () => {
    const years = ['1999', '2001', '2003', '2004'];
    const amounts = ['$1', '$2', '$3', '$4'];
    expect(
      found({
        Name: NAMES,
        'Purchase Price': amounts,
        'Year bought': years,
        'Gekauft für': amounts,
        'Sold price': amounts,
      }),
    ).toEqual({ Name: 'name certain' });
  });

  test('years or amounts under an unrelated header are only a guess', () => {
    expect(
      found({ Name: NAMES, A1: ['1979', '1980', '1981', '1982'], B1: ['$1', '$2', '$3', '$4'] }),
    ).toEqual({
      Name: 'name certain',
      A1: 'release_year guess',
      B1: 'estimated_value guess',
    });
  });

  test.each<[what: string, cells: string[]]>([
    ['numbers below zero, as Access writes yes', ['-1', '', '-1', '']],
    ['ambiguous letters: new and old', ['N', 'O', 'N', 'O']],
  ])('%s do not count as ticks', (_, cells) => {
    const { columns } = infer({ Name: NAMES, Kind: cells, Group: cells });
    expect(columns.map(({ target }) => target)).toEqual(['name', undefined, undefined]);
  });

  test('a Russian name is preferred to the description next to it', () => {
    const table = { Имя: NAMES, Описание: NAMES.map((name) => `${name} from a series`) };
    expect(found(table)).toEqual({ Имя: 'name certain' });
  });

  test('zeros count neither as years nor as evidence against years', () => {
    expect(found({ Name: NAMES, Released: ['0', '0', '0', '0'] })['Released']).toBeUndefined();
    expect(found({ Name: NAMES, Stage: ['0', '0', '0', '0'] })['Stage']).toBeUndefined();
    expect(found({ Name: NAMES, Built: ['0', '1985', '0', '1987'] })).toMatchObject({
      Built: 'release_year likely',
    });
  });

  test('several columns with ticks become tags', () => {
    const table = {
      Name: NAMES,
      Signed: ['x', '', 'x', ''],
      Rare: ['', 'x', '', ''],
      Shelf: ['A1', 'A2', 'B1', 'B2'],
    };
    expect(found(table)).toEqual({ Name: 'name certain', Signed: 'tags likely', Rare: 'tags likely' });
    expect(found({ Name: NAMES, Signed: ['x', '', 'x', ''] })).toMatchObject({ Signed: 'tags guess' });
  });

  test('yes and no under a header about sales become the status', () => {
    const table = { Name: NAMES, 'For sale?': ['yes', 'no', 'x', ''] };
    expect(found(table)).toEqual({ Name: 'name certain', 'For sale?': 'status guess' });
    expect(write(table)).toContain('  # status: { from: For sale?, yes: sell, no: keep }');
    const boxed = write({ Name: NAMES, Box: ['yes', 'no', 'repro', ''] });
    expect(boxed).toContain('packaging: { from: Box, yes: in_package, no: loose }');
    expect(boxed).toContain('#   words: { "repro": … }');
    expect(write({ Name: NAMES, Condition: ['yes', 'no', 'MOC', ''] })).toContain('#   yes: …, no: …');
  });

  test('options take precedence over guesses, and only a create needs a name', () => {
    const table = { Was: NAMES, Wer: ['Kenner', 'Hasbro', 'Lego', 'Tomy'] };
    expect(found(table, { map: { name: 'Wer' } })).toEqual({ Wer: 'name certain' });
    expect(found(table, { defaults: { name: 'toy' } })).toEqual({});
    expect(found(table, { mode: 'update' })).toEqual({});
  });

  test('a common word is only likely next to another header of its field', () => {
    const cars = {
      Make: ['Ford', 'BMW'],
      Model: ['Capri', '2002'],
      'Brand of the model': ['AutoArt', 'Minichamps'],
    };
    expect(found(cars)).toMatchObject({ Make: 'brand likely' });
    expect(found({ Make: ['Hornby', 'Bachmann'], Name: ['Rocket', 'Mallard'] })).toMatchObject({
      Make: 'brand certain',
    });
  });

  test('a "Set" column with a different text in each row may be the name, if a person confirms it', () => {
    const sets = Array.from({ length: 12 }, (_, row) => `Castle ${row}`);
    const cards = sets.map((_, row) => `Expansion ${row % 3}`);
    const years = sets.map((_, row) => String(1980 + row));
    expect(found({ 'No.': years, Set: sets, Jahr: years })).toMatchObject({ Set: 'series likely' });
    expect(found({ Name: sets, Set: cards })).toEqual({ Name: 'name certain', Set: 'series certain' });
  });

  test('notes, shelves and ids stay unknown', () => {
    const id = '6f1c7e0a-93b1-4a57-8f5e-0d6f2f6f1a11';
    expect(found({ Name: NAMES, Notes: ['in box', 'a gift', 'x', 'from Berlin'], UID: [id, id] })).toEqual({
      Name: 'name certain',
    });
  });
});

describe('columns of real lists', () => {
  test('a number that differs in each row is not joined to titles that differ', () => {
    const Title = Array.from({ length: 12 }, (_, at) => `Concerto ${'aacdefghijkl'[at]}`);
    const Number = Title.map((_, at) => (at === 5 ? '5' : `${at + 1}`));
    expect(found({ Number, Title })).toEqual({ Title: 'name certain' });
  });

  test('a repeated title and its volume together are the name', () => {
    const Title = Array.from({ length: 40 }, (_, at) => (at < 25 ? 'Batman' : 'Daredevil'));
    const Volume = Title.map((_, at) => `${at < 25 ? at + 2 : at - 23}`);
    const Writer = Title.map(() => 'Frank Miller');
    expect(found({ Title, Volume, Writer })).toMatchObject({ Title: 'name certain', Volume: 'name certain' });
  });

  test('a repeated title is the name if no other column can be the name', () => {
    const Titel = Array.from({ length: 40 }, (_, at) => (at < 25 ? 'Batman' : 'Daredevil'));
    expect(found({ Titel, Preis: Titel.map((_, at) => `${at}.50`) })).toMatchObject({ Titel: 'name likely' });
  });

  test('a column that is blank in many rows is not used as the name because of its values', () => {
    const Model = Array.from({ length: 13 }, () => 'Submariner Date');
    const apodo = ['Hulk', 'Kermit', 'Holland', 'Bluesy', 'Smurf', 'Starbucks', '', '', '', '', '', '', ''];
    expect(found({ Model, apodo })).toEqual({ Model: 'name likely' });
    const player = Array.from(
      { length: 20 },
      (_, at) => ['Lou Brock', 'Don Drysdale', 'Willie Mays'][at % 3] ?? '',
    );
    const team = ['Cardinals', 'Dodgers', 'Red Sox', 'Mets'];
    expect(found({ playerName: player, teamName: team })).toEqual({ playerName: 'name certain' });
  });

  test('the compare-at price of a shop does not compete with its price', () => {
    const prices = ['10.00', '12.00', '15.00', '20.00'];
    expect(found({ Title: NAMES, Price: prices, 'Compare-at price': prices })).toEqual({
      Title: 'name certain',
      Price: 'estimated_value certain',
    });
  });

  test('years under "marketed" are not read as prices', () => {
    const table = { Name: NAMES, marketed: ['2022', '2021', '2019', '2018'] };
    expect(found(table)).toEqual({ Name: 'name certain', marketed: 'release_year likely' });
    expect(found({ Name: NAMES, 'Market Year': ['2022', '2021', '2019', '2018'] })['Market Year']).not.toBe(
      'estimated_value likely',
    );
  });

  test('"Single Current Price" is mapped without a question, and a total is not used', () => {
    const prices = ['0.02', '0.10', '0.26', '0.09'];
    expect(
      found({
        Name: NAMES,
        'Purchase Price': prices,
        'Single Current Price': prices,
        'Total Current Price': prices,
      }),
    ).toEqual({ Name: 'name certain', 'Single Current Price': 'estimated_value certain' });
  });

  test.each([
    'manga',
    'juego',
    'Livre',
    'Münze',
    '書名',
    'Název knihy',
    'DVD',
    'カード名',
    'اسم الكتاب',
    'guitar',
    'Фильм',
  ])('the header %s means the name', (header) => {
    const [column] = infer({ [header]: NAMES, Foo: ['Alpha', 'Beta', 'Gamma', 'Delta'] }).columns;
    expect(column?.target).toBe('name');
    expect(column?.confidence === 'certain' || column?.isOnly === true).toBe(true);
  });
});

describe('a printed template', () => {
  const table = {
    Was: ['Falcon', 'X-Wing', 'Scout', 'Tie'],
    Zst: ['MOC', 'Z7', 'damaged', 'loose mint'],
    Zustand: ['MOC', 'damaged', 'Z7', 'Z6'],
    Sammlerwert: ['1.234,00 €', '2,50 €', '30,00 €', ''],
    Signiert: ['x', '', 'x', ''],
    Selten: ['', 'x', '', 'x'],
    Anmerkung: ['OVP, toll', 'mit OVP', 'lose im Beutel', 'OVP'],
    'Verkauft am': ['', '2020-01-02', '', '2021-03-04'],
    Anz: ['1', '2', '1', '1'],
    '': ['a', 'b', 'c', 'd'],
  };

  test('maps columns like the import', () => {
    const rows = rowsOf(table);
    const options = optionsOf(Object.keys(table));
    const own = inferredTemplate(infer(table), options);
    expect(own).toBeDefined();
    const direct = compileMapping({ ...options, ...(own === undefined ? {} : { template: own }) });
    const printed = compileMapping({ ...options, template: parseTemplate(write(table), 'printed.yaml') });
    for (const cells of rows) expect(printed.mapRow(cells)).toEqual(direct.mapRow(cells));
    const [first, , third] = rows.map((cells) => printed.mapRow(cells));
    expect(first && valuesOf(first)).toEqual({
      name: 'Falcon',
      condition: 'mint_on_card',
      estimated_value: 1234,
      tags: ['Signiert'],
    });
    expect(third && codesOf(third)).toEqual(['unknown_word']);
  });

  test('shows a confidence, a reason and examples for each column, and the alternatives', () => {
    const text = write(table);
    expect(text).toContain('# yaml-language-server: $schema=./import.schema.json\n');
    expect(text).toContain(
      '  # certain: synonym "zustand" ("MOC", "damaged", "Z7")\n  condition: { from: Zustand }',
    );
    expect(text).toContain('#   2 words are not known (2 rows); say what each is: mint_on_card, ');
    expect(text).toContain('words: { "Z7": …, "Z6": … }');
    expect(text).toContain('currency: eur   # EUR is in 3 cells');
    expect(text).toContain('pattern: (?i)\\b(OVP|lose)\\b, noMatch: blank');
    expect(text).toContain('# quantity: { from: Anz }');
    expect(text).toContain('when: { from: Verkauft am, filled: true }, set: { status: sold }');
    expect(text).toContain('# custom_fields.J: { column: J }');
  });

  test('suggests how to read grades, approximate values and old years', () => {
    const text = write({
      Name: ['Loco', 'Wagon', 'Crane', 'Tender'],
      Year: ['1985', 'c. 1975', '1955', '1985/86'],
      Condition: ['Near Mint', 'MIB', 'MOC', 'so-so'],
      Value: ['ca. 20 €', '20-25', '12.50', '3.00'],
    });
    for (const line of [
      '#   approximate: read   # takes `c. 1985` and `1985/86` as 1985',
      '#   outOfRange: keep   # keeps years before 1968 in custom_fields.year',
      '#   2 grades have no exact counterpart (2 rows): Near Mint, MIB',
      '#   offeredWords: take   # takes "Near Mint" as loose_mint and so on',
      '#   1 word is not known (1 row); say what each is: mint_on_card, ',
      '#   approximate: read   # takes "ca. 20" and "20-25" as 20 (2 cells)',
    ]) {
      expect(text).toContain(line);
    }
  });

  test('has commented-out lines that all work when they are activated', () => {
    const text = write(table);
    const lines = [...text.matchAll(/^ {2}# ((?:[\w.]|'|")[^\n]*: \{ .*\})$/gm)].map(
      (match) => match[1] ?? '',
    );
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) parseTemplate(`name: x\ncolumns:\n  ${line}\n`, 'line.yaml');
    const rule = [...text.matchAll(/^# (conditions:|  - \{ when.*\})$/gm)]
      .map((match) => match[1])
      .join('\n');
    parseTemplate(`name: x\n${rule}\n`, 'rule.yaml');
  });

  test('can be read again, whatever its headers and cells contain', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('x', 'yes', '1999', '$ 5', 'MOC', 'Z7', '- {a: #b', '\u0000'),
    );
    const header = fc.oneof(
      fc.string(),
      fc.constantFrom('Name', 'Zustand', 'Wert', 'a: b', '# x', '"', 'custom_fields.a: b'),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(header, { minLength: 1, maxLength: 6, selector: (text) => text.trim().toLowerCase() }),
        fc.array(fc.array(cell, { minLength: 6, maxLength: 6 }), { maxLength: 8 }),
        (headers, rows) => {
          const names = headers.map((text) => text.replaceAll(/\s+/gu, ' ').trim());
          const inference = inferColumns(optionsOf(names), rows);
          const text = writeTemplate(inference, {
            name: 'any',
            file: 'any.csv',
            schema: 'x',
            texts: (index) => rows.map((cells) => cells[index] ?? ''),
          });
          parseTemplate(text, 'any.yaml');
          inferredTemplate(inference, optionsOf(names));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('counts every occurrence of a repeated cell', () => {
    const cells: Cell[] = [
      'NM',
      ' NM',
      'c. 1985',
      1999,
      '1999',
      12,
      '€ 12,50',
      'yes',
      '0',
      '',
      null,
      true,
      'GT40',
    ];
    cells.push(
      { kind: 'date', date: '2019-05-01' },
      'a;b',
      'odd word',
      '6f1ed002-ab00-4000-8000-0123456789ab',
    );
    const once = profileColumn(rowsOf({ any: cells }), 0);
    const thrice = profileColumn(rowsOf({ any: [...cells, ...cells, ...cells] }), 0);
    const times = (value: unknown): unknown => {
      if (typeof value === 'number') return 3 * value;
      if (value instanceof Map) return new Map([...value].map(([key, each]) => [key, times(each)]));
      if (Array.isArray(value)) return value;
      return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, times(each)]));
    };
    expect(thrice).toEqual({ ...(times(once) as object), distinct: once.distinct });
    expect(once).toMatchObject({
      filled: 15,
      distinct: 13,
      years: 4,
      zeros: 1,
      ids: 1,
      lists: 1,
      examples: ['NM', 'c. 1985', '1999'],
    });
  });
});
