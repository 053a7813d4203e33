/** Possible actions for rows that share a problem: corrections of their job, or options of a template. */
import { byHand, message } from '../messages/message.ts';
import type { ActionOptions, ByHand, JobAction, Message } from '../messages/params.ts';
import { cut } from './casts/cast.ts';
import { currenciesOf, type IssueReason, isOpenCurrency } from './issue-reasons.ts';
import type { Rate } from './issue.ts';
import { isWordField, WORD_FIELDS } from './word-lists.ts';

/**
 * Corrections of a job that solve a problem, for its most frequent values: actions of `jobs.mend`, the likeliest first.
 */
export function mendActions(reason: IssueReason, job: string): JobAction[] {
  return correctionsOf(reason).map(([label, options]) => ({ do: 'mend', job, options, label }));
}

function correctionsOf(reason: IssueReason): [Message, ActionOptions][] {
  const { code, field = '', rows, values, kinds, rates = [] } = reason;
  const { text: first } = values[0] ?? { text: '' };
  const option = (text: string) => ({ option: `${field}:${text}` });
  const isYear = field === 'release_year';
  switch (code) {
    case 'unknown_word': {
      if (first === '' || !isWordField(field)) return [];
      const meanings = WORD_FIELDS[field].join('|');
      return [
        [message('to_give_meanings', {}), { word: values.map(({ text }) => `${field}:${text}=${meanings}`) }],
      ];
    }
    case 'unknown_collection':
      return [
        [
          message('to_name_collections', {}),
          { word: values.map(({ text }) => `collection:${text}=COLLECTION`) },
        ],
      ];
    case 'inexact_word':
      return [[message('take_likeliest_of_all', { words: kinds }), option('offeredWords=take')]];
    case 'ambiguous_number':
      return [
        [message('comma_is_thousands', { text: cut(first) }), option('decimal=point')],
        [message('comma_is_decimal', { text: cut(first) }), option('decimal=comma')],
      ];
    case 'required':
      if (field !== 'name') return [];
      // A single name for many rows is rarely intended: such rows are fillers of a page, or blank.
      return rows > 1
        ? [[message('leave_rows_out', { rows }), { 'omit-reason': code }]]
        : [[message('to_give_name', {}), { default: 'name=NAME' }]];
    case 'out_of_range':
      if (!isYear) return [];
      return [
        [message('year_blank_and_kept', {}), option('outOfRange=keep')],
        [message('year_blank', {}), option('outOfRange=blank')],
      ];
    case 'two_digit_year':
      if (!isYear) return [];
      return [1900, 2000].map((year) => [
        message('years_from', { first: `${year}`, last: `${year + 99}` }),
        option(`twoDigitYears=${year}`),
      ]);
    case 'uncertain_year':
    case 'approximate_number':
      return [[readingOf(reason), option('approximate=read')]];
    case 'wrong_currency':
      if (field !== 'estimated_value' || rates.length === 0) return [];
      return [...conversions(rates), [message('leave_rows_out', { rows }), { 'omit-reason': code }]];
    case 'unclear_currency':
      return currenciesOf(reason).map((currency) => [
        message(currency === rates[0]?.from ? 'amounts_as_others' : 'amounts_as_items', { currency }),
        option(`currency=${currency}`),
      ]);
    case 'no_match':
      return [
        [message('leave_cells_blank', { cells: kinds }), option('noMatch=blank')],
        [message('take_cells_whole', {}), option('noMatch=keep')],
      ];
    case 'summary_row':
      return [[message('it_is_an_item', { rows }), { 'accept-reason': code }]];
    default:
      return [];
  }
}

/**
 * If it is unknown which of several currencies the items have, each currency is offered alone: rates for
 * all of them would mix currencies.
 */
function conversions(rates: readonly Rate[]): [Message, ActionOptions][] {
  const shown = rates.map(({ from }) => from);
  const choices = isOpenCurrency(rates)
    ? shown.slice(0, 3).map((to) => shown.filter((from) => from !== to).map((from) => ({ from, to })))
    : [rates];
  return choices.map((chosen) => [
    message('to_convert', { rates: chosen.map(({ from, to }) => `1 ${from} in ${to}`) }),
    { rate: chosen.map(({ from }) => `${from}=RATE`) },
  ]);
}

/** The likely value for texts that are close to a value. */
export function readingOf({ field = '', values }: IssueReason): Message {
  const readings = values.slice(0, 3).flatMap(({ text, offers }) => {
    const value = offers?.[0]?.set[field];
    return value === undefined ? [] : [message('text_is', { text: cut(text), value: JSON.stringify(value) })];
  });
  return readings.length === 0 ? message('read_them_as_near', {}) : message('read_them', { readings });
}

/** In RE2's syntax: the number in `Fr. 12.50`, `CHF 1'234.50`, `Rs.500` and `$.50`. */
export const NUMBER_ALONE = String.raw`(?:\pL\.)?\s*(-?[.,]?\d(?:.*\d)?)`;

/** Possible actions if there is no job to mend: change a template, or the file. */
export function templateAdvice({ code, field = '', header = '', values, rates }: IssueReason): ByHand[] {
  const { text: value } = values[0] ?? { text: '' };
  const [rate] = rates ?? [];
  const under = (spec: string) => [byHand('in_template', { field, spec })];
  switch (code) {
    case 'unknown_word':
      return value === '' || !isWordField(field)
        ? []
        : under(`words: { ${JSON.stringify(value)}: ${WORD_FIELDS[field].join('|')} }`);
    case 'inexact_word':
      return under('offeredWords: take');
    case 'ambiguous_number':
      return under('decimal: point|comma');
    case 'required':
      return field === 'name' ? [byHand('name_in_template', {})] : [];
    case 'out_of_range':
      return field === 'release_year' ? under('outOfRange: keep|blank') : [];
    case 'uncertain_year':
    case 'approximate_number':
      return under('approximate: read');
    case 'wrong_currency':
      return [
        ...under(`rates: { ${rate?.from ?? 'EUR'}: RATE }`),
        byHand('in_template_if_right', {
          field,
          spec: `from: ${JSON.stringify(header)}, pattern: '${NUMBER_ALONE}'`,
        }),
      ];
    case 'unclear_currency':
      return under(`currency: ${[rate?.from ?? 'EUR', rate?.to ?? 'USD'].join('|').toLowerCase()}`);
    case 'no_match':
      return under('…, noMatch: blank|keep');
    case 'number_lost':
    case 'uncertain_mark':
      return [byHand('format_as_text', {})];
    default:
      return [];
  }
}
