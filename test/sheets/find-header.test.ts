import { describe, expect, it } from 'vitest';
import type { Cell } from '../../src/sheets/cell.ts';
import { findHeader } from '../../src/sheets/find-header.ts';
import { isRepeatedHeader } from '../../src/sheets/special-rows.ts';
import { isSummaryRow } from '../../src/sheets/summary-rows.ts';

function headerRow(rows: Cell[][], wanted?: number): number | undefined {
  const place = findHeader(
    rows.map((cells, index) => ({ number: index + 1, cells })),
    wanted,
  );
  return place && place.index + 1;
}

const TOYS = Array.from({ length: 30 }, (_, row): Cell[] => [`Toy ${row}`, 'Acme', 1970 + row, row / 4]);

describe('findHeader', () => {
  it.each<[what: string, row: number | undefined, rows: Cell[][]]>([
    [
      'the first row',
      1,
      [
        ['Name', 'Year'],
        ['A', 1999],
      ],
    ],
    [
      'next to a column in which a program counts the rows',
      1,
      [
        ['', 'Name', 'Price'],
        ...Array.from({ length: 8 }, (_, row): Cell[] => [
          `${row}`,
          `Toy ${row} of ten`,
          row === 4 ? 'from 46.00' : '71.00',
        ]),
      ],
    ],
    [
      'next to a block of statistics with longer rows',
      1,
      [
        ['Name', 'Brand', 'Year', null, null, null],
        ...Array.from({ length: 20 }, (_, row): Cell[] => [
          `Toy ${row}`,
          'Acme',
          'x',
          null,
          ...(row < 8 ? ['Brand', row === 1 ? 'Share' : 5, 'Count', 'Mean'] : []),
        ]),
      ],
    ],
    [
      'to the right of a block of labels and numbers',
      1,
      [
        ['Statistics', null, null, 'Name', 'Brand', 'Year', 'Value'],
        ...TOYS.map((toy, row): Cell[] => [
          ...(row < 9 ? [`Label ${row}`, row] : [null, null]),
          null,
          ...toy,
        ]),
      ],
    ],
    [
      'next to a block without a gap',
      1,
      [
        ['Name', 'Brand', null, null],
        ...TOYS.map(([name = null, brand = null], row): Cell[] => [
          name,
          brand,
          ...(row < 12 ? [`Label ${row}`, row] : []),
        ]),
      ],
    ],
    ...[5, 25, 60].flatMap((count): [string, number, Cell[][]][] => {
      const statistics = Array.from({ length: count }, (_, row): Cell[] => [`Brand ${row}`, row * 3]);
      const table: Cell[][] = [['Name', 'Brand', 'Year', 'Value'], ...TOYS];
      return [
        [`below ${count} rows of statistics`, count + 1, [...statistics, ...table]],
        [`below ${count} rows of statistics and a gap`, count + 2, [...statistics, [], ...table]],
        [`below ${count} rows under headings`, count + 2, [['Brand', 'Count'], ...statistics, ...table]],
        [
          `below ${count} rows under headings, and a gap`,
          count + 3,
          [['Brand', 'Count'], ...statistics, [], ...table],
        ],
      ];
    }),
    [
      'above text far below that is wider',
      1,
      [
        ['Name', 'Brand'],
        ...Array.from({ length: 30 }, (_, row): Cell[] => [`Toy ${row}`, 'Acme']),
        ...Array.from({ length: 60 }, (_, row): Cell[] => [`Car ${row}`, 'Acme', `note ${row}`]),
      ],
    ],
    ['nothing in an empty sheet', undefined, [[null, ''], ['  ']]],
    ['below a title', 3, [['My toys'], [], ['Name', 'Brand', 'Year'], ['A', 'B', 1999]]],
    [
      'below a stamp of two cells, above sparse rows',
      3,
      [['Exported', '3 May'], [], ['Name', 'Brand', 'Year', 'Note'], ['A', 'B'], ['C', null, 1999]],
    ],
    [
      'below the names that pandas gives to nameless columns',
      2,
      [['Toys', 'Unnamed: 1', 'Unnamed: 2', 'Unnamed: 3'], ['Name', 'Brand', 'Year', 'Value'], ...TOYS],
    ],
    ['below column letters', 2, [['A', 'B', 'C', 'D'], ['Name', 'Brand', 'Year', 'Value'], ...TOYS]],
    [
      'below numbered columns',
      2,
      [['Spalte1', 'Spalte2', 'Spalte3', 'Spalte4'], ['Name', 'Marke', 'Jahr', 'Wert'], ...TOYS],
    ],
    [
      'with placeholders, above a row that may be data',
      1,
      [
        ['Column1', 'Column2'],
        ['Falcon', 'Kenner'],
        ['X-Wing', 'Kenner'],
        ['Scout', '1981'],
      ],
    ],
    ['with placeholders, above a row of data', 1, [['A', 'B', 'C', 'D'], ...TOYS]],
    [
      'below grouped headings',
      2,
      [
        ['Item', null, null, 'Money', null],
        ['Name', 'Brand', 'Year', 'Paid', 'Value'],
        ['A', 'B', 1999, 1, 2],
      ],
    ],
    [
      'above rows with one more cell',
      1,
      [
        ['Name', 'Year'],
        ['A', 1999, 'x'],
        ['B', 2000],
      ],
    ],
    [
      'above a row of text with one more cell',
      1,
      [
        ['name', 'brand'],
        ['A', 'Acme'],
        ['B', 'Acme', 'extra'],
        ['C', 'Acme'],
        ['D', 'Acme'],
      ],
    ],
    [
      'above a last row of text with one more cell',
      1,
      [
        ['id', 'status'],
        ['a', 'sold'],
        ['b', 'archived', 'extra'],
      ],
    ],
    [
      'below a stamp of two cells, without rows',
      2,
      [
        ['Exported', '3 May'],
        ['Name', 'Brand', 'Year', 'Note'],
      ],
    ],
    [
      'with years as headers',
      1,
      [
        ['Name', 'Brand', '2019', '2020'],
        ['A', 'B', 1, 2],
      ],
    ],
    [
      'above a table of text',
      1,
      [
        ['Name', 'Note'],
        ['A', 'b'],
        ['C', 'd'],
      ],
    ],
    ['of a table with one column', 1, [['Name'], ['A'], ['B']]],
    ['alone', 1, [['Name', 'Year']]],
    [
      'of numbers, if there is nothing else',
      1,
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ])('finds the header: %s', (_, row, rows) => {
    expect(headerRow(rows)).toBe(row);
  });

  it('uses the given header row', () => {
    expect(
      headerRow(
        [
          ['a', 'b'],
          ['c', 'd'],
          ['e', 'f'],
        ],
        2,
      ),
    ).toBe(2);
    expect(headerRow([['a', 'b'], [], ['e', 'f']], 2)).toBeUndefined();
  });

  it('finds where the table begins and ends', () => {
    const rows: Cell[][] = [
      [null, null, 'Name', 'Brand', 'Year'],
      [null, 1, 'A', 'x', 1999, null, 'far'],
      [null, 2, 'B', 'y', 2000],
      [null, 3, 'C'],
    ];
    expect(findHeader(rows.map((cells, index) => ({ number: index + 1, cells })))).toEqual({
      index: 0,
      first: 1,
      last: 4,
    });
  });
});

describe('a block next to the table', () => {
  const within = (rows: Cell[][]) =>
    findHeader(rows.map((cells, index) => ({ number: index + 1, cells })))?.within;

  it.each<[string, { first: number; end: number } | undefined, (row: number) => Cell[]]>([
    ['on the left', { first: 3, end: 7 }, (row) => (row < 10 ? [`Label ${row}`, row, null] : [])],
    ['is only a column of marks', undefined, (row) => (row < 10 ? ['x', null] : [])],
  ])('%s', (_, expected, left) => {
    const gap = left(0).length;
    expect(
      within([
        [...Array.from({ length: gap }, () => null), 'Name', 'Brand', 'Year', 'Value'],
        ...TOYS.map((toy, row) => [
          ...Object.assign(
            Array.from({ length: gap }, () => null),
            left(row),
          ),
          ...toy,
        ]),
      ]),
    ).toEqual(expected);
  });

  it('below another block is left out; columns with few filled rows are kept', () => {
    const beside = (right: (row: number) => Cell[]) =>
      within([
        ['Name', 'Brand', 'Year', 'Value', null, 'Brand', 'Count'],
        ...TOYS.map((toy, row): Cell[] => [...toy, null, ...right(row)]),
      ]);
    const second = (row: number): Cell[] => (row === 7 ? ['Decade', 'Count'] : [`${row}0s`, row]);
    const first = (row: number): Cell[] => (row < 6 ? [`Brand ${row}`, row] : []);
    expect(beside((row) => (row > 6 && row < 14 ? second(row) : first(row)))).toEqual({ first: 0, end: 5 });
    expect(beside((row) => (row % 4 === 0 && row < 20 ? [`Buyer ${row}`, row] : []))).toBeUndefined();
  });

  it('is recognised without a gap if it contains statistics, but only after a gap if few rows of its columns are filled', () => {
    const beside = (names: Cell[], right: (row: number) => Cell[]) =>
      within([
        ['Name', 'Brand', 'Year', 'Value', ...names],
        ...TOYS.map((toy, row): Cell[] => [...toy, ...right(row)]),
      ]);
    const FIGURES: Cell[][] = [
      ['Total value', 120.5],
      ['Average', 6],
      ['Items', 20],
      ['Brands', 3],
    ];
    const figures = (row: number) => FIGURES[row] ?? [];
    expect(beside([], figures)).toEqual({ first: 0, end: 4 });
    expect(beside(['Statistics'], figures)).toEqual({ first: 0, end: 4 });
    expect(beside(['Buyer', 'Paid'], (row) => (row < 4 ? [`Buyer ${row}`, row] : []))).toBeUndefined();
    expect(beside(['Total', 'Average'], () => [3, 4])).toBeUndefined();
  });

  it('is read as the table if it is on the left and has names, even if it is shorter', () => {
    expect(
      within([
        ['Name', 'Year', null, 'Brand', 'Count', 'Share', 'Sum'],
        ...TOYS.map((toy, row): Cell[] => [...(row < 9 ? [`Toy ${row}`, 1999] : [null, null]), null, ...toy]),
      ]),
    ).toBeUndefined();
  });
});

describe('special rows', () => {
  it.each<[boolean, Cell[]]>([
    [true, ['Total', '', '12.50']],
    [true, ['', 'Grand Total:', null, 12.5]],
    [true, ['SUMME', '', '1.234,50 €']],
    [true, ['Gesamt', '3', '(4)']],
    [true, ['Zwischensumme', '$ 4']],
    [true, ['Average value', '', 12]],
    [true, ['Number of cars:', 80]],
    [true, ['Items: 80', '', '']],
    [false, ['Items: few', '', '']],
    [false, ['Oldest', 1969]],
    [false, ['Total', '', '']],
    [false, ['Total', 'Recall', '12']],
    [false, ['Total Recall', '', '12']],
    [false, ['Sumo', '', '12']],
    [false, ['12', 'Total', '']],
    [false, ['Total', true, 3]],
    [false, [null, null]],
  ])('totals are recognised: %s for %j', (expected, cells) => {
    expect(isSummaryRow(cells)).toBe(expected);
  });

  it('a row counts as a repeated header only if it repeats all words of the header', () => {
    const headers = ['Name', '', 'Year'];
    expect(isRepeatedHeader(['Name', '', ' Year '], headers)).toBe(true);
    expect(isRepeatedHeader(['Name', null, 'Year'], headers)).toBe(true);
    expect(isRepeatedHeader(['Name', '', ''], headers)).toBe(false);
    expect(isRepeatedHeader(['Name', 'x', 'Year'], headers)).toBe(false);
    expect(isRepeatedHeader(['', ''], ['', ''])).toBe(false);
  });
});
