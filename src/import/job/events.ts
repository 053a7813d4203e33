import type { IssueGroup } from '../../mapping/group-issues.ts';

/** What a running job tells whoever watches. Nothing below `cli` prints. */
export type ImportEvent =
  /** How the file was read, and what its columns are used as. Once. */
  | {
      type: 'opened';
      file: string;
      detected: string;
      columns: { header: string; target?: string; reason: string }[];
    }
  | { type: 'staging'; rows: number }
  /** Something a person should know that stops nothing. */
  | { type: 'note'; message: string }
  /** Something a person must know, though it stops nothing. */
  | { type: 'warning'; message: string }
  /** What is wrong with rows, grouped, the most frequent first. */
  | { type: 'issues'; groups: IssueGroup[] }
  /** An item that somebody has changed since the plan: `message` shows planned from, now, planned to. */
  | { type: 'drifted'; row: number; itemId: string; name: string; message: string }
  | { type: 'checking'; done: number; total: number }
  /** The work that lies ahead: rows to send. */
  | { type: 'sending'; done: number; total: number; perSecond: number; secondsLeft: number | undefined }
  /** The server told everybody to wait; ms since the epoch. */
  | { type: 'limited'; until: number }
  | { type: 'settling'; unknown: number; waitMs: number }
  | { type: 'unreachable'; since: number; message: string; nextTryMs: number }
  | { type: 'waiting_for_lane'; host: string; pid: number; since: number; job: string };

export type Emit = (event: ImportEvent) => void;
