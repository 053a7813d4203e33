/** Questions to a person about a staged job: one for each reason, word or column of groups, each with choices. */
import { saidOf } from '../../base/errors.ts';
import { cut } from '../../mapping/casts/cast.ts';
import type { Offer } from '../../mapping/issue.ts';
import { currenciesOf, type IssueReason, isOpenCurrency } from '../../mapping/issue-reasons.ts';
import type { Correction } from '../../mapping/template/change.ts';
import { currencyReader } from '../../mapping/casts/read-currency.ts';
import { isRate, rateCode } from '../../mapping/casts/currency.ts';
import { isWordField, WORD_FIELDS } from '../../mapping/word-lists.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { FillDownOffer } from '../stage/fill-down.ts';
import { readingOf } from '../../mapping/issue-actions.ts';

export interface CorrectionChoice {
  says: Message;
  /** Corrections that the choice makes; empty if the rows stay as they are. */
  changes: Correction[];
  /**
   * The choice needs a text from the person, such as a name. `what` describes the text, and `changes` turns it into
   * corrections; if there are none, the person is asked again.
   */
  asks?: { what: Message; changes: (text: string) => Correction[] };
  /** The choice also answers the other questions about the same reason. */
  endsReason?: true;
}

export interface CorrectionQuestion {
  /** Equal for all questions about the same reason. */
  reason: string;
  /** Rows of the file that the answer decides. */
  rows: number;
  text: Message;
  choices: CorrectionChoice[];
}

/**
 * A column with more different words than this is not a column of words, so shelflift does not ask about each of them.
 */
const MAX_WORDS = 12;

/**
 * Questions about cells to fill in come first, then those about each reason, most rows first. There is no question
 * about problems that can be corrected only in the source.
 */
export function correctionQuestions(
  reasons: readonly IssueReason[],
  offers: readonly FillDownOffer[] = [],
): CorrectionQuestion[] {
  return [...offers.map(fillDownQuestion), ...reasonQuestions(reasons)];
}

function fillDownQuestion(offer: FillDownOffer): CorrectionQuestion {
  const { field, header, rows, blank } = offer;
  const fillDown = (value: boolean): Correction[] => [{ type: 'option', field, option: 'fillDown', value }];
  return {
    reason: `fillDown ${field}`,
    rows: blank,
    text: message('what_do_blanks_mean', { header: cut(header), rows, blank }),
    choices: [
      { says: message('same_as_above', { cells: blank }), changes: fillDown(true) },
      { says: message('leave_them_blank', {}), changes: fillDown(false) },
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
    if (code === 'unknown_collection') return collectionQuestions(reason);
    const choices = choicesOf(reason);
    return choices === undefined ? [] : [question(reason, aboutReason(reason), choices)];
  });
}

/**
 * @param at index among the questions of the same reason: the answers to earlier ones have already mended some of the
 *   rows
 */
function question(
  reason: IssueReason,
  text: Message,
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

/** Several rows without a name are more likely filler rows than items. */
function isFiller({ code, rows }: IssueReason): boolean {
  return code === 'required' && rows > 1;
}

function keyOf({ code, field = '', column = '' }: IssueReason): string {
  return `${code} ${field} ${column}`;
}

/** The last choice of every question. */
export const LATER: CorrectionChoice = { says: message('decide_later', {}), changes: [] };

function leaveOut({ code, column, rows }: IssueReason, at: number): CorrectionChoice {
  const changes: Correction[] = [{ type: 'omitReason', code, ...(column === undefined ? {} : { column }) }];
  const says = at === 0 ? message('leave_rows_out', { rows }) : message('leave_remaining_out', {});
  return { says, changes, endsReason: true };
}

function aboutReason(reason: IssueReason): Message {
  const { rows, header, column, values, kinds } = reason;
  const place = header === undefined ? column : cut(header);
  const some = values.slice(0, 5).map((each) => `${JSON.stringify(cut(each.text))} ${each.rows}×`);
  return message('rows_with_problem', {
    rows,
    problem: saidOf(reason),
    ...(place === undefined ? {} : { place }),
    values: some,
    isMore: kinds > some.length,
  });
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
              ? message('take_likeliest_of_all', { words: kinds })
              : message('take_likeliest_from_here', {}),
            changes: [{ type: 'option', field, option: 'offeredWords', value: 'take' }],
            endsReason: true,
          },
        ]
      : [];
  return asked.map(({ text, rows, offers = [] }, index) => {
    const likely = offers.flatMap((offer) => offeredChoice(field, text, offer));
    const meanings = WORD_FIELDS[field]
      .filter((word) => !likely.some(({ meaning }) => meaning.startsWith(word)))
      .map(
        (word): CorrectionChoice => ({
          says: message('a_word', { word }),
          changes: [{ type: 'word', field, word: text, means: word }],
        }),
      );
    const choices: CorrectionChoice[] = [
      ...likely.map(({ choice }) => choice),
      ...all(index === 0),
      ...meanings,
      {
        says: message('ignore_word', {}),
        changes: [{ type: 'word', field, word: text, means: '' }],
      },
    ];
    return question(reason, message('what_does_word_mean', { header, word: cut(text), rows }), choices, {
      rows,
      at: index,
    });
  });
}

/** One question for each name that the team has no collection of. */
function collectionQuestions(reason: IssueReason): CorrectionQuestion[] {
  return reason.values.slice(0, MAX_WORDS).map(({ text, rows }, at) => {
    const choose: CorrectionChoice = {
      says: message('into_other_collection', {}),
      changes: [],
      asks: {
        what: message('name_of_collection', {}),
        changes: (means) => [{ type: 'word', field: 'collection', word: text, means }],
      },
    };
    return question(reason, message('which_collection', { name: cut(text), rows }), [choose], { rows, at });
  });
}

function offeredChoice(
  field: string,
  word: string,
  { accept, set }: Offer,
): { meaning: string; choice: CorrectionChoice }[] {
  const means = accept.words?.[word] ?? Object.values(accept.words ?? {})[0];
  if (means === undefined) return [];
  const keptIn = Object.keys(set).filter((name) => !isWordField(name));
  const meaning = Object.entries(means)
    .filter(([name]) => isWordField(name))
    .map(([name, value]) => (name === field ? value : `${name} ${value}`))
    .join(', ');
  return [
    {
      meaning,
      choice: {
        says: message('a_meaning', { meaning, keptIn }),
        changes: [{ type: 'word', field, word, means }],
      },
    },
  ];
}

/** One question for each currency. */
function currencyQuestions(reason: IssueReason): CorrectionQuestion[] {
  const { values, kinds, field = '' } = reason;
  const codeOf = currencyReader();
  const rows = new Map<string, number>();
  for (const { text, rows: count } of values) {
    // An amount without a currency has the currency that the template or a person has set for the column.
    const code = rateCode(codeOf(text) ?? []) ?? reason.rates?.[0]?.from;
    if (code !== undefined) rows.set(code, (rows.get(code) ?? 0) + count);
  }
  if (rows.size === 0) return [question(reason, aboutReason(reason), [])];
  // The most frequent currency is the target of the conversion.
  const [base] = isOpenCurrency(reason.rates ?? []) ? ([...rows].sort(([, a], [, b]) => b - a)[0] ?? []) : [];
  const asked = [...rows].filter(([code]) => code !== base);
  return asked.map(([code, count], at) => {
    // Only the most frequent values are known individually.
    const atLeast = kinds !== values.length;
    const to = base ?? reason.rates?.find(({ from }) => from === code)?.to;
    const into = to === undefined ? {} : { to };
    const convert: CorrectionChoice = {
      says: message('convert_amounts', into),
      changes: [],
      asks: {
        what: message('rate_of', { from: code, ...into }),
        changes: (text) => {
          const rate = text.replace(',', '.');
          const value = { [code]: rate };
          return isRate(rate) ? [{ type: 'option', field, option: 'rates', value }] : [];
        },
      },
    };
    const about = { rows: count, atLeast, from: code };
    const text =
      base === undefined
        ? message('what_is_rate', { ...about, ...into })
        : message('what_is_rate_to_most', { ...about, to: base });
    return question(reason, text, [convert], { rows: count, at });
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
            says: message('leave_cells_blank', { cells: kinds }),
            changes: values.map(({ text }) => ({ type: 'word', field, word: text, means: '' })),
          },
        ]
      : [];
  switch (code) {
    case 'unclear_currency': {
      const others = reason.rates?.[0]?.from;
      return currenciesOf(reason).map((own) => ({
        says: message(own === others ? 'amounts_as_others' : 'amounts_as_items', { currency: own }),
        changes: [option('currency', own)],
      }));
    }
    case 'approximate_number':
    case 'uncertain_year':
      return [{ says: readingOf(reason), changes: [option('approximate', 'read')] }, ...blank];
    case 'out_of_range':
      if (field !== 'release_year') return blank;
      return [
        {
          says: message('year_blank_and_kept', {}),
          changes: [option('outOfRange', 'keep')],
        },
        { says: message('year_blank', {}), changes: [option('outOfRange', 'blank')] },
      ];
    case 'ambiguous_number':
      return [
        { says: message('comma_is_thousands', { text: first }), changes: [option('decimal', 'point')] },
        { says: message('comma_is_decimal', { text: first }), changes: [option('decimal', 'comma')] },
      ];
    case 'required':
      if (field !== 'name') return undefined;
      return [
        {
          says: message('give_one_name', {}),
          changes: [],
          asks: {
            what: message('a_name', {}),
            changes: (value) => [{ type: 'default', field: 'name', value }],
          },
        },
      ];
    case 'summary_row':
      return acceptChoices(reason);
    case 'two_digit_year':
      if (field !== 'release_year') return blank;
      return [
        ...[1900, 2000].map((first) => ({
          says: message('years_from', { first: `${first}`, last: `${first + 99}` }),
          changes: [option('twoDigitYears', String(first))],
        })),
        ...blank,
      ];
    case 'not_a_number':
    case 'negative':
    case 'not_a_year':
    case 'not_an_integer':
    case 'bad_quantity':
    case 'too_long':
    case 'no_match':
      return blank;
    default:
      return undefined;
  }
}

/** A person may also accept a few rows one by one; shelflift then asks about the other rows. */
function acceptChoices({ code, rows, firstRows }: IssueReason): CorrectionChoice[] {
  const all: CorrectionChoice = {
    says: message('it_is_an_item', { rows }),
    changes: [{ type: 'acceptReason', code }],
  };
  if (rows === 1 || rows > firstRows.length) return [all];
  const each = firstRows.map(({ row, sheet }): CorrectionChoice => {
    const place = { row, ...(sheet === undefined ? {} : { sheet }) };
    return { says: message('only_row_is_an_item', { row }), changes: [{ type: 'accept', ...place }] };
  });
  return [all, ...each];
}
