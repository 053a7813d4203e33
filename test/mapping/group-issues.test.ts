import { expect, test } from 'vitest';
import { describeGroup, IssueGroups } from '../../src/mapping/group-issues.ts';
import { compile } from './helpers.ts';

test('counts are exact, the first rows and the fix are said', () => {
  const mapping = compile(['name', 'Condition']);
  const groups = new IssueGroups();
  for (let row = 2; row < 414; row += 1) {
    for (const issue of mapping.mapRow(['x', 'C7']).issues) groups.add(row, issue);
  }
  for (const issue of mapping.mapRow(['', 'MOC']).issues) groups.add(414, issue);
  expect(groups.total).toBe(413);
  expect(groups.groups().map(describeGroup)).toEqual([
    {
      line: '412 rows: condition "C7" is not known (column B Condition): expected mint_on_card, loose_mint, loose_good, loose_fair, damaged; rows 2, 3, 4, 5, 6 …',
      fix: 'in a template, under columns: condition: { words: { "C7": mint_on_card|loose_mint|loose_good|loose_fair|damaged } }',
    },
    {
      line: '1 row: name is blank (column A name): expected 1 to 255 characters; row 414',
      fix: '--default "name=…", or fill the cells in',
    },
  ]);
});

test('a packaging word under condition: the fix says both', () => {
  const groups = new IssueGroups();
  for (const issue of compile(['name', 'Condition']).mapRow(['x', 'MIB']).issues) groups.add(2, issue);
  expect(groups.groups().map((group) => describeGroup(group).fix)).toEqual([
    'in a template, under columns: condition: { words: { "MIB": { condition: mint_on_card|loose_mint|loose_good|loose_fair|damaged, packaging: in_package } } }',
  ]);
});

test('memory is flat: words beyond a bound share a group that still counts', () => {
  const mapping = compile(['name', 'Condition']);
  const groups = new IssueGroups();
  for (let row = 0; row < 5000; row += 1) {
    for (const issue of mapping.mapRow(['x', `word ${row}`]).issues) groups.add(row, issue);
  }
  const found = groups.groups();
  expect(found).toHaveLength(101);
  expect(found.reduce((sum, group) => sum + group.count, 0)).toBe(5000);
  expect(found[0]).toMatchObject({ count: 4900, message: 'condition has further words that are not known' });
  expect(describeGroup(found[0]!).fix).toBeUndefined();
});

test('a million bad rows are counted exactly, in memory that does not grow with them', () => {
  const groups = new IssueGroups();
  const issue = (found: string, code: 'unknown_word' | 'wrong_currency') => ({
    code,
    message: `x "${found}" is wrong`,
    field: 'condition',
    column: 'B',
    found,
  });
  for (let row = 0; row < 1_000_000; row += 1) {
    groups.add(row, issue(row % 4 === 0 ? 'C7' : `word ${row}`, 'unknown_word'));
    if (row % 10 === 0) groups.add(row, issue(`€ ${row}`, 'wrong_currency'));
  }
  const found = groups.groups();
  expect(groups.total).toBe(1_100_000);
  expect(found.reduce((sum, group) => sum + group.count, 0)).toBe(1_100_000);
  expect(found.find((group) => group.found === 'C7')?.count).toBe(250_000);
  expect(found.find((group) => group.code === 'wrong_currency')?.count).toBe(100_000);
  // What is kept is a hundred words and the two groups that count the rest, of five row numbers each.
  expect(found).toHaveLength(102);
  expect(Math.max(...found.map((group) => group.rows.length))).toBe(5);
});
