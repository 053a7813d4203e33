import { expect, test } from 'vitest';
import { similarNames } from '../../src/reports/similar-names.ts';

function groups(names: readonly string[]): string[][] {
  const counted = new Map<string, number>();
  for (const name of names) counted.set(name, (counted.get(name) ?? 0) + 1);
  return similarNames(counted).map(({ spellings }) => spellings.map(({ name }) => name));
}

test.each([
  ['case', 'Tank Wagon', 'tank wagon'],
  ['accents', 'Señor Muerte', 'Senor Muerte'],
  ['punctuation', 'Robo-Scout', 'Robo Scout'],
  ['the order of words', 'Vega, Captain', 'Captain Vega'],
  ['a letter too many', 'Captain Vega', 'Captainn Vega'],
  ['a letter too few, at the start', 'Captain Vega', 'aptain Vega'],
  ['another letter, at the end', 'Lighthouse', 'Lighthousf'],
])('%s', (_, a, b) => {
  expect(groups([a, b, a])).toEqual([[a, b]]);
});

test.each([
  ['other digits', 'Wave Two Series 1', 'Wave Two Series 2'],
  ['a digit more', 'Dragon Gate 1', 'Dragon Gate 11'],
  ['short names', 'Bear', 'Boar'],
  ['two letters', 'Lighthouse', 'Lighthxuxe'],
])('not alike: %s', (_, a, b) => {
  expect(groups([a, b])).toEqual([]);
});

test('names connected through others form one group, most frequent spelling first', () => {
  expect(groups(['Galaxy Ranger', 'Galaxy Rangers', 'galaxy rangers', 'Galaxy Rangers', 'Other'])).toEqual([
    ['Galaxy Rangers', 'Galaxy Ranger', 'galaxy rangers'],
  ]);
});
