import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Period } from '../schedule/file-pattern.ts';

/** A file to deliver, with its manifest. */
export interface Parcel {
  /** The name at the target; it may contain folders. The manifest goes next to it. */
  name: string;
  /** Absolute paths on this machine: the file first, then its manifest. */
  files: string[];
  /** Unique to this file, run and delivery. A repeated delivery of the file has the same key. */
  key: string;
  /** Name of the schedule, for the subject of an e-mail. */
  schedule: string;
  period: Period;
  /** The recipients who have the e-mail already. */
  reached?: readonly string[] | undefined;
  /** The person who is notified of failures, if any. */
  contact?: string | undefined;
}

/** Each file with its name at the target, without folders: the manifest's follows the file's. */
export function namedFiles({ name, files }: Parcel): { file: string; as: string }[] {
  const made = basename(files[0] ?? '');
  return files.map((file) => ({ file, as: basename(name) + basename(file).slice(made.length) }));
}

/** The name during the upload. A repeated delivery uses the same name, so a kill leaves at most one partial file. */
export function partialName(file: string, parcel: Parcel): string {
  const mark = createHash('sha256').update(parcel.key).digest('hex').slice(0, 8);
  return `.${basename(file)}.${mark}.part`;
}
