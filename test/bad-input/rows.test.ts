import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { csv, parseCsv } from '../support/csv.ts';
import { type BadInput, check } from './check.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

interface BadRow {
  name: string;
  header: string;
  cell: string | (() => string);
  /** `_error_code` and `_error` of the rejects file. */
  code: string;
  error: (string | RegExp)[];
}

/** Cells that make their row invalid; the good row beside each is not sent either. */
const CELLS: BadRow[] = [
  {
    name: 'a name of 256 characters',
    header: 'name',
    cell: 'x'.repeat(256),
    code: 'too_long',
    error: [/256 characters/, /at most 255/],
  },
  { name: '256 emoji', header: 'name', cell: '🧸'.repeat(256), code: 'too_long', error: [/256 characters/] },
  { name: 'no name', header: 'name', cell: '', code: 'required', error: [/name/] },
  {
    name: 'a negative value',
    header: 'value',
    cell: '-5',
    code: 'negative',
    error: ['-5', /at least 0|0 or more/],
  },
  { name: 'NaN', header: 'value', cell: 'NaN', code: 'not_a_number', error: ['"NaN"', /amount/] },
  { name: '1e999', header: 'value', cell: '1e999', code: 'not_a_number', error: ['1e999', /amount/] },
  {
    name: 'an unknown condition',
    header: 'condition',
    cell: 'Z7',
    code: 'unknown_word',
    error: ['"Z7"', /mint_on_card/, /damaged/],
  },
  {
    name: 'collection_id of another team',
    header: 'collection_id',
    cell: () => sandbox.control.addTeam().collections[0]?.id ?? '',
    code: 'unknown_collection',
    error: [/collection/, /Main/],
  },
];

it.each(CELLS)('$name', async ({ name, header, cell, code, error }) => {
  const text = typeof cell === 'string' ? cell : cell();
  const headers = header === 'name' ? ['name', 'brand'] : ['name', header];
  const mend = header === 'name' ? [text, 'Acme'] : ['Robot', text];
  const good = header === 'name' ? ['Bear', 'Steiff'] : ['Bear', ''];
  const { at, stdout } = await check(
    {
      name,
      real: name === 'year 1967',
      make: (place) => {
        place.file('toys.csv', csv(headers, [good, mend]));
        return ['import', 'toys.csv', '--collection', 'Main'];
      },
      exit: 3,
      state: 'planned',
      rows: { read: 2, invalid: 1, pending: 1, created: 0 },
      says: [/row/, /Nothing was sent/, /toys\.rejects\.csv/, /jobs apply .* --skip-invalid/],
    },
    sandbox,
  );
  const { files } = JSON.parse(stdout) as { files: { rejects: string } };
  expect(files.rejects).toBe(join(at.folder, 'toys.rejects.csv'));
  const rejects = parseCsv(readFileSync(files.rejects, 'utf8'));
  expect(rejects).toHaveLength(1);
  expect(rejects[0]).toMatchObject({ _row: '3', _state: 'invalid', _error_code: code });
  for (const words of error) expect(rejects[0]?.['_error']).toMatch(words);
});

it('255 emoji count as 255 characters, and are a valid name', async () => {
  const bad: BadInput = {
    name: '255 emoji',
    make: (place) => {
      place.file('toys.csv', csv(['name'], [['🧸'.repeat(255)]]));
      return ['import', 'toys.csv', '--collection', 'Main'];
    },
    exit: 0,
    state: 'done',
    rows: { created: 1 },
    sends: 1,
    says: [],
  };
  await check(bad, sandbox);
});

it('a file that is not UTF-8 although --encoding says so is reported with the row and the right option', async () => {
  const { stdout } = await check(
    {
      name: 'not UTF-8',
      make: ({ folder }) => {
        writeFileSync(
          join(folder, 'toys.csv'),
          Buffer.from('name,brand\nB\xe4r,Steiff\nRobot,Acme\n', 'latin1'),
        );
        return ['import', 'toys.csv', '--collection', 'Main', '--encoding', 'utf-8'];
      },
      exit: 3,
      rows: { invalid: 1, pending: 1 },
      says: [/row/, /not UTF-8/, /name the encoding of the file/],
    },
    sandbox,
  );
  const { files } = JSON.parse(stdout) as { files: { rejects: string } };
  expect(readFileSync(files.rejects, 'utf8')).toContain('bad_encoding');
});

const WHOLE: BadInput[] = [
  {
    name: 'no collection',
    make: (at) => {
      at.file('toys.csv', csv(['name'], [['Robot']]));
      return ['import', 'toys.csv'];
    },
    exit: 2,
    code: 'no_collection',
    says: [/--collection/, 'Main'],
  },
  {
    name: 'an unknown collection',
    make: (at) => {
      at.file('toys.csv', csv(['name'], [['Robot']]));
      return ['import', 'toys.csv', '--collection', 'Mian'];
    },
    exit: 2,
    code: 'unknown_collection',
    says: ['"Mian"', 'Main'],
  },
  {
    name: "--collection with another team's id",
    make: (at) => {
      at.file('toys.csv', csv(['name'], [['Robot']]));
      return ['import', 'toys.csv', '--collection', sandbox.control.addTeam().collections[0]?.id ?? ''];
    },
    exit: 2,
    code: 'unknown_collection',
    says: [/There is no collection "[0-9a-f-]{36}"/, 'Choose a collection: Main'],
  },
];

it.each(WHOLE)('$name', async (bad) => {
  await check(bad, sandbox);
});
