/** What lies in a watched folder and is the worker's (DESIGN §9). */
export const OWN_FOLDERS: readonly string[] = ['processing', 'done', 'failed'];
