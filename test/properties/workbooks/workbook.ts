/** Workbooks as people make them, and what each of their rows means; files as a spreadsheet program saves them again. */
import ExcelJS from 'exceljs';
import { parse } from 'csv-parse/sync';
import * as fc from '../../support/fast-check.ts';

export type Mark = 'point' | 'comma';
export type Cell = string | number | boolean | Date | null;

/** The digits of an amount, and how somebody has entered them. */
interface AmountSpec {
  whole: number;
  decimals: string;
  as: 'number' | 'text';
  numFmt: string;
  isGrouped: boolean;
  /** Stands beside the digits, in the cell. */
  word: '' | 'USD' | '$' | 'EUR';
  /** Stands in the column of currencies. */
  beside: '' | 'USD' | 'EUR';
}

export interface RowSpec {
  name: number;
  brand: string;
  isValid: boolean;
  amount: AmountSpec | null;
  /** Who corrects the row, changes its amount, too. */
  changesAmount: boolean;
  paid: { value: number; isText: boolean } | null;
  bought: boolean;
}

export interface BookSpec {
  mark: Mark;
  /** Whether the import is told the mark. */
  isTold: boolean;
  template: 'none' | 'plain' | 'pattern';
  sheets: { name: string; rows: RowSpec[] }[];
  /** A row of the last sheet that is there a month later. */
  added: RowSpec;
}

/** An amount of undefined is none that may be sent. */
export interface Version {
  amount: number | null | undefined;
  isValid: boolean;
}

export interface Row {
  name: string;
  sheet: string;
  number: number;
  brand: string;
  paid: readonly Cell[];
  bought: string | null;
  cells: { value: Cell; numFmt?: string }[];
  original: Version;
  corrected: Version;
  /** The only version that may become an item. */
  sendable: Version;
  /** What the file says when it is corrected, by header; a function of what stands there. */
  correction: Record<string, (cell: Cell, mark: Mark) => Cell>;
}

export const HEADERS = ['name', 'brand', 'release_year', 'Value', 'Currency', 'custom_fields.paid', 'bought'];
const BOUGHT = '2024-05-03';
export const YEAR = 1984;

const amount: fc.Arbitrary<AmountSpec> = fc.record({
  whole: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 0, max: 20_000 })),
  decimals: fc.constantFrom('', '5', '50', '75', '875', '125', '250', '0625'),
  as: fc.constantFrom('number', 'text'),
  numFmt: fc.constantFrom(
    'General',
    '0.00',
    '#,##0.00',
    '#,##0.000',
    '0.00 "USD"',
    '[$$-409]#,##0.00',
    '"USD" #,##0',
    '0.00 "EUR"',
    '0.0%',
  ),
  isGrouped: fc.boolean(),
  word: fc.constantFrom('', '', '', 'USD', '$', 'EUR'),
  beside: fc.constantFrom('', '', '', 'USD', 'EUR'),
});
const row: fc.Arbitrary<RowSpec> = fc.record({
  // Now and then two rows have the same name, and perhaps everything else.
  name: fc.integer({ min: 1, max: 20 }),
  brand: fc.constantFrom('Kenner', 'Kenner', '007', 'May 2024'),
  isValid: fc.boolean(),
  amount: fc.option(amount, { freq: 8 }),
  changesAmount: fc.boolean(),
  paid: fc.option(
    fc.constantFrom(
      { value: 2.125, isText: false },
      { value: 2.5, isText: true },
      { value: 3, isText: true },
    ),
  ),
  bought: fc.boolean(),
});
const rows = fc.array(row, { minLength: 1, maxLength: 4 });
const sheetName = fc.constantFrom(
  'Toys',
  '01',
  'May 2024',
  'TRUE',
  '1.5',
  '2024-05-03',
  'Cars ',
  "O'Neil",
  '1,250',
);

export const book: fc.Arbitrary<BookSpec> = fc.record({
  mark: fc.constantFrom('point', 'comma'),
  isTold: fc.boolean(),
  template: fc.constantFrom('none', 'none', 'plain', 'pattern'),
  sheets: fc
    .uniqueArray(fc.record({ name: sheetName, rows }), {
      minLength: 1,
      maxLength: 3,
      selector: ({ name }) => name.trim().toLowerCase(),
    })
    // Sheets that begin with the same rows: only their sheets tell them apart.
    .chain((sheets) =>
      fc
        .boolean()
        .map((isSame) =>
          isSame ? sheets.map((sheet) => ({ ...sheet, rows: sheets[0]?.rows ?? sheet.rows })) : sheets,
        ),
    ),
  added: row,
});

const POINT = { point: '.', comma: ',' };
const GROUP = { point: ',', comma: '.' };

/** As a person of that country writes it. */
function written(spec: AmountSpec, mark: Mark): string {
  const whole = spec.isGrouped
    ? String(spec.whole).replace(/\B(?=(\d{3})+$)/g, GROUP[mark])
    : String(spec.whole);
  const digits = spec.decimals === '' ? whole : whole + POINT[mark] + spec.decimals;
  return spec.word === '$' ? `$${digits}` : `${digits} ${spec.word}`.trim();
}

/** The same with another first digit. */
function bumped<T extends Cell>(cell: T): T {
  const text = String(cell).replace(/\d/, (digit) => (digit === '9' ? '8' : String(Number(digit) + 1)));
  return (typeof cell === 'number' ? Number(text) : text) as T;
}

function rowOf(spec: RowSpec, sheet: string, number: number, { mark, template }: BookSpec): Row {
  const { amount: given, paid } = spec;
  const value = given === null ? null : Number(`${given.whole}.${given.decimals}`);
  const isNumber = given?.as === 'number';
  // A pattern takes the digits of an amount and leaves its currency; a percentage it would take for one.
  const numFmt = template === 'pattern' && /EUR|%/.test(given?.numFmt ?? '') ? '0.00' : given?.numFmt;
  const word = template === 'pattern' && given?.word === 'EUR' ? 'USD' : (given?.word ?? '');
  const beside = template === 'pattern' && given?.beside === 'EUR' ? '' : (given?.beside ?? '');
  const isForeign = beside === 'EUR' || (isNumber ? /EUR|%/.test(numFmt ?? '') : word === 'EUR');
  const meant = isForeign && value !== null ? undefined : value;
  const original = { amount: meant, isValid: spec.isValid };
  const isSet = meant === undefined;
  const isBumped = !isSet && value !== null && spec.changesAmount;
  const corrected = { amount: isSet ? 7.25 : isBumped ? bumped(value) : meant, isValid: true };
  return {
    name: `Toy ${spec.name}`,
    sheet,
    number,
    brand: spec.brand,
    paid:
      paid === null ? [null] : [paid.value, ...['.', ','].map((by) => String(paid.value).replace('.', by))],
    bought: spec.bought ? BOUGHT : null,
    cells: [
      { value: `Toy ${spec.name}` },
      { value: spec.brand },
      { value: spec.isValid ? YEAR : 'soon' },
      given === null
        ? { value: null }
        : isNumber
          ? { value, ...(numFmt === undefined ? {} : { numFmt }) }
          : { value: written({ ...given, word }, mark) },
      { value: given === null ? null : beside || null },
      {
        value: paid === null ? null : paid.isText ? String(paid.value).replace('.', POINT[mark]) : paid.value,
      },
      { value: spec.bought ? new Date(BOUGHT) : null },
    ],
    original,
    corrected,
    sendable: isSet || !spec.isValid ? corrected : original,
    correction: {
      ...(spec.isValid ? {} : { release_year: () => String(YEAR) }),
      ...(isSet ? { Value: (_, by) => `7${POINT[by]}25`, Currency: () => (beside === '' ? '' : 'USD') } : {}),
      ...(isBumped ? { Value: bumped } : {}),
    },
  };
}

export function rowsOf(spec: BookSpec): { rows: Row[]; added: Row } {
  const all = spec.sheets.flatMap(({ name, rows: own }) =>
    own.map((each, index) => rowOf(each, name, index + 2, spec)),
  );
  const last = spec.sheets.at(-1);
  return { rows: all, added: rowOf(spec.added, last?.name ?? '', (last?.rows.length ?? 0) + 2, spec) };
}

/** @param isCorrected whether a person has corrected the row in the workbook itself */
export async function workbook(
  rowsOfBook: readonly Row[],
  isCorrected: (row: Row) => boolean,
  mark: Mark,
): Promise<Uint8Array> {
  const made = new ExcelJS.Workbook();
  for (const [name, own] of Map.groupBy(rowsOfBook, ({ sheet }) => sheet)) {
    const sheet = made.addWorksheet(name);
    sheet.addRow(HEADERS);
    for (const each of own) {
      const line = sheet.addRow([]);
      for (const [at, { value, numFmt }] of each.cells.entries()) {
        const change = isCorrected(each) ? each.correction[HEADERS[at] ?? ''] : undefined;
        const cell = line.getCell(at + 1);
        const now = change === undefined ? value : change(value, mark);
        cell.value = HEADERS[at] === 'release_year' && change !== undefined ? YEAR : now === '' ? null : now;
        if (numFmt !== undefined) cell.numFmt = numFmt;
      }
    }
  }
  return new Uint8Array(await made.xlsx.writeBuffer());
}

export function templateOf(kind: 'plain' | 'pattern'): string {
  const pattern = kind === 'plain' ? '' : ", pattern: '([\\d.,]+)'";
  const same = ['name', 'brand', 'release_year', 'custom_fields.paid'].map(
    (column) => `  ${column}: ${column}\n`,
  );
  const rest = `  estimated_value: { from: Value${pattern} }\n  custom_fields.bought: bought\n`;
  return `name: toys\ncolumns:\n${same.join('')}${rest}`;
}

/** A file of ours as a table of texts. */
export function tableOf(text: string): { headers: string[]; lines: string[][] } {
  const [headers = [], ...lines] = parse(text, {
    bom: true,
    delimiter: /^[^\n]*;/.test(text) ? ';' : ',',
  });
  return { headers, lines };
}

/** What a program makes of the text of a CSV file when it opens it. */
export function retyped(text: string, mark: Mark): Cell {
  const [point, group] = mark === 'point' ? ['\\.', ','] : [',', '\\.'];
  if (new RegExp(`^\\d+(${point}\\d+)?$|^\\d{1,3}(${group}\\d{3})+(${point}\\d+)?$`).test(text))
    return Number(text.replaceAll(GROUP[mark], '').replace(POINT[mark], '.'));
  if (text === 'TRUE') return true;
  if (/^May 2024$/.test(text)) return new Date('2024-05-01');
  return text === BOUGHT ? new Date(BOUGHT) : text;
}

export async function saved(
  headers: readonly string[],
  lines: readonly (readonly Cell[])[],
  as: 'none' | 'csv' | 'xlsx',
  mark: Mark,
): Promise<string | Uint8Array> {
  if (as !== 'xlsx') {
    const separator = as === 'csv' && mark === 'comma' ? ';' : ',';
    return [headers, ...lines]
      .map((line) => line.map((cell) => `"${shown(cell, mark).replaceAll('"', '""')}"`).join(separator))
      .join('\r\n');
  }
  const made = new ExcelJS.Workbook();
  made
    .addWorksheet('Sheet1')
    .addRows([[...headers], ...lines.map((line) => line.map((cell) => (cell === '' ? null : cell)))]);
  return new Uint8Array(await made.xlsx.writeBuffer());
}

export function shown(cell: Cell, mark: Mark): string {
  if (typeof cell === 'number') return String(cell).replace('.', POINT[mark]);
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  if (!(cell instanceof Date)) return cell ?? '';
  return cell.getDate() === 1 ? 'May-24' : BOUGHT;
}
