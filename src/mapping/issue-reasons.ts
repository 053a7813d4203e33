/**
 * The problems of a file's rows, grouped by reason: one for each code, field and column, with exact counts of rows and
 * the most frequent values. A row with two problems counts for both. Memory is bounded: for each reason, a limited
 * number of different values are counted one by one, and all others together.
 */
import { saidOf } from '../base/errors.ts';
import { english, generalProblem, isMessage, message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { isMany } from '../messages/params/rows.ts';
import type { RowCode } from '../messages/row-codes.ts';
import { cut } from './casts/cast.ts';
import type { Offer, Rate, RowIssue } from './issue.ts';
import { isWordField } from './word-lists.ts';

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
  /** Number of rows of the file with this problem. */
  rows: number;
  /** The most frequent values first, at most 20. */
  values: {
    /** The text of the cell, cut. */
    text: string;
    /** Number of rows with this text. */
    rows: number;
    /** Likely readings of the text, the likeliest first. */
    offers?: readonly Offer[];
  }[];
  /** Number of different values; a lower bound if there are more than 10,000. */
  kinds: number;
  /** The first rows with this problem, at most five. `line` of a text file, if it differs from the row. */
  firstRows: {
    /** Row number as a spreadsheet program shows it. */
    row: number;
    /** Worksheet, if the source has several. */
    sheet?: string;
    /** Line of a text file, if it differs from `row`. */
    line?: number;
  }[];
  /** The problem, without rows: `textOf(reason.said, 'de')` gives it in German. */
  said?: Message;
  /** The problem in English. */
  message: string;
  /** Values for programs. */
  params: {
    /** Field that the column is for. */
    field?: string;
    /** Currency of the amounts. */
    from?: string;
    /** Currency of the items. */
    to?: string;
  };
  /** The expected value, in English. */
  expected?: string;
  /** The expected value as a message. */
  expectedAs?: Message;
  /** The conversions that its amounts need, one for each currency. */
  rates?: Rate[];
}

/** A row, as a person locates it in the file. */
export interface RowPlace {
  row: number;
  sheet?: string | undefined;
  line?: number | undefined;
}

/** `3`, or `3 (Dolls)` if rows of several sheets were read. */
export function placeText({ row, sheet }: RowPlace): string {
  return sheet === undefined ? `${row}` : `${row} (${sheet})`;
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
  /** By the currency of the cell, so there are never more entries than currencies. */
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

  /** Removes the problems of a row that was added before. */
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

  /** Most rows first. */
  reasons(): IssueReason[] {
    return [...this.#reasons.values()]
      .sort((a, b) => b.rows - a.rows || (a.firstRows[0]?.row ?? 0) - (b.firstRows[0]?.row ?? 0))
      .map(reasonOf);
  }
}

function keyOf({ code, said, field = '', column = '', header = '' }: RowIssue): string {
  const own = isMessage(said, 'refused_by_map') ? said.params.code : '';
  return `${code}${own}\u0000${field}\u0000${column || header}`;
}

function reasonOf({ first, rows, values, isOne, firstRows, rates }: Reason): IssueReason {
  const { code, field, header, column, expected } = first;
  const commonest = [...values].sort(([, a], [, b]) => b.rows - a.rows);
  const isOwn = rows === 1 || (isOne && BY_KEY[code] === undefined);
  const said = isOwn ? first.said : general(first, values.size);
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
    params: { ...(field === undefined ? {} : { field }), ...[...rates.values()][0] },
    ...(expected === undefined ? {} : { expected: english(expected), expectedAs: expected }),
    ...(rates.size === 0 ? {} : { rates: [...rates.values()] }),
  };
}

/** The text of a reason for several values. */
function general({ code, field, said }: RowIssue, kinds: number): Message {
  const byKey = BY_KEY[code]?.(field ?? 'key', said);
  if (byKey !== undefined) return byKey;
  const many = `many_${code}`;
  if (field === undefined || !isMany(many)) return generalProblem(code);
  // A plan does not give the values: the problem of the first row is an example.
  return kinds === 0 && said !== undefined ? said : message(many, { field, kinds });
}

/** The shared text for rows of a plan whose own messages contain details of each row. */
const BY_KEY: Partial<Record<RowCode, (key: string, said: Message | undefined) => Message | undefined>> = {
  no_such_item: (key, said) =>
    message('no_item_has_key', {
      key,
      ...(isMessage(said, 'no_item_with_key') && said.params.withZeros !== undefined
        ? { withZeros: said.params.withZeros }
        : {}),
    }),
  key_spelled_otherwise: (key, said) =>
    isMessage(said, 'found_as_spelled')
      ? message('key_is_spelled', { key, spelled: said.params.spelled, match: said.params.match })
      : undefined,
  duplicate_key: (key, said) =>
    message(said?.code === 'rows_of_key_may_add_up' ? 'rows_may_add_up' : 'rows_disagree', { key }),
  key_changed: (key) => message('key_has_changed', { key }),
  surplus_items: (key) => message('more_items_than_quantity', { key }),
  ambiguous_match: (key) => message('several_items_have_key', { key }),
  not_a_candidate: () => message('ids_not_shown', {}),
};

/** Describes a reason: one line, and its values. */
export function describeReason(reason: IssueReason): { line: Message; values?: Message } {
  const { rows, header, column, expectedAs, values, kinds, firstRows } = reason;
  const line = message('problems_of_rows', {
    rows,
    problem: saidOf(reason),
    ...(column === undefined ? {} : { column: header === undefined ? column : `${column} ${cut(header)}` }),
    ...(expectedAs === undefined ? {} : { expected: expectedAs }),
    places: firstRows.map(({ row, sheet, line: at }) =>
      at === undefined
        ? message('verbatim', { text: placeText({ row, sheet }) })
        : message('row_on_line', { row, line: at }),
    ),
    isMore: rows > firstRows.length,
  });
  return {
    line,
    ...(kinds < 2 && offeredWords(values[0]?.offers) === '' ? {} : { values: valuesShown(values, kinds) }),
  };
}

/** True if amounts show several currencies, and no item shows which one the items have. */
export function isOpenCurrency(rates: readonly Rate[]): boolean {
  return rates.length > 1 && rates.every(({ to }) => rates.some(({ from }) => from === to));
}

/**
 * Possible currencies of the amounts of an `unclear_currency`: those of the items, then those that other cells of the
 * column show.
 */
export function currenciesOf({ rates = [] }: Pick<IssueReason, 'rates'>): string[] {
  return rates.flatMap(({ from, to }) => [...to.split(' or '), from]);
}

const VALUES_LISTED = 8;

function valuesShown(values: IssueReason['values'], kinds: number): Message {
  const listed = values.slice(0, VALUES_LISTED);
  const rest = kinds - listed.length;
  const texts = listed.map(({ text, rows, offers }) => {
    const meaning = offeredWords(offers);
    return `${JSON.stringify(text)} ${rows}×${meaning === '' ? '' : ` → ${meaning}?`}`;
  });
  return message('values_and_more', { values: texts, more: rest });
}

export function offeredWords(offers: readonly Offer[] | undefined): string {
  return Object.entries(offers?.[0]?.set ?? {})
    .filter(([field]) => isWordField(field))
    .map(([, value]) => value)
    .join(', ');
}
