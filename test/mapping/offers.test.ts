/** Likely readings: offered with the issue, taken where a template says so; and grades by trade. */
import { english, message } from '../../src/messages/message.ts';
import { expect, test } from 'vitest';
import { ITEM_CONDITIONS, ITEM_PACKAGINGS } from '../../src/api/schemas.ts';
import type { ColumnOptions } from '../../src/mapping/template/template-column.ts';
import { mendActions } from '../../src/mapping/issue-actions.ts';
import { describeReason, IssueReasons } from '../../src/mapping/issue-reasons.ts';
import { gradesOf, offeredMeanings, TRADES } from '../../src/mapping/grades.ts';
import { WordList } from '../../src/mapping/casts/words.ts';
import type { Meaning } from '../../src/mapping/casts/cast.ts';
import type { Cell } from '../../src/sheets/cell.ts';
import { codesOf, compile, mapOne, valuesOf } from './helpers.ts';

const NO_VALUES = message('verbatim', { text: '' });
const COLUMNS = {
  condition: 'Grade',
  packaging: 'Box',
  release_year: 'Year',
  estimated_value: 'Price',
  quantity: 'Qty',
};

function mapCell(field: keyof typeof COLUMNS, cell: Cell, options: ColumnOptions = {}) {
  const columns = { [field]: { from: COLUMNS[field], ...options } };
  return mapOne({ name: 'x', [COLUMNS[field]]: cell }, { template: { name: 't', columns } });
}

function customOf(row: ReturnType<typeof mapOne>) {
  return Object.fromEntries(Object.entries(row.customFields).map(([key, { value }]) => [key, value]));
}

test.each([
  ['condition', 'Near Mint', { condition: 'loose_mint', 'custom_fields.grade': 'Near Mint' }],
  ['condition', 'MIB', { condition: 'mint_on_card', packaging: 'in_package', 'custom_fields.grade': 'MIB' }],
  ['condition', 'OVP', { condition: 'mint_on_card', packaging: 'in_package', 'custom_fields.grade': 'OVP' }],
  ['condition', 'CIB', { condition: 'loose_good', packaging: 'opened', 'custom_fields.grade': 'CIB' }],
  ['condition', 'c8', { condition: 'loose_good', 'custom_fields.grade': 'c8' }],
  ['condition', 'ss', { condition: 'loose_good', 'custom_fields.grade': 'ss' }],
  ['condition', 'Stgl', { condition: 'loose_mint', 'custom_fields.grade': 'Stgl' }],
  ['condition', 'bespielt', { condition: 'loose_fair', 'custom_fields.grade': 'bespielt' }],
  ['condition', 'muy bueno', { condition: 'loose_good', 'custom_fields.grade': 'muy bueno' }],
  ['condition', 'TRÈS BON ÉTAT', { condition: 'loose_good', 'custom_fields.grade': 'TRÈS BON ÉTAT' }],
  ['condition', 'come nuovo', { condition: 'loose_mint', 'custom_fields.grade': 'come nuovo' }],
  ['condition', 'zo goed als nieuw', { condition: 'loose_mint', 'custom_fields.grade': 'zo goed als nieuw' }],
  ['condition', 'CGC 10', { condition: 'loose_mint', 'custom_fields.grade': 'CGC 10' }],
  ['condition', '6.5', { condition: 'loose_good', 'custom_fields.grade': '6.5' }],
  [
    'condition',
    'Very Fine/Near Mint 9.0',
    { condition: 'loose_mint', 'custom_fields.grade': 'Very Fine/Near Mint 9.0' },
  ],
  [
    'condition',
    'New in 5-pack',
    { condition: 'mint_on_card', packaging: 'in_package', 'custom_fields.grade': 'New in 5-pack' },
  ],
  ['condition', 'Opened', { condition: 'loose_good', packaging: 'opened', 'custom_fields.grade': 'Opened' }],
  ['packaging', 'Polybag', { packaging: 'in_package', 'custom_fields.packaging': 'Polybag' }],
  ['packaging', 'mit OVP', { packaging: 'opened', 'custom_fields.packaging': 'mit OVP' }],
] as const)('the %s "%s" is offered with its possible meanings, but none is applied', (field, word, set) => {
  const row = mapCell(field, word);
  expect(valuesOf(row)).toEqual({ name: 'x' });
  expect(row.issues).toMatchObject([{ code: 'inexact_word', field, found: word, column: 'B' }]);
  const [offer] = row.issues[0]?.offers ?? [];
  expect(offer?.set).toEqual(set);

  // What the offer says accepts this word, and `take` all of them, to the same row.
  const accepted = mapCell(field, word, offer?.accept);
  const taken = mapCell(field, word, { offeredWords: 'take' });
  expect(accepted.issues).toEqual([]);
  expect(taken.issues).toEqual([]);
  for (const each of [accepted, taken]) {
    const custom = Object.entries(customOf(each)).map(([key, value]) => [`custom_fields.${key}`, value]);
    expect({ ...valuesOf(each), ...Object.fromEntries(custom) }).toEqual({ name: 'x', ...set });
  }
});

test('a grade whose meaning differs between trades is offered with each meaning', () => {
  const [issue] = mapCell('condition', 'Good').issues;
  expect(issue?.offers?.map(({ set }) => set['condition'])).toEqual(['loose_good', 'loose_fair']);
});

test.each([
  ['condition', 'MOC', 'mint_on_card'],
  ['condition', 'beschadigd', 'damaged'],
  ['condition', 'danneggiato', 'damaged'],
  ['packaging', 'OVP', 'in_package'],
  ['packaging', 'in doos', 'in_package'],
  ['packaging', 'senza scatola', 'loose'],
] as const)('the %s "%s" has one meaning, which is used', (field, word, value) => {
  expect(valuesOf(mapCell(field, word))).toEqual({ name: 'x', [field]: value });
});

test('the grades of one trade are certain, and the words of a template override them', () => {
  expect(valuesOf(mapCell('condition', 'LP', { grades: 'cards' }))).toMatchObject({
    condition: 'loose_good',
  });
  expect(valuesOf(mapCell('condition', 'Good (G)', { grades: 'records' }))).toMatchObject({
    condition: 'loose_fair',
  });
  expect(valuesOf(mapCell('condition', 'Sealed', { grades: 'games' }))).toMatchObject({
    condition: 'mint_on_card',
    packaging: 'in_package',
  });
  const own = mapCell('condition', 'LP', { grades: 'cards', words: { LP: 'damaged' } });
  expect(valuesOf(own)).toMatchObject({ condition: 'damaged' });
  // Other trades' grades stay offers.
  expect(codesOf(mapCell('condition', 'C8', { grades: 'cards' }))).toEqual(['inexact_word']);
});

test('unknownWords: blank also leaves out words with offers; builtInWords: false offers no meanings', () => {
  expect(mapCell('condition', 'Near Mint', { unknownWords: 'blank' })).toMatchObject({ issues: [] });
  expect(codesOf(mapCell('condition', 'Near Mint', { builtInWords: false }))).toEqual(['unknown_word']);
});

test('the value in a field’s own column overrides a word in another column', () => {
  const row = mapOne(
    { name: 'x', Condition: 'CIB', Packaging: 'loose' },
    { template: { name: 't', columns: { condition: { from: 'Condition', offeredWords: 'take' } } } },
  );
  expect(valuesOf(row)).toEqual({ name: 'x', condition: 'loose_good', packaging: 'loose' });
});

test('every grade of a trade has exactly one meaning in the contract', () => {
  for (const trade of TRADES) {
    const list = gradesOf(trade, new WordList<Meaning>());
    for (const word of ['mint', 'nm', 'good', 'vg+', 'poor', 'sealed', 'cib', 'c8', 'neu']) {
      const found = list.find(word);
      if (found !== undefined) expect(ITEM_CONDITIONS).toContain(found.value);
    }
  }
  for (const word of ['new', 'G', 'F', 'complete', 'used']) {
    for (const { value, also } of offeredMeanings('condition', word)) {
      expect(ITEM_CONDITIONS).toContain(value);
      for (const each of also ?? []) {
        if (each.field === 'packaging') expect(ITEM_PACKAGINGS).toContain(each.value);
      }
    }
  }
});

test('approximate amounts and quantities are offered, or read if the template says so', () => {
  expect(mapCell('estimated_value', 'ca. 20 €').issues).toMatchObject([
    {
      code: 'approximate_number',
      offers: [{ set: { estimated_value: 20 }, accept: { approximate: 'read' } }],
    },
  ]);
  expect(valuesOf(mapCell('estimated_value', '20-25', { approximate: 'read' }))).toMatchObject({
    estimated_value: 20,
  });
  expect(mapCell('quantity', '2x').issues).toMatchObject([
    { code: 'approximate_number', offers: [{ set: { quantity: 2 } }] },
  ]);
  expect(mapCell('quantity', '2x', { approximate: 'read' }).copies).toBe(2);
  expect(codesOf(mapCell('quantity', '2000 Stk.', { approximate: 'read' }))).toEqual(['bad_quantity']);
});

test('a row has a note for each approximate value that was read', () => {
  const options: ColumnOptions = { approximate: 'read' };
  expect(mapCell('estimated_value', '20-25 €', options).notes?.map(english)).toEqual([
    'estimated_value "20-25 €" was read as 20, the lower end of the range',
  ]);
  expect(mapCell('release_year', 'c. 1975', options).notes?.map(english)).toEqual([
    'release_year "c. 1975" was read as 1975',
  ]);
  expect(mapCell('quantity', '2x', options).notes?.map(english)).toEqual(['quantity "2x" was read as 2']);
  expect(mapCell('estimated_value', '20 €', options).notes).toBeUndefined();
});

test('an approximate amount uses the decimal mark of its column', () => {
  const mapping = compile(['name', 'Price'], {
    template: { name: 't', columns: { estimated_value: { from: 'Price', approximate: 'read' } } },
  });
  expect(codesOf(mapping.mapRow(['a', 'ca. 1.234']))).toEqual(['ambiguous_number']);
  mapping.mapRow(['b', '12,50']);
  mapping.mapRow(['c', '20-25']);
  expect(mapping.resolveDecimals()).toBe(true);
  expect(valuesOf(mapping.mapRow(['a', 'ca. 1.234']))).toEqual({ name: 'a', estimated_value: 1234 });
  expect(mapping.notes().map(english)).toContain(
    'B (Price): 1 approximate value was read, including 1 range, of which the lower end was taken ("20-25" as 20)',
  );
});

test.each([
  ['1955', 1955],
  [1955, 1955],
  ['12.05.1955', 1955],
])('a year before 1968 (%s) is an issue, blank, or kept, in its row only', (cell, year) => {
  const [issue] = mapCell('release_year', cell).issues;
  expect(issue).toMatchObject({
    code: 'out_of_range',
    offers: [
      { set: { 'custom_fields.year': year }, accept: { outOfRange: 'keep' } },
      { set: {}, accept: { outOfRange: 'blank' } },
    ],
  });
  expect(mapCell('release_year', cell, { outOfRange: 'blank' })).toMatchObject({
    fields: { name: {} },
    issues: [],
  });
  const kept = mapCell('release_year', cell, { outOfRange: 'keep' });
  expect([valuesOf(kept), customOf(kept), kept.issues]).toEqual([{ name: 'x' }, { year }, []]);
});

test('outOfRange: keep accepts years in the range, and a value that is not a year is still an issue', () => {
  const good = mapCell('release_year', '1985', { outOfRange: 'keep' });
  expect([valuesOf(good), customOf(good)]).toEqual([{ name: 'x', release_year: 1985 }, {}]);
  expect(codesOf(mapCell('release_year', 19855, { outOfRange: 'keep' }))).toEqual(['not_a_year']);
  const decade = mapCell('release_year', '1960er', { outOfRange: 'keep', approximate: 'read' });
  expect([valuesOf(decade), customOf(decade)]).toEqual([{ name: 'x' }, { year: 1960 }]);
});

test('a reason shows the possible meanings of its words, and has the corrections that choose them', () => {
  const shown = (field: keyof typeof COLUMNS, ...cells: string[]) => {
    const reasons = new IssueReasons();
    for (const [at, cell] of cells.entries()) {
      for (const issue of mapCell(field, cell).issues) reasons.add({ row: at + 2 }, issue);
    }
    return reasons
      .reasons()
      .map((reason) => [
        english(describeReason(reason).values ?? NO_VALUES),
        ...mendActions(reason, 'J').map(({ options }) => options?.['option']),
      ]);
  };
  const take = 'condition:offeredWords=take';
  expect(shown('condition', 'MIB')).toEqual([['"MIB" 1× → mint_on_card, in_package?', take]]);
  expect(shown('condition', 'MIB', 'C8', 'C8')).toEqual([
    ['"C8" 2× → loose_good?, "MIB" 1× → mint_on_card, in_package?', take],
  ]);
  expect(shown('estimated_value', '20-25')).toEqual([['', 'estimated_value:approximate=read']]);
  expect(shown('release_year', '1955')).toEqual([
    ['', 'release_year:outOfRange=keep', 'release_year:outOfRange=blank'],
  ]);
});
