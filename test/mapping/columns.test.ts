import { english } from '../../src/messages/message.ts';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { compile, type Overrides } from './helpers.ts';

/** Header → target or, in brackets, why not. */
function use(headers: string[], overrides: Overrides = {}): string[] {
  return compile(headers, overrides).columns.map(({ target, reason }) => target ?? `(${english(reason)})`);
}

function errorOf(headers: string[], overrides: Overrides): UsageError {
  try {
    compile(headers, overrides);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('expected a UsageError');
}

describe('guessing columns', () => {
  test('uses field names and synonyms; case, spaces, punctuation and accents do not count', () => {
    expect(
      use(['NAME', 'Toy-Line', 'MAKER', 'Release Year', 'Cond.', 'Verpackung', 'Schatzwert', 'étiquettes']),
    ).toEqual([
      'name',
      'series',
      'brand',
      'release_year',
      'condition',
      'packaging',
      'estimated_value',
      'tags',
    ]);
  });

  test('ignores text in brackets after a known word', () => {
    expect(use(['Name (English)', 'Value (EUR)', 'Year [approx.]'])).toEqual([
      'name',
      'estimated_value',
      'release_year',
    ]);
  });

  test('gives reasons', () => {
    const { columns } = compile(['name', 'Maker', '_row', 'created_at', 'Width', '']);
    expect(columns.map(({ reason }) => english(reason))).toEqual([
      'by name',
      'synonym "maker"',
      'begins with _',
      'read-only',
      'not known',
      'no header',
    ]);
    expect(columns[1]).toMatchObject({ header: 'Maker', letter: 'B', target: 'brand' });
  });

  test('prefers the exact name wherever it is, then the better synonym, and reports the other column', () => {
    expect(use(['Title', 'name', 'Model'])).toEqual([
      '(name is taken from column B)',
      'name',
      '(name is taken from column B)',
    ]);
    expect(use(['Title', 'Item Name'])).toEqual(['(name is taken from column B)', 'name']);
  });

  test('refuses two headers that both name a field exactly, unless the user chooses one', () => {
    expect(errorOf(['name', 'Name'], {}).code).toBe('duplicate_column');
    expect(errorOf(['name', 'custom_fields.a', 'custom_fields.a'], {}).code).toBe('duplicate_column');
    expect(use(['name', 'Name'], { map: { name: 'B' } })).toEqual(['(name is taken from column B)', 'name']);
  });

  test('finds the collection by name or id, and prefers the id', () => {
    expect(use(['name', 'Collection'])).toEqual(['name', 'collection']);
    expect(use(['name', 'collection', 'collection_id'])).toEqual([
      'name',
      '(collection is taken from column C)',
      'collection',
    ]);
  });

  test('uses ids only for updates, and never guesses a quantity', () => {
    expect(use(['id', 'name'])[0]).toMatch(/^\(the service assigns ids/);
    expect(use(['Item ID', 'name'], { mode: 'update', match: ['id'] })).toEqual(['id', 'name']);
    expect(compile(['name', 'Qty']).columns[1]?.reason.actions).toMatchObject([
      { do: 'setOption', option: 'map', value: 'quantity=Qty' },
    ]);
    expect(use(['name', 'quantity'], { map: { quantity: 'quantity' } })).toEqual(['name', 'quantity']);
  });

  test('reads everything after "custom_fields." as one literal key', () => {
    expect(use(['name', 'custom_fields.a.b c'])).toEqual(['name', 'custom_fields.a.b c']);
    const row = compile(['name', 'custom_fields.a.b c']).mapRow(['x', '5']);
    expect(row.customFields).toEqual({ 'a.b c': { value: '5', text: '5' } });
    expect(use(['name', 'custom_fields.__proto__'])[1]).toMatch(/^\(not a valid key/);
  });

  test('turns unknown columns into custom fields on request', () => {
    expect(use(['name', 'Shelf', 'Shelf', 'currency', '_x', ''], { keepUnknown: true })).toEqual([
      'name',
      'custom_fields.Shelf',
      'custom_fields.Shelf (C)',
      'custom_fields.currency',
      '(begins with _)',
      'custom_fields.F',
    ]);
    expect(use(['name', 'Shelf', 'Room'], { template: { name: 't', keepUnknown: ['room'] } })).toEqual([
      'name',
      '(not known)',
      'custom_fields.Room',
    ]);
  });

  test('finds a custom field of --match by its header', () => {
    const options: Overrides = { mode: 'update', match: ['custom_fields.our_no'] };
    expect(use(['Our No', 'status'], options)).toEqual(['custom_fields.our_no', 'status']);
    expect(errorOf(['Number', 'status'], options).code).toBe('no_match_column');
    const { actions } = errorOf(['our_no', 'status'], { mode: 'update', match: ['our_no'] });
    expect(actions).toMatchObject([{ option: 'match', value: 'custom_fields.our_no' }]);
    expect(use(['Number', 'status'], { ...options, map: { 'custom_fields.our_no': 'Number' } })[0]).toBe(
      'custom_fields.our_no',
    );
  });
});

describe('--map', () => {
  test('accepts a header, folded header, or letter, and prefers the header', () => {
    expect(use(['A', 'b'], { map: { name: 'B' } })).toEqual(['(not known)', 'name']);
    expect(use(['B', 'x'], { map: { name: 'B' } })).toEqual(['name', '(not known)']);
    expect(use(['Whatsit!', 'x'], { map: { name: 'whatsit' } })).toEqual(['name', '(not known)']);
  });

  test('overrides the template and guesses; one column may fill two fields', () => {
    expect(
      use(['name', 'Other'], { map: { name: 'Other' }, template: { name: 't', columns: { name: 'name' } } }),
    ).toEqual(['(name is taken from column B)', 'name']);
    expect(use(['Thing'], { map: { name: 'Thing', 'custom_fields.label': 'Thing' } })).toEqual([
      'name, custom_fields.label',
    ]);
  });

  test('reports an impossible column with a list of the possible columns', () => {
    expect(errorOf(['name'], { map: { nmae: 'name' } })).toMatchObject({ code: 'unknown_field' });
    expect(errorOf(['Thing'], { map: { name: 'Title' } }).remedy).toContain('A "Thing"');
    expect(errorOf(['x', '_state'], { map: { name: '_state' } }).code).toBe('unknown_column');
    expect(errorOf(['x', 'x'], { map: { name: 'x' } })).toMatchObject({ code: 'duplicate_column' });
  });
});

test('without a name column, the error shows the columns and the remedy; a default is enough', () => {
  const error = errorOf(['Thing', 'Width'], {});
  expect(error.code).toBe('no_name_column');
  expect(error.message).toContain('A "Thing", B "Width"');
  expect(error.actions[0]).toMatchObject({ do: 'setOption', option: 'map', value: 'name=HEADER' });
  expect(use(['Thing'], { defaults: { name: 'Figure' } })).toEqual(['(not known)']);
  expect(use(['id', 'status'], { mode: 'update', match: ['id'] })).toEqual(['id', 'status']);
});

test('in an update, --default is only for fields without a column', () => {
  const options = { mode: 'update' as const, match: ['id'], defaults: { status: 'sold' } };
  expect(errorOf(['id', 'status'], options).code).toBe('default_in_update');
  expect(errorOf(['id', 'Collection'], { ...options, defaults: { collection_id: 'x' } }).code).toBe(
    'bad_default',
  );
  expect(use(['id', 'brand'], options)).toEqual(['id', 'brand']);
});

test('an invalid default is refused before the first row', () => {
  expect(errorOf(['name'], { defaults: { release_year: 'soon' } })).toMatchObject({ code: 'bad_default' });
  expect(errorOf(['name'], { defaults: { colour: 'red' } })).toMatchObject({ code: 'unknown_field' });
  expect(errorOf(['name'], { defaults: { quantity: '3' } })).toMatchObject({ code: 'unknown_field' });
});
