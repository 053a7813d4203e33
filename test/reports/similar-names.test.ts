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
  ['a different order of words', 'Vega, Captain', 'Captain Vega'],
  ['an additional letter', 'Captain Vega', 'Captainn Vega'],
  ['a missing letter at the start', 'Captain Vega', 'aptain Vega'],
  ['another letter at the end', 'Lighthouse', 'Lighthousf'],
])('names are similar despite %s', (_, a, b) => {
  expect(groups([a, b, a])).toEqual([[a, b]]);
});

test.each([
  ['other digits', 'Wave Two Series 1', 'Wave Two Series 2'],
  ['an additional digit', 'Dragon Gate 1', 'Dragon Gate 11'],
  ['short names', 'Bear', 'Boar'],
  ['two different letters', 'Lighthouse', 'Lighthxuxe'],
])('names are not similar with %s', (_, a, b) => {
  expect(groups([a, b])).toEqual([]);
});

test('names connected through others form one group, with the most frequent spelling first', () => {
  expect(groups(['Galaxy Ranger', 'Galaxy Rangers', 'galaxy rangers', 'Galaxy Rangers', 'Other'])).toEqual([
    ['Galaxy Rangers', 'Galaxy Ranger', 'galaxy rangers'],
  ]);
});
