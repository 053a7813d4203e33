/** The rows that wait for a person, with their possible items and decisions. */
import type {
  JobKind,
  JobRecord,
  Ledger,
  LedgerRow,
  StoredCandidate,
  StoredIssue,
} from '../../ledger/ledger.ts';
import { placeOf } from '../../ledger/row-name.ts';
import type { RowCode } from '../../messages/row-codes.ts';
import { message } from '../../messages/message.ts';
import type { Action, ActionOptions, Message } from '../../messages/params.ts';
import { updateOf } from '../engine/operation.ts';
import { updateAction } from '../history/known-rows.ts';
import { isHeldByPlan } from '../job/judging.ts';
import { rowPages } from '../job/row-pages.ts';

/** A person cannot decide about more rows than this from a summary. */
const ROWS_SHOWN = 10;

/** Codes of held rows whose item may exist because an equal row of another job created it. */
const KNOWN_ROWS: ReadonlySet<RowCode> = new Set(['sent_before', 'row_changed']);

export const OF_KEYS: ReadonlySet<RowCode> = new Set(['ambiguous_match', 'not_a_candidate']);

/** The rows that wait for a person. */
export interface Undecided {
  /** The first rows that wait for a person. */
  rows: UndecidedRow[];
  /** True if more rows wait. */
  more: boolean;
}

/** A row that waits for a person, and the possible decisions. */
export interface UndecidedRow {
  /** Row number as a spreadsheet program shows it. */
  row: number;
  /** Worksheet, if the source has several. */
  sheet?: string;
  /** `held`: its item may exist. `invalid`: several items have its key. */
  state: 'held' | 'invalid';
  /** Code of the reason. */
  code: RowCode;
  /** The reason as a sentence. */
  message: string;
  /** Stable code of the sentence. */
  text?: string;
  /** Parameters of the sentence. */
  params?: Readonly<Record<string, unknown>>;
  /** The items that the row may be, as they were when the issue arose. */
  candidates: (StoredCandidate & {
    /** The action that decides for this item, if one step is enough. */
    action?: Action;
  })[];
  /** Other possible actions. */
  otherwise: Action[];
}

/** Held rows, and rows whose key several items have; undefined if there are no such rows. */
export async function undecidedOf(job: JobRecord, ledger: Ledger): Promise<Undecided | undefined> {
  const rows: UndecidedRow[] = [];
  /** For these rows, one decision covers all copies. */
  const held = new Set<string>();
  const states: ('held' | 'invalid')[] = job.mode === 'create' ? ['held'] : ['held', 'invalid'];
  for await (const page of rowPages(ledger, job.id, { states })) {
    for (const row of page) {
      const [issue] = row.issues;
      if (issue === undefined || (row.state === 'invalid' && !OF_KEYS.has(issue.code))) continue;
      if (isHeldByPlan(row.issues)) {
        const copies = placeOf(row);
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
  const { code, said, message: text, candidates = [] } = issue;
  const on = sheet === undefined ? {} : { sheet };
  const decide = (what: 'mend' | 'resolve', label: Message, options: ActionOptions): Action => ({
    do: what,
    job: job.id,
    row: sheetRow,
    options: { ...on, ...options },
    label,
  });
  const isHeld = row.state === 'held';
  const isLostCreate = isHeld && row.action === 'create' && !KNOWN_ROWS.has(code);
  const isOfPlan = isHeldByPlan(row.issues);
  const isKnown = KNOWN_ROWS.has(code) && issue.itemId !== undefined;
  // It is unknown which of the row's values are older, so keeping the changed values means leaving the row out.
  const isOlder = row.action === 'update' && updateOf(row).isOlder === true;
  // A code that a spreadsheet program has changed is not a value to send.
  const isRewritten = said?.code === 'code_rewritten';
  const mine: [string, Message][] = isRewritten ? [] : [['mine', message('to_send_mine', {})]];
  const theirs: [string, Message][] = isOlder ? [] : [['theirs', message('to_keep_theirs', {})]];
  const offers: [as: string, label: Message][] = [
    ...(isOfPlan || (row.action === 'create' && !isKnown) ? [] : [...theirs, ...mine]),
    ...(isOfPlan
      ? [['retry', message('to_look_again', {})] satisfies [string, Message]]
      : row.action === 'create'
        ? [['retry', message('to_create_new', {})] satisfies [string, Message]]
        : []),
    ['skip', message('to_leave_row', {})],
  ];
  const choose = (id: string) => {
    const label = message('to_take_candidate', {});
    return isHeld ? decide('resolve', label, { as: `created:${id}` }) : decide('mend', label, { item: id });
  };
  const update =
    code === 'row_changed' && issue.column !== undefined && !isRewritten
      ? [updateAction(job, issue.column)]
      : [];
  return {
    row: sheetRow,
    ...on,
    state: isHeld ? 'held' : 'invalid',
    code,
    message: text,
    ...(said === undefined ? {} : { text: said.code, params: said.params }),
    candidates: candidates.map((each) =>
      isLostCreate || !isHeld ? { ...each, action: choose(each.id) } : each,
    ),
    otherwise: isHeld
      ? [...offers.map(([as, label]) => decide('resolve', label, { as })), ...update]
      : [withRejects(job)],
  };
}

/** The action to write the ids of many rows into the rejects file and give it to the job's command again. */
function withRejects({ kind, mode, request, files }: JobRecord): Action {
  const rejects = files['rejects']?.path ?? 'REJECTS.csv';
  const label = message('to_import_with_ids', {});
  // The rejects are a text file, so options for reading the source do not apply.
  const options = { mode, match: request.match.join(',') };
  const actions: Record<JobKind, Action> = {
    import: { do: 'run', command: 'import', args: [rejects], options, label },
    set: { do: 'setOption', option: 'from', value: rejects, label },
    undo: { do: 'undo', job: request.undoes ?? '', label },
  };
  return actions[kind];
}

/** The items that can be chosen for a row; empty for a row that needs no choice, or that was sent. */
export function choiceOf({ state, attempts, issues }: LedgerRow): readonly StoredCandidate[] {
  if (state !== 'invalid' || attempts > 0) return [];
  return issues.flatMap(({ code, candidates = [] }) => (OF_KEYS.has(code) ? candidates : []));
}

/** The first rows that need a choice, in file order, and their total number. Reads every invalid row. */
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
