import type { IssueReason } from '../../mapping/issue-reasons.ts';

/** Progress of a running job. Nothing below `cli` prints. */
export type ImportEvent =
  /** How the file was read, and what its columns are used for. Emitted once. */
  | {
      type: 'opened';
      file: string;
      detected: string;
      /** `isUnasked`: kept as a custom field, unless everybody can see the collection. */
      columns: { header: string; target?: string; reason: string; isUnasked?: true }[];
    }
  | { type: 'staging'; rows: number }
  /** Rows judged again, of all rows of the job. */
  | { type: 'judging'; done: number; total: number }
  /** Useful to know; nothing stops. */
  | { type: 'note'; message: string }
  /** Important to know; nothing stops. */
  | { type: 'warning'; message: string }
  /** What is wrong with rows, by reason, the gravest first; `job` if it can be mended. */
  | { type: 'issues'; reasons: IssueReason[]; job?: string }
  /** Somebody has changed an item since the plan: `message` shows the value when planned, now, and as planned. */
  | { type: 'drifted'; row: number; itemId: string; name: string; message: string }
  | { type: 'checking'; done: number; total: number }
  /** Rows sent so far, of all rows to send; items where a quantity column makes several of a row. */
  | {
      type: 'sending';
      done: number;
      total: number;
      unit: 'row' | 'item';
      perSecond: number;
      secondsLeft: number | undefined;
    }
  /** The server asked for a pause that ends at `until`, ms since the epoch. */
  | { type: 'limited'; until: number }
  | { type: 'settling'; unknown: number; waitMs: number }
  | { type: 'unreachable'; since: number; message: string; nextTryMs: number }
  | { type: 'waiting_for_lane'; host: string; pid: number; since: number; job: string };

export type Emit = (event: ImportEvent) => void;

/** Keeps back what is wrong with rows until it is known that their job stays: its id is in the commands that mend them. */
export function holdProblems(emit: Emit): { emit: Emit; tell: () => void } {
  const held: ImportEvent[] = [];
  return {
    emit: (event) => {
      if (event.type === 'issues') held.push(event);
      else emit(event);
    },
    tell: () => {
      for (const event of held.splice(0)) emit(event);
    },
  };
}
