/** Headers that people cut short, in the languages of the word lists. */
import { expect, test } from 'vitest';
import { isQuantityHeader } from '../../src/mapping/columns/columns.ts';
import { findSynonyms } from '../../src/mapping/synonyms.ts';

test.each([
  ['Bj.', 'release_year'],
  ['Yr', 'release_year'],
  ['Yr.', 'release_year'],
  ['Zust.', 'condition'],
  ['Cond.', 'condition'],
  ['Herst.', 'brand'],
  ['Mfr', 'brand'],
  ['Bez.', 'name'],
  ['Verp.', 'packaging'],
  ['Est. Value', 'estimated_value'],
  ['Wert (€)', 'estimated_value'],
  ['sneakerName', 'name'],
  ['part_name', 'name'],
  ['Album/Single', 'name'],
  ['FAMILY / MODEL (as on the box)', 'name'],
  ['Имя', 'name'],
  ['Sello', 'brand'],
  ['Estilo', 'tags'],
  ['Género', 'tags'],
  ['Cotation', 'estimated_value'],
  ['Regular price', 'estimated_value'],
  ['Date de publication', 'release_year'],
  ['Fecha de lanzamiento', 'release_year'],
  ['Data_Pubblicazione', 'release_year'],
  ['Date of issue', 'release_year'],
  ['labels', 'brand'],
  ['theme_name', 'series'],
  ['price_amount', 'estimated_value'],
  ['Назва', 'name'],
  ['Виробник', 'brand'],
  ['Ціна', 'estimated_value'],
  ['中文名称', 'name'],
  ['出版时间', 'release_year'],
  ['品相', 'condition'],
  ['이름', 'name'],
  ['가격', 'estimated_value'],
  ['Výrobce', 'brand'],
  ['Värde', 'estimated_value'],
])('%s is recognised as %s', (header, field) => {
  expect(findSynonyms(header)[0]?.field).toBe(field);
});

test('the label of a record is preferred to its artist as the brand', () => {
  const rankOf = (header: string) => findSynonyms(header).find(({ field }) => field === 'brand')?.rank ?? NaN;
  expect(rankOf('labels')).toBeLessThan(rankOf('artist'));
});

test.each(['Stk', 'Stk.', 'Anz.', 'Qty', 'QTY.', 'Pcs', 'Qté', 'Cant.', 'Q.tà', 'Stuks'])(
  '%s is a quantity, not a field',
  (header) => {
    expect(isQuantityHeader(header)).toBe(true);
    expect(findSynonyms(header)).toEqual([]);
  },
);
