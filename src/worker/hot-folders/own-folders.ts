export const PROCESSING = 'processing';
/** Where files end. */
export const ARCHIVE_FOLDERS = ['done', 'failed'] as const;
/** What lies in a watched folder and is the worker's (design §9). */
export const OWN_FOLDERS: readonly string[] = [PROCESSING, ...ARCHIVE_FOLDERS];
