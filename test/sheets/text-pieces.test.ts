import * as fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { TextPieces } from '../../src/sheets/text-pieces.ts';

test('text pieces return the added text in UTF-8, whatever its length', () => {
  const text = fc
    .tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom(1, 10, 20_000))
    .map(([unit, times]) => unit.repeat(times));
  fc.assert(
    fc.property(fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 4 }), (rounds) => {
      const pieces = new TextPieces(1000);
      const taken = rounds.map((texts) => {
        for (const each of texts) pieces.add(each);
        return pieces.take();
      });
      const expected = rounds.map((texts) => Buffer.from(texts.map((each) => each.toWellFormed()).join('')));
      expect(taken.map((each, index) => each.equals(expected[index] ?? Buffer.alloc(0)))).toEqual(
        rounds.map(() => true),
      );
    }),
    { numRuns: 60 },
  );
});
