/** The version of the tables. A store of another version is refused: 0.1.0 is the first release. */
import { UsageError } from '../errors.ts';

/** Counted up with each change of the tables. */
export const STORE_VERSION = 25;

/**
 * @param version of an existing store
 * @throws UsageError `store_newer`, `store_older`
 */
export function checkVersion(version: number, location: string): void {
  if (version > STORE_VERSION)
    throw new UsageError(
      'store_newer',
      `${location} was written by a newer shelflift (version ${version}).`,
      {
        remedy: 'Use that newer shelflift, or another --store.',
      },
    );
  if (version < STORE_VERSION)
    throw new UsageError(
      'store_older',
      `${location} was written by a shelflift from before the first release (version ${version}), and cannot be read.`,
      { remedy: 'Finish its jobs with that shelflift, or name another --store.' },
    );
}
