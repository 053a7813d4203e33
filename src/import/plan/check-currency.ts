/**
 * The API decides an item's currency and takes amounts as bare numbers, so an amount in another currency would silently
 * become a wrong amount. If a file shows currencies, they are compared with those of existing items, and each row that
 * differs is invalid. Whatever way a cell was read in, it is compared by the currency that it shows. Where a column shows
 * only others than the items', its amounts without one are invalid, too, until a person says what they are in.
 */
import { MissingScopeError } from '../../api/errors.ts';
import { UsageError } from '../../errors.ts';
import type { JobRecord, LedgerRow, RowMove } from '../../ledger/ledger.ts';
import type { RowState } from '../../ledger/states.ts';
import { cut, quoted } from '../../mapping/casts/cast.ts';
import { rateCode } from '../../mapping/casts/currency.ts';
import { currencyReader } from '../../mapping/casts/read-currency.ts';
import type { RowIssue } from '../../mapping/issue.ts';
import { IssueReasons } from '../../mapping/issue-reasons.ts';
import type { JobDeps } from '../job/deps.ts';
import { filledCells } from '../job/filled-cells.ts';
import { Corrections, findJudging } from '../job/judging.ts';
import { rowPages } from '../job/row-pages.ts';
import { shapeProblems, storedIssue } from '../stage/judge-row.ts';
import type { AmountSource } from '../../money.ts';

/** Reads one page of items, and only if the file shows a currency or its template names one. */
export async function checkCurrency(job: JobRecord, deps: JobDeps): Promise<void> {
  const { amounts } = job.options;
  if (amounts === undefined) return;
  const items = await currenciesOfItems(amounts, deps);
  if (items === undefined) return;
  refuseOwnRates(amounts.converted ?? [], items);
  if (fits(amounts, items)) {
    if (amounts.seen.length > 0)
      deps.emit({ type: 'note', message: `${shown(amounts)} The items are in ${listed(items)}.` });
    return;
  }
  const judging = await findJudging(job.id, deps.ledger);
  const corrections = new Corrections(judging ?? { tables: [], steps: [] });
  // The judge does not know this reason: only the plan knows the currency of the items.
  const leftOut = new Set(
    (judging?.steps ?? [])
      .flatMap(({ changes }) => changes)
      .flatMap((change) =>
        change.type === 'omitReason' && (change.column ?? amounts.letter) === amounts.letter
          ? [change.code]
          : [],
      ),
  );
  const reasons = new IssueReasons();
  const foreign = foreignOf(amounts, items);
  if (foreign !== undefined) job.options = { ...job.options, amounts: { ...amounts, foreign } };
  const read = currencyReader(amounts.pattern, amounts.group);
  const mayHaveCopies = job.options.quantityColumn !== undefined && (judging?.steps.length ?? 0) > 0;
  const textOf = amountTexts(amounts, corrections, mayHaveCopies ? judging?.rows : undefined);
  for await (const page of rowPages(
    deps.ledger,
    job.id,
    amounts.fillDown === true ? {} : { states: CHECKED },
  )) {
    const moves: RowMove[] = [];
    for (const row of page) {
      const text = textOf(row);
      if (!CHECKED.includes(row.state) || sendsNoAmount(row)) continue;
      const issue =
        unclearCurrency(text, amounts, items, { foreign, read }) ?? wrongCurrency(text, amounts, items, read);
      // Planned again after a kill, it has the problem already.
      if (issue === undefined || row.issues.some(({ code }) => code === issue.code)) continue;
      if (leftOut.has(issue.code)) {
        const message = `left out by a person, because ${issue.message}`;
        moves.push({
          ordinal: row.ordinal,
          from: row.state,
          to: 'skipped',
          issues: [{ code: 'skipped_by_rule', message }, ...shapeProblems(row)],
        });
        continue;
      }
      if (row.copy === 0) reasons.add({ row: row.sheetRow, sheet: row.sheet }, issue);
      moves.push({
        ordinal: row.ordinal,
        from: row.state,
        to: 'invalid',
        issues: [...row.issues, storedIssue(issue)],
      });
    }
    if (moves.length > 0) await deps.ledger.rows.move(job.id, moves);
  }
  if (!reasons.isEmpty) deps.emit({ type: 'issues', reasons: reasons.reasons(), job: job.id });
}

/** States of rows that have not been sent. */
const CHECKED: readonly RowState[] = ['planned', 'invalid'];

/** Whether the cell has been read as blank. */
function sendsNoAmount({ state, payload }: LedgerRow): boolean {
  if (state !== 'planned' || payload === null) return false;
  const sent = JSON.parse(payload) as {
    fields?: Record<string, unknown>;
    relative?: Record<string, unknown>;
    estimated_value?: unknown;
  };
  const { estimated_value: value = sent.relative?.['estimated_value'] } = sent.fields ?? sent;
  return value === undefined;
}

/** Gives the text of each row's amount; call it for all rows in order. */
function amountTexts(
  { index, joined = [index], with: between = '', fillDown }: AmountSource,
  corrections: Corrections,
  own: number | undefined,
): (row: LedgerRow) => string {
  const cellsOf = filledCells(fillDown === true ? joined : [], corrections, own);
  return (row) => {
    const cells = cellsOf(row);
    const parts = joined.map((column) => cells[column]?.trim() ?? '');
    return parts.filter((part) => part !== '').join(between);
  };
}

/** @throws UsageError `bad_rate` for a rate of the currency that the items are in */
function refuseOwnRates(codes: readonly string[], items: ReadonlySet<string>): void {
  const own = codes.find((code) => items.size === 1 && items.has(code));
  if (own === undefined) return;
  throw new UsageError('bad_rate', `The rate of ${own} converts nothing: the items are in ${own} already.`, {
    remedy: `Leave it out. A rate is what one unit of another currency is in ${own}: --rate CODE=RATE`,
  });
}

/** @throws UsageError `bad_rate` */
export async function checkRates(codes: readonly string[], { client, signal }: JobDeps): Promise<void> {
  const items = await firstCurrencies(client, signal).catch((error: unknown) => {
    if (error instanceof MissingScopeError) return new Set<string>();
    throw error;
  });
  refuseOwnRates(codes, items);
}

async function firstCurrencies(client: JobDeps['client'], signal: AbortSignal): Promise<Set<string>> {
  const { value } = await client.listItems({ page: 1, signal });
  return new Set(value.data.map((item) => item.currency.toUpperCase()));
}

function listed(codes: ReadonlySet<string>): string {
  return [...codes].sort().join(' or ');
}

/** Upper-case codes of one page of items; undefined if there is nothing to compare with. */
async function currenciesOfItems(amounts: AmountSource, deps: JobDeps): Promise<Set<string> | undefined> {
  const { client, signal, emit } = deps;
  const isShown = amounts.seen.length > 0 || amounts.expected !== undefined;
  try {
    const codes = await firstCurrencies(client, signal);
    if (codes.size > 0) return codes;
    if (isShown)
      emit({ type: 'note', message: `${shown(amounts)} There is no item yet to compare that with.` });
  } catch (error) {
    if (!(error instanceof MissingScopeError)) throw error;
    if (isShown)
      emit({
        type: 'note',
        message: `${shown(amounts)} The currency of the items is unknown, because the key lacks the scope items:read.`,
      });
  }
  return undefined;
}

function shown({ header, letter, seen, expected }: AmountSource): string {
  const codes = expected === undefined ? seen.map(([first = '']) => first) : [expected];
  return `The amounts in column ${letter} (${cut(header)}) are in ${[...new Set(codes)].join(', ')}.`;
}

/** True if no row can differ: every currency that was seen, and the template's, is one of the items. */
function fits(amounts: AmountSource, items: Set<string>): boolean {
  const { seen, expected } = amounts;
  return (
    foreignOf(amounts, items) === undefined &&
    seen.every((codes) => codes.some((code) => items.has(code))) &&
    (expected === undefined || items.has(expected))
  );
}

/** The first currency that the column shows, converted or not, if it shows none of the items' and its template names none. */
function foreignOf(
  { seen, convertedSeen = [], expected }: AmountSource,
  items: ReadonlySet<string>,
): string | undefined {
  if (expected !== undefined || seen.some((codes) => codes.some((code) => items.has(code)))) return undefined;
  return rateCode([...seen.flat(), ...convertedSeen]);
}

/** An amount, other than 0, that says nothing of its currency in a column that shows only another than the items'. */
function unclearCurrency(
  text: string,
  { header, letter }: AmountSource,
  items: ReadonlySet<string>,
  { foreign, read }: { foreign: string | undefined; read: ReturnType<typeof currencyReader> },
): RowIssue | undefined {
  if (foreign === undefined || !/[1-9]/u.test(text) || read(text)?.length !== 0) return undefined;
  return {
    code: 'unclear_currency',
    message: `estimated_value ${quoted(text)} shows no currency, and others of its column show ${foreign}`,
    field: 'estimated_value',
    header,
    column: letter,
    found: cut(text),
    expected: 'an amount with its currency',
    rate: { from: foreign, to: listed(items) },
  };
}

function wrongCurrency(
  text: string,
  { header, letter, expected, converted = [] }: AmountSource,
  items: Set<string>,
  read: ReturnType<typeof currencyReader>,
): RowIssue | undefined {
  const codes = text === '' ? undefined : read(text);
  if (codes === undefined) return undefined;
  // An amount without a currency has the template's, or else the items' own.
  const own = codes.length > 0 ? codes : expected === undefined ? undefined : [expected];
  // Or it was converted when it was read.
  const isConverted = converted.includes(rateCode(own ?? []) ?? '');
  if (own === undefined || isConverted || own.some((code) => items.has(code))) return undefined;
  return {
    code: 'wrong_currency',
    message: `estimated_value ${quoted(text)} is in another currency than the items${codes.length > 0 ? '' : ` (${expected ?? ''}, the template says)`}`,
    field: 'estimated_value',
    header,
    column: letter,
    found: cut(text),
    expected: `an amount in ${listed(items)}`,
    rate: { from: rateCode(own) ?? 'CODE', to: listed(items) },
  };
}
