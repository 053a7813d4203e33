/**
 * The life of a row, and who may move it.
 *
 *   invalid    did not validate; final                                         (stage, plan)
 *   unchanged  nothing to send; final                                          (plan)
 *   skipped    a rule said so; final                                           (stage, plan, a person)
 *   planned    valid, waiting to be sent                                       (stage, plan)
 *   sending    the intent is on disk; the request may or may not have left     (write)
 *   done       the server acknowledged it, or settling found its item; final   (write, settle, a person)
 *   refused    the API said no to this row; final                              (write)
 *   unknown    may or may not have been applied                                (write, takeover)
 *   held       a person must look                                              (settle, write)
 *
 *   planned ──write: intent──▶ sending ──2xx──────────────▶ done
 *      ▲                          │ ├────2xx, not all took─▶ held
 *      │                          │ ├────contract 4xx──────▶ refused
 *      │                          │ ├────429, never sent,
 *      ├──────────────────────────┼─┘    limit_reached  (back to planned: certainly not applied)
 *      │                          └──no answer, 5xx, crash─▶ unknown ──settle: found──▶ done
 *      └────settle: certainly not there─────────────────────────┤└──settle: in doubt──▶ held
 *                                                               │        │
 *      a person (jobs resolve): held, unknown ──▶ done, planned, skipped ┘
 *
 * On disk at each instant: `sending` is committed (synchronous=FULL) before a byte leaves; the outcome is
 * committed after the answer. Whatever happens in between, the row is found as `sending`, and whoever takes
 * the lane over makes it `unknown` before anything else.
 *
 * Two keys of one team, and two jobs of one key, share the rows' contents, so a job may meet rows of another:
 *   sending → unknown   by whoever takes the lane of a dead holder over
 *   done    → unknown   by an answer that names the item which the row owns
 *   unknown → done      by a job whose settling finds the row's item
 * Nothing else. Above all, unknown → planned is the owner's alone: only the job whose request it was knows how long
 * the server may still apply it. The length of that quiet period is on disk with the row (`quiet_ms`), written with
 * the intent and again with the lost answer. It has no moment, because clocks jump: whoever reads it counts it from
 * the later of the record and its own start.
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
export type RowState = (typeof ROW_STATES)[number];

/** Every move that the code may make; the ledger refuses all others. */
export const ROW_MOVES: Record<RowState, readonly RowState[]> = {
  invalid: [],
  unchanged: [],
  skipped: [],
  // To itself: the plan gives a row its item and what is sent for it.
  planned: ['sending', 'planned', 'unchanged', 'invalid', 'skipped', 'held'],
  // To held: the server said yes, and yet something of it did not take (custom fields that it merges).
  sending: ['done', 'refused', 'planned', 'unknown', 'held'],
  unknown: ['done', 'planned', 'held', 'skipped'],
  held: ['done', 'planned', 'skipped'],
  // An answer that names an item which another row owns makes both unknown (design §4).
  done: ['unknown'],
  refused: [],
};

/** The moves that a job may make with rows of another. */
const MOVES_OF_OTHERS: Partial<Record<RowState, readonly RowState[]>> = { unknown: ['done'] };

/** Refuses what a job may not do with a row of another. */
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
  throw new Error(`row ${ordinal} of another job may not be moved from ${from ?? 'any state'} to ${to}`);
}

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
export type JobState = (typeof JOB_STATES)[number];
