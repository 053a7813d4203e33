import { english } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { IssueReason } from '../../mapping/issue-reasons.ts';

/** Progress of a running job. Nothing below `cli` prints. */
export type ImportEvent =
  | {
      type: 'opened';
      /** Path of the file, or the name of the rows. */
      file: string;
      /** How the file was read, in one English line. */
      detected: string;
      /** The parts of `detected` as messages. */
      detectedAs: readonly Message[];
      /** In the order of the table. */
      columns: {
        /** '' if the column has no header. */
        header: string;
        /** The field that the column is mapped to. Absent if the column is not used. */
        target?: string;
        /** The reason in English. */
        reason: string;
        /** The reason as a message. */
        why: Message;
        /** Kept as a custom field without anybody having asked for it, unless the collection is public. */
        isUnasked?: true;
      }[];
    }
  | {
      type: 'staging';
      /** Rows read so far. */
      rows: number;
    }
  /** Rows judged again, of all rows of the job. */
  | {
      type: 'judging';
      /** Rows judged so far. */
      done: number;
      /** Number of rows of the job. */
      total: number;
    }
  /** Useful to know; the job continues. */
  | {
      type: 'note';
      /** The note in English. */
      message: string;
      /** The message as data, with its actions; not every note has it yet. */
      said?: Message;
    }
  /** Important to know; the job continues. */
  | {
      type: 'warning';
      /** The warning in English. */
      message: string;
      /** The message as data, with its actions; not every warning has it yet. */
      said?: Message;
    }
  /** Problems of rows by reason, most rows first; `job` if it can be mended. */
  | {
      type: 'issues';
      /** One for each problem and column. */
      reasons: IssueReason[];
      /** Id of the job, for `jobs.mend`. */
      job?: string;
    }
  /** Somebody has changed an item since the plan: `message` shows the value when planned, now, and as planned. */
  | {
      type: 'drifted';
      /** Row of the source, as a spreadsheet program counts. */
      row: number;
      /** UUID of the item. */
      itemId: string;
      /** Name of the item. */
      name: string;
      /** The three values in English. */
      message: string;
      /** The message as data. */
      said: Message;
    }
  | {
      type: 'checking';
      /** Items compared so far. */
      done: number;
      /** Items to compare; 0 while unknown. */
      total: number;
    }
  /** Progress of sending, in rows, or in items if a quantity column makes several items of a row. */
  | {
      type: 'sending';
      /** Sent so far. */
      done: number;
      /** Number of rows to send. */
      total: number;
      /** What `done` and `total` count. */
      unit: 'row' | 'item';
      /** Recent pace, per second. */
      perSecond: number;
      /** Estimated remaining time, ms; undefined while the pace is unknown. */
      leftMs: number | undefined;
    }
  /** The server asked for a pause that ends at `until`. */
  | {
      type: 'limited';
      /** End of the pause. */
      until: Date;
    }
  | {
      type: 'settling';
      /** Number of lost answers. */
      unknown: number;
      /** Wait before the lost answers are looked up, ms. */
      waitMs: number;
    }
  | {
      type: 'unreachable';
      /** When the API stopped answering. */
      since: Date;
      /** Why the last try failed, in English. */
      message: string;
      /** The reason as a message. */
      said?: Message | undefined;
      /** Wait before the next try, ms. */
      nextTryMs: number;
    }
  | {
      type: 'waiting_for_lane';
      /** Host name of the other process. */
      host: string;
      /** Its process id. */
      pid: number;
      /** When the other process took the key. */
      since: Date;
      /** Id of its job. */
      job: string;
    };

export function noteOf(said: Message): ImportEvent {
  return { type: 'note', message: english(said), said };
}

export function warningOf(said: Message): ImportEvent {
  return { type: 'warning', message: english(said), said };
}

export type Emit = (event: ImportEvent) => void;

export function without(emit: Emit, ...types: readonly ImportEvent['type'][]): Emit {
  return (event) => {
    if (!types.includes(event.type)) emit(event);
  };
}

/**
 * Holds back problems of rows until it is certain that their job stays, because its id is in the commands that mend
 * them.
 */
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
