import { ACTION_HEADER, GROUP_HEADER } from './write-duplicates.ts';

/** Whether a file is one that `dupes` wrote: it changes items that are there, and must never create any. */
export function isDupesFile(headers: readonly string[]): boolean {
  return [GROUP_HEADER, ACTION_HEADER, 'id'].every((header) => headers.includes(header));
}
