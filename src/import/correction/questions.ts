/** What to ask a person about a staged job: one question a reason, word or column of groups, each with choices. */
import { counted } from '../../counted.ts';
import { cut } from '../../mapping/casts/cast.ts';
import type { Offer } from '../../mapping/issue.ts';
import { currenciesOf, type IssueReason } from '../../mapping/issue-reasons.ts';
import type { Correction } from '../../mapping/template/change.ts';
import { currencyReader } from '../../mapping/casts/read-currency.ts';
import { isRate, rateCode } from '../../mapping/casts/currency.ts';
import { isWordField, WORD_FIELDS } from '../../mapping/word-lists.ts';
import { type FillDownOffer, offerText } from '../stage/fill-down.ts';

export interface CorrectionChoice {
  says: string;
  /** What the choice changes; nothing where the rows are left as they are. */
  changes: Correction[];
  /** The choice needs a text of the person's own, such as a name: what it is, and the changes that it makes; none: ask again. */
  asks?: { what: string; changes: (text: string) => Correction[] };
  /** Further questions about the same reason are answered as well. */
  endsReason?: true;
}

export interface CorrectionQuestion {
  /** Equal for the questions of one reason. */
  reason: string;
  /** Rows of the file that the answer decides. */
  rows: number;
  text: string;
  choices: CorrectionChoice[];
}

/** More words than this are not asked about one by one: a column of so many is no column of words. */
const MAX_WORDS = 12;

/**
 * First what may be filled in, then the reasons in their order: the gravest first. What only the source can mend has no
 * question.
 */
export function correctionQuestions(
  reasons: readonly IssueReason[],
  offers: readonly FillDownOffer[] = [],
): CorrectionQuestion[] {
  return [...offers.map(fillDownQuestion), ...reasonQuestions(reasons)];
}

function fillDownQuestion(offer: FillDownOffer): CorrectionQuestion {
  const { field, blank } = offer;
  const fillDown = (value: boolean): Correction[] => [{ type: 'option', field, option: 'fillDown', value }];
  return {
    reason: `fillDown ${field}`,
    rows: blank,
    text: `${offerText(offer)}: what do the blank cells mean?`,
    choices: [
      { says: `The same as the cell above: fill ${counted(blank, 'cell')} in.`, changes: fillDown(true) },
      { says: 'Nothing: leave them blank.', changes: fillDown(false) },
      LATER,
    ],
  };
}

function reasonQuestions(reasons: readonly IssueReason[]): CorrectionQuestion[] {
  return reasons.flatMap((reason) => {
    const { code, field = '' } = reason;
    if ((code === 'unknown_word' || code === 'inexact_word') && isWordField(field))
      return wordQuestions(reason, field);
    if (code === 'wrong_currency') return currencyQuestions(reason);
    const choices = choicesOf(reason);
    return choices === undefined ? [] : [question(reason, aboutReason(reason), choices)];
  });
}

/** @param at its place among the questions of its reason: those before it have mended some of the rows */
function question(
  reason: IssueReason,
  text: string,
  choices: CorrectionChoice[],
  { rows = reason.rows, at = 0 }: { rows?: number; at?: number } = {},
): CorrectionQuestion {
  return {
    reason: keyOf(reason),
    rows,
    text,
    choices: isFiller(reason)
      ? [leaveOut(reason, at), ...choices, LATER]
      : [...choices, leaveOut(reason, at), LATER],
  };
}

/** Several rows without a name are rather no items than items of one name. */
function isFiller({ code, rows }: IssueReason): boolean {
  return code === 'required' && rows > 1;
}

function keyOf({ code, field = '', column = '' }: IssueReason): string {
  return `${code} ${field} ${column}`;
}

/** The last choice of every question. */
export const LATER: CorrectionChoice = { says: 'Decide later.', changes: [] };

function leaveOut({ code, column, rows }: IssueReason, at: number): CorrectionChoice {
  const changes: Correction[] = [{ type: 'omitReason', code, ...(column === undefined ? {} : { column }) }];
  const says =
    at === 0
      ? `Leave ${counted(rows, 'row')} with this problem out.`
      : 'Leave out all rows that still have this problem.';
  return { says, changes, endsReason: true };
}

function aboutReason(reason: IssueReason): string {
  const { message, header, column, values, kinds } = reason;
  const where =
    header === undefined ? (column === undefined ? '' : ` (column ${column})`) : ` (${cut(header)})`;
  const some = values.slice(0, 5).map(({ text, rows }) => `${JSON.stringify(cut(text))} ${rows}×`);
  const more = kinds > some.length ? ' …' : '';
  return `${counted(reason.rows, 'row')}: ${message}${where}${some.length === 0 ? '' : `: ${some.join(', ')}${more}`}`;
}

function wordQuestions(reason: IssueReason, field: keyof typeof WORD_FIELDS): CorrectionQuestion[] {
  const { header = field, values, kinds } = reason;
  const asked = values.slice(0, MAX_WORDS);
  const offered = values.some(({ offers }) => offers !== undefined && offers.length > 0);
  const all = (isFirst: boolean): CorrectionChoice[] =>
    offered && kinds > 1
      ? [
          {
            says: isFirst
              ? `Take the likeliest meaning of all ${counted(kinds, 'word')}, and keep the words themselves in a custom field.`
              : 'Take the likeliest meanings from here on.',
            changes: [{ type: 'option', field, option: 'offeredWords', value: 'take' }],
            endsReason: true,
          },
        ]
      : [];
  return asked.map(({ text, rows, offers = [] }, index) => {
    const likely = offers.flatMap((offer) => offeredChoice(field, text, offer));
    const meanings = WORD_FIELDS[field]
      .filter((word) => !likely.some(({ says }) => says.startsWith(word)))
      .map(
        (word): CorrectionChoice => ({
          says: word,
          changes: [{ type: 'word', field, word: text, means: word }],
        }),
      );
    const choices: CorrectionChoice[] = [
      ...likely,
      ...all(index === 0),
      ...meanings,
      {
        says: 'Ignore this word: leave the field blank.',
        changes: [{ type: 'word', field, word: text, means: '' }],
      },
    ];
    return question(
      reason,
      `${header}: what does ${JSON.stringify(cut(text))} mean? (${counted(rows, 'row')})`,
      choices,
      { rows, at: index },
    );
  });
}

function offeredChoice(field: string, word: string, { accept, set }: Offer): CorrectionChoice[] {
  const means = accept.words?.[word] ?? Object.values(accept.words ?? {})[0];
  if (means === undefined) return [];
  const kept = Object.keys(set).filter((name) => !isWordField(name));
  const says = Object.entries(means)
    .filter(([name]) => isWordField(name))
    .map(([name, value]) => (name === field ? value : `${name} ${value}`))
    .join(', ');
  return [
    {
      says: `${says}${kept.length === 0 ? '' : `, and the word itself is kept in ${kept.join(', ')}`}`,
      changes: [{ type: 'word', field, word, means }],
    },
  ];
}

/** One question for each currency. */
function currencyQuestions(reason: IssueReason): CorrectionQuestion[] {
  const { values, kinds, field = '' } = reason;
  const codeOf = currencyReader();
  const rows = new Map<string, number>();
  for (const { text, rows: count } of values) {
    // An amount without a currency has the one that the template or a person gives the column.
    const code = rateCode(codeOf(text) ?? []) ?? reason.rates?.[0]?.from;
    if (code !== undefined) rows.set(code, (rows.get(code) ?? 0) + count);
  }
  if (rows.size === 0) return [question(reason, aboutReason(reason), [])];
  return [...rows].map(([code, count], at) => {
    // Only the commonest values are known one by one.
    const isAll = kinds === values.length;
    const about = `${isAll ? '' : 'at least '}${counted(count, 'row is', 'rows are')} in ${code}`;
    const to = reason.rates?.find(({ from }) => from === code)?.to;
    const convert: CorrectionChoice = {
      says: `Convert them${to === undefined ? '' : ` to ${to}`} with a rate that you give.`,
      changes: [],
      asks: {
        what: `1 ${code} in ${to ?? 'the currency of your items'}, such as 0.92`,
        changes: (text) => {
          const rate = text.replace(',', '.');
          const value = { [code]: rate };
          return isRate(rate) ? [{ type: 'option', field, option: 'rates', value }] : [];
        },
      },
    };
    const items = to === undefined ? '' : `, your items in ${to}`;
    return question(
      reason,
      `${about}${items}: what is 1 ${code} in ${to ?? 'the currency of your items'}?`,
      [convert],
      { rows: count, at },
    );
  });
}

/** Undefined for reasons that have no question. */
function choicesOf(reason: IssueReason): CorrectionChoice[] | undefined {
  const { code, field = '', values, kinds } = reason;
  const option = (name: string, value: string): Correction => ({
    type: 'option',
    field,
    option: name,
    value,
  });
  const first = values[0]?.text ?? '';
  const blank: CorrectionChoice[] =
    kinds > 0 && kinds <= values.length && field !== 'name'
      ? [
          {
            says: `Leave ${kinds === 1 ? 'this cell' : 'these cells'} blank.`,
            changes: values.map(({ text }) => ({ type: 'word', field, word: text, means: '' })),
          },
        ]
      : [];
  switch (code) {
    case 'unclear_currency': {
      const others = reason.rates?.[0]?.from;
      return currenciesOf(reason).map((own) => ({
        says: `They are in ${own}, as ${own === others ? 'others of the column' : 'your items'}.`,
        changes: [option('currency', own)],
      }));
    }
    case 'approximate_number':
    case 'uncertain_year':
      return [
        { says: `Read them: ${readingOf(field, values)}`, changes: [option('approximate', 'read')] },
        ...blank,
      ];
    case 'out_of_range':
      if (field !== 'release_year') return blank;
      return [
        {
          says: 'Leave the year blank, and keep the true one in custom_fields.year.',
          changes: [option('outOfRange', 'keep')],
        },
        { says: 'Leave the year blank.', changes: [option('outOfRange', 'blank')] },
      ];
    case 'ambiguous_number':
      return [
        { says: `${first}: the comma separates thousands.`, changes: [option('decimal', 'point')] },
        { says: `${first}: the comma is the decimal mark.`, changes: [option('decimal', 'comma')] },
      ];
    case 'required':
      if (field !== 'name') return undefined;
      return [
        {
          says: 'Give all of them one name.',
          changes: [],
          asks: { what: 'Name', changes: (value) => [{ type: 'default', field: 'name', value }] },
        },
      ];
    case 'summary_row':
      return acceptChoices(reason);
    case 'not_a_number':
    case 'negative':
    case 'not_a_year':
    case 'two_digit_year':
      if (field !== 'release_year') return blank;
      return [
        ...[1900, 2000].map((first) => ({
          says: `They are years from ${first} to ${first + 99}.`,
          changes: [option('twoDigitYears', String(first))],
        })),
        ...blank,
      ];
    case 'not_an_integer':
    case 'bad_quantity':
    case 'too_long':
    case 'no_match':
      return blank;
    default:
      return undefined;
  }
}

/** Few rows may also be taken one by one: the others are asked about again. */
function acceptChoices({ code, rows, firstRows }: IssueReason): CorrectionChoice[] {
  const all: CorrectionChoice = {
    says: rows === 1 ? 'It is an item: take it.' : `They are items: take all ${counted(rows, 'row')}.`,
    changes: [{ type: 'acceptReason', code }],
  };
  if (rows === 1 || rows > firstRows.length) return [all];
  const each = firstRows.map(({ row, sheet }): CorrectionChoice => {
    const place = { row, ...(sheet === undefined ? {} : { sheet }) };
    return { says: `Only row ${row} is an item.`, changes: [{ type: 'accept', ...place }] };
  });
  return [all, ...each];
}

function readingOf(field: string, values: IssueReason['values']): string {
  const read = values.slice(0, 3).flatMap(({ text, offers }) => {
    const value = offers?.[0]?.set[field];
    return value === undefined ? [] : [`${JSON.stringify(cut(text))} is ${JSON.stringify(value)}`];
  });
  return read.length === 0 ? 'as near as the text says.' : `${read.join(', ')}.`;
}
