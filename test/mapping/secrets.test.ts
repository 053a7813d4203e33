/** Columns that are never sent: passwords, access tokens and numbers of payment cards. */
import { english } from '../../src/messages/message.ts';
import { describe, expect, test } from 'vitest';
import { inferColumns } from '../../src/mapping/infer/infer-columns.ts';
import { inferredTemplate } from '../../src/mapping/infer/inferred-template.ts';
import { compileMapping } from '../../src/mapping/compile.ts';
import type { Mapping, MappingOptions } from '../../src/mapping/mapping.ts';
import { columnLetter } from '../../src/sheets/cell.ts';
import { compile } from './helpers.ts';

const NAMES = ['Falcon', 'X-Wing', 'Scout', 'Tie Fighter'];
/** Numbers that issuers publish for tests. */
const CARDS = ['4111 1111 1111 1111', '5555-5555-5555-4444', '378282246310005', '6011111111111117'];
const TOKENS = ['Aa1', 'Bb2', 'Cc3', 'Dd4'].map((part) => `ghp_${part.repeat(12)}`);

/** The mapping of a file with names and one further column, which keeps what it does not know. */
function mappingOf(header: string, cells: string[], more: Partial<MappingOptions> = {}): Mapping {
  const headers = ['Name', header];
  const options: MappingOptions = {
    headers,
    letters: headers.map((_, index) => columnLetter(index)),
    format: 'csv',
    map: {},
    defaults: {},
    mode: 'create',
    match: [],
    ...more,
  };
  const rows = cells.map((cell, index) => [NAMES[index] ?? '', cell]);
  const template = inferredTemplate(inferColumns(options, rows), options);
  return compileMapping({
    ...options,
    keepUnknown: 'unasked',
    ...(template === undefined ? {} : { template }),
  });
}

function sent(mapping: Mapping, cell: string): unknown {
  return Object.values(mapping.mapRow(['Falcon', cell]).customFields).map(({ value }) => value);
}

describe('a secret column is left out and reported', () => {
  test.each<[header: string, cells: string[]]>([
    ['Password', ['hunter2', 'letmein', 'abc', 'x']],
    ['PASSWORT', ['geheim', 'geheimer', 'a', 'b']],
    ['api_key', ['1', '2', '3', '4']],
    ['CVV', ['123', '456', '789', '012']],
    ['Number', CARDS],
    ['Value', CARDS],
    ['Title', CARDS],
    ['Token', TOKENS],
    ['Login', ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', '', '', '']],
    ['Hash', ['$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', '', '', '']],
  ])('%s', (header, cells) => {
    const mapping = mappingOf(header, cells);
    expect(sent(mapping, cells[0] ?? '')).toEqual([]);
    expect(mapping.columns[1]?.target).toBeUndefined();
    expect(mapping.notes().map(english)).toEqual([
      expect.stringMatching(new RegExp(`^B \\(${header}\\) looks like a password`, 'u')),
    ]);
  });

  test('even if a template keeps all columns', () => {
    const mapping = compile(['Name', 'Password'], {
      template: { name: 't', columns: { name: 'Name' }, keepUnknown: true },
    });
    expect(sent(mapping, 'hunter2')).toEqual([]);
  });
});

describe('a column stays a custom field', () => {
  test.each<[header: string, cells: string[]]>([
    ['Card number', ['4/102', '25', '13/165', '7']],
    ['Token', ['Goblin', 'Treasure', 'Beast', 'Food']],
    ['Secret', ['Secret Rare', 'Ultra Rare', 'Secret Rare', 'Common']],
    ['PIN', ['Mickey', 'Goofy', 'Donald', 'Pluto']],
    // One of them has the check digit of a card.
    ['Barcode', ['4006381333931', '4005556219001', '4012927940280', '4242424242424']],
    ['EAN', ['4242424242424']],
    ['IMEI', ['490154203237518', '356938035643809', '353918052107063', '357805023984942']],
  ])('%s', (header, cells) => {
    const mapping = mappingOf(header, cells);
    expect(sent(mapping, cells[0] ?? '')).toEqual([cells[0]]);
    expect(mapping.notes().map(english)).toEqual([]);
  });

  test('if a person maps it', () => {
    const mapping = mappingOf('Password', ['89631139', '46986414', '74677422', '38033121'], {
      map: { 'custom_fields.Passcode': 'Password' },
    });
    expect(sent(mapping, '89631139')).toEqual(['89631139']);
  });
});
