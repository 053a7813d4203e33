import type { RequestRecord } from '../api/client.ts';
import type { ExportEvent } from '../export/read/source.ts';
import type { ImportEvent } from '../import/job/events.ts';
import type { Run } from './queue/run.ts';

/** Events of a worker, for logs and metrics. Only `cli` prints them. */
export type WorkerEvent =
  | { type: 'started'; profiles: string[]; schedules: string[]; hotFolders: string[] }
  | { type: 'queued'; run: Run }
  | { type: 'begun'; run: Run; takenOver: boolean; waitedMs: number }
  /** A run has ended, finally or until its next try. */
  | { type: 'ended'; run: Run; tookMs: number }
  /** The delivery of a file has begun. */
  | { type: 'delivering'; run: Run; to: string }
  | { type: 'delivered'; run: Run; to: string }
  | { type: 'delivery_failed'; run: Run; to: string; message: string }
  | { type: 'yielded'; run: Run }
  | { type: 'request'; profile: string; record: RequestRecord }
  | { type: 'limited'; profile: string; until: Date }
  | { type: 'import'; run: Run; event: ImportEvent }
  | { type: 'export'; run: Run; event: ExportEvent }
  /** The worker has checked all schedules and folders once. */
  | { type: 'looked' }
  | { type: 'warning'; message: string }
  | { type: 'stopping'; running: number };

export type EmitWorker = (event: WorkerEvent) => void;
