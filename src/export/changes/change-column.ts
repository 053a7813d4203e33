/** Says of each row of `--changed-since-last` whether it is new, changed or gone (only-changes.ts). */
export const CHANGE_COLUMN = '_change';
