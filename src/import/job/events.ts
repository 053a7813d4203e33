import { english } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { IssueReason } from '../../mapping/issue-reasons.ts';

/** Progress of a running job. Nothing below `cli` prints. */
export type ImportEvent =
  /** How the file was read, and what its columns are used for. Emitted once. */
  | {
      type: 'opened';
      /** Path of the file, or the name of the rows. */
      file: string;
      /** How it was read, one line for people. */
      detected: string;
      /** In the order of the table. */
      columns: {
        /** '' for a column without one. */
        header: string;
        /** The field that it feeds. Absent if it is not used. */
        target?: string;
        /** Why, in English. */
        reason: string;
        /** The same as data. */
        why: Message;
        /** Kept as a custom field although nobody said so, unless everybody can see the collection. */
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
      /** Rows so far. */
      done: number;
      /** All rows. */
      total: number;
    }
  /** Useful to know; nothing stops. */
  | {
      type: 'note';
      /** One or more sentences for people, in English. */
      message: string;
      /** The same as data, with what can be done; not every note has it yet. */
      said?: Message;
    }
  /** Important to know; nothing stops. */
  | {
      type: 'warning';
      /** One or more sentences for people, in English. */
      message: string;
      /** The same as data, with what can be done; not every warning has it yet. */
      said?: Message;
    }
  /** What is wrong with rows, by reason, most rows first; `job` if it can be mended. */
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
      /** The three values, for people, in English. */
      message: string;
      /** The same as data. */
      said: Message;
    }
  | {
      type: 'checking';
      /** Items compared so far. */
      done: number;
      /** Items to compare; 0 while that is not known. */
      total: number;
    }
  /** Rows sent so far, of all rows to send; items where a quantity column makes several of a row. */
  | {
      type: 'sending';
      /** Sent so far. */
      done: number;
      /** Number of rows to send. */
      total: number;
      /** What `done` and `total` count. */
      unit: 'row' | 'item';
      /** Pace of late, per second. */
      perSecond: number;
      /** Estimated time that is left, ms; undefined while the pace is not known. */
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
      /** Answers that were lost. */
      unknown: number;
      /** How long it waits before it looks them up, ms. */
      waitMs: number;
    }
  | {
      type: 'unreachable';
      /** When the API stopped answering. */
      since: Date;
      /** Why the last try failed. */
      message: string;
      /** How long it waits before the next try, ms. */
      nextTryMs: number;
    }
  | {
      type: 'waiting_for_lane';
      /** Machine of the other process. */
      host: string;
      /** Its process id. */
      pid: number;
      /** When it took the key. */
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

/** Leaves events of some types out. */
export function without(emit: Emit, ...types: readonly ImportEvent['type'][]): Emit {
  return (event) => {
    if (!types.includes(event.type)) emit(event);
  };
}

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
