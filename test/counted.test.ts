import { expect, it } from 'vitest';
import { count, counted } from '../src/base/counted.ts';

it('numbers of any size are grouped as in English', () => {
  for (const value of [
    0, 7, 999, 1000, 12_345, 999_999, 1_234_567, 9_007_199_254_740_991, -1, -1234, 1234.567, 0.001,
  ])
    expect(count(value), String(value)).toBe(value.toLocaleString('en-US'));
  expect(count(1234.5678)).toBe('1,234.5678');
});

it('singular and plural nouns agree with their counts', () => {
  expect(counted(1, 'row')).toBe('1 row');
  expect(counted(1200, 'row')).toBe('1,200 rows');
  expect(counted(2, 'pass', 'passes')).toBe('2 passes');
});
