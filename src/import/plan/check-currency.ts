/**
 * The API decides an item's currency and takes amounts as bare numbers, so an amount in another currency would silently
 * become a wrong amount. If a file shows currencies, each update is compared with its item, each create with the items
 * of its collection, and rows that differ are invalid. The currency that a cell shows counts, however the cell was
 * read. If a column shows only currencies other than the items', its amounts without a currency are also invalid until
 * a person names their currency.
 */
import { MissingScopeError } from '../../api/errors.ts';
import { UsageError } from '../../base/errors.ts';
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, LedgerRow, RowQuery, StoredIssue } from '../../ledger/ledger.ts';
import type { RowState } from '../../ledger/states.ts';
import { cut } from '../../mapping/casts/cast.ts';
import { rateCode } from '../../mapping/casts/currency.ts';
import { currencyReader } from '../../mapping/casts/read-currency.ts';
import { type RowIssue, rowIssue } from '../../mapping/issue.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { IssueReasons } from '../../mapping/issue-reasons.ts';
import type { JobDeps } from '../job/deps.ts';
import { noteOf } from '../job/events.ts';
import { filledCells } from '../job/filled-cells.ts';
import { CorrectedCells, findJudging, type Judging } from '../job/judging.ts';
import { patchOf, type RowPatch } from '../engine/input.ts';
import { currencyOf } from '../../where/item-values.ts';
import { decideRows } from '../job/row-pages.ts';
import { shapeProblems } from '../../sheets/raw-row.ts';
import { leftOutBecause, storedIssue } from '../stage/judge-row.ts';
import type { AmountSource } from '../../base/money.ts';

/**
 * Compares the creates of a job with the items of their collections, and marks rows that differ. Reads the list of
 * items only if the file shows a currency or its template names one. Updates are compared with their own items
 * (AmountCheck).
 */
export async function checkCurrency(job: JobRecord, deps: JobDeps): Promise<void> {
  const { amounts } = job.plan;
  if (amounts === undefined) return;
  if (job.mode === 'update') {
    if (amounts.converted !== undefined) await checkRates(amounts.converted, deps);
    return;
  }
  const known = await currenciesByCollection(amounts, deps);
  if (known === undefined) return;
  const codesOf = (id: string) => known.get(id.toLowerCase()) ?? new Set<string>();
  const targets = Object.values(job.collections).map(codesOf);
  const items = new Set(targets.flatMap((codes) => [...codes]));
  refuseOwnRates(amounts.converted ?? [], items);
  if (items.size === 0 && !isMixed(amounts)) {
    if (isShown(amounts)) deps.emit(noteOf(message('amounts_not_compared', shown(amounts))));
    return;
  }
  if (targets.every((codes) => codes.size === 1 && fits(amounts, codes))) {
    if (amounts.seen.length > 0)
      deps.emit(noteOf(message('amounts_and_items', { ...shown(amounts), items: [...items].sort() })));
    return;
  }
  const judging = await findJudging(job.id, deps.ledger);
  const check = new AmountCheck(amounts, judging, currencyReader(amounts.pattern, amounts.group));
  const reasons = new IssueReasons();
  const foreign = foreignOf(amounts, items);
  if (foreign !== undefined) job.plan = { ...job.plan, amounts: { ...amounts, foreign } };
  const mayHaveCopies = job.plan.quantityColumn !== undefined && (judging?.steps.length ?? 0) > 0;
  const textOf = amountTexts(amounts, judging, mayHaveCopies);
  // Cells may be filled in from any row above.
  const rows: Omit<RowQuery, 'limit'> =
    amounts.fillDown === true ? {} : { states: CHECKED, actions: ['create'] };
  await decideRows(job.id, deps.ledger, rows, (row) => {
    const text = textOf(row);
    if (!CHECKED.includes(row.state) || row.action !== 'create' || sendsNoAmount(row)) return undefined;
    const target = job.collections[row.collection ?? ''];
    const issue = check.issueOf(text, target === undefined ? items : codesOf(target), foreign);
    // Planned again after a kill, it has the problem already.
    if (issue === undefined || row.issues.some(({ code }) => code === issue.code)) return undefined;
    const leftOut = check.leftOut(issue);
    if (leftOut !== undefined) return { to: 'skipped', issues: [leftOut, ...shapeProblems(row)] };
    if (row.copy === 0) reasons.add({ row: row.sheetRow, sheet: row.sheet }, issue);
    return { to: 'invalid', issues: [...row.issues, storedIssue(issue)] };
  });
  if (!reasons.isEmpty) deps.emit({ type: 'issues', reasons: reasons.reasons(), job: job.id });
}

/** Compares amounts of a file with the currency of items. */
export class AmountCheck {
  readonly #amounts: AmountSource;
  /** Codes of this check for which a person left rows out. */
  readonly #leftOut: ReadonlySet<string>;
  readonly #read: ReturnType<typeof currencyReader>;

  /** @param read the currency of a text; the default expects a text that the column's pattern has already extracted */
  constructor(amounts: AmountSource, judging: Judging | undefined, read = currencyReader()) {
    this.#amounts = amounts;
    this.#read = read;
    const { letter } = amounts;
    const changes = (judging?.steps ?? []).flatMap((step) => step.changes);
    // The judge does not know these reasons: only the plan knows the currency of the items.
    this.#leftOut = new Set(
      changes.flatMap((change) =>
        change.type === 'omitReason' && (change.column ?? letter) === letter ? [change.code] : [],
      ),
    );
  }

  /** undefined if no amount of the job shows a currency. */
  static async open(job: JobRecord, { ledger }: Pick<JobDeps, 'ledger'>): Promise<AmountCheck | undefined> {
    const { amounts } = job.plan;
    return amounts && new AmountCheck(amounts, await findJudging(job.id, ledger));
  }

  /** Like `difference`: the problem of an update, or why it is left out; undefined if its amount may be sent. */
  against(patch: RowPatch, item: Item): { to: 'invalid' | 'skipped'; issues: StoredIssue[] } | undefined {
    const text = patch.fields.estimated_value?.text ?? patch.relative?.['estimated_value']?.shown;
    if (text === undefined) return undefined;
    const items = new Set([currencyOf(item).toUpperCase()]);
    // If the column shows several currencies, an amount without one is in the currency of its item.
    const foreign = isMixed(this.#amounts) ? undefined : foreignOf(this.#amounts, items);
    const issue = this.issueOf(text, items, foreign);
    if (issue === undefined) return undefined;
    const leftOut = this.leftOut(issue);
    return leftOut === undefined
      ? { to: 'invalid', issues: [storedIssue(issue)] }
      : { to: 'skipped', issues: [leftOut] };
  }

  /**
   * @param items currencies of the items that the amount is compared with; empty for a collection without items
   * @param foreign the currency that other amounts of the column show, if none shows a currency of the items
   */
  issueOf(text: string, items: ReadonlySet<string>, foreign: string | undefined): RowIssue | undefined {
    if (items.size === 0) return this.#mixed(text);
    return this.#unclear(text, items, foreign) ?? this.#wrong(text, items);
  }

  /** The issue of a row that a person left out for this reason. */
  leftOut(issue: RowIssue): StoredIssue | undefined {
    return this.#leftOut.has(issue.code) ? leftOutBecause(issue) : undefined;
  }

  /** In a collection without items: an amount in one currency while other amounts are in another. */
  #mixed(text: string): RowIssue | undefined {
    const { seen, expected, converted = [] } = this.#amounts;
    const codes = text === '' ? [] : (this.#read(text) ?? []);
    const code = rateCode(codes) ?? codes[0];
    if (code === undefined || converted.includes(code)) return undefined;
    const others = [expected ?? [], ...seen].map((each) => rateCode(each) ?? '');
    const list = [...new Set(others)].filter((each) => each !== '' && each !== code);
    const [to] = list;
    if (to === undefined) return undefined;
    const problem = message('others_in_currency', { text: cut(text), currency: code, others: list });
    const wanted = message('want_one_currency', {});
    return this.#issue('wrong_currency', text, problem, wanted, { from: code, to });
  }

  /** A non-zero amount without a currency, in a column that shows only currencies other than the items'. */
  #unclear(text: string, items: ReadonlySet<string>, foreign: string | undefined): RowIssue | undefined {
    if (foreign === undefined || !/[1-9]/u.test(text) || this.#read(text)?.length !== 0) return undefined;
    const problem = message('others_show_currency', { text: cut(text), currency: foreign });
    const rate = { from: foreign, to: listed(items) };
    return this.#issue('unclear_currency', text, problem, message('want_amount_with_currency', {}), rate);
  }

  #wrong(text: string, items: ReadonlySet<string>): RowIssue | undefined {
    const { expected, converted = [] } = this.#amounts;
    const codes = text === '' ? undefined : this.#read(text);
    if (codes === undefined) return undefined;
    // An amount without a currency has the template's, or else the items' own.
    const own = codes.length > 0 ? codes : expected;
    // Or it was converted when it was read.
    const isConverted = converted.includes(rateCode(own ?? []) ?? '');
    // If the items have several, nothing says which one a new item will have.
    const isTheirs = own?.some((code) => items.has(code)) === true && items.size === 1;
    if (own === undefined || isConverted !== isTheirs) return undefined;
    const ofColumn = codes.length > 0 ? {} : { currency: rateCode(own) ?? '' };
    const wanted =
      items.size > 1
        ? message('want_amount_without_currency', {})
        : message('want_amount_in', { currency: listed(items) });
    const rate = { from: rateCode(own) ?? 'CODE', to: listed(items) };
    const problem = message('not_currency_of_items', { text: cut(text), ...ofColumn });
    return this.#issue('wrong_currency', text, problem, wanted, rate);
  }

  #issue(
    code: RowIssue['code'],
    text: string,
    what: Message,
    expected: Message,
    rate: NonNullable<RowIssue['rate']>,
  ): RowIssue {
    const { header, letter: column } = this.#amounts;
    const field = 'estimated_value';
    const said = message('cell_problem', { field, what });
    return rowIssue(code, said, { field, header, column, found: cut(text), expected, rate });
  }
}

/** States of rows that have not been sent. */
const CHECKED: readonly RowState[] = ['planned', 'invalid'];

/** True if the cell was read as blank. */
function sendsNoAmount(row: LedgerRow): boolean {
  if (row.state !== 'planned' || row.input === null) return false;
  const { fields, relative = {} } = patchOf(row);
  return fields.estimated_value === undefined && relative['estimated_value'] === undefined;
}

/** Returns the text of each row's amount; call it for all rows in order. */
function amountTexts(
  { index, joined = [index], with: between = '', fillDown }: AmountSource,
  judging: Judging | undefined,
  mayHaveCopies: boolean,
): (row: LedgerRow) => string {
  const corrections = new CorrectedCells(judging ?? { tables: [], steps: [] });
  const own = mayHaveCopies ? judging?.rows : undefined;
  const cellsOf = filledCells(fillDown === true ? joined : [], corrections, own);
  return (row) => {
    const { cells } = cellsOf(row);
    const parts = joined.map((column) => cells[column]?.trim() ?? '');
    return parts.filter((part) => part !== '').join(between);
  };
}

/** @throws UsageError `bad_rate` for a rate of the items' own currency */
function refuseOwnRates(codes: readonly string[], items: ReadonlySet<string>): void {
  const own = codes.find((code) => items.size === 1 && items.has(code));
  if (own === undefined) return;
  const params = { currency: own };
  const action = { do: 'byHand', label: message('what_a_rate_is', params) } as const;
  throw new UsageError('bad_rate', message('rate_of_items', params, action));
}

/** @throws UsageError `bad_rate` */
export async function checkRates(codes: readonly string[], { client, signal }: JobDeps): Promise<void> {
  try {
    const { value } = await client.listItems({ page: 1, signal });
    refuseOwnRates(codes, new Set(value.data.map(({ currency }) => currency.toUpperCase())));
  } catch (error) {
    if (!(error instanceof MissingScopeError)) throw error;
  }
}

function listed(codes: ReadonlySet<string>): string {
  return [...codes].sort().join(' or ');
}

/** Collection, in lower case → upper-case codes of its items; undefined if the key is not allowed to read them. */
async function currenciesByCollection(
  amounts: AmountSource,
  { client, signal, emit }: JobDeps,
): Promise<Map<string, Set<string>> | undefined> {
  const found = new Map<string, Set<string>>();
  try {
    for (let page = 1, more = true; more; page += 1) {
      const { value } = await client.listItems({ page, signal });
      for (const { collection_id, currency } of value.data) {
        const id = collection_id.toLowerCase();
        found.set(id, (found.get(id) ?? new Set()).add(currency.toUpperCase()));
      }
      more = value.pagination.has_more;
    }
    return found;
  } catch (error) {
    if (!(error instanceof MissingScopeError)) throw error;
    if (isShown(amounts)) emit(noteOf(message('amounts_and_no_scope', shown(amounts))));
    return undefined;
  }
}

function isShown({ seen, expected }: AmountSource): boolean {
  return seen.length > 0 || expected !== undefined;
}

/** True if the column shows several currencies, so that the currency of a collection without items is unknown. */
function isMixed({ seen, expected }: AmountSource): boolean {
  const all = expected === undefined ? seen : [expected, ...seen];
  const [first = []] = all;
  return all.length > 1 && !first.some((code) => all.every((codes) => codes.includes(code)));
}

function shown({ header, letter, seen, expected }: AmountSource) {
  const codes = (expected === undefined ? seen : [expected]).map(([first = '']) => first);
  return { column: letter, header: cut(header), currencies: [...new Set(codes)] };
}

/** True if no row can differ: every observed currency, and the template's, is that of the items. */
function fits(amounts: AmountSource, items: Set<string>): boolean {
  const { seen, expected } = amounts;
  return (
    foreignOf(amounts, items) === undefined &&
    seen.every((codes) => codes.some((code) => items.has(code))) &&
    (expected === undefined || expected.some((code) => items.has(code)))
  );
}

/**
 * The first currency that the column shows, converted or not, if it shows none of the items' currencies and its
 * template names no currency.
 */
function foreignOf(
  { seen, convertedSeen = [], expected }: AmountSource,
  items: ReadonlySet<string>,
): string | undefined {
  if (expected !== undefined || seen.some((codes) => codes.some((code) => items.has(code)))) return undefined;
  return rateCode([...seen.flat(), ...convertedSeen]);
}
