export const PROCESSING = 'processing';
/** The folders in which files end up. */
export const ARCHIVE_FOLDERS = ['done', 'failed'] as const;
/** The worker's own folders in a watched folder (design §9). */
export const OWN_FOLDERS: readonly string[] = [PROCESSING, ...ARCHIVE_FOLDERS];
