/** The answers to one reason that counts for a whole column, with the likeliest first, and the corrections that each makes. */
import { createHash } from 'node:crypto';
import { currenciesOf, type IssueReason } from '../../../mapping/issue-reasons.ts';
import { correctionQuestions } from '../../../import/correction/questions.ts';
import { isRate } from '../../../mapping/casts/currency.ts';
import { CUSTOM_PREFIX } from '../../../mapping/custom-prefix.ts';
import type { Offer } from '../../../mapping/issue.ts';
import type { Correction } from '../../../mapping/template/change.ts';
import { isWordField, WORD_FIELDS } from '../../../mapping/word-lists.ts';

/** An amount has to be converted, but its rate is not a number. */
export class NoRateError extends Error {}

/** The engine's proposal for a word: fields with words, and the word itself in a field of its own. */
export function offeredMeaning(
  word: string,
  offers: readonly Offer[] | undefined,
): Record<string, string> | undefined {
  const words = offers?.[0]?.accept.words;
  return words === undefined ? undefined : (words[word] ?? Object.values(words)[0]);
}

/** Answers in addition to the values of the field, none of which has such a name. */
export type Meaning = 'offer' | 'as-note' | 'nothing';

/** The preselected answer, which loses nothing of the file. */
export function likelyMeaning(word: string, offers: readonly Offer[] | undefined): Meaning {
  return offeredMeaning(word, offers) === undefined ? 'as-note' : 'offer';
}

export type AnswerId =
  | 'read'
  | 'keepYear'
  | 'blankYear'
  | 'keepColumn'
  | 'omit'
  | `rate:${string}`
  | `in:${string}`;

/**
 * All answers to a reason that is not about words. The first is likely, unless it is about money, which a person must
 * decide.
 */
export function answersTo(reason: IssueReason): AnswerId[] {
  const { code, values, rates = [] } = reason;
  if (isAboutMoney(code)) {
    const known: AnswerId[] =
      code === 'unclear_currency'
        ? currenciesOf(reason).map((each): AnswerId => `in:${each}`)
        : [...new Set(rates.map(({ to }) => to))].map((to): AnswerId => `rate:${to}`);
    return [...known, 'keepColumn', ...(rates.length > 1 ? [] : (['omit'] as const))];
  }
  const accepts = values.flatMap(({ offers = [] }) => offers.map(({ accept }) => accept));
  return [
    ...(accepts.some(({ approximate }) => approximate === 'read') ? (['read'] as const) : []),
    ...(code === 'out_of_range' || accepts.some(({ outOfRange }) => outOfRange !== undefined)
      ? (['keepYear', 'blankYear'] as const)
      : []),
  ];
}

/** Whether a problem is about money, so that no answer is preselected. */
export function isAboutMoney(code: string): boolean {
  return code === 'wrong_currency' || code === 'unclear_currency';
}

/**
 * Names a field of the form by what it answers: a word of a reason, all of its values, or its rarer words. The screen
 * sorts its questions anew after each correction, so an answer on an older page would otherwise go to another word.
 */
export function answerName(
  { code, field = '', header = '', column = header }: IssueReason,
  about: { word: string } | 'all' | 'rest',
): string {
  const [kind, word = ''] = typeof about === 'string' ? [about] : ['word', about.word];
  const named = createHash('sha256').update(JSON.stringify([code, field, column, word]));
  return `${kind}-${named.digest('base64url').slice(0, 16)}`;
}

export function rateName(reason: IssueReason, from: string): string {
  return `rate-${from}-${answerName(reason, 'all')}`;
}

/**
 * The corrections that a person chose for one reason: words one by one, or one answer for all of its values.
 *
 * @param column as corrections name it
 * @throws NoRateError
 */
export function changesOf(
  reason: IssueReason,
  form: URLSearchParams,
  column: string | undefined,
): Correction[] {
  const { field, code, values } = reason;
  if (code === 'unknown_collection')
    return collectionsAsked(reason).flatMap((asked, index) =>
      asked(form.get(answerName(reason, { word: values[index]?.text ?? '' })) ?? ''),
    );
  if (field === undefined) return [];
  if (isWordField(field)) {
    const changes = values.flatMap(({ text, offers }): Correction[] => {
      const chosen = form.get(answerName(reason, { word: text })) ?? '';
      const means = meaningOf(text, chosen, offers, reason);
      return means === undefined ? [] : [{ type: 'word', field, word: text, means }];
    });
    return takesRest(reason) && form.has(answerName(reason, 'rest'))
      ? [...changes, { type: 'option', field, option: 'offeredWords', value: 'take' }]
      : changes;
  }
  const answer = answersTo(reason).find((each) => each === form.get(answerName(reason, 'all')));
  const [kind, code2 = ''] = answer?.split(':') ?? [];
  const option = (name: string, value: string | Record<string, string>): Correction[] => [
    { type: 'option', field, option: name, value },
  ];
  switch (kind) {
    case 'read':
      return option('approximate', 'read');
    case 'keepYear':
      return option('outOfRange', 'keep');
    case 'blankYear':
      return option('outOfRange', 'blank');
    case 'in':
      return option('currency', code2.toLowerCase());
    case 'rate':
      return option('rates', ratesOf(reason, code2, form));
    case 'keepColumn':
      return column === undefined ? [] : [{ type: 'keep', column }];
    case 'omit':
      return [
        { type: 'omitReason', code, ...(reason.column === undefined ? {} : { column: reason.column }) },
      ];
    default:
      return [];
  }
}

/** For each name that the team has no collection of, the corrections that a chosen collection makes. */
export function collectionsAsked(reason: IssueReason): ((collection: string) => Correction[])[] {
  return correctionQuestions([reason]).map(({ choices }) => {
    const changes = choices.find(({ asks }) => asks !== undefined)?.asks?.changes;
    return (collection) => (collection === '' ? [] : (changes?.(collection) ?? []));
  });
}

/** Whether words that do not fit on the screen get their likeliest meaning. */
export function takesRest({ values }: IssueReason): boolean {
  return values.every(({ text, offers }) => offeredMeaning(text, offers) !== undefined);
}

function meaningOf(
  word: string,
  chosen: string,
  offers: readonly Offer[] | undefined,
  { field = '', header }: IssueReason,
): string | Record<string, string> | undefined {
  if (chosen === 'offer') return offeredMeaning(word, offers);
  if (chosen === 'as-note') return { [CUSTOM_PREFIX + (header ?? field)]: word };
  if (chosen === 'nothing') return '';
  return isWordField(field) && WORD_FIELDS[field].some((each) => each === chosen) ? chosen : undefined;
}

function ratesOf(reason: IssueReason, to: string, form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(
    (reason.rates ?? [])
      .filter((rate) => rate.to === to)
      .map(({ from }) => {
        const rate = (form.get(rateName(reason, from)) ?? '').trim().replace(',', '.');
        if (!isRate(rate)) throw new NoRateError();
        return [from, rate];
      }),
  );
}
