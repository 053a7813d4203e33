import { expect, test } from 'vitest';
import { Approximations } from '../../../src/mapping/casts/approximate.ts';
import { BLANK, CastProblem } from '../../../src/mapping/casts/cast.ts';
import { yearCast } from '../../../src/mapping/casts/year.ts';
import { isBlankWord } from '../../../src/mapping/word-lists.ts';

const cast = yearCast({ isBlankWord });

test.each([
  ['1999', 1999],
  ['1999.0', 1999],
  ['1999,00', 1999],
  ['1999-05-01', 1999],
  ['1999-05', 1999],
  ['1999-05-01T10:00:00Z', 1999],
  ['1999/5/1', 1999],
  ['05/1999', 1999],
  ['1.5.1999', 1999],
  ['5/31/1999', 1999],
  ['31/5/1999 00:00', 1999],
  ['May 1999', 1999],
  ['12 May 1999', 1999],
  ['May 12, 1999', 1999],
  ['Sept. 1999', 1999],
  ['2024-02-29', 2024],
  ['1999-05-00', 1999],
  ['1999-00-00', 1999],
  // So do people.
  ['1999-xx-xx', 1999],
  ['1999-05-??', 1999],
  ['1999年', 1999],
  ['1999 г.', 1999],
  ['1968', 1968],
  ['2100', 2100],
  ['AD 1998', 1998],
])('%s is read as %d', (text, year) => {
  expect(cast(text, text)).toBe(year);
});

test.each([
  ['1967', 'out_of_range'],
  ['2101', 'out_of_range'],
  ['-2200', 'out_of_range'],
  ['-23', 'out_of_range'],
  ['324', 'out_of_range'],
  ['27 BC', 'out_of_range'],
  ['2000 BC', 'out_of_range'],
  ['1985 v. Chr.', 'out_of_range'],
  ['2000 до н. э.', 'out_of_range'],
  ['27 v. Chr.', 'out_of_range'],
  ['AD 98', 'out_of_range'],
  ['211–217 AD', 'out_of_range'],
  ['3rd century BCE', 'out_of_range'],
  ['Made in Washington DC', 'not_a_year'],
  ['sold ad', 'not_a_year'],
  ['99x', 'not_a_year'],
  ['87', 'two_digit_year'],
  ["'87", 'two_digit_year'],
  ['May-87', 'two_digit_year'],
  ['1/5/87', 'two_digit_year'],
  ['c. 1985', 'uncertain_year'],
  ['~1985', 'uncertain_year'],
  ['1985?', 'uncertain_year'],
  ['1985 (?)', 'uncertain_year'],
  ['1980s', 'uncertain_year'],
  ['1985-1987', 'uncertain_year'],
  ['2023-02-31', 'not_a_year'],
  ['2023-02-29', 'not_a_year'],
  ['2023-13-01', 'not_a_year'],
  ['2023-00-05', 'not_a_year'],
  ['31/02/2023', 'not_a_year'],
  ['13.13.2023', 'not_a_year'],
  ['13/2023', 'not_a_year'],
  ['31 Feb 2023', 'not_a_year'],
  ['Nov 31, 2023', 'not_a_year'],
  ['last year', 'not_a_year'],
  ['19999', 'not_a_year'],
])('%s is reported as %s', (text, code) => {
  expect(cast(text, text)).toMatchObject({ code });
});

test('a year before 1000 is offered as it is, and a year with an era as its text', () => {
  const kept = (cell: string | number) => {
    const problem = cast(String(cell), cell);
    return problem instanceof CastProblem ? problem.offers[0]?.also?.[0]?.value : problem;
  };
  expect([324, -23, '324', '27 BC', '98-117 n. Chr.'].map(kept)).toEqual([
    324,
    -23,
    324,
    '27 BC',
    '98-117 n. Chr.',
  ]);
  expect(cast('85', 85)).toMatchObject({ code: 'two_digit_year' });
  for (const zero of [0, '0', '00', '000', '0000']) expect(cast(String(zero), zero)).toBe(BLANK);
  expect(yearCast({ isBlankWord, twoDigitYears: 0 })('98', 98)).toMatchObject({ code: 'out_of_range' });
});

test('number, date and other typed cells are read by their type', () => {
  expect(cast('1999', 1999)).toBe(1999);
  expect(cast('1999-05-01', { kind: 'date', date: '1999-05-01' })).toBe(1999);
  for (const [text, cell] of [
    ['1999.5', 1999.5],
    ['36526', 36526],
    ['true', true],
    ['10:30:00', { kind: 'date' as const, date: '', time: '10:30:00' }],
  ] as const) {
    expect(cast(text, cell)).toBeInstanceOf(CastProblem);
  }
});

test('a template may accept approximate years, and words for "unknown" count as blank', () => {
  const lenient = yearCast({ approximate: new Approximations(), isBlankWord });
  for (const text of ['c. 1985', 'ca 1985', 'circa 1985', '~1985', '1985?', '1985 (?)', 'um 1985']) {
    expect(lenient(text, text)).toBe(1985);
  }
  for (const text of ['n/a', '-', '?', '??', 'Unknown', 'unbekannt', '—'])
    expect(cast(text, text)).toBe(BLANK);
});
