/**
 * One run of something the worker does: an export of a schedule, an import of a file.
 *
 *   queued ──▶ running ──▶ delivering ──▶ done
 *     ▲           │            │
 *     │           ├── error ───┤ fewer than N tries: waits, then again
 *     ├───────────┴────────────┘
 *     │           └──▶ failed          nothing to try again: rows to mend, a file or a setting that is wrong
 *     │           └──▶ parked_poison   N tries ended in errors
 *     └── stopped, killed, lane yielded, plan full, an outage: no try was used up
 *
 *   any of these but the ended ones ──▶ cancelled    by a person; its worker sees it, and puts away what it has
 */
import { join, basename } from 'node:path';
import type { ToldChanges } from '../../export/changes/change-state.ts';
import type { ImportRequest } from '../../import/job/options.ts';
import type { RunEnd, RunError } from '../tasks/end.ts';

export const FINAL_STATES = ['done', 'failed', 'parked_poison', 'cancelled'] as const;
export type RunState = 'queued' | 'running' | 'delivering' | (typeof FINAL_STATES)[number];

/** What is to be done. Nothing secret: it is kept in the store. */
export type Work =
  | {
      kind: 'schedule';
      /** Its name; what it does is read from the configuration when it runs. */
      schedule: string;
      /** The fire time, and the one before; ms since the epoch. */
      fire: number;
      previous: number;
    }
  | {
      kind: 'import';
      /** Where the file is: in the store's spool under the run's id, or claimed in a watched folder. */
      source:
        | {
            spool: true;
            name: string;
            template?: string;
            /** Absolute path that it was submitted from, perhaps on another machine. */
            from: string;
          }
        | {
            claimed: string;
            folder: string;
            /** Of the file as it was claimed (`identityOf`); runs of earlier versions have none. */
            identity?: string;
            /** `hotFolders[].alertShare` at that time; runs of earlier versions have none. */
            alertShare?: number;
          };
      /** As `import` takes it; paths are absolute. Results go into the spool where its `outDir` is not on the machine. */
      request: Omit<ImportRequest, 'file' | 'jobId'>;
    };

export interface Run {
  /** Short and unique in its store; of an import, also the id of its job. */
  id: string;
  /** Which queue it waits in (see queues.ts). */
  queue: string;
  /** Exports and reports go before imports of the same key, which yield to them. */
  priority: 'read' | 'write';
  work: Work;
  state: RunState;
  /** Runs that ended in an error. A kill, a takeover or an outage is none. */
  tries: number;
  /** ms since the epoch, this and all below. */
  createdAt: number;
  /** Not before this. */
  notBefore: number;
  /** Since when what it needs cannot be reached (see outage.ts); absent while it can. */
  awaySince?: number;
  startedAt?: number;
  endedAt?: number;
  /** As the command line would have ended. */
  exitCode?: number;
  error?: RunError;
  /** How the run of a watched folder's file ended, and the file's new name, while it is being put away. */
  ending?: { end: RunEnd; name: string };
  /** What a person must know although it stopped nothing. */
  warnings?: string[];
  /** Rows written or read. */
  rows?: number;
  /** Files that were made, where they are now. */
  files?: string[];
  /** What an export made, kept until each delivery is done. */
  artefact?: { name: string; files: string[]; sha256: string };
  deliveries?: DeliveryState[];
  /** What the file of an export of changes tells, until the run has ended. */
  told?: ToldChanges;
}

/** One place that a file goes to. Each has tries of its own: the export is not made again for it. */
export interface DeliveryState {
  /** For people: `folder ./out`, `sftp host`, `email a@b`. */
  to: string;
  done: boolean;
  /** Those that ended in an error; an outage is none. */
  tries: number;
  /** Since when the place cannot be reached, ms since the epoch. */
  awaySince?: number;
  error?: string;
}

/** The file of an import, by the path that a person knows it by. */
export function fileOf(source: Extract<Work, { kind: 'import' }>['source']): string {
  return 'spool' in source ? source.from : join(source.folder, basename(source.claimed));
}

/** The id of a schedule's run: the same for every worker, and in the order of the fire times. @param fire ISO 8601 */
export function idOfFire(schedule: string, fire: string): string {
  return `${schedule}@${fire}`;
}

/** What was made is made again. */
export function forgetFile(run: Run): void {
  delete run.artefact;
  delete run.deliveries;
  delete run.told;
}

export function isFinal(run: Run): boolean {
  return (FINAL_STATES as readonly string[]).includes(run.state);
}
