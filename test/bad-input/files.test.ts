import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Place } from '../cli/run-shelflift.ts';
import { makeBook, makeZip } from '../sheets/support/files.ts';
import { label, makeXls, record, u16 } from '../sheets/support/make-xls.ts';
import { protectAgile } from '../sheets/support/protect.ts';
import { type BadInput, check } from './check.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** `import NAME --collection Main` of a file with this content. */
function importOf(name: string, content: string | Uint8Array, ...more: string[]) {
  return ({ folder }: Place) => {
    writeFileSync(join(folder, name), content);
    return ['import', name, '--collection', 'Main', ...more];
  };
}

const sheet = (rows: string) => makeBook({ sheets: `<sheetData>${rows}</sheetData>` });
const text = (reference: string, value: string) => `<c r="${reference}" t="str"><v>${value}</v></c>`;
const BOOK = sheet(
  `<row r="1">${text('A1', 'Name')}${text('B1', 'Year')}</row><row r="2">${text('A2', 'Robot')}</row>`,
);

const OLD_BOOK = makeXls({
  sheets: [{ name: 'Toys', records: [label(0, 0, 'Name'), label(1, 0, 'Robot')] }],
});

const FILES: BadInput[] = [
  {
    name: 'no file',
    real: true,
    make: () => ['import', 'toys.csv', '--collection', 'Main'],
    exit: 2,
    code: 'no_such_file',
    says: ['There is no file', 'toys.csv', /Check the name/],
  },
  {
    name: 'a folder',
    make: ({ folder }) => {
      mkdirSync(join(folder, 'toys.csv'));
      return ['import', 'toys.csv', '--collection', 'Main'];
    },
    exit: 2,
    code: 'is_a_folder',
    says: ['toys.csv is a folder', /Name a file in/],
  },
  {
    name: 'an empty file',
    make: importOf('toys.csv', ''),
    exit: 2,
    code: 'empty_file',
    says: ['toys.csv is empty', /right file/],
  },
  {
    name: 'a header only',
    make: importOf('toys.csv', 'name,year\n'),
    exit: 2,
    code: 'no_rows',
    says: ['toys.csv', /header in row 1/, /no row below/],
  },
  {
    name: 'a header only, in a workbook',
    make: importOf('toys.xlsx', sheet(`<row r="1">${text('A1', 'Name')}${text('B1', 'Year')}</row>`)),
    exit: 2,
    code: 'no_rows',
    says: ['toys.xlsx', 'Sheet1', /no row below/],
  },
  {
    name: 'a binary',
    make: importOf('toys.csv', Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256))),
    exit: 2,
    code: 'binary',
    says: ['toys.csv', /neither text nor a spreadsheet/, /\.xlsx or as CSV/],
  },
  {
    name: 'a picture',
    make: importOf('toys.xlsx', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')),
    exit: 2,
    code: 'binary',
    says: [/PNG format/],
  },
  {
    name: 'an .xls of Excel 4.0',
    make: importOf('toys.xls', record(0x0409, u16(0, 0x10, 0))),
    exit: 2,
    code: 'old_xls',
    says: [/Excel 4\.0 or older/, /save it as \.xlsx or as CSV/],
  },
  {
    name: 'a password-protected .xls',
    make: importOf(
      'toys.xls',
      makeXls({
        sheets: [],
        globals: [record(0x002f, Buffer.concat([u16(1), u16(1), u16(1), Buffer.alloc(48)]))],
      }),
    ),
    exit: 2,
    code: 'password_protected',
    says: ['toys.xls', /protected by a password/, /Set SHELFLIFT_FILE_PASSWORD/],
  },
  {
    name: 'a truncated .xls',
    make: importOf('toys.xls', OLD_BOOK.subarray(0, OLD_BOOK.length - 700)),
    exit: 2,
    code: 'truncated',
    says: ['toys.xls', /cut off/, /Download/],
  },
  {
    name: 'a password-protected .xlsx',
    make: importOf('toys.xlsx', protectAgile(BOOK)),
    exit: 2,
    code: 'password_protected',
    says: ['toys.xlsx', /protected by a password/, /Set SHELFLIFT_FILE_PASSWORD/],
  },
  {
    name: 'a truncated .xlsx',
    make: importOf('toys.xlsx', BOOK.subarray(0, BOOK.length - 200)),
    exit: 2,
    code: 'truncated',
    says: ['toys.xlsx', /[Dd]ownload|copy/],
  },
  {
    name: 'a zip that is not a workbook',
    make: importOf('toys.xlsx', makeZip({ 'photos/robot.jpg': 'x' })),
    exit: 2,
    code: 'not_a_workbook',
    says: ['toys.xlsx', /ZIP format/],
  },
  {
    name: 'an HTML page named .xls',
    make: importOf('toys.xls', '<html><body><table><tr><td>Name</td></tr></table></body></html>'),
    exit: 2,
    code: 'html',
    says: [/web page \(HTML\)/, /save it as \.xlsx or as CSV/],
  },
  {
    name: 'a wrong delimiter',
    make: importOf('toys.csv', 'name;year\nRobot;1985\nBear;1999\n', '--delimiter', ','),
    exit: 2,
    code: 'no_name_column',
    says: ['toys.csv, row 1', /A "name;year"/, /--delimiter ';'/],
  },
  {
    name: 'a delimiter of two characters',
    make: importOf('toys.csv', 'name;;year\nRobot;;1985\n', '--delimiter', ';;'),
    exit: 2,
    code: 'bad_delimiter',
    says: [/one character or "tab"/, /";;"/],
  },
  {
    name: 'an unclosed quote',
    make: importOf('toys.csv', `name,brand\nBear,Steiff\nRobot,"Acme\n${'some words\n'.repeat(8000)}`),
    exit: 2,
    code: 'unclosed_quote',
    says: ['toys.csv, row 3', /opened on line 3 \(byte 23\) and never closed/],
  },
  {
    name: 'a CSV with one row of 10 MB',
    make: importOf('toys.csv', `name,brand\nRobot,"${'x'.repeat(10_000_000)}"\nBear,Steiff\n`),
    exit: 2,
    code: 'limit_record_size',
    says: ['toys.csv', /line 2 \(byte 11\) is longer than 8 million characters/, /quote/],
  },
  {
    name: '20,000 columns in a CSV',
    make: importOf(
      'toys.csv',
      `name,${Array.from({ length: 20_000 }, (_, at) => `c${at}`).join(',')}\nRobot${',1'.repeat(20_000)}\n`,
    ),
    exit: 2,
    code: 'limit_columns',
    says: ['toys.csv', /Row 1 has 20,001 columns/, /at most 16,384/],
  },
  {
    name: '20,000 columns in a workbook',
    make: importOf('toys.xlsx', sheet(`<row r="1">${text('A1', 'Name')}${text('ACOG1', 'Year')}</row>`)),
    exit: 2,
    code: 'limit_columns',
    says: ['toys.xlsx', 'Sheet1', 'ACOG1', /XFD/],
  },
  {
    name: 'an unknown encoding',
    make: importOf('toys.csv', 'name\nRobot\n', '--encoding', 'klingon'),
    exit: 2,
    code: 'bad_encoding_name',
    says: ['klingon', 'utf-8'],
  },
  {
    name: 'a repeated header',
    make: importOf('toys.csv', 'name,year,Name\nRobot,1985,Robo\n'),
    exit: 2,
    code: 'unsure_mapping',
    says: ['toys.csv', /"Name" \(column C\) may be the name too/, /--map name=A/],
  },
  {
    name: 'no column for the name',
    make: importOf('toys.csv', 'brand,year\nAcme,1985\n'),
    exit: 2,
    code: 'no_name_column',
    says: ['toys.csv, row 1', /A "brand", B "year"/, /--map "?name=/],
  },
  {
    name: 'an unknown sheet',
    make: importOf('toys.xlsx', BOOK, '--sheet', '2019'),
    exit: 2,
    code: 'no_such_sheet',
    says: ['toys.xlsx', '"2019"', '"Sheet1"'],
  },
  {
    name: 'an unknown template',
    make: importOf('toys.csv', 'name\nRobot\n', '--template', 'dolls'),
    exit: 2,
    code: 'no_such_template',
    says: ['"dolls"', 'generic', 'action-figures'],
  },
  {
    name: 'a YAML error in a template',
    make: (at) => {
      at.file('mine.yaml', 'name: mine\ndescription: my toys\ncolumns:\n  name: [Titel\n  brand: Marke\n');
      return importOf('toys.csv', 'name\nRobot\n', '--template', 'mine.yaml')(at);
    },
    exit: 2,
    code: 'bad_template',
    says: [/mine\.yaml:[45]:\d+: /],
  },
  {
    name: 'a template with an unknown key',
    make: (at) => {
      at.file('mine.yaml', 'name: mine\ndescription: my toys\ncolums:\n  name: Titel\n');
      return importOf('toys.csv', 'name\nRobot\n', '--template', 'mine.yaml')(at);
    },
    exit: 2,
    code: 'bad_template',
    says: [/mine\.yaml:3:1: colums: is unknown/],
  },
];

it.each(FILES)('$name', async (bad) => {
  await check({ asksNothing: true, ...bad }, sandbox);
});
