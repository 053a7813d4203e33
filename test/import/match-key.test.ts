/** Keys of `--match` on servers that keep values in their own way: the same upsert again makes no doubles. */
import { describe, expect, it } from 'vitest';
import { itemKey } from '../../src/import/changes/match-key.ts';
import { csv } from '../support/csv.ts';
import { openImport, type OpenImport } from '../support/open-import.ts';

async function upsertTwice(it: OpenImport, header: string[], rows: string[][], match: string[]) {
  const file = await it.file('toys.csv', csv(header, rows));
  const request = { file, mode: 'upsert', match } as const;
  const first = await it.import(request);
  expect([first.exitCode, first.summary.rows]).toMatchObject([0, { created: rows.length }]);
  const second = await it.import(request);
  expect([second.exitCode, second.summary.rows]).toMatchObject([0, { created: 0, unchanged: rows.length }]);
  expect(it.items()).toHaveLength(rows.length);
}

describe('an upsert that is repeated', () => {
  it('finds its items again if the server collapses white space', async () => {
    await using it = await openImport({ storing: { collapseSpaces: true } });
    const names = ['Red  Car', 'Blue\u00a0Car', 'Green Car'];
    await upsertTwice(
      it,
      ['name'],
      names.map((name) => [name]),
      ['name'],
    );
  });

  it('finds its items again by a key that the server rounds', async () => {
    await using it = await openImport({ storing: { roundValues: true } });
    const rows = [
      ['Falcon', '12.126'],
      ['Falcon', '7.5'],
    ];
    await upsertTwice(it, ['name', 'estimated_value'], rows, ['name', 'estimated_value']);
  });
});

describe('a key', () => {
  const keyOf = (name: string, changes: Parameters<typeof itemKey>[1]['changes'] = []) =>
    itemKey({ name }, { match: ['name'], changes });

  it.each([' ', '  ', '\u00a0', '\t', '\u2009', '\u202f', '\u3000', '\u0085', ' \u00a0\u2003'])(
    'is the same with any white space: %j',
    (space) => {
      expect(keyOf(`${space}Red${space}Car${space}`)).toBe(keyOf('red car'));
    },
  );

  it('keeps words apart, and is empty if there is only white space', () => {
    expect(keyOf('Redcar')).not.toBe(keyOf('Red Car'));
    expect(keyOf(' \u00a0')).toBe('');
  });

  it('folds compatible characters only if the server has been seen to fold them', () => {
    expect(keyOf('Ａ1')).not.toBe(keyOf('A1'));
    expect(keyOf('Ａ1', ['nfkc'])).toBe(keyOf('A1', ['nfkc']));
  });
});
