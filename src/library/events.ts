import type { ExportEvent } from '../export/read/source.ts';
import type { ImportEvent } from '../import/job/events.ts';

/**
 * The events of any piece of work, discriminated by `type`: progress, waits, and messages for a person. Times are ms
 * since the epoch, durations are ms.
 */
export type ShelfEvent = ImportEvent | ExportEvent;
