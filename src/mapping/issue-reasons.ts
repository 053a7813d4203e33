/**
 * What is wrong with the rows of a file, by reason: one for each code, field and column, with exact counts of rows and the
 * commonest values. A row with two problems counts for both. Memory is bounded: of each reason, so many different values
 * are counted one by one, and all further ones together.
 */
import { counted } from '../counted.ts';
import { english, message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { isMany } from '../messages/params/rows.ts';
import { generalProblem, type RowCode } from '../messages/row-codes.ts';
import { shellWord } from '../shell-word.ts';
import { cut } from './casts/cast.ts';
import type { Offer, Rate, RowIssue } from './issue.ts';
import { isWordField, WORD_FIELDS, type WordField } from './word-lists.ts';

/** A problem that rows of a job share. */
export interface IssueReason {
  /** Stable, for programs. */
  code: RowCode;
  /** Field that the column is for. */
  field?: string;
  /** Header of the column. */
  header?: string;
  /** The column's letter. */
  column?: string;
  /** Rows of the file that have it. */
  rows: number;
  /** The commonest values first, at most 20. */
  values: {
    /** The text of the cell, cut. */
    text: string;
    /** Rows that have it. */
    rows: number;
    /** Likely readings of it, the likeliest first. */
    offers?: readonly Offer[];
  }[];
  /** How many different values there are; at least so many if there are more than 10,000. */
  kinds: number;
  /** The first rows that have it, at most five. `line` of a text file, if it is another number. */
  firstRows: {
    /** As a spreadsheet program counts. */
    row: number;
    /** Worksheet, if the source has several. */
    sheet?: string;
    /** Line of a text file, if it is another number than `row`. */
    line?: number;
  }[];
  /** What is wrong, without rows: `textOf(reason.said, 'de')` gives it in German. */
  said?: Message;
  /** The same in English. */
  message: string;
  /** What would be right. */
  expected?: string;
  /** Options of `jobs mend` that would mend it, or of the import. */
  fix?: string;
  /** What a template would say instead. */
  inTemplate?: string;
  /** The conversions that its amounts need, one for each currency. */
  rates?: Rate[];
}

/** A row as a person finds it. */
export interface RowPlace {
  row: number;
  sheet?: string | undefined;
  line?: number | undefined;
}

const FIRST_ROWS = 5;
const VALUES_SHOWN = 20;
/** Different values of one reason that are counted one by one. */
const VALUES_COUNTED = 10_000;

interface Reason {
  first: RowIssue;
  rows: number;
  values: Map<string, { rows: number; offers?: readonly Offer[] }>;
  /** Whether all messages are equal. */
  isOne: boolean;
  firstRows: IssueReason['firstRows'];
  /** By the cell's currency: never more than there are currencies. */
  rates: Map<string, Rate>;
  /** The row that was added last: a row counts once. */
  last: string;
}

export class IssueReasons {
  readonly #reasons = new Map<string, Reason>();

  add({ row, sheet, line }: RowPlace, issue: RowIssue): void {
    const key = keyOf(issue);
    let reason = this.#reasons.get(key);
    if (reason === undefined) {
      reason = {
        first: issue,
        rows: 0,
        values: new Map(),
        isOne: true,
        firstRows: [],
        rates: new Map(),
        last: '',
      };
      this.#reasons.set(key, reason);
    }
    if (issue.message !== reason.first.message) reason.isOne = false;
    const place = `${row}\u0000${sheet ?? ''}`;
    if (place === reason.last) return;
    reason.last = place;
    reason.rows += 1;
    if (issue.rate !== undefined) reason.rates.set(issue.rate.from, issue.rate);
    if (issue.found !== undefined) {
      const known = reason.values.get(issue.found);
      const { offers } = issue;
      if (known !== undefined) known.rows += 1;
      else if (reason.values.size < VALUES_COUNTED)
        reason.values.set(issue.found, offers === undefined ? { rows: 1 } : { rows: 1, offers });
    }
    if (reason.firstRows.length >= FIRST_ROWS) return;
    reason.firstRows.push({
      row,
      ...(sheet === undefined ? {} : { sheet }),
      ...(line === undefined || line === row ? {} : { line }),
    });
  }

  /** Takes the problems of a row back that was added with them. */
  remove({ row, sheet }: RowPlace, issues: readonly RowIssue[]): void {
    for (const issue of new Map(issues.toReversed().map((each) => [keyOf(each), each])).values()) {
      const reason = this.#reasons.get(keyOf(issue));
      if (reason === undefined) continue;
      reason.rows -= 1;
      reason.last = '';
      reason.firstRows = reason.firstRows.filter((each) => each.row !== row || each.sheet !== sheet);
      const known = issue.found === undefined ? undefined : reason.values.get(issue.found);
      if (known !== undefined) known.rows -= 1;
      if (known?.rows === 0) reason.values.delete(issue.found ?? '');
      if (reason.rows === 0) this.#reasons.delete(keyOf(issue));
    }
  }

  get isEmpty(): boolean {
    return this.#reasons.size === 0;
  }

  /** The gravest first: those of most rows. */
  reasons(): IssueReason[] {
    return [...this.#reasons.values()]
      .sort((a, b) => b.rows - a.rows || (a.firstRows[0]?.row ?? 0) - (b.firstRows[0]?.row ?? 0))
      .map(reasonOf);
  }
}

function keyOf({ code, field = '', column = '', header = '' }: RowIssue): string {
  return `${code}\u0000${field}\u0000${column || header}`;
}

function reasonOf({ first, rows, values, isOne, firstRows, rates }: Reason): IssueReason {
  const { code, field, header, column, expected } = first;
  const commonest = [...values].sort(([, a], [, b]) => b.rows - a.rows);
  const [[value, { offers }] = ['', {}]] = commonest;
  const isOwn = rows === 1 || (isOne && BY_KEY[code] === undefined);
  const said = isOwn ? first.said : general(first, values.size);
  const texts = commonest.slice(0, VALUES_SHOWN).map(([text]) => text);
  const fix = fixOf(first, texts, rows, [...rates.values()]);
  const inTemplate = templateLine(first, value, offers);
  return {
    code,
    ...(field === undefined ? {} : { field }),
    ...(header === undefined || header === '' ? {} : { header }),
    ...(column === undefined ? {} : { column }),
    rows,
    values: commonest.slice(0, VALUES_SHOWN).map(([text, counts]) => ({ text, ...counts })),
    kinds: values.size,
    firstRows,
    ...(said === undefined ? {} : { said }),
    message: said === undefined ? first.message : english(said),
    ...(expected === undefined ? {} : { expected: english(expected) }),
    ...(fix === undefined ? {} : { fix }),
    ...(inTemplate === undefined ? {} : { inTemplate }),
    ...(rates.size === 0 ? {} : { rates: [...rates.values()] }),
  };
}

/** What a reason says of several values. */
function general({ code, field, said }: RowIssue, kinds: number): Message {
  const byKey = BY_KEY[code]?.(field ?? 'key', said);
  if (byKey !== undefined) return byKey;
  const many = `many_${code}`;
  return field !== undefined && isMany(many) ? message(many, { field, kinds }) : generalProblem(code);
}

/** What rows of a plan share, where their own messages name details of each. */
const BY_KEY: Partial<Record<RowCode, (key: string, said: Message | undefined) => Message | undefined>> = {
  no_such_item: (key, said) =>
    message('no_item_has_key', {
      key,
      ...(said?.code === 'no_item_with_key' && said.params.withZeros !== undefined
        ? { withZeros: said.params.withZeros }
        : {}),
    }),
  key_spelled_otherwise: (key, said) =>
    said?.code === 'found_as_spelled'
      ? message('key_is_spelled', { key, spelled: said.params.spelled, match: said.params.match })
      : undefined,
  duplicate_key: (key, said) =>
    message(said?.code === 'rows_of_key_may_add_up' ? 'rows_may_add_up' : 'rows_disagree', { key }),
  key_changed: (key) => message('key_has_changed', { key }),
  surplus_items: (key) => message('more_items_than_quantity', { key }),
  ambiguous_match: (key) => message('several_items_have_key', { key }),
  not_a_candidate: () => message('ids_not_shown', {}),
};

/** What a person reads of a reason: the line, its values, and the options to paste if there are any. */
export function describeReason(reason: IssueReason): { line: string; values?: string; fix?: string } {
  const { rows, header, column, expected, values, kinds, firstRows, fix } = reason;
  const what = reason.message.replace(/\.$/, '');
  const where =
    column === undefined ? '' : ` (column ${column}${header === undefined ? '' : ` ${cut(header)}`})`;
  const wanted = expected === undefined ? '' : `: expected ${expected}`;
  const more = rows > firstRows.length ? ' …' : '';
  const list = firstRows.map(({ row, line }) => (line === undefined ? `${row}` : `${row} (line ${line})`));
  const line = `${counted(rows, 'row')}: ${what}${where}${wanted}; ${rows === 1 ? 'row' : 'rows'} ${list.join(', ')}${more}`;
  return {
    line,
    ...(kinds < 2 && offeredWords(values[0]?.offers) === '' ? {} : { values: valuesText(values, kinds) }),
    ...(fix === undefined ? {} : { fix }),
  };
}

/** What the amounts of an `unclear_currency` may be in: what the items are in, then what others of the column show. */
export function currenciesOf({ rates = [] }: Pick<IssueReason, 'rates'>): string[] {
  return rates.flatMap(({ from, to }) => [...to.split(' or '), from]);
}

const VALUES_LISTED = 8;

function valuesText(values: IssueReason['values'], kinds: number): string {
  const listed = values.slice(0, VALUES_LISTED);
  const rest = kinds - listed.length;
  const texts = listed.map(({ text, rows, offers }) => {
    const meaning = offeredWords(offers);
    return `${JSON.stringify(text)} ${rows}×${meaning === '' ? '' : ` → ${meaning}?`}`;
  });
  return `${texts.join(', ')}${rest > 0 ? `, and ${counted(rest, 'other')}` : ''}`;
}

/** One option for each word. */
function words(field: WordField, values: readonly string[]): string {
  const meanings = WORD_FIELDS[field].join('|');
  return values.map((word) => `--word ${shellWord(`${field}:${word}=${meanings}`)}`).join(' ');
}

/** Options of `jobs mend` for the commonest values; what follows # is a comment to the shell. */
function fixOf(
  { code, field = '' }: RowIssue,
  values: readonly string[],
  rows: number,
  rates: readonly Rate[],
): string | undefined {
  const [value = ''] = values;
  const option = (text: string) => `--option ${shellWord(`${field}:${text}`)}`;
  switch (code) {
    case 'unknown_word':
      return value === '' || !isWordField(field) ? undefined : words(field, values);
    case 'inexact_word':
      return `${option('offeredWords=take')}   # keeps the word itself in a custom field`;
    case 'ambiguous_number':
      return `${option('decimal=point')}   # or comma`;
    case 'required':
      if (field !== 'name') return undefined;
      // One name for many rows is rarely meant: such rows fill a page, or are blank.
      return rows > 1 ? '--omit-reason required' : '--default "name=…"';
    case 'out_of_range':
      return field === 'release_year'
        ? `${option('outOfRange=keep')}   # keeps the year in custom_fields.year; or blank`
        : undefined;
    case 'two_digit_year':
      return field === 'release_year' ? `${option('twoDigitYears=1900')}   # 19xx; or 2000` : undefined;
    case 'uncertain_year':
    case 'approximate_number':
      return option('approximate=read');
    case 'wrong_currency':
      return field === 'estimated_value' && rates.length > 0 ? rateOptions(rates) : undefined;
    case 'unclear_currency':
      return `${option(`currency=${rates[0]?.from ?? 'EUR'}`)}   # or ${rates[0]?.to ?? 'USD'}`;
    case 'no_match':
      return `${option('noMatch=blank')}   # or keep`;
    case 'summary_row':
      return `--accept-reason ${code}   # if they are items; one of them: --row ROW --accept`;
    default:
      return undefined;
  }
}

function rateOptions(rates: readonly Rate[]): string {
  const options = rates.map(({ from }) => `--rate ${from}=RATE`).join(' ');
  return `${options}   # ${rates.map(({ from, to }) => `1 ${from} in ${to}`).join(', ')}`;
}

function offeredWords(offers: readonly Offer[] | undefined): string {
  return Object.entries(offers?.[0]?.set ?? {})
    .filter(([field]) => isWordField(field))
    .map(([, value]) => value)
    .join(', ');
}

/** The same where there is no job to mend: `template check`. */
function templateLine(
  { code, field = '', header, rate }: RowIssue,
  value: string,
  offers: readonly Offer[] | undefined,
): string | undefined {
  const under = (spec: string) => `in a template, under columns: ${field}: { ${spec} }`;
  switch (code) {
    case 'unknown_word':
      return value === '' || !isWordField(field)
        ? undefined
        : under(`words: { ${JSON.stringify(value)}: ${WORD_FIELDS[field].join('|')} }`);
    case 'inexact_word':
      return `${value} → ${offeredWords(offers)}? In a template, under columns: ${field}: { offeredWords: take }; the word itself is kept in a custom field`;
    case 'ambiguous_number':
      return '--decimal point, or --decimal comma';
    case 'required':
      return field === 'name' ? '--default "name=…", or fill the cells in' : undefined;
    case 'out_of_range':
      return field === 'release_year'
        ? `${under('outOfRange: keep')}: the year is left blank (the API takes 1968 to 2100), and the true one kept in custom_fields.year; or blank`
        : undefined;
    case 'uncertain_year':
    case 'approximate_number':
      return under('approximate: read');
    case 'wrong_currency':
      return `${under(`rates: { ${rate?.from ?? 'EUR'}: RATE }`)} converts the amounts; or, if the numbers are right as they are: from: ${JSON.stringify(header ?? '')}, pattern: '[\\d.,]+'`;
    case 'unclear_currency':
      return `${under(`currency: ${(rate?.from ?? 'EUR').toLowerCase()}`)}, or ${(rate?.to ?? 'USD').toLowerCase()}`;
    case 'no_match':
      return `${under('…, noMatch: blank')} (or keep)`;
    case 'number_lost':
      return 'format the column as text in the spreadsheet program, type the numbers again, and save';
    default:
      return undefined;
  }
}
