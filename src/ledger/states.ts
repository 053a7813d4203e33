/**
 * The states of a row, and which stage moves it.
 *
 *   invalid    did not validate; not sent                                      (stage, plan)
 *   unchanged  nothing to send; final, unless another job writes to its item   (plan, write)
 *   skipped    left out by a rule or a person; final                           (stage, plan, write, history, a person)
 *   planned    valid, waiting to be sent                                       (stage, plan)
 *   sending    the intent is on disk; the request may or may not have left     (write)
 *   done       the server acknowledged it, or settling found its item; final   (write, settle, a person)
 *   refused    the API rejected this row, or does not know its item; final     (write)
 *   unknown    may or may not have been applied                                (write, takeover)
 *   held       a person must decide                                            (stage, plan, settle, write, history)
 *
 *   planned ──write: intent──▶ sending ──2xx──────────────▶ done
 *      ▲                          │ ├────2xx, partly taken─▶ held
 *      │                          │ ├────contract 4xx──────▶ refused
 *      │                          │ ├────429, never sent,
 *      ├──────────────────────────┼─┘    limit_reached  (back to planned: certainly not applied)
 *      │                          └──no answer, 5xx, crash─▶ unknown ──settle: found──▶ done
 *      └────settle: certainly not there─────────────────────────┤└──settle: in doubt──▶ held
 *                                                               │        │
 *      a person (jobs resolve): held, unknown ──▶ done, planned, skipped ┘
 *
 * Mending a job (import/correction) judges its rows again that were never sent: planned, invalid, skipped and unchanged ones
 * without attempts start over, and those that the plan holds. This is not a move: it replaces the judgement of the row.
 *
 * `sending` is durable before a byte of the request leaves; the outcome is committed after the answer. After a crash
 * in between, the row is still `sending`, and the process that takes over the lane first makes it `unknown`.
 *
 * Jobs of one key or one team may send equal rows, so a job may make three moves of another job's rows:
 *   sending → unknown   when it takes over the lane of a dead holder
 *   done    → unknown   when an answer names the item that the row owns
 *   unknown → done      when its settling finds the row's item
 * In particular, it must not make unknown → planned: only the job that sent the request knows how long the server may still
 * apply it. The length of that quiet period is stored with the row (`quiet_ms`), with the intent and again with the
 * lost answer. No moment is stored, because clocks jump: a reader counts the period from when it first sees the row.
 */
export const ROW_STATES = [
  'invalid',
  'unchanged',
  'skipped',
  'planned',
  'sending',
  'done',
  'refused',
  'unknown',
  'held',
] as const;
/** The state of a row of a job. */
export type RowState = (typeof ROW_STATES)[number];
/** Rows in one of these states may still be sent or looked up, so their data is needed. */
export const OPEN_ROW_STATES = ['planned', 'sending', 'unknown', 'held'] as const satisfies RowState[];

/** Every allowed move; the ledger refuses all others. */
export const ROW_MOVES: Record<RowState, readonly RowState[]> = {
  // To itself: the plan finds another problem of it. To skipped: a person has left out the rows with that problem.
  invalid: ['invalid', 'skipped'],
  // Another job has written to the item since: it is read again.
  unchanged: ['planned'],
  skipped: [],
  // To itself: the plan adds the item and the operation. To refused: the API does not know its item any more.
  planned: ['sending', 'planned', 'unchanged', 'invalid', 'skipped', 'refused', 'held'],
  // To held: the server accepted the request but did not apply all of it (custom fields that it merges). To held or skipped:
  // an undo has left fields that somebody has changed since.
  sending: ['done', 'refused', 'planned', 'unknown', 'held', 'skipped'],
  // To itself: a person has decided what is sent if the request was not applied. To unchanged: another job has made it.
  unknown: ['unknown', 'done', 'unchanged', 'planned', 'held', 'skipped'],
  held: ['done', 'planned', 'skipped'],
  // An answer that names an item which another row owns makes both unknown (design §4).
  done: ['unknown'],
  refused: [],
};

/** The moves that a job may make of another job's rows. */
const MOVES_OF_OTHERS: Partial<Record<RowState, readonly RowState[]>> = { unknown: ['done'] };

/** @throws Error for a move of another job's row that a job may not make */
export function checkMoveOfOther({
  ordinal,
  from,
  to,
}: {
  ordinal: number;
  from?: RowState;
  to: RowState;
}): void {
  if (from !== undefined && MOVES_OF_OTHERS[from]?.includes(to) === true) return;
  throw new Error(`Row ${ordinal} of another job may not be moved from ${from ?? 'any state'} to ${to}.`);
}

/** The kind of request that a row sends. */
export type RowAction = 'create' | 'update';

/** The states of a job, as `--json` shows them (design §2), and `staging` while its file is still being read. */
export const JOB_STATES = [
  'staging',
  'planned',
  'running',
  'paused',
  'parked_limit',
  'parked_unreachable',
  'parked_unauthorised',
  'parked_refused',
  'parked_disk',
  'interrupted',
  'cancelled',
  'done',
] as const;
/** The state of a job. */
export type JobState = (typeof JOB_STATES)[number];
