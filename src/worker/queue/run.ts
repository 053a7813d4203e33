/**
 * One run of the worker: an export, report or import of a schedule, or an import of a file.
 *
 *   queued ──▶ running ──▶ delivering ──▶ done
 *     ▲           │            │
 *     │           ├── error ───┤ fewer than N tries: waits, then retries
 *     ├───────────┴────────────┘
 *     │           └──▶ failed          a retry would not help: wrong rows, file or setting
 *     │           └──▶ parked_poison   gave up after N tries
 *     └── stopped, killed, yielded, plan full, outage: costs no try
 *
 *   any state that is not final ──▶ cancelled    by a person; the worker archives the file
 */
import { join, basename } from 'node:path';
import type { ProposedChanges } from '../../export/changes/change-state.ts';
import type { ReadingPlace } from '../../export/keep/readings.ts';
import type { ImportRequest } from '../../import/job/options.ts';
import { saidOf } from '../../base/errors.ts';
import { english, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { ReadContent } from '../sources/known-content.ts';
import type { RunEnd, RunError } from '../tasks/end.ts';

export const OPEN_STATES = ['queued', 'running', 'delivering'] as const;
export const FINAL_STATES = ['done', 'failed', 'parked_poison', 'cancelled'] as const;
export type RunState = (typeof OPEN_STATES)[number] | (typeof FINAL_STATES)[number];

export interface ScheduleWork {
  kind: 'schedule';
  /** The schedule's name. Its task is read from the configuration when the run starts. */
  schedule: string;
  /** The fire time, and the one before; ms since the epoch. */
  fire: number;
  previous: number;
}

/** The task of a run. It is kept in the store, so it contains no secrets. */
export type Work =
  | ScheduleWork
  | {
      kind: 'import';
      /** Where the file is: in the store's spool under the run's id, or claimed in a watched folder. */
      source:
        | {
            spool: true;
            name: string;
            template?: string;
            /** Absolute path of the submitted file, perhaps on another machine. */
            from: string;
          }
        | {
            claimed: string;
            folder: string;
            /** Identity of the claimed file (`identityOf`). */
            identity: string;
            /** `hotFolders[].alertShare` when the file was claimed. */
            alertShare: number;
          };
      /** The request for `import`; paths are absolute. If its `outDir` is not on the machine, results go into the spool. */
      request: Omit<ImportRequest, 'file' | 'jobId'>;
    };

export interface Run {
  /** Short and unique in its store; for an import, also the id of its job. */
  id: string;
  /** The queue that the run waits in (see queue.ts). */
  queue: string;
  /** Exports and reports go before imports of the same key, which yield to them. */
  priority: 'read' | 'write';
  work: Work;
  state: RunState;
  /** Tries that ended in an error; kills, takeovers and outages do not count. */
  tries: number;
  /** When the run was created. All times are ms since the epoch. */
  createdAt: number;
  /** The run does not start before this time. */
  notBefore: number;
  /** The beginning of the outage that the run waits out (see outage.ts). */
  awaySince?: number;
  /** The run's first failure, whatever the cause, since its last success. */
  failingSince?: number;
  startedAt?: number;
  endedAt?: number;
  /** The exit code of the corresponding command. */
  exitCode?: number;
  error?: RunError;
  /** While a dropped file is being archived: how its run ended, and the file's new name. */
  ending?: { end: RunEnd; name: string };
  /** Warnings for people. */
  warnings?: Message[];
  /** Rows written or read. */
  rows?: number;
  /** Rows that the layout of an export left out: the run ends with exit code 3. */
  leftOut?: number;
  /** Values that the totals of an export lack: the same. */
  notInTotals?: number;
  /** Cells of an export left blank, because their texts are too long for XLSX: the same. */
  leftBlank?: number;
  /** Current paths of the files that the run made. */
  files?: string[];
  /** The file of a scheduled import, in the spool. The job has the run's id. */
  fetched?: { name: string } & ReadContent;
  /** The exported file, kept until every delivery is done. */
  artefact?: { name: string; files: string[]; sha256: string };
  deliveries?: DeliveryState[];
  /** Of an export of changes without a delivery: the path of its file. */
  out?: string;
  /** Why the name of the file differs from the configured one. */
  renamed?: Message;
  /** The changes that the exported file reports, until the run has ended. */
  told?: ProposedChanges;
  /** The reading that a report shows, until the run has ended: the next report is compared with it if it arrived. */
  shown?: ReadingPlace;
}

/** One target of the file. Each has its own tries, and none of them repeats the export. */
export interface DeliveryState {
  /** For people: `folder ./out`, `sftp host`, `email a@b`. */
  to: string;
  done: boolean;
  /** Tries that ended in an error; outages do not count. */
  tries: number;
  /** Bare addresses of the recipients who have the e-mail, and of those whom the mail server refused. */
  reached?: readonly string[];
  lacking?: readonly string[];
  /** The file's name there, once it is chosen (delivery/change-files.ts). */
  name?: string;
  /** The beginning of the target's outage, ms since the epoch. */
  awaySince?: number;
  /** Its next try, after one has failed: each target has a wait of its own. */
  notBefore?: number;
  /** Why the last try failed, in English; `said` is the same message as data. */
  error?: string;
  said?: Message;
  actions?: readonly Action[];
}

/** Adds a warning, unless the run has it. */
export function addWarning(run: Pick<Run, 'warnings'>, said: Message): void {
  const { warnings = [] } = run;
  const text = english(said);
  if (!warnings.some((each) => english(each) === text)) run.warnings = [...warnings, said];
}

/** The targets that the file did not reach, each with its reason. */
export function failedDeliveries({ deliveries = [] }: Pick<Run, 'deliveries'>): Message[] {
  return deliveries.flatMap(({ to: key, error: text, said }) =>
    text === undefined ? [] : [message('at_key', { key, problem: saidOf({ said, message: text }) })],
  );
}

/**
 * The targets without the file, if somebody has it already; otherwise undefined. Of an e-mail, only the recipients who
 * lack it are named.
 */
export function lackingTargets({ deliveries = [] }: Pick<Run, 'deliveries'>): string[] | undefined {
  if (!deliveries.some(({ done, reached }) => done || reached !== undefined)) return undefined;
  return deliveries
    .filter(({ done }) => !done)
    .map(({ to, lacking }) => (lacking === undefined ? to : `email ${lacking.join(', ')}`));
}

/** The original path of an import's file, by which people know it. */
export function fileOf(source: Extract<Work, { kind: 'import' }>['source']): string {
  return 'spool' in source ? source.from : join(source.folder, basename(source.claimed));
}

/** The id of a schedule's run: the same for every worker, and in the order of the fire times. @param fire ISO 8601 */
export function idOfFire(schedule: string, fire: string): string {
  return `${schedule}@${fire}`;
}

/** Forgets the file of a schedule, so that the next try makes or fetches it again. */
export function forgetFile(run: Run): void {
  delete run.fetched;
  delete run.artefact;
  delete run.deliveries;
  delete run.told;
  delete run.shown;
  delete run.renamed;
}

export function isFinal(run: Run): boolean {
  return (FINAL_STATES as readonly string[]).includes(run.state);
}
