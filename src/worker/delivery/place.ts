import type { Smtp } from '../config/schema.ts';
import type { Period } from '../schedule/file-pattern.ts';

/** What deliveries need from outside. */
export interface Place {
  /** Where relative paths start. */
  configFolder: string;
  environment: Record<string, string | undefined>;
  smtp: Smtp | undefined;
}

/** What is delivered: a name as it arrives, and the files of this machine, the first of which it is. */
export interface Parcel {
  /** May hold folders. Its manifest goes beside it. */
  name: string;
  files: string[];
  /** Unique to this run and this delivery: the same parcel sent twice has the same. */
  key: string;
  /** Of whom and of when it tells, for subjects. */
  schedule: string;
  period: Period;
}
