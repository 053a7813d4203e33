import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Period } from '../schedule/file-pattern.ts';

/** A file to deliver, with its manifest. */
export interface Parcel {
  /** The name at the target; it may contain folders. The manifest goes beside it. */
  name: string;
  /** Absolute paths on this machine: the file first, then its manifest. */
  files: string[];
  /** Unique to this run and delivery. A repeated delivery has the same key. */
  key: string;
  /** For the subject of an e-mail. */
  schedule: string;
  period: Period;
  /** Who is told of failures; undefined if nobody is. */
  contact?: string | undefined;
}

/** The name during the upload: the same when the delivery is repeated, so that a kill leaves at most one. */
export function partialName(file: string, parcel: Parcel): string {
  const mark = createHash('sha256').update(parcel.key).digest('hex').slice(0, 8);
  return `.${basename(file)}.${mark}.part`;
}
