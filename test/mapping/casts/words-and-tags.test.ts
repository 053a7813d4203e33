import { describe, expect, test } from 'vitest';
import { BLANK, CastProblem } from '../../../src/mapping/casts/cast.ts';
import { castExactTags, TAG_SEPARATORS, tagsCast } from '../../../src/mapping/casts/tags.ts';
import { WordList } from '../../../src/mapping/casts/words.ts';
import { builtInWords, isBlankText, WORD_FIELDS, type WordField } from '../../../src/mapping/word-lists.ts';

describe('words', () => {
  test.each([
    ['condition', 'MOC', 'mint_on_card'],
    ['condition', 'Mint-on-Card', 'mint_on_card'],
    ['condition', 'Loose Mint', 'loose_mint'],
    ['condition', 'BESCHADIGT', 'damaged'],
    ['packaging', 'M.I.B.', 'in_package'],
    ['packaging', 'Sealed', 'in_package'],
    ['packaging', 'sans boite', 'loose'],
    ['status', 'For Sale', 'sell'],
    ['status', 'verkauft', 'sold'],
  ] as const)('in %s, %s means %s', (field, word, value) => {
    expect(builtInWords(field).find(word)).toEqual({ value });
  });

  test.each([
    ['condition', 'mint'],
    ['condition', 'good'],
    ['condition', 'MIB'],
    ['condition', 'loose'],
    ['condition', 'C8'],
    ['packaging', 'mint'],
    ['status', 'yes'],
  ] as const)('in %s, the meaning of %s is not guessed', (field, word) => {
    expect(builtInWords(field).find(word)).toBeUndefined();
  });

  test('every value of the contract is accepted as a word, and every built-in word has a value', () => {
    for (const field of Object.keys(WORD_FIELDS) as WordField[]) {
      for (const value of WORD_FIELDS[field]) {
        expect(builtInWords(field, false).find(value)).toEqual({ value });
        expect(builtInWords(field).find(value.replaceAll('_', ' ').toUpperCase())).toEqual({ value });
      }
    }
  });

  test('words that differ only in signs are matched exactly, and a + is never ignored', () => {
    const list = new WordList<string>().add('C', 'plain').add('C-', 'minus').add('C+', 'plus');
    expect(['C', 'c-', 'C+', 'C.'].map((word) => list.find(word))).toEqual([
      'plain',
      'minus',
      'plus',
      undefined,
    ]);
  });

  test('the words of a list are searched before its fallback', () => {
    const list = new WordList<string>(new WordList<string>().add('moc', 'old').add('mib', 'kept')).add(
      'M.O.C.',
      'new',
    );
    expect([list.find('MOC'), list.find('MIB')]).toEqual(['new', 'kept']);
  });
});

describe('tags', () => {
  const cast = tagsCast(TAG_SEPARATORS, isBlankText);
  test.each([
    ['a; b ;c', ['a', 'b', 'c']],
    ['a|b;c', ['a', 'b', 'c']],
    ['Berlin, Mitte', ['Berlin, Mitte']],
    ['a;;a; ', ['a']],
    ['["a;b","c"]', ['a;b', 'c']],
    ['[draft]', ['[draft]']],
    ['unknown', ['unknown']],
  ])('%s is split correctly', (text, tags) => {
    expect(cast(text, text)).toEqual(tags);
  });

  test('a cell without tags is blank; a template can set other separators', () => {
    for (const text of [';', 'n/a', '-', '[]']) expect(cast(text, text)).toBe(BLANK);
    expect(tagsCast([','], isBlankText)('a, b', 'a, b')).toEqual(['a', 'b']);
    expect(cast('a\u0000', 'a\u0000')).toBeInstanceOf(CastProblem);
  });

  test('tags in exports are read literally', () => {
    expect(castExactTags('[" a",""]')).toEqual([' a', '']);
  });
});
