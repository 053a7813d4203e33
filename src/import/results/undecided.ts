/** The rows that wait for a person: what each may be, and the commands that decide it. */
import type { JobRecord, Ledger, LedgerRow, StoredCandidate, StoredIssue } from '../../ledger/ledger.ts';
import type { RowCode } from '../../messages/row-codes.ts';
import { shellWord } from '../../shell-word.ts';
import { isHeldByPlan } from '../job/judging.ts';
import { rowPages } from '../job/row-pages.ts';
import { KINDS } from '../job/kinds.ts';

/** More rows than these nobody decides from a summary. */
const ROWS_SHOWN = 10;

/** Codes of held rows whose item may be there already, made by an equal row of another job. */
const KNOWN_ROWS: ReadonlySet<RowCode> = new Set(['sent_before', 'row_changed']);

/** Codes of invalid rows for which a person can choose one of the items shown. */
export const OF_KEYS: ReadonlySet<RowCode> = new Set(['ambiguous_match', 'not_a_candidate']);

/** Keys as `--json` shows them. */
export interface Undecided {
  /** The first of them. */
  rows: UndecidedRow[];
  /** True if more rows wait. */
  more: boolean;
}

/** A row that waits for a person, and how it can be decided. */
export interface UndecidedRow {
  /** Row number as a spreadsheet program shows it. */
  row: number;
  /** Worksheet, if the source has several. */
  sheet?: string;
  /** `held`: it may be there already. `invalid`: several items have its key. */
  state: 'held' | 'invalid';
  /** Why it waits. */
  code: RowCode;
  /** Why it waits, a sentence. */
  message: string;
  /** The items that it may be, as they were when the issue arose; `command` if one decides for this item. */
  candidates: (StoredCandidate & {
    /** The command that decides for this item, if one does. */
    command?: string;
  })[];
  /** What else can be done with the row. */
  otherwise: {
    /** What it does, for people. */
    says: string;
    /** The command that does it. */
    command: string;
  }[];
}

/** Held rows, and rows of which several items have the key; undefined if there are none. */
export async function undecidedOf(job: JobRecord, ledger: Ledger): Promise<Undecided | undefined> {
  const rows: UndecidedRow[] = [];
  /** Of which one line decides for all copies. */
  const held = new Set<string>();
  const states: ('held' | 'invalid')[] = job.mode === 'create' ? ['held'] : ['held', 'invalid'];
  for await (const page of rowPages(ledger, job.id, { states })) {
    for (const row of page) {
      const [issue] = row.issues;
      if (issue === undefined || (row.state === 'invalid' && !OF_KEYS.has(issue.code))) continue;
      if (isHeldByPlan(row.issues)) {
        const copies = `${row.sheetRow} ${row.sheet ?? ''}`;
        if (held.has(copies)) continue;
        held.add(copies);
      }
      if (rows.length === ROWS_SHOWN) return { rows, more: true };
      rows.push(undecidedRow(job, row, issue));
    }
  }
  return rows.length === 0 ? undefined : { rows, more: false };
}

function undecidedRow(job: JobRecord, row: LedgerRow, issue: StoredIssue): UndecidedRow {
  const { sheetRow, sheet } = row;
  const { code, message, candidates = [] } = issue;
  const where = `--row ${sheetRow}${sheet === undefined ? '' : ` --sheet ${shellWord(sheet)}`}`;
  const resolve = (as: string) => `shelflift jobs resolve ${job.id} ${where} --as ${as}`;
  const isHeld = row.state === 'held';
  const isLostCreate = isHeld && row.action === 'create' && !KNOWN_ROWS.has(code);
  const decide = (item: string) =>
    isHeld ? resolve(`created:${item}`) : `shelflift jobs mend ${job.id} ${where} --item ${item}`;
  const isKnown = KNOWN_ROWS.has(code) && issue.itemId !== undefined;
  const offers: [says: string, as: string][] = [
    ...(isHeldByPlan(row.issues) || (row.action === 'create' && !isKnown)
      ? []
      : [
          ['leave what somebody has changed, and send the rest', 'theirs'] satisfies [string, string],
          ['give the item the values of the row', 'mine'] satisfies [string, string],
        ]),
    ...(isHeldByPlan(row.issues)
      ? [['look again, once that is corrected', 'retry'] satisfies [string, string]]
      : row.action === 'create'
        ? [['create it as a new item', 'retry'] satisfies [string, string]]
        : []),
    ['leave the row', 'skip'],
  ];
  return {
    row: sheetRow,
    ...(sheet === undefined ? {} : { sheet }),
    state: isHeld ? 'held' : 'invalid',
    code,
    message,
    candidates: candidates.map((each) =>
      isLostCreate || !isHeld ? { ...each, command: decide(each.id) } : each,
    ),
    otherwise: isHeld
      ? offers.map(([says, as]) => ({ says, command: resolve(as) }))
      : [
          {
            says: `for many rows: write the right ids into _item_id, then ${KINDS[job.kind].again}`,
            command: KINDS[job.kind].withRejects(job, shellWord(job.files['rejects']?.path ?? 'REJECTS.csv')),
          },
        ],
  };
}

/** The items of which one can be chosen for a row; none for a row that needs no choice, or was sent. */
export function choiceOf({ state, attempts, issues }: LedgerRow): readonly StoredCandidate[] {
  if (state !== 'invalid' || attempts > 0) return [];
  return issues.flatMap(({ code, candidates = [] }) => (OF_KEYS.has(code) ? candidates : []));
}

/** The first rows to choose for, in the order of the file, and how many there are. Reads every invalid row. */
export async function rowsToChoose(
  { id, mode }: Pick<JobRecord, 'id' | 'mode'>,
  ledger: Ledger,
  limit: number,
): Promise<{ rows: LedgerRow[]; all: number }> {
  const rows: LedgerRow[] = [];
  let all = 0;
  if (mode === 'create') return { rows, all };
  for await (const page of rowPages(ledger, id, { states: ['invalid'] })) {
    for (const row of page) {
      if (choiceOf(row).length === 0) continue;
      all += 1;
      if (rows.length < limit) rows.push(row);
    }
  }
  return { rows, all };
}
