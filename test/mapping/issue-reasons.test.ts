import { expect, test } from 'vitest';
import { mendActions } from '../../src/mapping/issue-actions.ts';
import { describeReason, IssueReasons } from '../../src/mapping/issue-reasons.ts';
import { rowIssue } from '../../src/mapping/issue.ts';
import { english, message } from '../../src/messages/message.ts';
import { compile } from './helpers.ts';

function optionsOf(reasons: IssueReasons) {
  return reasons.reasons().flatMap((reason) => mendActions(reason, 'J').map(({ options }) => options));
}

test('reasons are sorted by severity, with exact counts, the most frequent values, and their corrections', () => {
  const mapping = compile(['name', 'Condition']);
  const reasons = new IssueReasons();
  for (let row = 2; row < 414; row += 1)
    for (const issue of mapping.mapRow(['x', row % 4 === 0 ? 'Z9' : 'Z7']).issues)
      reasons.add({ row }, issue);
  // Both of its problems count.
  for (const issue of mapping.mapRow(['', 'Z9']).issues) reasons.add({ row: 414, line: 500 }, issue);
  expect(reasons.reasons().flatMap((reason) => mendActions(reason, 'J'))).toMatchObject([
    {
      do: 'mend',
      job: 'J',
      options: {
        word: ['Z7', 'Z9'].map(
          (word) => `condition:${word}=mint_on_card|loose_mint|loose_good|loose_fair|damaged`,
        ),
      },
    },
    { options: { default: 'name=NAME' } },
  ]);
  const shown = reasons.reasons().map((reason) => {
    const { line, values } = describeReason(reason);
    return { line: english(line), ...(values === undefined ? {} : { values: english(values) }) };
  });
  expect(shown).toEqual([
    {
      line: '413 rows: condition has 2 unknown words (column B Condition): expected mint_on_card, loose_mint, loose_good, loose_fair, damaged; rows 2, 3, 4, 5, 6 …',
      values: '"Z7" 309×, "Z9" 104×',
    },
    {
      line: '1 row: name is blank (column A name): expected 1 to 255 characters; row 414 (line 500)',
    },
  ]);
});

test('several rows of a plan, which gives no values, are described by the problem of the first one', () => {
  const reasons = new IssueReasons();
  for (const [index, is] of ['"12,50"', '"x"'].entries()) {
    const said = message('not_a_start', { field: 'custom_fields.paid', is, isWhole: true });
    reasons.add({ row: index + 2 }, rowIssue('not_a_number', said, { field: 'custom_fields.paid' }));
  }
  expect(reasons.reasons().map(({ message: text }) => text)).toEqual([
    expect.stringMatching(/custom_fields\.paid.*"12,50"/),
  ]);
});

test('the problem of a two-digit year names the option that completes it', () => {
  const mapping = compile(['name', 'Year made']);
  const reasons = new IssueReasons();
  for (const issue of mapping.mapRow(['x', "'84"]).issues) reasons.add({ row: 2 }, issue);
  expect(optionsOf(reasons)).toEqual([
    { option: 'release_year:twoDigitYears=1900' },
    { option: 'release_year:twoDigitYears=2000' },
  ]);
});

test('for several rows without a name, the first suggestion is to leave them out', () => {
  const mapping = compile(['name', 'year']);
  const reasons = new IssueReasons();
  for (const row of [2, 3])
    for (const issue of mapping.mapRow(['', '1999']).issues) reasons.add({ row }, issue);
  expect(optionsOf(reasons)).toEqual([{ 'omit-reason': 'required' }]);
});

test('a row counts once per reason, however many copies and affected columns it has', () => {
  const reasons = new IssueReasons();
  const issue = { code: 'unknown_word', message: 'x', field: 'condition', column: 'B', found: 'a' } as const;
  reasons.add({ row: 2, sheet: 'One' }, issue);
  reasons.add({ row: 2, sheet: 'One' }, issue);
  reasons.add({ row: 2, sheet: 'Two' }, issue);
  expect(reasons.reasons()).toMatchObject([{ rows: 2, values: [{ text: 'a', rows: 2 }] }]);
});

test('a million invalid rows are counted exactly, in constant memory', () => {
  const reasons = new IssueReasons();
  const issue = (found: string, code: 'unknown_word' | 'wrong_currency') => ({
    code,
    message: `x "${found}" is wrong`,
    field: 'condition',
    column: 'B',
    found,
  });
  for (let row = 0; row < 1_000_000; row += 1) {
    reasons.add({ row }, issue(row % 4 === 0 ? 'C7' : `word ${row}`, 'unknown_word'));
    if (row % 10 === 0) reasons.add({ row }, issue(`€ ${row}`, 'wrong_currency'));
  }
  const [words, currencies, ...others] = reasons.reasons();
  expect(words).toMatchObject({ rows: 1_000_000, kinds: 10_000 });
  expect(words?.values[0]).toEqual({ text: 'C7', rows: 250_000 });
  expect(words?.values).toHaveLength(20);
  expect(currencies).toMatchObject({ rows: 100_000 });
  expect(others).toEqual([]);
});
