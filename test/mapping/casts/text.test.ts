import { message } from '../../../src/messages/message.ts';
import { expect, test } from 'vitest';
import { castId } from '../../../src/mapping/casts/id.ts';
import { integerCast } from '../../../src/mapping/casts/integer.ts';
import { castName } from '../../../src/mapping/casts/name.ts';
import { castText } from '../../../src/mapping/casts/text.ts';
import {
  castExactCustomField,
  customFieldCast,
  looksLikeIds,
} from '../../../src/mapping/casts/custom-field.ts';
import { quantityCast } from '../../../src/mapping/casts/quantity.ts';
import { isBlankWord } from '../../../src/mapping/word-lists.ts';

test('text is kept unchanged', () => {
  for (const text of ['007', '1e5', 'n/a', '-', 'line\nbreak\ttab', '東京', '😀'])
    expect(castText(text, text)).toBe(text);
});

test('names are counted in code points', () => {
  const longest = '😀'.repeat(255);
  expect(castName(longest, longest)).toBe(longest);
  expect(castName(`${longest}x`, `${longest}x`)).toMatchObject({
    code: 'too_long',
    what: message('has_characters', { length: 256 }),
  });
});

test.each([
  ['a\u0000b', 'control_character'],
  ['a\u001bb', 'control_character'],
  ['a\ud800b', 'broken_character'],
  ['1.23E+12', 'number_lost'],
  ['1,23457E+15', 'number_lost'],
])('the text %j has the issue %s', (text, code) => {
  expect(castText(text, text)).toMatchObject({ code });
});

test('a number cell with more digits than a spreadsheet can store counts as having lost digits', () => {
  expect(castText('4006381333931', 4006381333931)).toBe('4006381333931');
  expect(castText('1234567890123456', 1234567890123456)).toMatchObject({ code: 'number_lost' });
});

test('custom fields keep the type of the cell; only columns of ids are checked for lost digits', () => {
  const plain = customFieldCast('Mass');
  expect(plain('5', 5)).toBe(5);
  expect(plain('5', '5')).toBe('5');
  expect(plain('true', true)).toBe(true);
  expect(plain('1999-05-01', { kind: 'date', date: '1999-05-01' })).toBe('1999-05-01');
  expect(plain('1.23E+12', '1.23E+12')).toBe('1.23E+12');
  expect(plain('{"a":1}', '{"a":1}')).toBe('{"a":1}');
  expect(customFieldCast('UPC')('1.23E+12', '1.23E+12')).toMatchObject({ code: 'number_lost' });
  expect(castExactCustomField('{"a":1}', '{"a":1}')).toEqual({ a: 1 });
  expect(castExactCustomField('{broken', '{broken')).toBe('{broken');
});

test('headers of ids are recognised', () => {
  for (const header of ['SKU', 'Item No.', 'Nr.', 'ID', 'UPC/EAN', 'Catalog #', 'Inventarnummer']) {
    expect([header, looksLikeIds(header)]).toEqual([header, true]);
  }
  for (const header of ['Notes', 'Width', 'Video', 'Nothing'])
    expect([header, looksLikeIds(header)]).toEqual([header, false]);
});

test('whole numbers may have grouped thousands, which a number cell never has', () => {
  const integer = integerCast(isBlankWord);
  for (const text of ['1,234', '1.234', "1'234", '1\u202f234', '1234', '1234.0'])
    expect([text, integer(text, text)]).toEqual([text, 1234]);
  expect(integer('1250', 1250)).toBe(1250);
  for (const text of ['0.125', '0,500', '1.5', '12.50', '1.234,5'])
    expect(integer(text, text)).toMatchObject({ code: 'not_an_integer' });
  for (const number of [2.125, 0.125, 1.5])
    expect(integer(String(number), number)).toMatchObject({ code: 'not_an_integer' });
});

test('quantities and ids must be written in their exact form', () => {
  const quantity = quantityCast(isBlankWord);
  expect(quantity('3', '3')).toBe(3);
  expect(quantity('2.0', '2.0')).toBe(2);
  expect(quantity('1000', '1000')).toBe(1000);
  for (const text of ['0', '1001', '1.5', '-1', '1,234', 'two'])
    expect(quantity(text, text)).toMatchObject({ code: 'bad_quantity' });
  expect(castId('6f1c7e0a-93b1-4a57-8f5e-0d6f2f6f1a11')).toBe('6f1c7e0a-93b1-4a57-8f5e-0d6f2f6f1a11');
  expect(castId('12')).toMatchObject({ code: 'not_an_id' });
});
