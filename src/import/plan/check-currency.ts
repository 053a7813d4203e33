/**
 * The API decides an item's currency and takes amounts as bare numbers, so an amount in another currency would silently
 * become a wrong amount. If a file shows currencies, they are compared with those of existing items, and each row that
 * differs is invalid.
 */
import { MissingScopeError } from '../../api/errors.ts';
import type { JobRecord, LedgerRow, RowMove } from '../../ledger/ledger.ts';
import { cut, quoted } from '../../mapping/casts/cast.ts';
import { currencyReader } from '../../mapping/casts/read-currency.ts';
import { IssueGroups } from '../../mapping/group-issues.ts';
import type { RowIssue } from '../../mapping/issue.ts';
import type { JobDeps } from '../job/deps.ts';
import { rowPages } from '../job/row-pages.ts';
import type { AmountSource } from '../../money.ts';

/** Reads one page of items, and only if the file shows a currency or its template names one. */
export async function checkCurrency(job: JobRecord, deps: JobDeps): Promise<void> {
  const { amounts } = job.options;
  if (amounts === undefined) return;
  const items = await currenciesOfItems(amounts, deps);
  if (items === undefined || fits(amounts, items)) return;
  const groups = new IssueGroups();
  const read = currencyReader(amounts.pattern, amounts.group);
  for await (const page of rowPages(deps.ledger, job.id, { states: ['planned'] })) {
    const moves: RowMove[] = [];
    for (const row of page) {
      const issue = wrongCurrency(row, amounts, items, read);
      if (issue === undefined) continue;
      if (row.copy === 0) groups.add(row.sheetRow, issue);
      const message = `${issue.message}: expected ${issue.expected ?? ''}`;
      moves.push({
        ordinal: row.ordinal,
        from: 'planned',
        to: 'invalid',
        issues: [{ code: issue.code, message, column: amounts.header || amounts.letter }],
      });
    }
    if (moves.length > 0) await deps.ledger.rows.move(job.id, moves);
  }
  if (groups.total > 0) deps.emit({ type: 'issues', groups: groups.groups() });
}

/** Upper-case codes of one page of items; undefined if there is nothing to compare with. */
async function currenciesOfItems(amounts: AmountSource, deps: JobDeps): Promise<Set<string> | undefined> {
  const { client, signal, emit } = deps;
  try {
    const { value } = await client.listItems({ page: 1, signal });
    const codes = new Set(value.data.map((item) => item.currency.toUpperCase()));
    if (codes.size > 0) return codes;
    emit({ type: 'note', message: `${shown(amounts)} There is no item yet to compare that with.` });
  } catch (error) {
    if (!(error instanceof MissingScopeError)) throw error;
    emit({
      type: 'note',
      message: `${shown(amounts)} The currency of the items is unknown, because the key lacks the scope items:read.`,
    });
  }
  return undefined;
}

function shown({ header, letter, seen, expected }: AmountSource): string {
  const codes = expected === undefined ? seen.map(([first = '']) => first) : [expected];
  return `The amounts in column ${letter} (${cut(header)}) are in ${codes.join(', ')}.`;
}

/** True if no row can differ: every currency that was seen, and the template's, is one of the items. */
function fits({ seen, expected }: AmountSource, items: Set<string>): boolean {
  return (
    seen.every((codes) => codes.some((code) => items.has(code))) &&
    (expected === undefined || items.has(expected))
  );
}

function wrongCurrency(
  row: LedgerRow,
  { index, joined = [index], with: between = '', header, letter, expected }: AmountSource,
  items: Set<string>,
  read: ReturnType<typeof currencyReader>,
): RowIssue | undefined {
  const cells = JSON.parse(row.source ?? '[]') as string[];
  const parts = joined.map((column) => cells[column]?.trim() ?? '');
  const text = parts.filter((part) => part !== '').join(between);
  const codes = text === '' ? undefined : read(text);
  if (codes === undefined) return undefined;
  // An amount without a currency has the template's, or else the items' own.
  const own = codes.length > 0 ? codes : expected === undefined ? undefined : [expected];
  if (own === undefined || own.some((code) => items.has(code))) return undefined;
  return {
    code: 'wrong_currency',
    message: `estimated_value ${quoted(text)} is in another currency than the items${codes.length > 0 ? '' : ` (${expected ?? ''}, the template says)`}`,
    field: 'estimated_value',
    header,
    column: letter,
    found: cut(text),
    expected: `an amount in ${[...items].sort().join(' or ')}`,
  };
}
